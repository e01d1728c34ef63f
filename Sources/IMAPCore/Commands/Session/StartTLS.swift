extension IMAP {
    /// `STARTTLS`: agrees to start TLS. RFC 9051 §6.2.1.
    public struct StartTLS: IMAPCommand {
        /// Its words.
        public var name: String { "STARTTLS" }
        /// When it may be sent.
        public var scope: CommandScope { .notAuthenticated }
        /// What may be under way beside it.
        public var order: CommandOrder { .exclusive }
        /// What its success does to the connection.
        public var effect: CommandEffect { .startTLS }

        /// Makes one.
        public init() {}

        /// Writes it; see `IMAPCommand.encode(into:)`.
        public func encode(into encoder: inout CommandEncoder) throws(IMAPError) {
            guard encoder.capabilities.isEmpty || encoder.capabilities.has(.startTLS) else {
                throw IMAPError(kind: .tlsRequiredButNotOffered, command: name)
            }
            encoder.text("STARTTLS")
        }
        /// Something to gather its answers in.
        public func makeCollector() -> NoResponses { NoResponses() }
    }

    /// `COMPRESS DEFLATE`: both sides compress from its answer on. RFC 4978.
    public struct Compress: IMAPCommand {
        /// Its words.
        public var name: String { "COMPRESS" }
        /// What may be under way beside it.
        public var order: CommandOrder { .exclusive }
        /// What its success does to the connection.
        public var effect: CommandEffect { .compress }

        /// Makes one.
        public init() {}

        /// Writes it; see `IMAPCommand.encode(into:)`.
        public func encode(into encoder: inout CommandEncoder) throws(IMAPError) {
            try encoder.require(.compressDeflate)
            encoder.text("COMPRESS DEFLATE")
        }
        /// Something to gather its answers in.
        public func makeCollector() -> NoResponses { NoResponses() }
    }
}
