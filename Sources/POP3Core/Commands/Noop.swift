extension POP3 {
    /// `NOOP`: asks whether the server is there, and keeps the session alive. RFC 1939 §5.
    public struct Noop: POP3Command {
        /// Makes the command.
        public init() {}
        /// `NOOP`.
        public var name: String { "NOOP" }

        /// Writes the line.
        public func encode(into output: inout POP3Encoder) {
            output.text("NOOP")
            output.endOfLine()
        }

        /// Returns when the server is there.
        public func interpret(_ reply: POP3Reply) throws(POP3Error) { try requireOK(reply) }
    }
}
