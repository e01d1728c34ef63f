import MartletBytes

extension POP3 {
    /// `STAT`: how many messages, how many octets. RFC 1939 §5.
    ///
    ///     C: STAT
    ///     S: +OK 2 320
    public struct Stat: POP3Command {
        /// Makes the command.
        public init() {}
        /// `STAT`.
        public var name: String { "STAT" }

        /// Writes the line.
        public func encode(into output: inout POP3Encoder) {
            output.text("STAT")
            output.endOfLine()
        }

        /// Reads both numbers.
        public func interpret(_ reply: POP3Reply) throws(POP3Error) -> MaildropStatus {
            try requireOK(reply)
            let words = reply.octets.split(whereSeparator: \.isBlank)
            guard let count = words.first.flatMap(Self.size) else {
                throw POP3Error(
                    kind: .protocolViolation("does not say how many messages there are: \(reply)"),
                    command: name)
            }
            return MaildropStatus(
                messageCount: count, sizeInOctets: words.dropFirst().first.flatMap(Self.size))
        }
    }

    /// `LIST`: the messages with their sizes. RFC 1939 §5.
    ///
    ///     C: LIST
    ///     S: +OK 2 messages
    ///     S: 1 120
    ///     S: 2 200
    ///     S: .
    public struct List: POP3Command {
        /// Makes the command.
        public init() {}
        /// `LIST`.
        public var name: String { "LIST" }
        /// Lines.
        public var answer: POP3Answer { .lines }

        /// Writes the line.
        public func encode(into output: inout POP3Encoder) {
            output.text("LIST")
            output.endOfLine()
        }

        /// Gives number and size of each; lines that are neither are left out.
        public func interpret(_ reply: POP3Reply) throws(POP3Error) -> [MaildropMessage] {
            try requireOK(reply)
            return reply.lines.compactMap(Self.scan)
        }
    }

    /// `LIST n`: one message with its size. RFC 1939 §5.
    public struct ListMessage: POP3Command {
        /// The message.
        public let number: Int

        /// Checks the number.
        ///
        /// - Throws: `.invalidInput` unless it is positive.
        public init(_ number: Int) throws(POP3Error) {
            self.number = try Arguments.number(number, "LIST")
        }

        /// `LIST`.
        public var name: String { "LIST" }

        /// Writes the line.
        public func encode(into output: inout POP3Encoder) {
            output.text("LIST")
            output.argument(number)
            output.endOfLine()
        }

        /// Gives the size, `nil` where the server says nonsense.
        public func interpret(_ reply: POP3Reply) throws(POP3Error) -> MaildropMessage {
            try requireOK(reply)
            return Self.scan(reply.octets[...]) ?? MaildropMessage(number: number)
        }
    }

    /// `UIDL`: the messages with their unique IDs. RFC 1939 §7.
    ///
    ///     C: UIDL
    ///     S: +OK
    ///     S: 1 whqtswO00WBw418f9t5JxYwZ
    ///     S: 2 QhdPYR:00WBw1Ph7x7
    ///     S: .
    public struct Uidl: POP3Command {
        /// Makes the command.
        public init() {}
        /// `UIDL`.
        public var name: String { "UIDL" }
        /// Lines.
        public var answer: POP3Answer { .lines }

        /// Writes the line.
        public func encode(into output: inout POP3Encoder) {
            output.text("UIDL")
            output.endOfLine()
        }

        /// Gives number and ID of each, in the server's order; an ID that is none is `nil`.
        public func interpret(_ reply: POP3Reply) throws(POP3Error) -> [MaildropMessage] {
            try requireOK(reply)
            return reply.lines.compactMap(Self.identity)
        }
    }

    /// `UIDL n`: one message with its unique ID. RFC 1939 §7.
    public struct UidlMessage: POP3Command {
        /// The message.
        public let number: Int

        /// Checks the number.
        ///
        /// - Throws: `.invalidInput` unless it is positive.
        public init(_ number: Int) throws(POP3Error) {
            self.number = try Arguments.number(number, "UIDL")
        }

        /// `UIDL`.
        public var name: String { "UIDL" }

        /// Writes the line.
        public func encode(into output: inout POP3Encoder) {
            output.text("UIDL")
            output.argument(number)
            output.endOfLine()
        }

        /// Gives the ID, `nil` where the server says nonsense.
        public func interpret(_ reply: POP3Reply) throws(POP3Error) -> MaildropMessage {
            try requireOK(reply)
            return Self.identity(reply.octets[...]) ?? MaildropMessage(number: number)
        }
    }
}

extension POP3Command {
    // scan-listing = message-number SP size ; RFC 1939 §5
    static func scan(_ line: ArraySlice<UInt8>) -> MaildropMessage? {
        let words = line.split(maxSplits: 2, whereSeparator: \.isBlank)
        guard let number = words.first.flatMap(size), number > 0 else { return nil }
        // QUIRK(negative-size): a size that is negative, missing or no number.
        return MaildropMessage(
            number: number, sizeInOctets: words.count > 1 ? size(words[1]) : nil)
    }

    // unique-id-listing = message-number SP unique-id ; RFC 1939 §7
    static func identity(_ line: ArraySlice<UInt8>) -> MaildropMessage? {
        let words = line.split(maxSplits: 2, whereSeparator: \.isBlank)
        guard let number = words.first.flatMap(size), number > 0 else { return nil }
        return MaildropMessage(
            number: number, uniqueID: words.count > 1 ? UniqueID(words[1]) : nil)
    }

    /// A number that is not negative and fits.
    static func size(_ digits: ArraySlice<UInt8>) -> Int? {
        var value = 0
        guard !digits.isEmpty else { return nil }
        for digit in digits {
            guard digit.isDigit else { return nil }
            let (product, overflows) = value.multipliedReportingOverflow(by: 10)
            let (sum, overflowsToo) = product.addingReportingOverflow(Int(digit - ASCII.zero))
            if overflows || overflowsToo { return nil }
            value = sum
        }
        return value
    }
}
