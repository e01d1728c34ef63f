import MartletBytes

/// HZ: GB 2312 between `~{` and `~}`. RFC 1843.
enum HZDecoder {
    private static let tilde: UInt8 = 0x7E

    /// A line begins in ASCII, and `~` before its end joins it with the next. A `~` that begins nothing
    /// stays as it is and counts as malformed.
    static func decode(_ input: UnsafeRawBufferPointer, into output: inout UTF8Output) {
        var set = GraphicSet.ascii
        var offset = 0
        while offset < input.count {
            let octet = input[offset]
            if octet == tilde {
                offset = shift(input, at: offset, &set, &output)
            } else {
                if octet.isLineBreak { set = .ascii }
                offset = set.decode(input, from: offset, into: &output)
            }
        }
    }

    /// Reads a `~` and what is behind it.
    private static func shift(
        _ input: UnsafeRawBufferPointer, at offset: Int, _ set: inout GraphicSet,
        _ output: inout UTF8Output
    ) -> Int {
        switch offset + 1 < input.count ? input[offset + 1] : 0 {
        case 0x7B: set = .pairs(.gbk)
        case 0x7D: set = .ascii
        case tilde: output.append("~")
        case ASCII.lf: set = .ascii
        case ASCII.cr where offset + 2 < input.count && input[offset + 2] == ASCII.lf:
            set = .ascii
            return offset + 3
        default:
            output.countMalformed(at: offset)
            output.append("~")
            return offset + 1
        }
        return offset + 2
    }
}
