extension POP3 {
    /// `CAPA`: asks what the server can do. RFC 2449 §5.
    ///
    ///     C: CAPA
    ///     S: +OK
    ///     S: UIDL
    ///     S: SASL PLAIN SCRAM-SHA-256
    ///     S: .
    public struct Capa: POP3Command {
        /// Makes the command.
        public init() {}
        /// `CAPA`.
        public var name: String { "CAPA" }
        /// Lines.
        public var answer: POP3Answer { .lines }
        /// The session learns them.
        public var effect: POP3Effect { .capabilities }

        /// Writes the line.
        public func encode(into output: inout POP3Encoder) {
            output.text("CAPA")
            output.endOfLine()
        }

        /// Gives what the server can do.
        public func interpret(_ reply: POP3Reply) throws(POP3Error) -> POP3Capabilities {
            try requireOK(reply)
            return POP3Capabilities(reply)
        }
    }
}
