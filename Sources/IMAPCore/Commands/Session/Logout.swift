extension IMAP {
    /// `LOGOUT`: ends the connection. RFC 9051 §6.1.3.
    public struct Logout: IMAPCommand {
        /// Its words.
        public var name: String { "LOGOUT" }
        /// When it may be sent.
        public var scope: CommandScope { .anyTime }
        /// What may be under way beside it.
        public var order: CommandOrder { .exclusive }
        /// What its success does to the connection.
        public var effect: CommandEffect { .logout }

        /// Makes one.
        public init() {}

        /// Writes it; see `IMAPCommand.encode(into:)`.
        public func encode(into encoder: inout CommandEncoder) { encoder.text("LOGOUT") }
        /// Something to gather its answers in.
        public func makeCollector() -> NoResponses { NoResponses() }
    }

    /// `UNAUTHENTICATE`: logs out and keeps the connection. RFC 8437.
    public struct Unauthenticate: IMAPCommand {
        /// Its words.
        public var name: String { "UNAUTHENTICATE" }
        /// What may be under way beside it.
        public var order: CommandOrder { .exclusive }
        /// What its success does to the connection.
        public var effect: CommandEffect { .unauthenticate }

        /// Makes one.
        public init() {}

        /// Writes it; see `IMAPCommand.encode(into:)`.
        public func encode(into encoder: inout CommandEncoder) throws(IMAPError) {
            try encoder.require(.unauthenticate)
            encoder.text("UNAUTHENTICATE")
        }
        /// Something to gather its answers in.
        public func makeCollector() -> NoResponses { NoResponses() }
    }
}
