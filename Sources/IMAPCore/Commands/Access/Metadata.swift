import MartletBytes

extension IMAP {
    /// `GETMETADATA`: asks for annotations of a mailbox or of the server. RFC 5464 §4.2.
    ///
    ///     C: M4 GETMETADATA (MAXSIZE 1024 DEPTH 1) INBOX (/shared/comment /private/filters)
    ///     S: * METADATA INBOX (/shared/comment "all mine")
    ///
    /// - Throws: `.unsupported` where the server does not offer it, `.invalidInput` without names, or for what is no name
    ///   of an annotation.
    public struct GetMetadata: IMAPCommand, Hashable {
        /// How far below a name. RFC 5464 §4.2.2.
        public enum Depth: String, Hashable, Sendable, CaseIterable {
            /// That annotation alone.
            case zero = "0"
            /// Those directly below it, too.
            case one = "1"
            /// All below it, too.
            case infinity = "infinity"
        }

        /// The mailbox; `nil`: the server.
        public var mailbox: MailboxName?
        /// The names, such as `/shared/comment`. Up to `entryLimit`.
        public var entries: [String]
        /// The largest value to be told, in octets; `GetMetadata.Result.longestInOctets` says if there are larger ones.
        public var maximumSizeInOctets: UInt32?
        /// How far below those names.
        public var depth: Depth

        /// How many names there may be.
        public static let entryLimit = 1_000

        /// Its words.
        public var name: String { "GETMETADATA" }

        /// Makes one.
        public init(
            _ mailbox: MailboxName?, _ entries: [String], maximumSizeInOctets: UInt32? = nil,
            depth: Depth = .zero
        ) {
            self.mailbox = mailbox
            self.entries = entries
            self.maximumSizeInOctets = maximumSizeInOctets
            self.depth = depth
        }

        /// Writes it; see `IMAPCommand.encode(into:)`.
        public func encode(into encoder: inout CommandEncoder) throws(IMAPError) {
            try encoder.requireMetadata(of: mailbox)
            guard !entries.isEmpty, entries.count <= Self.entryLimit else {
                throw .invalidInput("GETMETADATA takes 1 to \(Self.entryLimit) names")
            }
            encoder.text("GETMETADATA ")
            if maximumSizeInOctets != nil || depth != .zero {
                encoder.text("(")
                if let maximumSizeInOctets {
                    encoder.text("MAXSIZE ")
                    encoder.number(maximumSizeInOctets)
                    if depth != .zero { encoder.space() }
                }
                if depth != .zero {
                    encoder.text("DEPTH ")
                    encoder.raw(depth.rawValue.utf8)
                }
                encoder.text(") ")
            }
            encoder.reference(mailbox)
            encoder.space()
            try encoder.list(entries) { encoder, name throws(IMAPError) in
                try encoder.annotationName(name)
            }
        }
        /// Something empty to gather its answers in.
        public func makeCollector() -> Collector { Collector(mailbox: mailbox) }

        /// What annotations there are.
        public struct Result: Hashable, Sendable {
            /// The annotations; `.nil` for those that are not there.
            public var entries: [MetadataResponse.Entry]
            /// The size of the largest value that was left out, if one was.
            public var longestInOctets: UInt64?
        }

        /// Gathers annotations.
        public struct Collector: ResponseCollector {
            let mailbox: MailboxName?
            private var entries: [MetadataResponse.Entry] = []
            private var literals = LiteralGatherer()
            private var budget = GatheringBudget()

            init(mailbox: MailboxName?) { self.mailbox = mailbox }

            /// Takes a response, if it is an answer.
            public mutating func receive(_ response: IMAPResponse) -> Disposition {
                guard case .metadata(let answer) = response, answer.changedNames.isEmpty,
                    isMeant(answer.mailbox)
                else { return .unclaimed }
                let settled = literals.settle(answer.entries)
                if budget.take(answer.roughSizeInOctets) { entries += settled }
                return .consumed
            }

            private func isMeant(_ other: MailboxName?) -> Bool {
                guard let mailbox, let other else { return mailbox == other }
                return other.isMeant(by: mailbox)
            }

            /// Takes large data, if they belong to an answer.
            public mutating func claims(_ literal: DetachedLiteral) -> Bool {
                literal.isInResponse("METADATA") && literals.begin(literal, &budget)
            }

