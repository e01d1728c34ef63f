extension IMAP {
    /// `NOOP`: nothing but a chance for the server to tell what is new. RFC 9051 §6.1.2.
    public struct Noop: IMAPCommand {
        public var name: String { "NOOP" }
        public var scope: CommandScope { .anyTime }

        public init() {}

        public func encode(into encoder: inout CommandEncoder) { encoder.text("NOOP") }
        public func makeCollector() -> NoResponses { NoResponses() }
    }

    /// `CHECK`: asks the server to write the mailbox to disk. RFC 3501 §6.4.1; gone from IMAP4rev2.
    public struct Check: IMAPCommand {
        public var name: String { "CHECK" }
        public var scope: CommandScope { .selected }

        public init() {}

        public func encode(into encoder: inout CommandEncoder) { encoder.text("CHECK") }
        public func makeCollector() -> NoResponses { NoResponses() }
    }
}
