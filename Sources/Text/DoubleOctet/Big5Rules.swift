/// Big5 with Hong Kong's characters, four of which are a letter and an accent.
struct Big5Rules: DoubleOctetRules {
    let table: DoubleOctetTable

    static func isLead(_ octet: UInt8) -> Bool { 0x81...0xFE ~= octet }

    func read(_ input: UnsafeRawBufferPointer, at offset: Int, into output: inout UTF8Output)
        -> Int?
    {
        guard offset + 1 < input.count,
            let (one, two) = table.sequence(table[input[offset], input[offset + 1]])
        else { return nil }
        output.append(packed: one)
        output.append(packed: two)
        return offset + 2
    }
}
