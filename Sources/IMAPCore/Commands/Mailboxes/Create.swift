import MartletBytes

extension IMAP {
    /// `CREATE`: makes a mailbox. RFC 9051 §6.3.4, RFC 6154 §3.
    ///
    ///     C: M4 CREATE Entw&APw-rfe (USE (\Drafts))
    ///     S: M4 OK [MAILBOXID (F2212ea87-6097-4256-9d51-71338625)] done
    ///
    /// - Throws: `.unsupported` for uses where the server takes none; `.invalidInput` for a use that is no attribute.
    public struct Create: IMAPCommand, Hashable {
        /// The mailbox. With the delimiter at its end others are to be made inside of it.
        public var mailbox: MailboxName
        /// What it is for, such as `.drafts`.
        public var uses: [MailboxAttribute]

        /// Its words.
        public var name: String { "CREATE" }
        /// Whether it does no harm twice.
        public var isRepeatable: Bool { false }

        /// Makes one.
        public init(_ mailbox: MailboxName, uses: [MailboxAttribute] = []) {
            self.mailbox = mailbox
            self.uses = uses
        }

        /// Writes it; see `IMAPCommand.encode(into:)`.
        public func encode(into encoder: inout CommandEncoder) throws(IMAPError) {
            encoder.text("CREATE ")
            encoder.mailbox(mailbox)
            guard !uses.isEmpty else { return }
            try encoder.require(.createSpecialUse)
            encoder.text(" (USE ")
            try encoder.list(uses) { encoder, use throws(IMAPError) in
                let word = use.rawValue
                guard word.utf8.first == ASCII.backslash else {
                    throw .invalidInput("\"\(word.excerpt)\" is no use of a mailbox")
                }
                encoder.text("\\")
                try encoder.checkedAtom(String(word.dropFirst()), "use of a mailbox")
            }
            encoder.text(")")
        }
        /// Something empty to gather its answers in.
        public func makeCollector() -> Collector { Collector(mailbox: mailbox) }

        /// What was made.
        public struct Result: Hashable, Sendable {
            /// The mailbox; its name may be another than was asked for. RFC 9051 §6.3.9.7.
            public var mailbox: MailboxName
            /// Its lasting identifier, where the server has them. RFC 8474 §4.1.
            public var mailboxID: ObjectID?

            /// Makes one.
            public init(mailbox: MailboxName, mailboxID: ObjectID? = nil) {
                self.mailbox = mailbox
                self.mailboxID = mailboxID
            }
        }

        /// Listens for another name.
        public struct Collector: ResponseCollector {
            var mailbox: MailboxName

            /// Takes a response, if it is an answer.
            public mutating func receive(_ response: IMAPResponse) -> Disposition {
                if case .list(let entry) = response, let old = entry.oldName,
                    old.isMeant(by: mailbox)
                {
                    mailbox = entry.name
                }
                return .unclaimed
            }

            /// What the command gives; see `ResponseCollector.finish(_:)`.
            public consuming func finish(_ text: ResponseText) throws(IMAPError) -> Result {
                guard case .mailboxID(let id) = text.code else { return Result(mailbox: mailbox) }
                return Result(mailbox: mailbox, mailboxID: id)
            }
        }
    }
}
