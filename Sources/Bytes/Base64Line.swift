internal import CMartletOctets

/// Tells lines of base64 from lines of text, such as the footers that mailing lists put behind a body.
enum Base64Line {
    /// How many octets of a line are looked at.
    static let limit = 128

    /// Whether the line is plainly no base64. Words of letters and digits alone may be either, and are taken
    /// for base64.
    ///
    /// - Parameter line: a line without its line end, from its first octet that is not blank; the first
    ///   `limit` octets if it is longer.
    /// - Parameter isBehindBlank: whether padding and a blank are in front of it. No encoder writes that, so that only
    ///   whole quanta are base64 there.
    static func isText(_ line: [UInt8], isBehindBlank: Bool = false) -> Bool {
        if startsWithRule(line) || isURL(line) { return true }
        var outsideCount = 0
        var insideCount = 0
        // Words with a number of characters that makes no whole quanta.
        var unevenWordCount = 0
        var wordCount = 0
        for word in line.split(whereSeparator: \.isBlank) {
            let inside = word.count { $0 == ASCII.equals || martlet_base64_value($0) < 64 }
            insideCount += inside
            outsideCount += word.count - inside
            wordCount += 1
            // The last word may have been cut.
            let isWhole = word.endIndex < line.endIndex || line.count < limit
            if isWhole, inside % 4 != 0 { unevenWordCount += 1 }
        }
        if isBehindBlank, unevenWordCount > 0 { return true }
        if wordCount > 1 { return outsideCount > 0 || unevenWordCount > 0 }
        return outsideCount > 0 && (unevenWordCount > 0 || outsideCount > insideCount / 3)
    }

    /// `http://www.example.com/`, which may have whole quanta by chance.
    private static func isURL(_ line: [UInt8]) -> Bool {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return false }
        return line[(colon + 1)...].starts(with: "//".utf8)
    }

    /// Whether a line goes on behind padding with more of it that was written in quoted-printable, as if it were text:
    /// `QQ=3D=3D`.
    static func isEncodedPadding(_ rest: [UInt8]) -> Bool {
        rest.elementsEqual("3D".utf8) || rest.elementsEqual("3D=3D".utf8)
    }

    /// `--`, `__` or `===`: a line drawn over a footer, or the mark of a signature.
    private static func startsWithRule(_ line: [UInt8]) -> Bool {
        guard let first = line.first else { return false }
        let length = line.prefix { $0 == first }.count
        switch first {
        case ASCII.hyphen, ASCII.underscore: return length >= 2
        case ASCII.equals: return length >= 3
        default: return false
        }
    }
}
