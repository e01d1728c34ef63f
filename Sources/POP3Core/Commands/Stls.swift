extension POP3 {
    /// `STLS`: the reply's first line is the last plain octet; TLS follows. RFC 2595 §4.
    ///
    ///     C: STLS
    ///     S: +OK Begin TLS negotiation
    ///     (TLS handshake, then CAPA again)
    public struct Stls: POP3Command {
        /// Makes the command.
        public init() {}
        /// `STLS`.
        public var name: String { "STLS" }
        /// TLS.
        public var effect: POP3Effect { .startTLS }

        /// Writes the line.
        public func encode(into output: inout POP3Encoder) {
            output.text("STLS")
            output.endOfLine()
        }

        /// Returns when TLS may start. A refusal leaves the session in the clear: where TLS is required, close.
        public func interpret(_ reply: POP3Reply) throws(POP3Error) { try requireOK(reply) }
    }
}
