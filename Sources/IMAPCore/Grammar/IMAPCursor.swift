import MartletBytes

/// Reads the octets of a whole response or command, rule by rule. Each function has the name of its rule in RFC 9051 §9;
/// those that end with `IfPresent` leave the cursor where it is if there is no such thing.
///
/// Nothing recurses, and nothing reads outside of the octets: every access is within `index..<end`.
package struct IMAPCursor: Sendable {
    /// How deep parentheses may nest.
    package let limits: IMAPLimits
    /// Whether UTF-8 was agreed on (RFC 6855).
    package let isUTF8: Bool
    /// Whether only what the RFC allows is read, as from a client; servers are read tolerantly.
    package let isStrict: Bool

    let octets: ArraySlice<UInt8>
    let end: Int
    var index: Int
    private let detached: [DetachedMark]
    // Whether no quote behind this place ends a string in which there are others.
    private var hasNoLaterEnd = false

    /// A cursor at the start of a frame.
    package init(
        _ frame: ResponseFrame, limits: IMAPLimits = .standard, isUTF8: Bool = false,
        isStrict: Bool = false
    ) {
        octets = frame.octets
        index = octets.startIndex
        end = octets.endIndex
        detached = frame.detached
        self.limits = limits
        self.isUTF8 = isUTF8
        self.isStrict = isStrict
    }

    /// A cursor at the start of octets.
    package init(
        _ octets: ArraySlice<UInt8>, limits: IMAPLimits = .standard, isUTF8: Bool = false,
        isStrict: Bool = false
    ) {
        self.init(
            ResponseFrame(octets: octets), limits: limits, isUTF8: isUTF8, isStrict: isStrict)
    }

    /// How many octets have been read.
    package var offset: Int { index - octets.startIndex }
    /// Whether all octets have been read.
    package var isAtEnd: Bool { index >= end }
    /// The next octet; NUL at the end.
    package var next: UInt8 { index < end ? octets[index] : 0 }
    /// The octets that have not been read.
    package var rest: ArraySlice<UInt8> { octets[index..<end] }

    /// A failure here.
    package func failure(_ expected: String) -> ParseFailure {
        ParseFailure(expected: expected, at: offset)
    }

    // MARK: Single octets

    /// Reads an octet.
    package mutating func expect(_ octet: UInt8, _ name: String) throws(ParseFailure) {
        guard takeIfPresent(octet) else { throw failure(name) }
    }

    /// Reads an octet, if it is there.
    package mutating func takeIfPresent(_ octet: UInt8) -> Bool {
        guard index < end, octets[index] == octet else { return false }
        index += 1
        return true
    }

    /// Whether the octet `distance` behind the next is `octet`.
    func has(_ octet: UInt8, at distance: Int) -> Bool {
        distance < end - index && octets[index + distance] == octet
    }

    /// Reads a space; more than one where that is tolerated.
    ///
    /// QUIRK(doubled-spaces): several servers put two in a row, some none in front of the next list.
    package mutating func space() throws(ParseFailure) {
        guard takeIfPresent(ASCII.space) else { throw failure("SP") }
        if !isStrict { skipSpaces() }
    }

    /// Skips spaces, and line ends where a joined line has them.
    package mutating func skipSpaces() {
        while index < end, octets[index] == ASCII.space || octets[index] == ASCII.tab { index += 1 }
    }

    /// Insists on the end.
    package mutating func finish() throws(ParseFailure) {
        if !isStrict { skipSpaces() }
        guard isAtEnd else { throw failure("the end") }
    }

    // MARK: Words

    /// The octets up to the first that does not fit.
    mutating func prefix(while fits: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        let start = index
        while index < end, fits(octets[index]) { index += 1 }
        return octets[start..<index]
    }

    // atom = 1*ATOM-CHAR
    /// An atom. From a server, octets beyond ASCII belong to it.
    package mutating func atom() throws(ParseFailure) -> ArraySlice<UInt8> {
        guard let atom = atomIfPresent() else { throw failure("atom") }
        return atom
    }

    /// An atom, if there is one.
    package mutating func atomIfPresent() -> ArraySlice<UInt8>? {
        let start = index
        while index < end, isAtomOctet(octets[index]) { index += 1 }
        return index > start ? octets[start..<index] : nil
    }

    @inline(__always)
    func isAtomOctet(_ octet: UInt8) -> Bool {
        octet.isAtomOctet || octet >= 0x80 && (!isStrict || isUTF8)
    }

    /// The atom as a name in upper case, if there is one. It may hold brackets' insides never, dots always.
    package mutating func keyword() throws(ParseFailure) -> String {
        let start = index
        while index < end, octets[index].isAtomOctet, octets[index] != UInt8(ascii: "[") {
            index += 1
        }
        guard index > start else { throw failure("a name") }
        return octets[start..<index].uppercasedText
    }

    /// Whether `word`, given in upper case, is next in any case, and no atom goes on behind it.
    func isAt(_ word: StaticString) -> Bool {
        let count = word.utf8CodeUnitCount
        guard end - index >= count else { return false }
        let isThere = word.withUTF8Buffer { word in
            for place in 0..<count where octets[index + place].uppercased != word[place] {
                return false
            }
            return true
        }
        return isThere && (index + count == end || !isAtomOctet(octets[index + count]))
    }

    /// Reads `word`, given in upper case, if it is next in any case, and no atom goes on behind it.
    package mutating func wordIfPresent(_ word: StaticString) -> Bool {
        guard isAt(word) else { return false }
        index += word.utf8CodeUnitCount
        return true
    }

    /// Whether `NIL` is next.
    var isAtNil: Bool { isAt("NIL") }

    // nil = "NIL"
    /// Reads `NIL`, if it is there.
    package mutating func nilIfPresent() -> Bool { wordIfPresent("NIL") }

    // MARK: Strings

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

    /// A quoted string's content, if there is a quote.
    // quoted = DQUOTE *QUOTED-CHAR DQUOTE
    package mutating func quotedIfPresent() throws(ParseFailure) -> ArraySlice<UInt8>? {
        guard index < end, octets[index] == ASCII.quote else { return nil }
        return try quoted()
    }

    /// A quoted string's content.
    package mutating func quoted() throws(ParseFailure) -> ArraySlice<UInt8> {
        guard let range = quotedRange(from: index) else { throw failure("quoted") }
        let content = range.lowerBound + 1..<range.upperBound - 1
        if isStrict, let odd = content.first(where: { octets[$0].isLineBreak || octets[$0] == 0 }) {
            throw ParseFailure(expected: "QUOTED-CHAR", at: odd - octets.startIndex)
        }
        index = range.upperBound
        let slice = octets[content]
        guard slice.contains(ASCII.backslash) || slice.contains(ASCII.lf) else { return slice }
        return unescaped(slice)[...]
    }

    /// Where the quoted string that begins at `start` ends, the quotes included; `nil` if nothing closes it.
    ///
    /// QUIRK(inner-quotes): quotes in it that are not escaped, as in `""""` for `""`. A quote with neither a space nor a
    /// parenthesis behind it ends nothing, as long as one comes that does.
    mutating func quotedRange(from start: Int) -> Range<Int>? {
        guard let close = closingQuote(from: start + 1) else { return nil }
        if isStrict || endsString(at: close) { return start..<close + 1 }
        if octets[close + 1] == ASCII.quote, close > start + 1 || hasNoLaterEnd {
            return start..<close + 1
        }
        guard !hasNoLaterEnd else { return start..<close + 1 }
        var later = close
        while let next = closingQuote(from: later + 1) {
            if endsString(at: next) { return start..<next + 1 }
            later = next
        }
        // Asked only once, so that the whole stays linear.
        hasNoLaterEnd = true
        return start..<close + 1
    }

    private func closingQuote(from start: Int) -> Int? {
        var place = start
        while place < end {
            let octet = octets[place]
            if octet == ASCII.quote { return place }
            place += octet == ASCII.backslash ? 2 : 1
        }
        return nil
    }

    private func endsString(at quote: Int) -> Bool {
        guard quote + 1 < end else { return true }
        switch octets[quote + 1] {
        case ASCII.space, ASCII.tab, UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "]"),
            ASCII.cr,
            ASCII.lf:
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

    // MARK: Literals

    /// Whether the announcement of a literal is next.
    package var isAtLiteral: Bool {
        has(UInt8(ascii: "{"), at: 0)
            || has(UInt8(ascii: "~"), at: 0) && has(UInt8(ascii: "{"), at: 1)
    }

    // literal = "{" number64 ["+"] "}" CRLF *CHAR8 ; literal8 = "~{" number64 ["+"] "}" CRLF *OCTET
    /// A literal's octets.
    package mutating func literal() throws(ParseFailure) -> ArraySlice<UInt8> {
        let start = index
        guard case .octets(let octets) = try literalData() else {
            index = start
            throw failure("a literal that is small enough to be kept")
        }
        return octets
    }

    /// A literal's octets, or what stands for them.
    package mutating func literalData() throws(ParseFailure) -> MessageData {
        guard let size = literalHead() else { throw failure("literal") }
        if let mark = markHere { return .detached(index: mark.index, size: mark.size) }
        guard let count = Int(exactly: size), count <= end - index else { throw failure("literal") }
        defer { index += count }
        return .octets(octets[index..<index + count])
    }

    /// Reads `{n}` and its line end, and gives n. Nothing is read where there is no such thing.
    private mutating func literalHead() -> UInt64? {
        let start = index
        _ = takeIfPresent(UInt8(ascii: "~"))
        if takeIfPresent(UInt8(ascii: "{")), let size = decimal() {
            _ = takeIfPresent(UInt8(ascii: "+"))
            if takeIfPresent(UInt8(ascii: "}")) {
                _ = takeIfPresent(ASCII.cr)
                if takeIfPresent(ASCII.lf) { return size }
            }
        }
        index = start
        return nil
    }

    private var markHere: DetachedMark? {
        var low = 0
        var high = detached.count
        while low < high {
            let middle = (low + high) / 2
            if detached[middle].offset < offset { low = middle + 1 } else { high = middle }
        }
        return low < detached.count && detached[low].offset == offset ? detached[low] : nil
    }

    /// A string's octets, what stands for them, or `NIL`.
    package mutating func nstringData() throws(ParseFailure) -> MessageData {
        if isAtLiteral { return try literalData().detachedFromFrame(of: octets.count) }
        guard let string = try nstring() else { return .nil }
        return MessageData.octets(string).detachedFromFrame(of: octets.count)
    }

    // MARK: Values that are passed over

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
                guard let range = quotedRange(from: index) else {
                    index = start
                    return nil
                }
                index = range.upperBound
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

extension MessageData {
    /// A copy where the octets are much fewer than the frame that they would keep in memory.
    func detachedFromFrame(of count: Int) -> MessageData {
        guard case .octets(let octets) = self, octets.count < 1_024 || octets.count * 4 < count
        else { return self }
        return .octets(Array(octets)[...])
    }
}

extension ArraySlice<UInt8> {
    /// The octets as a name in upper case.
    package var uppercasedText: String {
        for octet in self where octet &- 0x61 < 26 {
            return String(decoding: map(\.uppercased), as: UTF8.self)
        }
        return text
    }

    /// The octets as a name in lower case.
    package var lowercasedText: String {
        for octet in self where octet &- 0x41 < 26 {
            return String(decoding: map(\.lowercased), as: UTF8.self)
        }
        return text
    }

    /// The octets as UTF-8.
    package var text: String {
        withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    }
}
