extension IMAP {
    /// `CLOSE`: removes the messages with `\Deleted` for good, without a word about them, and leaves the mailbox.
    /// RFC 9051 §6.4.1.
    public struct Close: IMAPCommand, Hashable {
        /// Its words.
        public var name: String { "CLOSE" }
        /// When it may be sent.
        public var scope: CommandScope { .selected }
        /// What may be under way beside it.
        public var order: CommandOrder { .exclusive }
        /// What its success does to the connection.
        public var effect: CommandEffect { .deselect }

        /// Makes one.
        public init() {}

        /// Writes it; see `IMAPCommand.encode(into:)`.
        public func encode(into encoder: inout CommandEncoder) { encoder.text("CLOSE") }
        /// Something empty to gather its answers in.
        public func makeCollector() -> NoResponses { NoResponses() }
    }

    /// `UNSELECT`: leaves the mailbox and removes nothing. RFC 9051 §6.4.2, RFC 3691.
    ///
    /// - Throws: `.unsupported` where the server does not offer it.
    public struct Unselect: IMAPCommand, Hashable {
        /// Its words.
        public var name: String { "UNSELECT" }
        /// When it may be sent.
        public var scope: CommandScope { .selected }
        /// What may be under way beside it.
        public var order: CommandOrder { .exclusive }
        /// What its success does to the connection.
        public var effect: CommandEffect { .deselect }

        /// Makes one.
        public init() {}

        /// Writes it; see `IMAPCommand.encode(into:)`.
        public func encode(into encoder: inout CommandEncoder) throws(IMAPError) {
            try encoder.require(.unselect)
            encoder.text("UNSELECT")
        }
        /// Something empty to gather its answers in.
        public func makeCollector() -> NoResponses { NoResponses() }
    }
}
