import MartletBytes

/// ISO-2022-CN: GB 2312 or plane 1 of CNS 11643 between SO and SI, single characters of plane 2. RFC 1922.
enum ISO2022CNDecoder {
    private enum Meaning {
        /// The set that SO brings.
        case shiftOut(CharacterSet)
        /// The set of single characters.
        case single(CharacterSet)
        case singleShift
    }

    private static let escapes: [(sequence: StaticString, meaning: Meaning)] = [
        ("$)A", .shiftOut(.gbk)), ("$)G", .shiftOut(.cns11643Plane1)),
        ("$*H", .single(.cns11643Plane2)), ("N", .singleShift),
    ]

    static func decode(_ input: UnsafeRawBufferPointer, into output: inout UTF8Output) {
        var shiftOut = CharacterSet.gbk
        var single: CharacterSet?
        var isShifted = false
        var offset = 0
        while offset < input.count {
            switch input[offset] {
            case EscapeSequence.escape:
                let start = offset
                let escape = EscapeSequence.find(escapes, in: input, behind: start)
                offset = escape?.end ?? offset + 1
                switch escape?.meaning {
                case .shiftOut(let set): shiftOut = set
                case .single(let set): single = set
                case .singleShift where isPair(input, at: offset):
                    let entry = single?.table?[input[offset] | 0x80, input[offset + 1] | 0x80] ?? 0
                    if entry == 0 {
                        output.appendReplacement(at: start)
                    } else {
                        output.append(packed: entry)
                    }
                    offset += 2
                case .singleShift, nil: output.appendReplacement(at: start)
                }
            case EscapeSequence.shiftOut:
                isShifted = true
                offset += 1
            case EscapeSequence.shiftIn:
                isShifted = false
                offset += 1
            case let octet:
                if octet.isLineBreak { (isShifted, single) = (false, nil) }
                let set: GraphicSet = isShifted ? .pairs(shiftOut) : .ascii
                offset = set.decode(input, from: offset, into: &output)
            }
        }
    }

    private static func isPair(_ input: UnsafeRawBufferPointer, at offset: Int) -> Bool {
        offset + 1 < input.count && 0x21...0x7E ~= input[offset] && 0x21...0x7E ~= input[offset + 1]
    }
}
