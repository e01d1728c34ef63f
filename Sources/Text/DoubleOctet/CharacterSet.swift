/// A set of characters that pairs of octets name; charsets are made of these.
enum CharacterSet: Hashable, Sendable, CaseIterable {
    /// JIS X 0208 with NEC's and IBM's characters, as Shift JIS places it.
    case shiftJIS
    /// The same by its own rows, 0x80 added to both octets, as EUC-JP has it.
    case jisX0208
    /// JIS X 0212, by its own rows.
    case jisX0212
    /// JIS X 0213, by its own rows.
    case jisX0213Plane1, jisX0213Plane2
    /// GB 2312 by its own rows, and what GBK and GB 18030 put around it.
    case gbk
    /// KS X 1001 by its own rows, and what Unified Hangul Code puts around it.
    case uhc
    /// Big5 with Hong Kong's characters.
    case big5
    /// CNS 11643, by its own rows.
    case cns11643Plane1, cns11643Plane2

    /// The table of this set, which is made once; `nil` where the system has none.
    var table: DoubleOctetTable? {
        switch self {
        case .shiftJIS: Tables.shiftJIS
        case .jisX0208: Tables.jisX0208
        case .jisX0212: Tables.jisX0212
        case .jisX0213Plane1: Tables.jisX0213Plane1
        case .jisX0213Plane2: Tables.jisX0213Plane2
        case .gbk: Tables.gbk
        case .uhc: Tables.uhc
        case .big5: Tables.big5
        case .cns11643Plane1: Tables.cns11643Plane1
        case .cns11643Plane2: Tables.cns11643Plane2
        }
    }

    /// Each is made when it is first used.
    private enum Tables {
        static let shiftJIS = DoubleOctetTable(asking: CharacterSet.shiftJIS.outline)
        static let jisX0208 = shiftJIS.map(DoubleOctetTable.init(rowsOfShiftJIS:))
        static let jisX0212 = DoubleOctetTable(asking: CharacterSet.jisX0212.outline)
        static let jisX0213Plane1 = DoubleOctetTable(asking: CharacterSet.jisX0213Plane1.outline)
        static let jisX0213Plane2 = DoubleOctetTable(asking: CharacterSet.jisX0213Plane2.outline)
        static let gbk = DoubleOctetTable(
            asking: CharacterSet.gbk.outline, changed: CharacterSet.gb18030Differences)
        static let uhc = DoubleOctetTable(asking: CharacterSet.uhc.outline)
        static let big5 = DoubleOctetTable(
            asking: CharacterSet.big5.outline, changed: CharacterSet.big5Differences)
        static let cns11643Plane1 = DoubleOctetTable(asking: CharacterSet.cns11643Plane1.outline)
        static let cns11643Plane2 = DoubleOctetTable(asking: CharacterSet.cns11643Plane2.outline)
    }

    /// What the system is asked. The octets of user-defined characters are left out where rules give them.
    private var outline: DoubleOctetTable.Outline {
        let rows: [ClosedRange<UInt8>] = [0xA1...0xFE]
        return switch self {
        case .shiftJIS, .jisX0208:
            .init(
                names: ["CP932", "MS932", "WINDOWS-31J"],
                firsts: [0x81...0x9F, 0xE0...0xEF, 0xFA...0xFC],
                seconds: [0x40...0x7E, 0x80...0xFC])
        case .jisX0212:
            .init(names: ["EUC-JP"], prefix: [0x8F], firsts: rows, seconds: rows)
        case .jisX0213Plane1:
            .init(names: ["EUC-JISX0213"], firsts: rows, seconds: rows, hasSequences: true)
        case .jisX0213Plane2:
            .init(names: ["EUC-JISX0213"], prefix: [0x8F], firsts: rows, seconds: rows)
        case .gbk:
            .init(
                names: ["GB18030"], firsts: [0x81...0xFE], seconds: [0x40...0x7E, 0x80...0xFE])
        case .uhc:
            .init(
                names: ["UHC", "CP949"], firsts: [0x81...0xFE],
                seconds: [0x41...0x5A, 0x61...0x7A, 0x81...0xFE])
        case .big5:
            .init(
                names: ["BIG5-HKSCS", "BIG5HKSCS"], firsts: [0x87...0xFE],
                seconds: [0x40...0x7E, 0xA1...0xFE], hasSequences: true)
        case .cns11643Plane1:
            .init(names: ["EUC-TW"], firsts: rows, seconds: rows)
        case .cns11643Plane2:
            .init(names: ["EUC-TW"], prefix: [0x8E, 0xA2], firsts: rows, seconds: rows)
        }
    }
}

extension DoubleOctetTable {
    /// The first 94 rows of 94 in Shift JIS, which puts two of them under each first octet.
    fileprivate init(rowsOfShiftJIS table: DoubleOctetTable) {
        self.init()
        for row in 0..<94 {
            let first = row / 2 + (row < 62 ? 0x81 : 0xC1)
            for column in 0..<94 {
                let index = row % 2 * 94 + column
                let second = index + (index < 63 ? 0x40 : 0x41)
                self[UInt8(row + 0xA1), UInt8(column + 0xA1)] = table[UInt8(first), UInt8(second)]
            }
        }
        // Half-width katakana, which EUC-JP writes behind 0x8E.
        for second in 0xA1...0xDF { set(0x8E, UInt8(second), to: UInt32(0xFF61 + second - 0xA1)) }
    }
}
