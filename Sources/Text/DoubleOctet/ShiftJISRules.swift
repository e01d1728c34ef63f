/// Shift JIS as Windows has it (code page 932).
struct ShiftJISRules: DoubleOctetRules {
    let table: DoubleOctetTable

    static func isLead(_ octet: UInt8) -> Bool {
        0x81...0x9F ~= octet || 0xE0...0xFC ~= octet
    }

    func read(_ input: UnsafeRawBufferPointer, at offset: Int, into output: inout UTF8Output)
        -> Int?
    {
        let octet = input[offset]
        switch octet {
        case 0x80:
            output.append("\u{80}")
            return offset + 1
        case 0xA1...0xDF:
            return readKatakana(input, at: offset, into: &output)
        case 0xF0...0xF9:
            guard offset + 1 < input.count else { return nil }
            return readUserDefined(octet, input[offset + 1], into: &output) ? offset + 2 : nil
        default:
            return nil
        }
    }

    /// Half-width katakana, one octet each; a run of them, since they come in runs.
    private func readKatakana(
        _ input: UnsafeRawBufferPointer, at start: Int, into output: inout UTF8Output
    ) -> Int {
        var offset = start
        while offset < input.count, 0xA1...0xDF ~= input[offset] {
            // U+FF61 to U+FF9F.
            let value = 0xFF61 + UInt32(input[offset]) - 0xA1
            output.append(packed: 0x80_80EF | (value >> 6 & 0x3F) << 8 | (value & 0x3F) << 16)
            offset += 1
        }
        return offset
    }

    /// 1,880 pairs are users' own and begin at U+E000.
    private func readUserDefined(
        _ first: UInt8, _ second: UInt8, into output: inout UTF8Output
    ) -> Bool {
        guard 0x40...0xFC ~= second, second != 0x7F else { return false }
        let column = UInt32(second) - (second < 0x7F ? 0x40 : 0x41)
        let value = 0xE000 + (UInt32(first) - 0xF0) * 188 + column
        output.append(Unicode.Scalar(value) ?? "\u{FFFD}")
        return true
    }
}
