import MartletBytes

/// ISO-2022-KR: KS X 1001 between SO and SI. RFC 1557.
enum ISO2022KRDecoder {
    /// What RFC 1557 puts before the first Korean line, and what else says ASCII.
    private static let escapes: [(sequence: StaticString, meaning: Void)] = [
        ("$)C", ()), ("(B", ()),
    ]

    static func decode(_ input: UnsafeRawBufferPointer, into output: inout UTF8Output) {
        var set = GraphicSet.ascii
        var offset = 0
        while offset < input.count {
            switch input[offset] {
            case EscapeSequence.escape:
                if let (_, end) = EscapeSequence.find(escapes, in: input, behind: offset) {
                    offset = end
                } else {
                    output.appendReplacement(at: offset)
                    offset += 1
                }
            case EscapeSequence.shiftOut:
                set = .pairs(.uhc)
                offset += 1
            case EscapeSequence.shiftIn:
                set = .ascii
                offset += 1
            case let octet:
                if octet.isLineBreak { set = .ascii }
                offset = set.decode(input, from: offset, into: &output)
            }
        }
    }
}
