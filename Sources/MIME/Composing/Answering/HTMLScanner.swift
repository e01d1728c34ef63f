import MartletBytes

/// Cuts HTML into tags, comments and what stands between: linear, whatever is in it.
struct HTMLScanner {
    struct Token {
        enum Kind {
            case text
            case tag(String, isEnd: Bool)
            case other
        }
        var kind: Kind
        var range: Range<Int>
    }

    private let octets: [UInt8]
    private var index = 0

    init(_ octets: [UInt8]) { self.octets = octets }

    mutating func next() -> Token? {
        guard index < octets.count else { return nil }
        let start = index
        if octets[start] != ASCII.less || !isMarkup(start) {
            index += 1
            while index < octets.count, octets[index] != ASCII.less { index += 1 }
            return Token(kind: .text, range: start..<index)
        }
        if octets[start...].starts(with: "<!--".utf8) {
            skip(to: "-->", from: start + 4)
            return Token(kind: .other, range: start..<index)
        }
        let isEnd = octets[start + 1] == UInt8(ascii: "/")
        var nameEnd = start + (isEnd ? 2 : 1)
        let nameStart = nameEnd
        while nameEnd < octets.count, octets[nameEnd].isLetter || octets[nameEnd].isDigit {
            nameEnd += 1
        }
        skipTag(from: nameEnd)
        let name = String(decoding: octets[nameStart..<nameEnd].map(\.lowercased), as: UTF8.self)
        return Token(kind: name.isEmpty ? .other : .tag(name, isEnd: isEnd), range: start..<index)
    }

    private func isMarkup(_ start: Int) -> Bool {
        guard start + 1 < octets.count else { return false }
        let next = octets[start + 1]
        return next.isLetter || "/!?".utf8.contains(next)
    }

    private mutating func skip(to sign: String, from start: Int) {
        index = min(start, octets.count)
        while index < octets.count, !octets[index...].starts(with: sign.utf8) { index += 1 }
        index = min(index + sign.utf8.count, octets.count)
    }

    /// To the end of a tag, over quoted values.
    private mutating func skipTag(from start: Int) {
        index = start
        var quote: UInt8?
        while index < octets.count {
            let octet = octets[index]
            index += 1
            if let open = quote {
                if octet == open { quote = nil }
            } else if octet == ASCII.quote || octet == UInt8(ascii: "'") {
                quote = octet
            } else if octet == ASCII.greater {
                return
            }
        }
    }
}
