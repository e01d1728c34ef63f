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
    let detached: [DetachedMark]
    /// Whether an item, or a value of one, could not be read.
    var sawDamage = false
    // Whether no quote behind this place ends a string in which there are others.
    var hasNoLaterEnd = false

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
    @inline(__always)
    func isAt(_ word: StaticString) -> Bool {
        let count = word.utf8CodeUnitCount
        guard end - index >= count else { return false }
        // In bounds: the word has `count` octets.
        for place in 0..<count where octets[index + place].uppercased != word.utf8Start[place] {
            return false
        }
        return index + count == end || !isAtomOctet(octets[index + count])
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
    package mutating func nilIfPresent() -> Bool {
        // Mostly it is a quote or a parenthesis.
        guard index < end, octets[index] | 0x20 == UInt8(ascii: "n") else { return false }
        return wordIfPresent("NIL")
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
