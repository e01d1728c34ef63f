extension POP3 {
    /// `QUIT`: ends the session; what is marked is deleted now. RFC 1939 §4, §6.
    ///
    ///     C: QUIT
    ///     S: +OK bye
    ///
    /// A refusal says that some of it was not deleted.
    public struct Quit: POP3Command {
        /// Makes the command.
        public init() {}
        /// `QUIT`.
        public var name: String { "QUIT" }
        /// The end.
        public var effect: POP3Effect { .quit }

        /// Writes the line.
        public func encode(into output: inout POP3Encoder) {
            output.text("QUIT")
            output.endOfLine()
        }

        /// Returns when all that was marked is deleted.
        public func interpret(_ reply: POP3Reply) throws(POP3Error) { try requireOK(reply) }
    }
}
