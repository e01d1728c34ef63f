extension IMAP {
    /// `STARTTLS`: agrees to start TLS. RFC 9051 §6.2.1.
    public struct StartTLS: IMAPCommand {
        public var name: String { "STARTTLS" }
        public var scope: CommandScope { .notAuthenticated }
        public var order: CommandOrder { .exclusive }
        public var effect: CommandEffect { .startTLS }

        public init() {}

        public func encode(into encoder: inout CommandEncoder) throws(IMAPError) {
            guard encoder.capabilities.isEmpty || encoder.capabilities.has(.startTLS) else {
                throw IMAPError(kind: .tlsRequiredButNotOffered, command: name)
            }
            encoder.text("STARTTLS")
        }
        public func makeCollector() -> NoResponses { NoResponses() }
    }

    /// `COMPRESS DEFLATE`: both sides compress from its answer on. RFC 4978.
    public struct Compress: IMAPCommand {
        public var name: String { "COMPRESS" }
        public var order: CommandOrder { .exclusive }
        public var effect: CommandEffect { .compress }

        public init() {}

        public func encode(into encoder: inout CommandEncoder) throws(IMAPError) {
            try encoder.require(.compressDeflate)
            encoder.text("COMPRESS DEFLATE")
        }
        public func makeCollector() -> NoResponses { NoResponses() }
    }
}
