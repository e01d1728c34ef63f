/// UTF-32, which no browser reads and some mail is in. Unicode §3.10.
enum UTF32Decoder {
    /// Decodes from the first octet; a byte order mark is for the caller. What is no character, and up to
    /// three octets over at the end, are one U+FFFD each.
    static func decode(
        _ input: UnsafeRawBufferPointer, isBigEndian: Bool, into output: inout UTF8Output
    ) {
        var offset = 0
        while offset + 4 <= input.count {
            let unit = input.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
            let value = isBigEndian ? UInt32(bigEndian: unit) : UInt32(littleEndian: unit)
            if let scalar = Unicode.Scalar(value) {
                output.append(scalar)
            } else {
                output.appendReplacement(at: offset)
            }
            offset += 4
        }
        if offset < input.count { output.appendReplacement(at: offset) }
    }

    /// A guess at the order of octets of text without a mark: the octets that are zero in every character
    /// come first, or last.
    static func seemsBigEndian(_ input: UnsafeRawBufferPointer) -> Bool {
        guard input.count >= 4 else { return false }
        return input[0] == 0 && input[3] != 0
    }
}
