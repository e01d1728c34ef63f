import MartletBytes

/// Values that are passed over.
extension IMAPCursor {
    /// Reads a value, whatever it is: a word, a string, or parentheses with all that is in them. Not recursive.
    ///
    /// - Returns: the value's octets; `nil` if it does not end.
    package mutating func anyValue() -> ArraySlice<UInt8>? {
        let start = index
        let isWord = next != UInt8(ascii: "(") && next != ASCII.quote && !isAtLiteral
        var depth = 0
        reading: while index < end {
            switch octets[index] {
            case UInt8(ascii: "("):
                depth += 1
                index += 1
            case UInt8(ascii: ")"):
                // Not of this value.
                if depth == 0 { break reading }
                depth -= 1
                index += 1
            case ASCII.quote:
                guard let string = quotedString(from: index) else {
                    index = start
                    return nil
                }
                index = string.content.upperBound + 1
            case UInt8(ascii: "{"), UInt8(ascii: "~"):
                if (try? literalData()) == nil { index += 1 }
            case ASCII.space, ASCII.tab, ASCII.cr, ASCII.lf:
                if depth == 0 { break reading }
                index += 1
            default: index += 1
            }
            if depth == 0, !isWord { break }
        }
        if depth > 0 || index == start {
            index = start
            return nil
        }
        return octets[start..<index]
    }

    /// Reads up to the parenthesis that closes the one that is open here, and that. `false` if there is none.
    package mutating func closeParentheses() -> Bool {
        while index < end {
            if takeIfPresent(UInt8(ascii: ")")) { return true }
            if anyValue() == nil { index += octets[index] == UInt8(ascii: "(") ? end - index : 1 }
        }
        return false
    }
}
