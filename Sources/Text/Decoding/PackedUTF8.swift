/// A character's UTF-8 in one word, the first octet lowest, so that a table's entry is written by one
/// store.
enum PackedUTF8 {
    static func pack(_ scalar: Unicode.Scalar) -> UInt32 {
        let value = scalar.value
        switch value {
        case 0..<0x80:
            return value
        case 0x80..<0x800:
            return (0xC0 | value >> 6) | (0x80 | value & 0x3F) << 8
        case 0x800..<0x1_0000:
            return (0xE0 | value >> 12) | (0x80 | value >> 6 & 0x3F) << 8
                | (0x80 | value & 0x3F) << 16
        default:
            return (0xF0 | value >> 18) | (0x80 | value >> 12 & 0x3F) << 8
                | (0x80 | value >> 6 & 0x3F) << 16 | (0x80 | value & 0x3F) << 24
        }
    }

    /// The number of octets of `entry`, which is not zero.
    @inline(__always)
    static func count(of entry: UInt32) -> Int { 4 &- entry.leadingZeroBitCount &>> 3 }
}
