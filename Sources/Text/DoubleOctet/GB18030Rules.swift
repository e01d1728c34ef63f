/// GB 18030, of which GBK and GB 2312 are parts; 0x80 is the euro sign, as Windows has it.
struct GB18030Rules: DoubleOctetRules {
    let table: DoubleOctetTable

    static func isLead(_ octet: UInt8) -> Bool { 0x81...0xFE ~= octet }

    func read(_ input: UnsafeRawBufferPointer, at offset: Int, into output: inout UTF8Output)
        -> Int?
    {
        if input[offset] == 0x80 {
            output.append("€")
            return offset + 1
        }
        guard Self.isLead(input[offset]), offset + 1 < input.count, Self.isDigit(input[offset + 1])
        else { return nil }
        return readFour(input, at: offset, into: &output)
    }

    /// A lead octet, a digit, a lead octet, a digit. Cut by the end, they are one broken piece; with
    /// another octet in the third or fourth place, only the first is.
    private func readFour(
        _ input: UnsafeRawBufferPointer, at offset: Int, into output: inout UTF8Output
    ) -> Int? {
        if offset + 2 < input.count, !Self.isLead(input[offset + 2]) { return nil }
        if offset + 3 < input.count, !Self.isDigit(input[offset + 3]) { return nil }
        guard offset + 3 < input.count else {
            output.appendReplacement(at: offset)
            return input.count
        }
        var pointer = Int(input[offset] - 0x81) * 12_600 + Int(input[offset + 1] - 0x30) * 1_260
        pointer += Int(input[offset + 2] - 0x81) * 10 + Int(input[offset + 3] - 0x30)
        if let scalar = GB18030Ranges.scalar(pointer) {
            output.append(scalar)
        } else {
            output.appendReplacement(at: offset)
        }
        return offset + 4
    }

    private static func isDigit(_ octet: UInt8) -> Bool { 0x30...0x39 ~= octet }
}
