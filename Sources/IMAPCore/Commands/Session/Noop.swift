extension IMAP {
    /// `NOOP`: nothing but a chance for the server to tell what is new. RFC 9051 §6.1.2.
    public struct Noop: IMAPCommand {
        /// Its words.
        public var name: String { "NOOP" }
        /// When it may be sent.
        public var scope: CommandScope { .anyTime }

        /// Makes one.
        public init() {}

        /// Writes it; see `IMAPCommand.encode(into:)`.
        public func encode(into encoder: inout CommandEncoder) { encoder.text("NOOP") }
        /// Something to gather its answers in.
        public func makeCollector() -> NoResponses { NoResponses() }
    }

    /// `CHECK`: asks the server to write the mailbox to disk. RFC 3501 §6.4.1; gone from IMAP4rev2.
    public struct Check: IMAPCommand {
        /// Its words.
        public var name: String { "CHECK" }
        /// When it may be sent.
        public var scope: CommandScope { .selected }

        /// Makes one.
        public init() {}

        /// Writes it; see `IMAPCommand.encode(into:)`.
        public func encode(into encoder: inout CommandEncoder) { encoder.text("CHECK") }
        /// Something to gather its answers in.
        public func makeCollector() -> NoResponses { NoResponses() }
    }
}
