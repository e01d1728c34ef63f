import MartletBytes

/// ISO-2022-JP, and with it -1, -2, -3, -2004 and Microsoft's. RFC 1468, RFC 2237, RFC 1554.
///
/// More than browsers read: the further sets of the variants, half-width katakana between SO and SI. As
/// RFC 1468 wants it, a line begins in ASCII, also where the one before does not end so. Escapes that say
/// nothing new are no fault here, since mailers join words that each have theirs.
enum ISO2022JPDecoder {
    private enum Meaning {
        case set(GraphicSet)
        /// The high half of a charset of one octet, for single characters.
        case upper(SingleOctetCharset)
        case singleShift
        case nothing
    }

    private static let escapes: [(sequence: StaticString, meaning: Meaning)] = [
        ("$B", .set(.pairs(.jisX0208))), ("(B", .set(.ascii)), ("$@", .set(.pairs(.jisX0208))),
        ("(J", .set(.roman)), ("(H", .set(.roman)), ("(I", .set(.katakana)),
        ("$(B", .set(.pairs(.jisX0208))), ("$(@", .set(.pairs(.jisX0208))),
        ("$(D", .set(.pairs(.jisX0212))), ("$A", .set(.pairs(.gbk))), ("$(A", .set(.pairs(.gbk))),
        ("$(C", .set(.pairs(.uhc))), ("$(O", .set(.pairs(.jisX0213Plane1))),
        ("$(Q", .set(.pairs(.jisX0213Plane1))), ("$(P", .set(.pairs(.jisX0213Plane2))),
        (".A", .upper(.windows1252)), (".F", .upper(.iso8859part7)), ("N", .singleShift),
        ("&@", .nothing),
    ]

    static func decode(_ input: UnsafeRawBufferPointer, into output: inout UTF8Output) {
        var set = GraphicSet.ascii
        var beforeShift: GraphicSet?
        var upper: SingleOctetCharset?
        var offset = 0
        while offset < input.count {
            switch input[offset] {
            case EscapeSequence.escape:
                let escape = EscapeSequence.find(escapes, in: input, behind: offset)
                switch escape?.meaning {
                case .set(let newSet): set = newSet
                case .upper(let charset): upper = charset
                case .singleShift:
                    offset = decodeSingle(input, at: offset, of: upper, &output)
                    continue
                case .nothing: break
                case nil: output.appendReplacement(at: offset)
                }
                offset = escape?.end ?? offset + 1
            case EscapeSequence.shiftOut:
                if set != .katakana { beforeShift = set }
                set = .katakana
                offset += 1
            case EscapeSequence.shiftIn:
                set = beforeShift ?? .ascii
                offset += 1
            case let octet where octet.isLineBreak:
                (set, beforeShift, upper) = (.ascii, nil, nil)
                offset = set.decode(input, from: offset, into: &output)
            default:
                offset = set.decode(input, from: offset, into: &output)
            }
        }
    }

    /// Reads ESC N and the octet behind it.
    private static func decodeSingle(
        _ input: UnsafeRawBufferPointer, at offset: Int, of upper: SingleOctetCharset?,
        _ output: inout UTF8Output
    ) -> Int {
        guard let upper, offset + 2 < input.count, 0x20...0x7F ~= input[offset + 2] else {
            output.appendReplacement(at: offset)
            return offset + 2
        }
        if let entry = SingleOctetTable.table(of: upper)[input[offset + 2] | 0x80] {
            output.append(packed: entry)
        } else {
            output.appendReplacement(at: offset)
        }
        return offset + 3
    }
}
