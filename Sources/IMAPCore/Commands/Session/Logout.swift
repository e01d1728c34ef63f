extension IMAP {
    /// `LOGOUT`: ends the connection. RFC 9051 §6.1.3.
    public struct Logout: IMAPCommand {
        public var name: String { "LOGOUT" }
        public var scope: CommandScope { .anyTime }
        public var order: CommandOrder { .exclusive }
        public var effect: CommandEffect { .logout }

        public init() {}

        public func encode(into encoder: inout CommandEncoder) { encoder.text("LOGOUT") }
        public func makeCollector() -> NoResponses { NoResponses() }
    }

    /// `UNAUTHENTICATE`: logs out and keeps the connection. RFC 8437.
    public struct Unauthenticate: IMAPCommand {
        public var name: String { "UNAUTHENTICATE" }
        public var order: CommandOrder { .exclusive }
        public var effect: CommandEffect { .unauthenticate }

        public init() {}

        public func encode(into encoder: inout CommandEncoder) throws(IMAPError) {
            try encoder.require(.unauthenticate)
            encoder.text("UNAUTHENTICATE")
        }
        public func makeCollector() -> NoResponses { NoResponses() }
    }
}
