import MartletBytes

/// A word or sign of an address, RFC 5322 §3.2. White space is left out.
struct AddressToken {
    enum Kind: UInt8 {
        /// Characters that need no quotes.
        case atom
        /// `"…"`, its range with the quotes.
        case quoted
        /// `[…]`, its range with the brackets.
        case literal
        /// `(…)`, its range with the parentheses.
        case comment
        // One of < > @ , ; : .
        case less, greater, at, comma, semicolon, colon, dot
        /// An octet that belongs nowhere, such as a quote that nothing closes.
        case stray
    }

    var kind: Kind
    var start: Int
    var end: Int

    var range: Range<Int> { start..<end }
}

/// Cuts addresses into tokens in one pass. An opening quote, bracket or comment that is never closed is a
/// stray token; the search for its end is bounded in all, so that hostile input costs no more than its length.
struct AddressScanner {
    /// The longest encoded word that is looked for, in octets. RFC 2047 §2 allows 75.
    private static let encodedWordLimit = 256
    /// How many times the length of the value may be searched for the ends of comments.
    private static let commentSearches = 4

    let octets: FieldOctets
    /// The deepest comment that was seen.
    private(set) var commentDepth = 0
    // Received mail has commas and other signs inside encoded words, which do not end an entry.
    private let keepsEncodedWords: Bool
    private var index = 0
    private var hasQuoteEnd = true
    private var commentBudget: Int

    init(_ octets: FieldOctets, keepsEncodedWords: Bool) {
        self.octets = octets
        self.keepsEncodedWords = keepsEncodedWords
        commentBudget = octets.count * Self.commentSearches
    }

    /// The next token, `nil` at the end.
    mutating func next() -> AddressToken? {
        index = octets.skippingSpace(from: index)
        guard index < octets.count else { return nil }
        let start = index
        switch octets[start] {
        case ASCII.quote:
            guard hasQuoteEnd, let end = octets.quotedString(at: start), end <= octets.count else {
                hasQuoteEnd = false
                return token(.stray, from: start)
            }
            return token(.quoted, from: start, to: end)
        case UInt8(ascii: "("):
            guard commentBudget > 0, let comment = octets.comment(at: start) else {
                commentBudget -= octets.count - start
                return token(.stray, from: start)
            }
            commentDepth = max(commentDepth, comment.depth)
            return token(.comment, from: start, to: comment.end)
        case UInt8(ascii: "["):
            guard let end = literalEnd(from: start) else { return token(.stray, from: start) }
            return token(.literal, from: start, to: end)
        case UInt8(ascii: ","): return token(.comma, from: start)
        case UInt8(ascii: ";"): return token(.semicolon, from: start)
        case UInt8(ascii: ":"): return token(.colon, from: start)
        case ASCII.dot: return token(.dot, from: start)
        case UInt8(ascii: "@"): return token(.at, from: start)
        case ASCII.less: return token(.less, from: start)
        case ASCII.greater: return token(.greater, from: start)
        case ASCII.equals where keepsEncodedWords:
            return token(
                .atom, from: start, to: encodedWordEnd(from: start) ?? atomEnd(from: start))
        case let octet:
            guard isAtomOctet(octet) else { return token(.stray, from: start) }
            return token(.atom, from: start, to: atomEnd(from: start))
        }
    }

    private mutating func token(
        _ kind: AddressToken.Kind, from start: Int, to end: Int? = nil
    ) -> AddressToken {
        index = end ?? start + 1
        return AddressToken(kind: kind, start: start, end: index)
    }

    private func atomEnd(from start: Int) -> Int {
        var end = start
        while isAtomOctet(octets[end]) { end += 1 }
        return end
    }

    // encoded-word = "=?" charset "?" encoding "?" encoded-text "?=" ; RFC 2047 §2
    private func encodedWordEnd(from start: Int) -> Int? {
        let mark = UInt8(ascii: "?")
        var marks = 0
        for next in (start + 1)..<(start + Self.encodedWordLimit)
        where octets[next] == mark || marks == 0 {
            guard octets[next] == mark else { return nil }
            marks += 1
            if marks == 4 {
                guard octets[next + 1] == ASCII.equals,
                    !(start..<next).contains(where: { octets[$0] <= ASCII.space })
                else { return nil }
                return next + 2
            }
        }
        return nil
    }

    // domain-literal = "[" *([FWS] dtext) [FWS] "]" ; RFC 5322 §3.4.1
    private func literalEnd(from start: Int) -> Int? {
        var index = start + 1
        while index < octets.count {
            switch octets[index] {
            case UInt8(ascii: "]"): return index + 1
            case UInt8(ascii: "["), UInt8(ascii: ","), UInt8(ascii: ";"), ASCII.less, ASCII.greater,
                UInt8(ascii: "@"):
                return nil
            default: index += 1
            }
        }
        return nil
    }
}
