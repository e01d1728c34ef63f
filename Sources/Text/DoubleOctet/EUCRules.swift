/// EUC-JP: JIS X 0208 in pairs, half-width katakana behind 0x8E (in the table), JIS X 0212 behind 0x8F.
struct EUCJPRules: DoubleOctetRules {
    let table: DoubleOctetTable
    /// JIS X 0212; `nil` where the system has none.
    let supplement: DoubleOctetTable?

    static func isLead(_ octet: UInt8) -> Bool {
        0xA1...0xFE ~= octet || octet == 0x8E || octet == 0x8F
    }

    func read(_ input: UnsafeRawBufferPointer, at offset: Int, into output: inout UTF8Output)
        -> Int?
    {
        guard input[offset] == 0x8F, offset + 1 < input.count, 0xA1...0xFE ~= input[offset + 1]
        else { return nil }
        guard offset + 2 < input.count, input[offset + 2] >= 0x80 else {
            // An ASCII octet behind the two is kept.
            output.appendReplacement(at: offset)
            return offset + 2
        }
        let entry = supplement?[input[offset + 1], input[offset + 2]] ?? 0
        if entry != 0 {
            output.append(packed: entry)
        } else {
            output.appendReplacement(at: offset)
        }
        return offset + 3
    }
}

/// EUC-KR with Unified Hangul Code around it (code page 949).
struct EUCKRRules: DoubleOctetRules {
    let table: DoubleOctetTable

    static func isLead(_ octet: UInt8) -> Bool { 0x81...0xFE ~= octet }

    func read(_ input: UnsafeRawBufferPointer, at offset: Int, into output: inout UTF8Output)
        -> Int?
    {
        nil
    }
}

/// EUC-TW: plane 1 of CNS 11643 in pairs; 0x8E and 0xA1 or 0xA2 before a pair name its plane.
struct EUCTWRules: DoubleOctetRules {
    let table: DoubleOctetTable
    let plane2: DoubleOctetTable?

    static func isLead(_ octet: UInt8) -> Bool { 0xA1...0xFE ~= octet || octet == 0x8E }

    func read(_ input: UnsafeRawBufferPointer, at offset: Int, into output: inout UTF8Output)
        -> Int?
    {
        guard input[offset] == 0x8E, offset + 3 < input.count, 0xA1...0xB0 ~= input[offset + 1],
            0xA1...0xFE ~= input[offset + 2], 0xA1...0xFE ~= input[offset + 3]
        else { return nil }
        let plane: DoubleOctetTable? =
            switch input[offset + 1] {
            case 0xA1: table
            case 0xA2: plane2
            default: nil
            }
        let entry = plane?[input[offset + 2], input[offset + 3]] ?? 0
        if entry != 0 {
            output.append(packed: entry)
        } else {
            output.appendReplacement(at: offset)
        }
        return offset + 4
    }
}
