import MartletBytes

/// UTF-7: ASCII, with runs of base64 that hold UTF-16. RFC 2152.
enum UTF7Decoder {
    /// Octets above 127, runs that end inside of a character, and surrogates without their half are one
    /// U+FFFD each. A `+` that begins no run stays as it is and counts as malformed.
    static func decode(_ input: UnsafeRawBufferPointer, into output: inout UTF8Output) {
        var offset = 0
        while offset < input.count {
            let octet = input[offset]
            if octet >= 0x80 {
                output.appendReplacement(at: offset)
                offset += 1
            } else if octet != plus {
                let end = directEnd(in: input, from: offset)
                output.append(UnsafeRawBufferPointer(rebasing: input[offset..<end]))
                offset = end
            } else if offset + 1 < input.count, input[offset + 1] == ASCII.hyphen {
                output.append("+")
                offset += 2
            } else if offset + 1 < input.count, value(of: input[offset + 1]) != nil {
                offset = decodeRun(input, from: offset + 1, &output)
            } else {
                output.countMalformed(at: offset)
                output.append("+")
                offset += 1
            }
        }
    }

    private static let plus: UInt8 = 0x2B

    private static func directEnd(in input: UnsafeRawBufferPointer, from start: Int) -> Int {
        var offset = start
        while offset < input.count, input[offset] != plus, input[offset] < 0x80 { offset += 1 }
        return offset
    }

    /// Decodes the base64 from `start` on, and takes the `-` behind it.
    private static func decodeRun(
        _ input: UnsafeRawBufferPointer, from start: Int, _ output: inout UTF8Output
    ) -> Int {
        var offset = start
        var bits: UInt32 = 0
        var bitCount = 0
        var high: UInt32?
        while offset < input.count, let value = value(of: input[offset]) {
            bits = bits << 6 | value
            bitCount += 6
            if bitCount >= 16 {
                bitCount -= 16
                append(unit: bits >> UInt32(bitCount) & 0xFFFF, at: offset, &high, &output)
                bits &= (1 << UInt32(bitCount)) - 1
            }
            offset += 1
        }
        // Up to five bits are padding, and zero.
        if high != nil || bitCount >= 6 || bits != 0 { output.appendReplacement(at: offset - 1) }
        return offset < input.count && input[offset] == ASCII.hyphen ? offset + 1 : offset
    }

    private static func append(
        unit: UInt32, at offset: Int, _ high: inout UInt32?, _ output: inout UTF8Output
    ) {
        if let first = high {
            high = nil
            if unit & 0xFC00 == 0xDC00 {
                let value = 0x1_0000 + (first & 0x3FF) << 10 + unit & 0x3FF
                output.append(Unicode.Scalar(value) ?? "\u{FFFD}")
                return
            }
            output.appendReplacement(at: offset)
        }
        if unit & 0xFC00 == 0xD800 {
            high = unit
        } else if let scalar = Unicode.Scalar(unit) {
            output.append(scalar)
        } else {
            output.appendReplacement(at: offset)
        }
    }

    /// The six bits of an octet of the base64 alphabet. RFC 4648 §4.
    private static func value(of octet: UInt8) -> UInt32? {
        let value = Base64.digitValues[Int(octet)]
        return value < 64 ? UInt32(value) : nil
    }
}
