extension POP3 {
    /// `DELE`: marks a message for deletion; `QUIT` deletes it. RFC 1939 §5.
    ///
    /// A session that ends in any other way deletes nothing (§6).
    public struct Dele: POP3Command {
        /// The message.
        public let number: Int

        /// Checks the number.
        ///
        /// - Throws: `.invalidInput` unless it is positive.
        public init(_ number: Int) throws(POP3Error) {
            self.number = try Arguments.number(number, "DELE")
        }

        /// `DELE`.
        public var name: String { "DELE" }
        /// A mark.
        public var effect: POP3Effect { .deletion }

        /// Writes the line.
        public func encode(into output: inout POP3Encoder) {
            output.text("DELE")
            output.argument(number)
            output.endOfLine()
        }

        /// Returns when the message is marked.
        public func interpret(_ reply: POP3Reply) throws(POP3Error) { try requireOK(reply) }
    }

    /// `RSET`: takes all marks off. RFC 1939 §5.
    public struct Rset: POP3Command {
        /// Makes the command.
        public init() {}
        /// `RSET`.
        public var name: String { "RSET" }
        /// No marks.
        public var effect: POP3Effect { .reset }

        /// Writes the line.
        public func encode(into output: inout POP3Encoder) {
            output.text("RSET")
            output.endOfLine()
        }

        /// Returns when nothing is marked.
        public func interpret(_ reply: POP3Reply) throws(POP3Error) { try requireOK(reply) }
    }
}
