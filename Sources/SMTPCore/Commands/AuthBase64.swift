import MartletBytes

/// Base64 of AUTH lines: one line, padded, nothing else allowed. RFC 4954 §4, RFC 4648 §4.
enum AuthBase64 {
    private static let alphabet: StaticString =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

    /// Octets that `count` octets take when encoded.
    static func encodedCount(_ count: Int) -> Int { (count + 2) / 3 * 4 }

    static func encode(_ octets: UnsafeBufferPointer<UInt8>, into output: inout [UInt8]) {
        // So that a growing array leaves no copy of a secret behind.
        output.reserveCapacity(output.count + encodedCount(octets.count))
        let letters = alphabet.utf8Start
        var offset = 0
        while offset < octets.count {
            let left = octets.count - offset
            let group =
                UInt32(octets[offset]) << 16 | (left > 1 ? UInt32(octets[offset + 1]) << 8 : 0)
                | (left > 2 ? UInt32(octets[offset + 2]) : 0)
            output.append(letters[Int(group >> 18)])
            output.append(letters[Int(group >> 12 & 63)])
            output.append(left > 1 ? letters[Int(group >> 6 & 63)] : ASCII.equals)
            output.append(left > 2 ? letters[Int(group & 63)] : ASCII.equals)
            offset += 3
        }
    }

    /// The octets, `nil` when `text` is not base64 with its padding.
    static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        guard text.count % 4 == 0 else { return nil }
        var octets: [UInt8] = []
        octets.reserveCapacity(text.count / 4 * 3)
        var group: UInt32 = 0
        var digits = 0
        var padding = 0
        for letter in text {
            if letter == ASCII.equals {
                padding += 1
                group <<= 6
            } else {
                guard padding == 0, let value = value(of: letter) else { return nil }
                group = group << 6 | value
            }
            digits += 1
            guard digits == 4 else { continue }
            guard padding <= 2 else { return nil }
            octets.append(UInt8(truncatingIfNeeded: group >> 16))
            if padding < 2 { octets.append(UInt8(truncatingIfNeeded: group >> 8)) }
            if padding < 1 { octets.append(UInt8(truncatingIfNeeded: group)) }
            group = 0
            digits = 0
        }
        return octets
    }

    private static func value(of letter: UInt8) -> UInt32? {
        switch letter {
        case 0x41...0x5A: UInt32(letter - 0x41)
        case 0x61...0x7A: UInt32(letter - 0x61 + 26)
        case 0x30...0x39: UInt32(letter - 0x30 + 52)
        case 0x2B: 62
        case 0x2F: 63
        default: nil
        }
    }
}
