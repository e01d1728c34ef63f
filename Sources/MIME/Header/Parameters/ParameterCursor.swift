import MartletBytes

/// Where reading of parameters is, and what comes next.
struct ParameterCursor {
    /// The octets of a value.
    struct Value {
        /// Where they stand.
        var range: Range<Int>
        /// The octets themselves where they are not simply those of `range`.
        var gathered: [UInt8]?
        /// Where the value starts, with its quote.
        var start: Int
        var isQuoted = false
        var isClosed = true
        /// Whether there was text next to the quotes.
        var isOdd = false

        /// Takes away apostrophes around the value, where somebody took them for quotes.
        mutating func removeApostrophes(in octets: Span<UInt8>) {
            let apostrophe = UInt8(ascii: "'")
            guard range.count > 2, octets[range.lowerBound] == apostrophe,
                octets[range.upperBound - 1] == apostrophe
            else { return }
            range = (range.lowerBound + 1)..<(range.upperBound - 1)
        }
    }

    var index: Int
    let end: Int
    /// From here on no parenthesis is closed: there are no comments.
    private(set) var commentsEnd: Int
    var hasUnclosedComment: Bool { commentsEnd < end }
    private var scanner = EncodedWordScanner()

    private static let semicolon = UInt8(ascii: ";")
    private static let parenthesis = UInt8(ascii: "(")

    init(index: Int, end: Int) {
        self.index = index
        self.end = end
        commentsEnd = end
    }

    /// Skips white space and comments.
    mutating func skipBlanks(in octets: Span<UInt8>) {
        while index < end {
            if octets[index].isFoldingSpace {
                index += 1
            } else if octets[index] == Self.parenthesis, let commentEnd = commentEnd(in: octets) {
                index = commentEnd
            } else {
                return
            }
        }
    }

    /// Where the comment that starts here ends; `nil` if it never does.
    private mutating func commentEnd(in octets: Span<UInt8>) -> Int? {
        guard index < commentsEnd else { return nil }
        let comment = octets.commentEnd(from: index, end: end)
        if comment.end == nil { commentsEnd = index }
        return comment.end
    }

    // MARK: Names

    /// Goes to the next name; `false` at the end.
    mutating func skipToName(in octets: Span<UInt8>) -> Bool {
        while true {
            skipBlanks(in: octets)
            guard index < end else { return false }
            guard octets[index] == Self.semicolon || octets[index] == UInt8(ascii: ",") else {
                return true
            }
            index += 1
        }
    }

    /// Reads `name =`. `nil`, and something is skipped, if there is no such thing.
    mutating func name(in octets: Span<UInt8>) -> Range<Int>? {
        let start = index
        while index < end, !octets[index].endsParameterName { index += 1 }
        let name = start..<index
        skipBlanks(in: octets)
        guard index < end else { return nil }
        if octets[index] == ASCII.equals, !name.isEmpty {
            index += 1
            skipBlanks(in: octets)
            return name
        }
        if octets[index] == ASCII.equals {
            // A value without a name.
            index += 1
            skipBlanks(in: octets)
            _ = value(in: octets)
        } else if octets[index] == ASCII.quote {
            index = octets.quotedString(from: index, end: end).end
        } else if name.isEmpty {
            index += 1
        }
        return nil
    }

    /// Whether `name =` starts at `start`, with a name that programs use.
    func isName(
        at start: Int, in octets: Span<UInt8>, known: Bool
    ) -> Bool {
        var index = start
        while index < end, octets[index].isUsualInParameterName { index += 1 }
        let name = start..<index
        while index < end, octets[index].isFoldingSpace { index += 1 }
        guard index < end, octets[index] == ASCII.equals, !name.isEmpty else { return false }
        if !known { return true }
        return Self.knownNames.contains(
            octets.lowercasedName(name.prefix(while: { octets[$0] != UInt8(ascii: "*") })))
    }

    /// Names that end a value without a semicolon even on the same line.
    private static let knownNames: Set<String> = [
        "boundary", "charset", "delsp", "filename", "format", "method", "micalg", "name",
        "protocol",
        "report-type", "reply-type", "size", "start", "type", "creation-date", "modification-date",
        "read-date", "access-type", "x-mac-creator", "x-mac-type", "x-unix-mode",
    ]

    // MARK: Values

    /// Reads a value and what is wrong behind it, up to the semicolon or the end.
    mutating func value(in octets: Span<UInt8>) -> Value {
        index < end && octets[index] == ASCII.quote
            ? quotedValue(in: octets) : unquotedValue(in: octets)
    }

    private mutating func quotedValue(in octets: Span<UInt8>) -> Value {
        let start = index
        let quoted = octets.quotedString(from: index, end: end)
        index = quoted.end
        var value = Value(
            range: quoted.content, start: start, isQuoted: true, isClosed: quoted.isClosed)
        if !quoted.isClosed {
            value.range = beforeNextParameter(quoted.content, of: octets)
            index = value.range.upperBound
        }
        if octets.contains(ASCII.backslash, in: value.range) {
            value.gathered = unescaped(value.range, of: octets)
        }
        skipBlanks(in: octets)
        if isAtEndOfValue(in: octets) || isName(at: index, in: octets, known: false) {
            return value
        }
        value.isOdd = true
        if let last = lastQuote(from: quoted.end, in: octets) {
            // Quotes inside of quotes that should have been escaped, or all of it twice in quotes.
            var content = quoted.content.lowerBound..<last
            if quoted.content.isEmpty, last > quoted.end, octets[last - 1] == ASCII.quote {
                content = quoted.end..<(last - 1)
            }
            value.gathered = unescaped(content, of: octets)
            index = last + 1
            skipBlanks(in: octets)
        } else {
            index = quoted.end
            value.gathered = withTextBehind(
                value.gathered ?? octets.array(value.range), &value, in: octets)
        }
        value.range = start..<index
        return value
    }

