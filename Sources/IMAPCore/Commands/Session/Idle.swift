extension IMAP {
    /// `IDLE`: the server tells what happens until `DONE`. RFC 2177.
    ///
    ///     C: M7 IDLE          S: + idling
    ///     S: * 4 EXISTS       → `MailboxEvent.exists(4)`
    ///     C: DONE             S: M7 OK
    public struct Idle: IMAPCommand {
        public var name: String { "IDLE" }
        public var order: CommandOrder { .exclusive }
        public var effect: CommandEffect { .idle }

        public init() {}

        public func encode(into encoder: inout CommandEncoder) throws(IMAPError) {
            try encoder.require(.idle)
            encoder.text("IDLE")
        }
        public func makeCollector() -> NoResponses { NoResponses() }
    }
}
