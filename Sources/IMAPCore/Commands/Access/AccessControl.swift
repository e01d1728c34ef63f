import MartletBytes

extension IMAP {
    /// `GETACL`: asks who may do what in a mailbox. RFC 4314 §3.3.
    ///
    ///     C: M4 GETACL INBOX
    ///     S: * ACL INBOX fred lrswipkxtea
    ///
    /// - Throws: `.unsupported` where the server does not offer it, `.missingResponse` where it said nothing.
    public struct GetACL: IMAPCommand, Hashable {
        /// The mailbox.
        public var mailbox: MailboxName

        /// Its words.
        public var name: String { "GETACL" }

        /// Makes one.
        public init(_ mailbox: MailboxName) { self.mailbox = mailbox }

        /// Writes it; see `IMAPCommand.encode(into:)`.
        public func encode(into encoder: inout CommandEncoder) throws(IMAPError) {
            try encoder.require(.acl)
            encoder.text("GETACL ")
            encoder.mailbox(mailbox)
        }
        /// Something empty to gather its answers in.
        public func makeCollector() -> Collector { Collector(mailbox: mailbox) }

        /// Keeps the answer.
        public struct Collector: ResponseCollector {
            let mailbox: MailboxName
            private var answer: ACLResponse?

            init(mailbox: MailboxName) { self.mailbox = mailbox }

            /// Takes a response, if it is an answer.
            public mutating func receive(_ response: IMAPResponse) -> Disposition {
                guard answer == nil, case .acl(let list) = response,
                    list.mailbox.isMeant(by: mailbox)
                else { return .unclaimed }
                answer = list
                return .consumed
            }

            /// What the command gives; see `ResponseCollector.finish(_:)`.
            public consuming func finish(
                _ text: ResponseText
            ) throws(IMAPError) -> [ACLResponse.Entry] {
                guard let answer else {
                    throw IMAPError(kind: .missingResponse("the rights"), command: "GETACL")
                }
                return answer.entries
            }
        }
    }

    /// `SETACL`: gives somebody rights in a mailbox, or takes some. RFC 4314 §3.1.
    ///
    ///     C: M4 SETACL INBOX john +lr
    ///
    /// - Throws: `.unsupported` where the server does not offer it, `.invalidInput` for an empty identifier, one with
    ///   control characters, or rights that are not lower-case letters and digits.
    public struct SetACL: IMAPCommand, Hashable {
        /// What becomes of the rights that somebody has.
        public enum Operation: String, Hashable, Sendable, CaseIterable {
            /// These come to them.
            case add = "+"
            /// These are taken from them.
            case remove = "-"
            /// These alone are left.
            case replace = ""
        }

        /// The mailbox.
        public var mailbox: MailboxName
        /// Who, such as a user's name or `anyone`.
        public var identifier: String
        /// What becomes of the rights.
        public var operation: Operation
        /// The rights.
        public var rights: AccessRights

        /// Its words.
        public var name: String { "SETACL" }

        /// Makes one.
        public init(
            _ mailbox: MailboxName, _ identifier: String, _ rights: AccessRights,
            _ operation: Operation = .replace
        ) {
            self.mailbox = mailbox
            self.identifier = identifier
            self.operation = operation
            self.rights = rights
        }

        /// Writes it; see `IMAPCommand.encode(into:)`.
        public func encode(into encoder: inout CommandEncoder) throws(IMAPError) {
            try encoder.require(.acl)
            guard
                rights.letters.utf8.allSatisfy({
                    $0.isDigit || $0.isLetter && $0 == $0.lowercased
                }), rights.letters.utf8.count <= 36
            else {
                throw .invalidInput("\"\(rights.letters.excerpt)\" are no rights")
            }
            encoder.text("SETACL ")
            encoder.mailbox(mailbox)
            encoder.space()
            try encoder.identifier(identifier)
            encoder.space()
            encoder.astring((operation.rawValue + rights.letters).utf8)
        }
        /// Something empty to gather its answers in.
        public func makeCollector() -> NoResponses { NoResponses() }
    }

    /// `DELETEACL`: takes all rights from somebody that were given. RFC 4314 §3.2.
    ///
    ///     C: M4 DELETEACL INBOX fred
    ///
    /// - Throws: `.unsupported` where the server does not offer it, `.invalidInput` for an identifier that is none.
    public struct DeleteACL: IMAPCommand, Hashable {
        /// The mailbox.
        public var mailbox: MailboxName
        /// Who.
        public var identifier: String

        /// Its words.
        public var name: String { "DELETEACL" }

        /// Makes one.
        public init(_ mailbox: MailboxName, _ identifier: String) {
            self.mailbox = mailbox
            self.identifier = identifier
        }

