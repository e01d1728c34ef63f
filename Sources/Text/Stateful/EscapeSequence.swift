import MartletBytes

/// The escape sequences of ISO/IEC 2022 that charsets of mail have.
enum EscapeSequence {
    static let escape: UInt8 = 0x1B
    static let shiftOut: UInt8 = 0x0E
    static let shiftIn: UInt8 = 0x0F

    /// The offset of the first ESC at or after `start`; `nil` if there is none.
    static func firstEscape(in input: UnsafeRawBufferPointer, from start: Int) -> Int? {
        var offset = start
        while offset &+ 32 <= input.count {
            let marks =
                marks(input, offset) | marks(input, offset &+ 8)
                | marks(input, offset &+ 16) | marks(input, offset &+ 24)
            if marks != 0 { break }
            offset &+= 32
        }
        while offset < input.count {
            if input[offset] == escape { return offset }
            offset &+= 1
        }
        return nil
    }

    /// Not zero if one of eight octets is ESC.
    @inline(__always)
    private static func marks(_ input: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        // ESC is zero here, and only zeros borrow from the high bit.
        let difference = ASCIIRun.word(input, offset) ^ (ones &* UInt64(escape))
        return (difference &- ones) & ~difference & (ones &* 0x80)
    }

    /// The first sequence of `choices` that stands behind the ESC at `offset`.
    static func find<Meaning>(
        _ choices: [(sequence: StaticString, meaning: Meaning)], in input: UnsafeRawBufferPointer,
        behind offset: Int
    ) -> (meaning: Meaning, end: Int)? {
        for (sequence, meaning) in choices {
            let size = sequence.utf8CodeUnitCount
            let end = offset + 1 + size
            guard end <= input.count else { continue }
            let isHere = sequence.withUTF8Buffer { octets in
                (0..<size).allSatisfy { input[offset + 1 + $0] == octets[$0] }
            }
            if isHere { return (meaning, end) }
        }
        return nil
    }
}