            /// Takes the next octets of large data.
            public mutating func receiveLiteral(_ octets: ArraySlice<UInt8>) {
                literals.append(octets)
            }

            /// Set once too much came; see `ResponseCollector.excess`.
            public var excess: IMAPError? { budget.excess }

            /// What the command gives; see `ResponseCollector.finish(_:)`.
            public consuming func finish(_ text: ResponseText) throws(IMAPError) -> Result {
                try budget.check()
                var result = Result(entries: entries)
                if case .metadata(.longEntries(let size)) = text.code {
                    result.longestInOctets = size
                }
                return result
            }
        }
    }

    /// `SETMETADATA`: changes annotations of a mailbox or of the server: all of them or none. RFC 5464 §4.3.
    ///
    ///     C: M4 SETMETADATA INBOX (/private/comment "mine" /shared/comment NIL)
    ///
    /// - Throws: `.unsupported` where the server does not offer it, `.invalidInput` for nothing, for what is no name of an
    ///   annotation, and for a value larger than `valueLimitInOctets`; `.refused` by the server with `[METADATA …]`.
    public struct SetMetadata: IMAPCommand, Hashable {
        /// An annotation.
        public struct Entry: Hashable, Sendable {
            /// Its name, such as `/private/comment`.
            public var name: String
            /// Its value, any octets; `nil` removes it.
            public var value: [UInt8]?

            /// Makes one.
            public init(name: String, value: [UInt8]?) {
                self.name = name
                self.value = value
            }
        }

        /// The mailbox; `nil`: the server.
        public var mailbox: MailboxName?
        /// The annotations. Up to `entryLimit`.
        public var entries: [Entry]

        /// How many annotations there may be.
        public static let entryLimit = 1_000
        /// The largest value, in octets.
        public static let valueLimitInOctets = 16 << 20

        /// Its words.
        public var name: String { "SETMETADATA" }

        /// Makes one.
        public init(_ mailbox: MailboxName?, _ entries: [Entry]) {
            self.mailbox = mailbox
            self.entries = entries
        }

        /// Writes it; see `IMAPCommand.encode(into:)`.
        public func encode(into encoder: inout CommandEncoder) throws(IMAPError) {
            try encoder.requireMetadata(of: mailbox)
            guard !entries.isEmpty, entries.count <= Self.entryLimit else {
                throw .invalidInput("SETMETADATA takes 1 to \(Self.entryLimit) annotations")
            }
            encoder.text("SETMETADATA ")
            encoder.reference(mailbox)
            encoder.space()
            try encoder.list(entries) { encoder, entry throws(IMAPError) in
                try encoder.annotationName(entry.name)
                encoder.space()
                guard entry.value?.count ?? 0 <= Self.valueLimitInOctets else {
                    throw .invalidInput(
                        "an annotation has up to \(Self.valueLimitInOctets) octets")
                }
                encoder.nstring(entry.value)
            }
        }
        /// Something empty to gather its answers in.
        public func makeCollector() -> NoResponses { NoResponses() }
    }
}

extension CommandEncoder {
    fileprivate func requireMetadata(of mailbox: MailboxName?) throws(IMAPError) {
        if mailbox == nil, capabilities.has(.metadataServer) { return }
        try require(.metadata)
    }

    /// The name of an annotation.
    mutating func annotationName(_ name: String) throws(IMAPError) {
        guard IMAP.isAnnotationName(name) else {
            throw .invalidInput("\"\(name.excerpt)\" is no name of an annotation")
        }
        astring(name.utf8)
    }
}

extension IMAP {
    /// Whether annotations can have that name: ASCII, begins with `/`, without empty levels and wildcards. RFC 5464 §3.2.
    static func isAnnotationName(_ name: String) -> Bool {
        let slash = UInt8(ascii: "/")
        return name.utf8.first == slash && name.utf8.last != slash
            && name.utf8.count <= CommandEncoder.nameLimitInOctets
            && name.utf8.allSatisfy {
                $0 > ASCII.space && $0 < ASCII.del && $0 != UInt8(ascii: "*")
                    && $0 != UInt8(ascii: "%")
            }
            && !zip(name.utf8, name.utf8.dropFirst()).contains { $0 == slash && $1 == slash }
    }
}
