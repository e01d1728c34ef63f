import MartletBytes

extension Span<UInt8> {
    /// The quoted string that starts at `start`, RFC 5322 §3.2.4: its inside, and what is behind it.
    func quotedString(
        from start: Int, end: Int
    ) -> (content: Range<Int>, end: Int, isClosed: Bool) {
        var index = start + 1
        while index < end {
            switch self[index] {
            case ASCII.quote: return ((start + 1)..<index, index + 1, true)
            case ASCII.backslash where index + 1 < end: index += 2
            default: index += 1
            }
        }
        return ((start + 1)..<end, end, false)
    }

    /// Where the comment that starts at `start` ends, RFC 5322 §3.2.2, and how deep it nests;
    /// no end if it is never closed.
    func commentEnd(from start: Int, end: Int) -> (end: Int?, depth: Int) {
        var index = start
        var depth = 0
        var deepest = 0
        while index < end {
            switch self[index] {
            case UInt8(ascii: "("):
                depth += 1
                deepest = Swift.max(deepest, depth)
            case UInt8(ascii: ")"):
                depth -= 1
                if depth == 0 { return (index + 1, deepest) }
            case ASCII.backslash: index += 1
            default: break
            }
            index += 1
        }
        return (nil, deepest)
    }

    /// Whether `octet` is in `range`.
    func contains(_ octet: UInt8, in range: Range<Int>) -> Bool {
        for index in range where self[index] == octet { return true }
        return false
    }

    /// The octets of `range` without the backslashes of quoted pairs. A backslash at the end, or before a
    /// line break, stays.
    func unescaped(_ range: Range<Int>) -> [UInt8] {
        var unescaped: [UInt8] = []
        unescaped.reserveCapacity(range.count)
        var index = range.lowerBound
        while index < range.upperBound {
            var octet = self[index]
            index += 1
            if octet == ASCII.backslash, index < range.upperBound, !self[index].isLineBreak {
                octet = self[index]
                index += 1
            }
            unescaped.append(octet)
        }
        return unescaped
    }
}
