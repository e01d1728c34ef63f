/// UTF-8: nearly always valid already, so it is looked at and copied. RFC 3629.
enum UTF8Decoder {
    /// Copies valid runs and writes one U+FFFD for each longest piece that begins a character and does not
    /// end it, as browsers do (Unicode §3.9, "maximal subparts").
    static func decode(_ input: UnsafeRawBufferPointer, into output: inout UTF8Output) {
        var offset = 0
        while offset < input.count {
            let end = validEnd(in: input, from: offset)
            output.append(UnsafeRawBufferPointer(rebasing: input[offset..<end]))
            if end == input.count { return }
            output.appendReplacement(at: end)
            offset = end + brokenCount(in: input, at: end)
        }
    }

    /// The end of the valid characters from `start` on; `input.count` if all are.
    static func validEnd(in input: UnsafeRawBufferPointer, from start: Int) -> Int {
        // One by one at first: where much is broken, blocks would be looked at again and again.
        var (end, isValid) = passCharacters(input, from: start, to: start + 16)
        if isValid {
            end = UTF8Blocks.validEnd(in: input, from: end)
            (end, _) = passCharacters(input, from: end, to: input.count)
        }
        return end
    }

    /// Passes characters one by one until `limit` is reached or one is broken.
    private static func passCharacters(
        _ input: UnsafeRawBufferPointer, from start: Int, to limit: Int
    ) -> (end: Int, isValid: Bool) {
        let limit = min(limit, input.count)
        var offset = start
        while offset < limit {
            if input[offset] < 0x80 {
                offset &+= 1
                continue
            }
            let size = characterCount(word(input, at: offset))
            if size == 0 { return (offset, false) }
            offset &+= size
        }
        return (offset, true)
    }

    /// Four octets, the first lowest; zeros behind the end.
    @inline(__always)
    private static func word(_ input: UnsafeRawBufferPointer, at offset: Int) -> UInt32 {
        if offset &+ 4 <= input.count {
            return UInt32(
                littleEndian: input.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
        }
        return (offset..<input.count).reversed().reduce(0) { $0 << 8 | UInt32(input[$1]) }
    }

    /// The octets of the character that begins with the lowest octet of `word`, which is above 127; zero
    /// if none does.
    @inline(__always)
    private static func characterCount(_ word: UInt32) -> Int {
        if word & 0xC0E0 == 0x80C0 {
            // C0 and C1 would be ASCII.
            return word & 0x1E != 0 ? 2 : 0
        }
        if word & 0x00C0_C0F0 == 0x0080_80E0 {
            // Below U+0800, or a surrogate.
            let upper = word & 0x200F
            return upper != 0 && upper != 0x200D ? 3 : 0
        }
        if word & 0xC0C0_C0F8 == 0x8080_80F0 {
            // U+10000 to U+10FFFF: the bits above the third octet are 1 to 16.
            let plane = (word & 7) << 2 | (word >> 12) & 3
            return plane &- 1 < 16 ? 4 : 0
        }
        return 0
    }

    /// The octets at `offset`, one at least, that are one broken character.
    private static func brokenCount(in input: UnsafeRawBufferPointer, at offset: Int) -> Int {
        let lead = input[offset]
        let second: ClosedRange<UInt8>
        switch lead {
        case 0xE0: second = 0xA0...0xBF
        case 0xED: second = 0x80...0x9F
        case 0xE1...0xEF: second = 0x80...0xBF
        case 0xF0: second = 0x90...0xBF
        case 0xF1...0xF3: second = 0x80...0xBF
        case 0xF4: second = 0x80...0x8F
        default: return 1
        }
        guard offset + 1 < input.count, second.contains(input[offset + 1]) else { return 1 }
        guard lead >= 0xF0, offset + 2 < input.count, input[offset + 2] & 0xC0 == 0x80 else {
            return 2
        }
        return 3
    }
}