    /// The quote that really ends a value in which there are others: the one that the next parameter, or nothing,
    /// comes behind. `nil` without one, or where the value is several quoted strings.
    private func lastQuote(from start: Int, in octets: Span<UInt8>) -> Int? {
        var last: Int?
        var isBlank = true
        var index = start
        while index < end, octets[index] != Self.semicolon {
            let octet = octets[index]
            if octet == ASCII.quote {
                // "…" "…"
                if isBlank, index > start { return nil }
                last = index
            } else if octet == ASCII.backslash {
                index += 1
            }
            if !octet.isFoldingSpace { isBlank = false }
            index += 1
        }
        guard let last else { return nil }
        return octets.isBlank((last + 1)..<min(index, end)) ? last : nil
    }

    /// `text` with what is behind its quotes, up to the end of the value.
    private mutating func withTextBehind(
        _ text: [UInt8], _ value: inout Value, in octets: Span<UInt8>
    ) -> [UInt8] {
        var all = text
        while !isAtEndOfValue(in: octets) {
            if octets[index] == ASCII.quote {
                let quoted = octets.quotedString(from: index, end: end)
                all += unescaped(quoted.content, of: octets)
                index = quoted.end
                if !quoted.isClosed { value.isClosed = false }
            } else {
                all.append(octets[index])
                index += 1
            }
        }
        while let last = all.last, last.isFoldingSpace { all.removeLast() }
        return all
    }

    /// A value that no quote closes ends before the next parameter, or before the line end of its field.
    private func beforeNextParameter(_ range: Range<Int>, of octets: Span<UInt8>) -> Range<Int> {
        var end = range.upperBound
        while end > range.lowerBound, octets[end - 1].isLineBreak { end -= 1 }
        for index in range.lowerBound..<end where octets[index] == Self.semicolon {
            var name = index + 1
            while name < end, octets[name].isFoldingSpace { name += 1 }
            // Names that programs use; a file name may have any sign.
            if isName(at: name, in: octets, known: true) { return range.lowerBound..<index }
        }
        return range.lowerBound..<end
    }

    private func isAtEndOfValue(in octets: Span<UInt8>) -> Bool {
        index >= end || octets[index] == Self.semicolon
    }

    private mutating func unquotedValue(in octets: Span<UInt8>) -> Value {
        let start = index
        var valueEnd = index
        while index < end, octets[index] != Self.semicolon {
            let octet = octets[index]
            if octet.isFoldingSpace {
                if endsValue(in: octets) { break }
            } else if octet == ASCII.equals,
                let word = scanner.word(in: octets, at: index, end: end)
            {
                index = word.end
                valueEnd = index
            } else {
                index += 1
                valueEnd = index
            }
        }
        var value = Value(range: start..<valueEnd, start: start)
        if valueEnd > start + 1, octets[valueEnd - 1] == ASCII.quote,
            !octets.contains(ASCII.quote, in: start..<(valueEnd - 1))
        {
            // Only the first quote is missing.
            value.range = start..<(valueEnd - 1)
            value.isOdd = true
        }
        return value
    }

    /// Skips white space inside of an unquoted value. It is the end where nothing but comments, or another
    /// parameter, comes behind it; else the value has white space in it, which ought to be quoted.
    private mutating func endsValue(in octets: Span<UInt8>) -> Bool {
        var hasLineBreak = false
        while index < end, octets[index].isFoldingSpace {
            if octets[index].isLineBreak { hasLineBreak = true }
            index += 1
        }
        if isAtEndOfValue(in: octets) { return true }
        if octets[index] == Self.parenthesis {
            let start = index
            skipBlanks(in: octets)
            if isAtEndOfValue(in: octets) { return true }
            if isName(at: index, in: octets, known: false), index > start { return true }
            return false
        }
        return isName(at: index, in: octets, known: !hasLineBreak)
    }

    /// The inside of a quoted string without its backslashes, but those of a path of Windows.
    private func unescaped(_ range: Range<Int>, of octets: Span<UInt8>) -> [UInt8] {
        let first = range.lowerBound
        let isDrivePath =
            range.count > 3 && octets[first].isLetter && octets[first + 1] == UInt8(ascii: ":")
            && octets[first + 2] == ASCII.backslash && octets[first + 3] != ASCII.backslash
        return isDrivePath ? octets.array(range) : octets.unescaped(range)
    }
}

extension UInt8 {
    fileprivate var endsParameterName: Bool {
        switch self {
        case ASCII.equals, UInt8(ascii: ";"), UInt8(ascii: "("), ASCII.quote, UInt8(ascii: ","):
            true
        default: isFoldingSpace
        }
    }

    /// What the names of parameters are really made of.
    fileprivate var isUsualInParameterName: Bool {
        isLetter || isDigit || self == ASCII.hyphen || self == UInt8(ascii: "*")
            || self == UInt8(ascii: "_") || self == ASCII.dot
    }
}
