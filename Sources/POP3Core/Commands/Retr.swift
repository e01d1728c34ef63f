extension POP3 {
    /// `RETR`: a whole message. RFC 1939 §5.
    ///
    ///     C: RETR 1
    ///     S: +OK 120 octets
    ///     S: <the message, dots at the start of a line doubled>
    ///     S: .
    public struct Retr: POP3Command {
        /// The message.
        public let number: Int

        /// Checks the number.
        ///
        /// - Throws: `.invalidInput` unless it is positive.
        public init(_ number: Int) throws(POP3Error) {
            self.number = try Arguments.number(number, "RETR")
        }

        /// `RETR`.
        public var name: String { "RETR" }
        /// A message.
        public var answer: POP3Answer { .message }

        /// Writes the line.
        public func encode(into output: inout POP3Encoder) {
            output.text("RETR")
            output.argument(number)
            output.endOfLine()
        }

        /// Returns when the message follows.
        public func interpret(_ reply: POP3Reply) throws(POP3Error) { try requireOK(reply) }
    }

    /// `TOP`: a message's header, and some lines of its body. RFC 1939 §7.
    ///
    ///     C: TOP 1 10
    ///     S: +OK
    ///     S: <header, empty line, ten lines>
    ///     S: .
    public struct Top: POP3Command {
        /// The message.
        public let number: Int
        /// How many lines of the body.
        public let bodyLines: Int

        /// Checks the numbers.
        ///
        /// - Throws: `.invalidInput` unless the message's is positive and the lines' not negative.
        public init(_ number: Int, bodyLines: Int = 0) throws(POP3Error) {
            self.number = try Arguments.number(number, "TOP")
            guard bodyLines >= 0 else {
                throw POP3Error(
                    kind: .invalidInput("\(bodyLines) is no number of lines"), command: "TOP")
            }
            self.bodyLines = bodyLines
        }

        /// `TOP`.
        public var name: String { "TOP" }
        /// A part of a message.
        public var answer: POP3Answer { .message }

        /// Writes the line.
        public func encode(into output: inout POP3Encoder) {
            output.text("TOP")
            output.argument(number)
            output.argument(bodyLines)
            output.endOfLine()
        }

        /// Returns when the octets follow.
        public func interpret(_ reply: POP3Reply) throws(POP3Error) { try requireOK(reply) }
    }
}
