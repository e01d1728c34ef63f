import MartletBytes

/// A word or sign of an address, RFC 5322 §3.2. White space and comments are left out.
struct AddressToken {
    enum Kind: Equatable {
        /// Characters that need no quotes.
        case atom
        /// `"…"`, its range with the quotes.
        case quoted
        /// `[…]`, its range with the brackets.
        case literal
        /// One of `< > @ , ; : .`
        case sign(UInt8)
        /// An octet that belongs nowhere, such as a quote that nothing closes.
        case stray
    }

    var kind: Kind
    var range: Range<Int>

    func isSign(_ sign: Unicode.Scalar) -> Bool { kind == .sign(UInt8(ascii: sign)) }
}

/// Cuts addresses into tokens in one pass: an opening quote, bracket or comment that is never closed is
/// a stray token, looked for once only, so that hostile input costs no more than its length.
struct AddressScanner {
    /// The longest encoded word that is looked for, in octets. RFC 2047 §2 allows 75.
    private static let encodedWordLimit = 256

    let octets: [UInt8]
    // Received mail has commas and other signs inside encoded words, which do not end an entry.
    private let keepsEncodedWords: Bool
    private var index = 0
    private var hasQuoteEnd = true
    private var hasCommentEnd = true

    init(_ octets: [UInt8], keepsEncodedWords: Bool = false) {
        self.octets = octets
        self.keepsEncodedWords = keepsEncodedWords
    }

    /// All tokens up to the end.
    mutating func tokens() -> [AddressToken] {
        var tokens: [AddressToken] = []
        while index < octets.count {
            if let token = next() { tokens.append(token) }
        }
        return tokens
    }

    private mutating func next() -> AddressToken? {
        let start = index
        switch octets[index] {
        case ASCII.space, ASCII.tab, ASCII.cr, ASCII.lf:
            index += 1
            return nil
        case ASCII.quote:
            guard hasQuoteEnd, skipQuoted() else {
                hasQuoteEnd = false
                return token(.stray, from: start)
            }
            return AddressToken(kind: .quoted, range: start..<index)
        case UInt8(ascii: "("):
            guard hasCommentEnd, skipComment() else {
                hasCommentEnd = false
                return token(.stray, from: start)
            }
            return nil
        case UInt8(ascii: "["):
            guard skipLiteral() else { return token(.stray, from: start) }
            return AddressToken(kind: .literal, range: start..<index)
        case UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: ":"), UInt8(ascii: "."),
            UInt8(ascii: "@"), UInt8(ascii: "<"), UInt8(ascii: ">"):
            return token(.sign(octets[start]), from: start)
        case ASCII.equals where keepsEncodedWords && skipEncodedWord():
            return AddressToken(kind: .atom, range: start..<index)
        case let octet where isAtomOctet(octet):
            while index < octets.count, isAtomOctet(octets[index]) { index += 1 }
            return AddressToken(kind: .atom, range: start..<index)
        default:
            return token(.stray, from: start)
        }
    }

    private mutating func token(_ kind: AddressToken.Kind, from start: Int) -> AddressToken {
        index = start + 1
        return AddressToken(kind: kind, range: start..<index)
    }

    // encoded-word = "=?" charset "?" encoding "?" encoded-text "?=" ; RFC 2047 §2
    private mutating func skipEncodedWord() -> Bool {
        let mark = UInt8(ascii: "?")
        var marks = 0
        var next = index + 1
        let end = min(octets.count - 1, index + Self.encodedWordLimit)
        while next < end, octets[next] > ASCII.space {
            if octets[next] == mark { marks += 1 }
            if marks == 0 { return false }
            if marks == 4 {
                guard octets[next + 1] == ASCII.equals else { return false }
                index = next + 2
                return true
            }
            next += 1
        }
        return false
    }

    // quoted-string = DQUOTE *([FWS] qcontent) [FWS] DQUOTE ; RFC 5322 §3.2.4
    private mutating func skipQuoted() -> Bool {
        index += 1
        while index < octets.count {
            switch octets[index] {
            case ASCII.backslash: index += 2
            case ASCII.quote:
                index += 1
                return true
            default: index += 1
            }
        }
        return false
    }

    // comment = "(" *([FWS] ccontent) [FWS] ")" ; RFC 5322 §3.2.2. Depth is counted, not recursed.
    private mutating func skipComment() -> Bool {
        var depth = 0
        while index < octets.count {
            switch octets[index] {
            case ASCII.backslash: index += 1
            case UInt8(ascii: "("): depth += 1
            case UInt8(ascii: ")"): depth -= 1
            default: break
            }
            index += 1
            if depth == 0 { return index <= octets.count }
        }
        return false
    }

    // domain-literal = "[" *([FWS] dtext) [FWS] "]" ; RFC 5322 §3.4.1
    private mutating func skipLiteral() -> Bool {
        index += 1
        while index < octets.count {
            index += 1
            switch octets[index - 1] {
            case UInt8(ascii: "]"): return true
            case let octet where "[,;<>@".utf8.contains(octet): return false
            default: break
            }
        }
        return false
    }
}
