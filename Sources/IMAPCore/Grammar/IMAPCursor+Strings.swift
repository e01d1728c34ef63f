import MartletBytes

extension IMAPCursor {
    // string = quoted / literal
    /// A string.
    package mutating func string() throws(ParseFailure) -> ArraySlice<UInt8> {
        if let quoted = try quotedIfPresent() { return quoted }
        return try literal()
    }

    /// A string, if there is the start of one.
    package mutating func stringIfPresent() throws(ParseFailure) -> ArraySlice<UInt8>? {
        if let quoted = try quotedIfPresent() { return quoted }
        return isAtLiteral ? try literal() : nil
    }

    // astring = 1*ASTRING-CHAR / string ; ASTRING-CHAR = ATOM-CHAR / resp-specials
    /// An atom, in which `]` may be, or a string.
    package mutating func astring() throws(ParseFailure) -> ArraySlice<UInt8> {
        if let string = try stringIfPresent() { return string }
        let start = index
        while index < end, isAtomOctet(octets[index]) || octets[index] == UInt8(ascii: "]") {
            index += 1
        }
        guard index > start else { throw failure("astring") }
        return octets[start..<index]
    }

    // nstring = string / nil
    /// A string, or `nil` for `NIL`.
    ///
    /// QUIRK(nil-as-parentheses): `()` where `NIL` is due.
    /// QUIRK(string-without-quotes): words where a string is due.
    package mutating func nstring() throws(ParseFailure) -> ArraySlice<UInt8>? {
        if let string = try stringIfPresent() { return string }
        if nilIfPresent() { return nil }
        guard !isStrict else { throw failure("nstring") }
        if has(UInt8(ascii: "("), at: 0), has(UInt8(ascii: ")"), at: 1) {
            index += 2
            return nil
        }
        let word = prefix { $0 > ASCII.space && $0 != UInt8(ascii: "(") && $0 != UInt8(ascii: ")") }
        guard !word.isEmpty else { throw failure("nstring") }
        return word
    }

    /// A string's octets, or `nil` for `NIL`.
    mutating func nstringOctets() throws(ParseFailure) -> [UInt8]? {
        if let content = plainQuotedIfPresent() { return Array(octets[content]) }
        return try nstring().map { Array($0) }
    }

    /// A string as UTF-8, or `nil` for `NIL`.
    mutating func nstringText() throws(ParseFailure) -> String? {
        if let content = plainQuotedIfPresent() { return octets[content].text }
        return try nstring()?.text
    }

    /// A string in lower case, or `nil` for `NIL`.
    mutating func nstringInLowercase() throws(ParseFailure) -> String? {
        if let content = plainQuotedIfPresent() { return octets[content].lowercasedText }
        return try nstring()?.lowercasedText
    }

    /// Reads a quoted string that is what it says, if one is next, as most strings by far are: without a slice on the way,
    /// which costs as much as the rest.
    @inline(__always)
    private mutating func plainQuotedIfPresent() -> Range<Int>? {
        guard next == ASCII.quote, !isStrict, let string = quotedString(from: index), string.isPlain
        else { return nil }
        index = string.content.upperBound + 1
        return string.content
    }

    /// A quoted string's content, if there is a quote.
    // quoted = DQUOTE *QUOTED-CHAR DQUOTE
    package mutating func quotedIfPresent() throws(ParseFailure) -> ArraySlice<UInt8>? {
        guard index < end, octets[index] == ASCII.quote else { return nil }
        return try quoted()
    }

    /// A quoted string's content.
    package mutating func quoted() throws(ParseFailure) -> ArraySlice<UInt8> {
        guard let string = quotedString(from: index) else { throw failure("quoted") }
        let content = string.content
        if isStrict, let odd = content.first(where: { octets[$0].isLineBreak || octets[$0] == 0 }) {
            throw ParseFailure(expected: "QUOTED-CHAR", at: odd - octets.startIndex)
        }
        index = content.upperBound + 1
        return string.isPlain ? octets[content] : unescaped(octets[content])[...]
    }

    /// A quoted string as it stands.
    struct QuotedString {
        /// What is between the quotes.
        var content: Range<Int>
        /// Whether that is what it says: there are neither backslashes nor line ends.
        var isPlain: Bool
    }

    /// The quoted string that begins at `start`; `nil` if nothing closes it.
    ///
    /// QUIRK(inner-quotes): quotes in it that are not escaped, as in `""""` for `""`. A quote with neither a space nor a
    /// parenthesis behind it ends nothing, as long as one comes that does.
    mutating func quotedString(from start: Int) -> QuotedString? {
        var isPlain = true
        guard let close = closingQuote(from: start + 1, &isPlain) else { return nil }
        let string = QuotedString(content: start + 1..<close, isPlain: isPlain)
        if isStrict || endsString(at: close) || hasNoLaterEnd { return string }
        // `"a""b"` are two, `""""` is one.
        if octets[close + 1] == ASCII.quote, close > start + 1 { return string }
        var later = close
        while let next = closingQuote(from: later + 1, &isPlain) {
            if endsString(at: next) {
                return QuotedString(content: start + 1..<next, isPlain: isPlain)
            }
            later = next
        }
        // Asked only once, so that the whole stays linear.
        hasNoLaterEnd = true
        return string
    }

    private func closingQuote(from start: Int, _ isPlain: inout Bool) -> Int? {
        var place = start
        while place < end {
            let octet = octets[place]
            if octet == ASCII.quote { return place }
            if octet == ASCII.backslash {
                isPlain = false
                place += 1
            } else if octet == ASCII.lf {
                isPlain = false
            }
            place += 1
        }
        return nil
    }

    private func endsString(at quote: Int) -> Bool {
        guard quote + 1 < end else { return true }
        switch octets[quote + 1] {
        case ASCII.space, ASCII.tab, ASCII.cr, ASCII.lf, UInt8(ascii: "("), UInt8(ascii: ")"),
            UInt8(ascii: "]"):
            return true
        default: return false
        }
    }

    /// The content of a quoted string without the backslashes that escape.
    ///
    /// QUIRK(line-end-in-quotes): line ends in it, which long file names bring along, are left out.
    private func unescaped(_ content: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(content.count)
        var place = content.startIndex
        while place < content.endIndex {
            let octet = content[place]
            if octet == ASCII.backslash, place + 1 < content.endIndex,
                content[place + 1] == ASCII.quote || content[place + 1] == ASCII.backslash
            {
                place += 1
                result.append(content[place])
            } else if octet == ASCII.cr, place + 1 < content.endIndex,
                content[place + 1] == ASCII.lf
            {
                place += 1
            } else if octet != ASCII.lf {
                result.append(octet)
            }
            place += 1
        }
        return result
    }
}
