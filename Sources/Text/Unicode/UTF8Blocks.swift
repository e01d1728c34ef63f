import CMartletUTF8

/// UTF-8 looked at in blocks of 64 octets.
enum UTF8Blocks {
    /// Passes blocks that are valid.
    ///
    /// - Parameter start: the end of a character, with three octets or more before it.
    /// - Returns: the start of a character up to which all are valid. Broken ones, if there are any, are
    ///   less than a block behind it.
    static func validEnd(in input: UnsafeRawBufferPointer, from start: Int) -> Int {
        guard start >= 3, start < input.count, let octets = input.baseAddress else { return start }
        let end = martlet_utf8_pass_blocks(
            octets.assumingMemoryBound(to: UInt8.self), start, input.count)
        return characterStart(in: input, before: end, notBefore: start)
    }

    /// The start of the character that the octets before `end` are cut from; `end` if none is.
    private static func characterStart(
        in input: UnsafeRawBufferPointer, before end: Int, notBefore start: Int
    ) -> Int {
        var offset = end
        while offset > start, end - offset < 3 {
            offset -= 1
            let octet = input[offset]
            if octet < 0x80 { return end }
            if octet >= 0xC0 {
                let size = octet < 0xE0 ? 2 : octet < 0xF0 ? 3 : 4
                return offset + size > end ? offset : end
            }
        }
        return end
    }
}
