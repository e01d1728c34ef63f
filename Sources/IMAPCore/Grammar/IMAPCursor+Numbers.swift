import MartletBytes

extension IMAPCursor {
    /// Digits and what they say; `nil`, and nothing read, where there are none or they say more than 64 bits can.
    mutating func decimal() -> UInt64? {
        let start = index
        var value: UInt64 = 0
        while index < end, octets[index].isDigit {
            let (product, overflow) = value.multipliedReportingOverflow(by: 10)
            let (sum, carry) = product.addingReportingOverflow(UInt64(octets[index] - ASCII.zero))
            guard !overflow, !carry else {
                index = start
                return nil
            }
            value = sum
            index += 1
        }
        return index > start ? value : nil
    }

    private mutating func number(_ rule: String, atMost limit: UInt64) throws(ParseFailure)
        -> UInt64
    {
        let start = index
        guard let value = decimal(), value <= limit else {
            index = start
            throw failure(rule)
        }
        return value
    }

    // number = 1*DIGIT ; unsigned 32-bit
    /// A number of 32 bits.
    package mutating func number() throws(ParseFailure) -> UInt32 {
        UInt32(truncatingIfNeeded: try number("number", atMost: UInt64(UInt32.max)))
    }

    // nz-number = digit-nz *DIGIT
    /// A number of 32 bits that is not 0.
    package mutating func nzNumber() throws(ParseFailure) -> UInt32 {
        let start = index
        let value = try number("nz-number", atMost: UInt64(UInt32.max))
        guard value > 0 else {
            index = start
            throw failure("nz-number")
        }
        return UInt32(truncatingIfNeeded: value)
    }

    // number64 = 1*DIGIT ; unsigned 63-bit
    /// A number of 63 bits.
    package mutating func number64() throws(ParseFailure) -> UInt64 {
        try number("number64", atMost: UInt64(Int64.max))
    }

    /// A number of 64 bits, as Gmail's are.
    package mutating func unsigned64() throws(ParseFailure) -> UInt64 {
        try number("a number", atMost: .max)
    }

    /// A UID.
    package mutating func uid() throws(ParseFailure) -> UID {
        let start = index
        guard let uid = UID(try number()) else {
            index = start
            throw failure("uniqueid")
        }
        return uid
    }

    /// A sequence number.
    package mutating func sequenceNumber() throws(ParseFailure) -> SequenceNumber {
        let start = index
        guard let number = SequenceNumber(try number()) else {
            index = start
            throw failure("seq-number")
        }
        return number
    }

    // mod-sequence-valzer = "0" / mod-sequence-value
    /// A mod-sequence, or 0.
    package mutating func modSequence() throws(ParseFailure) -> ModSequence {
        guard let value = ModSequence(try number64()) else { throw failure("mod-sequence-value") }
        return value
    }

    // uid-set, sequence-set: here without "*", in the order given
    /// Message numbers in their order.
    package mutating func messageNumberList() throws(ParseFailure) -> MessageNumberList {
        var list = MessageNumberList()
        repeat {
            let first = try nzNumber()
            let last = takeIfPresent(UInt8(ascii: ":")) ? try nzNumber() : first
            list.runs.append(.init(first, through: last))
        } while takeIfPresent(UInt8(ascii: ","))
        return list
    }

    // sequence-set = (seq-number / seq-range) ["," sequence-set]
    /// A set of message numbers, in which `*` may be.
    package mutating func messageNumberSet<Number>(
        of number: Number.Type = Number.self
    ) throws(ParseFailure) -> MessageNumberSet<Number> {
        let start = index
        let text = prefix {
            $0.isDigit || $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: ":")
                || $0 == UInt8(ascii: "*")
        }
        guard let set = MessageNumberSet<Number>(octets: text) else {
            index = start
            throw failure("sequence-set")
        }
        return set
    }
}
