/// UTF-16. RFC 2781.
enum UTF16Decoder {
    private static let blockSize = 4096

    /// Decodes from the first octet; a byte order mark is for the caller.
    ///
    /// Surrogates without their half, and an octet over at the end, are one U+FFFD each.
    static func decode(
        _ input: UnsafeRawBufferPointer, isBigEndian: Bool, into output: inout UTF8Output
    ) {
        var offset = 0
        while offset &+ 2 <= input.count {
            let unit = unit(input, at: offset, isBigEndian)
            if unit & 0xF800 != 0xD800 {
                offset = decodeBlock(input, from: offset, isBigEndian, &output)
                continue
            }
            if unit < 0xDC00, offset &+ 4 <= input.count {
                let low = Self.unit(input, at: offset &+ 2, isBigEndian)
                if low & 0xFC00 == 0xDC00 {
                    let value = 0x1_0000 + (UInt32(unit) & 0x3FF) << 10 + UInt32(low) & 0x3FF
                    output.append(Unicode.Scalar(value) ?? "\u{FFFD}")
                    offset &+= 4
                    continue
                }
            }
            output.appendReplacement(at: offset)
            offset &+= 2
        }
        if offset < input.count { output.appendReplacement(at: offset) }
    }

    /// Writes the units up to the next surrogate or the end of a block.
    ///
    /// - Returns: the offset of the first unit that was not written.
    private static func decodeBlock(
        _ input: UnsafeRawBufferPointer, from start: Int, _ isBigEndian: Bool,
        _ output: inout UTF8Output
    ) -> Int {
        var offset = start
        let end = min(input.count & ~1, start + blockSize)
        output.write(atMost: (end - start) / 2 * 3) { position in
            while offset < end {
                let value = UInt32(unit(input, at: offset, isBigEndian))
                let entry: UInt32
                let size: Int
                if value < 0x80 {
                    (entry, size) = (value, 1)
                } else if value < 0x800 {
                    (entry, size) = ((0xC0 | value >> 6) | (0x80 | value & 0x3F) << 8, 2)
                } else if value & 0xF800 == 0xD800 {
                    return
                } else {
                    let upper = (0xE0 | value >> 12) | (0x80 | value >> 6 & 0x3F) << 8
                    (entry, size) = (upper | (0x80 | value & 0x3F) << 16, 3)
                }
                UnsafeMutableRawPointer(position)
                    .storeBytes(of: entry.littleEndian, as: UInt32.self)
                position += size
                offset &+= 2
            }
        }
        return offset
    }

    @inline(__always)
    private static func unit(
        _ input: UnsafeRawBufferPointer, at offset: Int, _ isBigEndian: Bool
    ) -> UInt16 {
        let unit = input.loadUnaligned(fromByteOffset: offset, as: UInt16.self)
        return isBigEndian ? UInt16(bigEndian: unit) : UInt16(littleEndian: unit)
    }

    /// A guess at the order of octets of text without a mark: more of the higher octets than of the lower
    /// ones are zero. Where that says nothing, the lower octet comes first, as browsers have it.
    static func seemsBigEndian(_ input: UnsafeRawBufferPointer) -> Bool {
        var zeros = (first: 0, second: 0)
        for offset in stride(from: 0, to: min(input.count & ~1, blockSize), by: 2) {
            if input[offset] == 0 { zeros.first += 1 }
            if input[offset + 1] == 0 { zeros.second += 1 }
        }
        return zeros.first > zeros.second
    }
}
