import MartletBytes

/// The escape sequences of ISO/IEC 2022 that charsets of mail have.
enum EscapeSequence {
    static let escape: UInt8 = 0x1B
    static let shiftOut: UInt8 = 0x0E
    static let shiftIn: UInt8 = 0x0F

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
