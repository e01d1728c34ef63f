import MartletBytes
import MartletMIME

/// Reads the addresses of a header field as an envelope has them: names and addresses stay octets, as they stood, without
/// quotes and comments. RFC 9051 §7.5.2 `address`, RFC 5322 §3.4 and §4.4.
///
/// Nothing is refused. An address without a domain gets `missingHost`, one without anything before its `@` an empty
/// mailbox: `NIL` there would mean a group.
struct EnvelopeAddressReader {
    /// Entries read of one field, starts and ends of groups among them.
    static let countLimit = 10_000
    /// What stands for a domain that is not there.
    static let missingHost = Array(".MISSING-HOST-NAME.".utf8)

    private enum Kind { case atom, quoted, at, colon, comma }

    private struct Token {
        var kind: Kind
        /// The octets; of a quoted string those between the quotes.
        var range: Range<Int>
        /// Whether there is white space or a comment before it.
        var isSpaced: Bool
    }

    private let octets: UnsafeRawBufferPointer
    private let countLimit: Int
    private var index = 0
    private(set) var addresses: [EnvelopeAddress] = []
    private var isInGroup = false
    // What is known of the entry so far: what is before, in and behind the angle brackets.
    private var words: [Token] = []
    private var inner: [Token]?
    private var isClosed = false
    private var trailing: [Token] = []
    private var comment: Range<Int>?
    private var isSpaced = false
    // From here on nothing closes a comment, a quoted string, a domain in brackets.
    private var hasComments = true
    private var hasQuotes = true
    private var hasLiterals = true

    /// A reader of a field's value as it stands, folds included.
    ///
    /// - Parameter countLimit: entries that are wanted.
    init(_ octets: UnsafeRawBufferPointer, countLimit: Int = Self.countLimit) {
        self.octets = octets
        self.countLimit = countLimit
    }

    /// Reads all there is.
    mutating func read() {
        while index < octets.count, addresses.count < countLimit { step() }
        finishEntry()
        endGroup()
    }

    private mutating func step() {
        let octet = octets[index]
        switch octet {
        case _ where octet.isFoldingSpace || octet == ASCII.nul:
            isSpaced = true
            index += 1
        case UInt8(ascii: "("):
            if !takeComment() { takeAtom() }
        case ASCII.quote:
            if !takeQuoted() { takeAtom() }
        case UInt8(ascii: "["):
            if !takeLiteral() { takeAtom() }
        case ASCII.less: openBracket()
        case ASCII.greater:
            if inner != nil { isClosed = true }
            index += 1
        case UInt8(ascii: ","):
            let isInRoute = inner?.first?.kind == .at && !isClosed
            if isInRoute { takeSign(.comma) } else { endEntry() }
        case UInt8(ascii: ";"):
            endEntry()
            endGroup()
        case UInt8(ascii: ":"): takeColon()
        case UInt8(ascii: "@"):
            if isClosed { startOver(with: trailing) }
            takeSign(.at)
        default: takeAtom()
        }
    }

    // MARK: Tokens

    private mutating func take(_ kind: Kind, _ range: Range<Int>) {
        let token = Token(kind: kind, range: range, isSpaced: isSpaced)
        isSpaced = false
        if isClosed {
            trailing.append(token)
        } else if inner != nil {
            inner?.append(token)
        } else {
            words.append(token)
        }
    }

    private mutating func takeSign(_ kind: Kind) {
        take(kind, index..<index + 1)
        index += 1
    }

    private mutating func takeAtom() {
        let start = index
        index += 1
        while index < octets.count, !octets[index].endsAtom { index += 1 }
        take(.atom, start..<index)
    }

    private mutating func takeQuoted() -> Bool {
        guard hasQuotes else { return false }
        var end = index + 1
        while end < octets.count, octets[end] != ASCII.quote {
            end += octets[end] == ASCII.backslash ? 2 : 1
        }
        guard end < octets.count else {
            hasQuotes = false
            return false
        }
        take(.quoted, index + 1..<end)
        index = end + 1
        return true
    }

    // comment = "(" *([FWS] ccontent) [FWS] ")" ; RFC 5322 §3.2.2. Depth is counted, not recursed.
    private mutating func takeComment() -> Bool {
        guard hasComments else { return false }
        var depth = 0
        var end = index
        while end < octets.count {
            switch octets[end] {
            case ASCII.backslash: end += 1
            case UInt8(ascii: "("): depth += 1
            case UInt8(ascii: ")"): depth -= 1
            default: break
            }
            end += 1
            guard depth == 0 else { continue }
            guard end <= octets.count else { break }
            comment = index + 1..<end - 1
            isSpaced = true
            index = end
            return true
        }
        hasComments = false
        return false
    }

    // domain-literal = "[" *([FWS] dtext) [FWS] "]" ; RFC 5322 §3.4.1
    private mutating func takeLiteral() -> Bool {
        let last = isClosed ? trailing.last : inner?.last ?? words.last
        guard hasLiterals, last?.kind == .at else { return false }
        guard let end = octets.firstOffset(of: UInt8(ascii: "]"), from: index) else {
            hasLiterals = false
            return false
        }
        take(.atom, index..<end + 1)
        index = end + 1
        return true
    }

    // MARK: Entries

    private mutating func openBracket() {
        index += 1
        if isClosed { startOver(with: trailing) }
        if inner == nil { inner = [] }
    }

    /// A comma is missing: the entry ends before `tokens`, which belong to the next.
    private mutating func startOver(with tokens: [Token]) {
        trailing = []
        finishEntry()
        words = tokens
    }

