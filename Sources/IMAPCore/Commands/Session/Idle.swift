extension IMAP {
    /// `IDLE`: the server tells what happens until `DONE`. RFC 2177.
    ///
    ///     C: M7 IDLE          S: + idling
    ///     S: * 4 EXISTS       → `MailboxEvent.exists(4)`
    ///     C: DONE             S: M7 OK
    public struct Idle: IMAPCommand {
        /// Its words.
        public var name: String { "IDLE" }
        /// What may be under way beside it.
        public var order: CommandOrder { .exclusive }
        /// What its success does to the connection.
        public var effect: CommandEffect { .idle }

        /// Makes one.
        public init() {}

        /// Writes it; see `IMAPCommand.encode(into:)`.
        public func encode(into encoder: inout CommandEncoder) throws(IMAPError) {
            try encoder.require(.idle)
            encoder.text("IDLE")
        }
        /// Something to gather its answers in.
        public func makeCollector() -> NoResponses { NoResponses() }
    }
}
