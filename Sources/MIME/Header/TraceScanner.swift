import MartletBytes

/// Cuts a trace field into words and comments.
struct TraceScanner {
    enum Kind { case word, comment, comma, semicolon }

    struct Item {
        var kind: Kind
        /// Of a comment, without its parentheses.
        var range: Range<Int>
    }

    let octets: FieldOctets
    private var index: Int
    private let end: Int
    private var commentBudget: Int
    private var hasBracketEnd = true
    private var hasAngleEnd = true

    /// Scans `range`, which is inside of `octets`.
    init(_ octets: FieldOctets, range: Range<Int>) {
        self.octets = octets
        index = range.lowerBound
        end = range.upperBound
        commentBudget = 4 * range.count
    }

    /// The next item, `nil` at the end.
    mutating func next() -> Item? {
        while index < end, octets[index].isFoldingSpace { index += 1 }
        guard index < end else { return nil }
        let start = index
        switch octets[index] {
        case UInt8(ascii: ","):
            index += 1
            return Item(kind: .comma, range: start..<index)
        case UInt8(ascii: ";"):
            index += 1
            return Item(kind: .semicolon, range: start..<index)
        case UInt8(ascii: "("):
            if commentBudget > 0 {
                if let comment = octets.comment(at: index), comment.end <= end {
                    index = comment.end
                    return Item(kind: .comment, range: (start + 1)..<(index - 1))
                }
                commentBudget -= end - index
            }
            index += 1
        default: break
        }
        while index < end, !isWordEnd(octets[index]) { skipInWord() }
        return Item(kind: .word, range: start..<index)
    }

    private func isWordEnd(_ octet: UInt8) -> Bool {
        octet.isFoldingSpace || octet == UInt8(ascii: "(") || octet == UInt8(ascii: ",")
            || octet == UInt8(ascii: ";")
    }

    // What is in brackets belongs to the word whatever it is: [XMail 1.20 ESMTP Server].
    private mutating func skipInWord() {
        let octet = octets[index]
        index += 1
        if octet == UInt8(ascii: "["), hasBracketEnd {
            hasBracketEnd = skip(to: UInt8(ascii: "]"))
        } else if octet == ASCII.less, hasAngleEnd {
            hasAngleEnd = skip(to: ASCII.greater)
        }
    }

    private mutating func skip(to closing: UInt8) -> Bool {
        guard let found = (index..<end).first(where: { octets[$0] == closing }) else {
            return false
        }
        index = found + 1
        return true
    }
}
