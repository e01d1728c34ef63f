/// What the octets 0x21 to 0x7E mean in an encoding of 7 bits that shifts between sets.
enum GraphicSet: Equatable {
    case ascii
    /// ASCII with a yen sign and an overline. JIS X 0201.
    case roman
    /// Half-width katakana. JIS X 0201.
    case katakana
    /// Two octets a character.
    case pairs(CharacterSet)

    private static let blockSize = 4096

    /// Decodes octets of this set from `start`, which is in `input`, to the first that is none of it, or
    /// one broken character.
    ///
    /// Controls and spaces are themselves in every set, which mail relies on.
    ///
    /// - Returns: an offset beyond `start`, but for an octet that shifts.
    func decode(
        _ input: UnsafeRawBufferPointer, from start: Int, into output: inout UTF8Output
    ) -> Int {
        let octet = input[start]
        if octet >= 0x80 {
            output.appendReplacement(at: start)
            return start + 1
        }
        if octet <= 0x20 || octet == 0x7F {
            output.append(packed: UInt32(octet))
            return start + 1
        }
        switch self {
        case .ascii: return decodeASCII(input, from: start, &output)
        case .roman:
            switch octet {
            case 0x5C: output.append("¥")
            case 0x7E: output.append("‾")
            default: output.append(packed: UInt32(octet))
            }
        case .katakana:
            if octet < 0x60, let scalar = Unicode.Scalar(0xFF61 + UInt32(octet) - 0x21) {
                output.append(scalar)
            } else {
                output.appendReplacement(at: start)
            }
        case .pairs(let set):
            if octet <= set.lastRow {
                return Self.decodePairs(input, from: start, of: set, &output)
            }
            output.appendReplacement(at: start)
        }
        return start + 1
    }

    private func decodeASCII(
        _ input: UnsafeRawBufferPointer, from start: Int, _ output: inout UTF8Output
    ) -> Int {
        var end = start + 1
        // `~` begins HZ's shifts.
        while end < input.count, 0x20..<0x7E ~= input[end] { end += 1 }
        output.append(UnsafeRawBufferPointer(rebasing: input[start..<end]))
        return end
    }

    /// Writes pairs as long as there are some, and U+FFFD for a broken one.
    private static func decodePairs(
        _ input: UnsafeRawBufferPointer, from start: Int, of set: CharacterSet,
        _ output: inout UTF8Output
    ) -> Int {
        let table = set.table ?? .init()
        let rowCount = set.lastRow - 0x20
        var offset = start
        while offset < input.count, input[offset] &- 0x21 < rowCount {
            let next = decodeBlock(input, from: offset, of: table, rowCount, &output)
            if next > offset {
                offset = next
                continue
            }
            guard offset + 1 < input.count, 0x21...0x7E ~= input[offset + 1] else {
                output.appendReplacement(at: offset)
                return offset + 1
            }
            if let (one, two) = table.sequence(
                table[input[offset] | 0x80, input[offset + 1] | 0x80])
            {
                output.append(packed: one)
                output.append(packed: two)
            } else {
                output.appendReplacement(at: offset)
            }
            offset += 2
        }
        return offset
    }

    /// Writes pairs that are one character each, up to what is none or to the end of a block.
    private static func decodeBlock(
        _ input: UnsafeRawBufferPointer, from start: Int, of table: DoubleOctetTable,
        _ rowCount: UInt8, _ output: inout UTF8Output
    ) -> Int {
        var offset = start
        let end = min(input.count, start + blockSize)
        table.entries.withUnsafeBufferPointer { entries in
            output.write(atMost: (end - start) * 2) { position in
                while offset &+ 1 < end {
                    let first = input[offset]
                    let second = input[offset &+ 1]
                    guard first &- 0x21 < rowCount, second &- 0x21 < 94 else { return }
                    let entry = DoubleOctetTable.entry(entries, first | 0x80, second | 0x80)
                    guard entry &- 1 < DoubleOctetTable.sequenceMark &- 1 else { return }
                    UnsafeMutableRawPointer(position)
                        .storeBytes(of: entry.littleEndian, as: UInt32.self)
                    position += PackedUTF8.count(of: entry)
                    offset &+= 2
                }
            }
        }
        return offset
    }
}

extension CharacterSet {
    /// The first octet of the last row in 7 bits. GB 2312 ends early, and HZ shifts with an octet behind it.
    fileprivate var lastRow: UInt8 { self == .gbk ? 0x77 : 0x7E }
}
