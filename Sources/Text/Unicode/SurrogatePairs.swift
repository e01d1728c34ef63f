import MartletBytes

/// UTF-8 in which characters beyond U+FFFF stand as the two surrogates that UTF-16 has for them, three octets each: what
/// programs write that take UTF-16 for characters. Unicode Technical Report #26 calls it CESU-8.
enum SurrogatePairs {
    private static let lead: UInt8 = 0xED

    /// The octets with four octets for each pair; `nil` if there is none.
    static func joined(_ octets: UnsafeRawBufferPointer) -> [UInt8]? {
        var joined: [UInt8] = []
        var start = 0
        var index = 0
        while let found = octets.firstOffset(of: lead, from: index) {
            index = found + 1
            guard let scalar = scalar(in: octets, at: found) else { continue }
            joined += octets[start..<found]
            joined += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
            start = found + 6
            index = start
        }
        return start == 0 ? nil : joined + octets[start...]
    }

    private static func scalar(in octets: UnsafeRawBufferPointer, at start: Int) -> Unicode.Scalar?
    {
        guard start + 6 <= octets.count, octets[start + 3] == lead,
            0xA0...0xAF ~= octets[start + 1], 0xB0...0xBF ~= octets[start + 4],
            0x80...0xBF ~= octets[start + 2], 0x80...0xBF ~= octets[start + 5]
        else { return nil }
        let high = UInt32(octets[start + 1] & 0x0F) << 6 | UInt32(octets[start + 2] & 0x3F)
        let low = UInt32(octets[start + 4] & 0x0F) << 6 | UInt32(octets[start + 5] & 0x3F)
        return Unicode.Scalar(0x1_0000 + (high << 10 | low))
    }
}