        /// Writes it; see `IMAPCommand.encode(into:)`.
        public func encode(into encoder: inout CommandEncoder) throws(IMAPError) {
            try encoder.require(.acl)
            encoder.text("DELETEACL ")
            encoder.mailbox(mailbox)
            encoder.space()
            try encoder.identifier(identifier)
        }
        /// Something empty to gather its answers in.
        public func makeCollector() -> NoResponses { NoResponses() }
    }

    /// `LISTRIGHTS`: asks which rights somebody can be given. RFC 4314 §3.4.
    ///
    ///     C: M4 LISTRIGHTS INBOX smith
    ///     S: * LISTRIGHTS INBOX smith la r swicdkxte
    ///
    /// - Throws: `.unsupported` where the server does not offer it, `.missingResponse` where it said nothing.
    public struct ListRights: IMAPCommand, Hashable {
        /// The mailbox.
        public var mailbox: MailboxName
        /// Who.
        public var identifier: String

        /// Its words.
        public var name: String { "LISTRIGHTS" }

        /// Makes one.
        public init(_ mailbox: MailboxName, _ identifier: String) {
            self.mailbox = mailbox
            self.identifier = identifier
        }

        /// Writes it; see `IMAPCommand.encode(into:)`.
        public func encode(into encoder: inout CommandEncoder) throws(IMAPError) {
            try encoder.require(.acl)
            encoder.text("LISTRIGHTS ")
            encoder.mailbox(mailbox)
            encoder.space()
            try encoder.identifier(identifier)
        }
        /// Something empty to gather its answers in.
        public func makeCollector() -> Collector { Collector(mailbox: mailbox) }

        /// Keeps the answer.
        public struct Collector: ResponseCollector {
            let mailbox: MailboxName
            private var answer: ListRightsResponse?

            init(mailbox: MailboxName) { self.mailbox = mailbox }

            /// Takes a response, if it is an answer.
            public mutating func receive(_ response: IMAPResponse) -> Disposition {
                guard answer == nil, case .listRights(let rights) = response,
                    rights.mailbox.isMeant(by: mailbox)
                else { return .unclaimed }
                answer = rights
                return .consumed
            }

            /// What the command gives; see `ResponseCollector.finish(_:)`.
            public consuming func finish(
                _ text: ResponseText
            ) throws(IMAPError) -> ListRightsResponse {
                guard let answer else {
                    throw IMAPError(kind: .missingResponse("the rights"), command: "LISTRIGHTS")
                }
                return answer
            }
        }
    }

    /// `MYRIGHTS`: asks what the user may do in a mailbox. RFC 4314 §3.5.
    ///
    ///     C: M4 MYRIGHTS INBOX
    ///     S: * MYRIGHTS INBOX rwiptsldaex
    ///
    /// - Throws: `.unsupported` where the server does not offer it, `.missingResponse` where it said nothing.
    public struct MyRights: IMAPCommand, Hashable {
        /// The mailbox.
        public var mailbox: MailboxName

        /// Its words.
        public var name: String { "MYRIGHTS" }

        /// Makes one.
        public init(_ mailbox: MailboxName) { self.mailbox = mailbox }

        /// Writes it; see `IMAPCommand.encode(into:)`.
        public func encode(into encoder: inout CommandEncoder) throws(IMAPError) {
            try encoder.require(.acl)
            encoder.text("MYRIGHTS ")
            encoder.mailbox(mailbox)
        }
        /// Something empty to gather its answers in.
        public func makeCollector() -> Collector { Collector(mailbox: mailbox) }

        /// Keeps the answer.
        public struct Collector: ResponseCollector {
            let mailbox: MailboxName
            private var answer: AccessRights?

            init(mailbox: MailboxName) { self.mailbox = mailbox }

            /// Takes a response, if it is an answer.
            public mutating func receive(_ response: IMAPResponse) -> Disposition {
                guard answer == nil, case .myRights(let rights) = response,
                    rights.mailbox.isMeant(by: mailbox)
                else { return .unclaimed }
                answer = rights.rights
                return .consumed
            }

            /// What the command gives; see `ResponseCollector.finish(_:)`.
            public consuming func finish(_ text: ResponseText) throws(IMAPError) -> AccessRights {
                guard let answer else {
                    throw IMAPError(kind: .missingResponse("the rights"), command: "MYRIGHTS")
                }
                return answer
            }
        }
    }
}

extension CommandEncoder {
    /// Who has rights: a name that may be beyond ASCII.
    fileprivate mutating func identifier(_ identifier: String) throws(IMAPError) {
        try checkedName(identifier, "an identifier")
    }
}