    private mutating func takeColon() {
        if inner != nil || words.first?.kind == .at {
            takeSign(.colon)
            return
        }
        index += 1
        if words.count == 1, isWord(words[0], "mailto") {
            words = []
            return
        }
        // group = display-name ":" [group-list] ";" [CFWS] ; RFC 5322 §3.4
        endGroup()
        let name = phrase(words) ?? comment.map { unescaped($0) } ?? []
        reset()
        addresses.append(EnvelopeAddress(mailbox: name, host: nil))
        isInGroup = true
    }

    private mutating func endGroup() {
        if isInGroup { addresses.append(EnvelopeAddress(mailbox: nil, host: nil)) }
        isInGroup = false
    }

    private mutating func endEntry() {
        index += 1
        finishEntry()
    }

    private mutating func reset() {
        words.removeAll(keepingCapacity: true)
        trailing.removeAll(keepingCapacity: true)
        inner = nil
        isClosed = false
        comment = nil
        isSpaced = false
    }

    private mutating func finishEntry() {
        defer { reset() }
        let comment = comment.flatMap { unescaped($0).nonEmpty }
        if let inner {
            let name = phrase(words) ?? comment ?? phrase(trailing)
            guard !inner.isEmpty || name != nil else { return }
            add(name, inner[...])
        } else if let at = words.lastIndex(where: { $0.kind == .at }) {
            let start = start(ofLocalPartBefore: at)
            let end = end(ofDomainBehind: at)
            let name = phrase(words[..<start]) ?? comment ?? phrase(words[end...])
            add(name, words[start..<end])
        } else if words.count == 1 {
            add(comment, words[...])
        } else if let name = phrase(words) {
            add(name, [])
        }
    }

    /// Where the word before an `@` begins, with those that a dot joins to it.
    private func start(ofLocalPartBefore at: Int) -> Int {
        if words[0].kind == .at { return 0 }
        var start = max(at - 1, 0)
        while start > 0, isJoined(words[start - 1], words[start]) { start -= 1 }
        return start
    }

    private func end(ofDomainBehind at: Int) -> Int {
        var end = min(at + 2, words.count)
        while end < words.count, isJoined(words[end - 1], words[end]) { end += 1 }
        return end
    }

    private func isJoined(_ left: Token, _ right: Token) -> Bool {
        !right.isSpaced || !left.range.isEmpty && octets[left.range.upperBound - 1] == ASCII.dot
            || !right.range.isEmpty && octets[right.range.lowerBound] == ASCII.dot
    }

    // addr-spec = local-part "@" domain ; RFC 5322 §3.4.1, with a route before it, §4.4
    private mutating func add(_ name: [UInt8]?, _ tokens: ArraySlice<Token>) {
        var tokens = tokens
        var route: [UInt8]?
        if let colon = tokens.firstIndex(where: { $0.kind == .colon }) {
            if tokens.first?.kind == .at {
                route = text(tokens[..<colon])
                tokens = tokens[(colon + 1)...]
            } else if colon == tokens.startIndex + 1, isWord(tokens[colon - 1], "mailto") {
                tokens = tokens[(colon + 1)...]
            }
        }
        let at = tokens.lastIndex { $0.kind == .at }
        let host = at.flatMap { text(tokens[($0 + 1)...]).nonEmpty }
        addresses.append(
            EnvelopeAddress(
                name: name, route: route, mailbox: text(tokens[..<(at ?? tokens.endIndex)]),
                host: host ?? Self.missingHost))
    }

    // MARK: Octets

    private func isWord(_ token: Token, _ word: StaticString) -> Bool {
        token.kind == .atom
            && octets[token.range].equalsIgnoringCase(
                UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
    }

    /// The words with single spaces where white space stood; `nil` if there is nothing in them.
    private func phrase(_ tokens: some Collection<Token>) -> [UInt8]? {
        var result: [UInt8] = []
        for token in tokens {
            if token.isSpaced, !result.isEmpty { result.append(ASCII.space) }
            append(token, to: &result)
        }
        return result.nonEmpty
    }

    /// The words of an address: white space around dots is none.
    private func text(_ tokens: ArraySlice<Token>) -> [UInt8] {
        var result: [UInt8] = []
        var last: Token?
        for token in tokens {
            if let last, !isJoined(last, token), last.kind == token.kind {
                result.append(ASCII.space)
            }
            append(token, to: &result)
            last = token
        }
        return result
    }

    private func append(_ token: Token, to result: inout [UInt8]) {
        if token.kind == .quoted {
            result += unescaped(token.range)
        } else {
            result += octets[token.range]
        }
    }

    /// The octets without backslashes before others, and without line ends and NULs.
    private func unescaped(_ range: Range<Int>) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(range.count)
        var isEscaped = false
        for octet in octets[range] {
            if octet == ASCII.backslash, !isEscaped {
                isEscaped = true
                continue
            }
            isEscaped = false
            if !octet.isLineBreak, octet != ASCII.nul { result.append(octet) }
        }
        return result
    }
}

extension [UInt8] {
    fileprivate var nonEmpty: [UInt8]? { isEmpty ? nil : self }
}

extension UInt8 {
    fileprivate var endsAtom: Bool {
        switch self {
        case UInt8(ascii: "("), ASCII.quote, ASCII.less, ASCII.greater, UInt8(ascii: ","),
            UInt8(ascii: ";"), UInt8(ascii: ":"), UInt8(ascii: "@"), ASCII.nul:
            true
        default: isFoldingSpace
        }
    }
}
