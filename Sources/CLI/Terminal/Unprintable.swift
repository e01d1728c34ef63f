/// Characters of UTF-8 that a terminal may obey.
enum Unprintable {
    /// How many octets the character that begins here has; 0 if it is printed as it is.
    @inline(__always)
    static func size(
        in octets: UnsafeBufferPointer<UInt8>, at index: Int, includesDirections: Bool
    ) -> Int {
        let octet = octets[index]
        if octet < 0x80 {
            let isControl = octet < 0x20 && octet != 0x09 && octet != 0x0A || octet == 0x7F
            return isControl ? 1 : 0
        }
        // The rest of the character is there, since the text is a string.
        if octet == 0xC2 { return octets[index + 1] < 0xA0 ? 2 : 0 }
        guard includesDirections, octet == 0xE2 else { return 0 }
        switch (octets[index + 1], octets[index + 2]) {
        // U+2028 to U+202E, U+2066 to U+2069.
        case (0x80, 0xA8...0xAE), (0x81, 0xA6...0xA9): return 3
        default: return 0
        }
    }
}
