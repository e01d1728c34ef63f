import MartletBytes

/// Cuts HTML into tags and the text that is shown: forward only, and linear whatever is in it. Comments, and elements
/// whose text nobody sees, are passed over.
struct HTMLScanner {
    struct Token {
        enum Kind {
            /// Octets that stand for themselves.
            case text
            /// What a character reference stands for.
            case character(Unicode.Scalar)
            /// A tag, with its name in lower case; of a name that HTML does not have only the start.
            case tag(String, isEnd: Bool)
        }
        var kind: Kind
        var range: Range<Int>
    }

    /// Elements whose text is not shown.
    private static let hidden: Set<String> = [
        "script", "style", "title", "template", "textarea", "noscript", "svg", "xml", "object",
    ]
    private static let nameLimit = 12

    let octets: UnsafeRawBufferPointer
    private var offset = 0

    init(_ octets: UnsafeRawBufferPointer) { self.octets = octets }

    /// The next token; `nil` at the end.
    mutating func next() -> Token? {
        while offset < octets.count {
            let start = offset
            switch octets[start] {
            case ASCII.less where isMarkup(at: start + 1):
                if let tag = markup() { return Token(kind: tag, range: start..<offset) }
            case UInt8(ascii: "&"):
                let (scalar, end) = HTMLCharacterReference.read(octets, at: start)
                offset = end
                return Token(kind: scalar.map { .character($0) } ?? .text, range: start..<end)
            default:
                repeat { offset += 1 } while offset < octets.count && isText(at: offset)
                return Token(kind: .text, range: start..<offset)
            }
        }
        return nil
    }

    private func isText(at offset: Int) -> Bool {
        switch octets[offset] {
        case ASCII.less: !isMarkup(at: offset + 1)
        case UInt8(ascii: "&"): false
        default: true
        }
    }

    private func isMarkup(at offset: Int) -> Bool {
        guard offset < octets.count else { return false }
        let octet = octets[offset]
        return octet.isLetter || octet == UInt8(ascii: "/") || octet == UInt8(ascii: "!")
            || octet == UInt8(ascii: "?")
    }

    /// At `<`: passes over a tag with what it hides, or a comment, which is no token.
    private mutating func markup() -> Token.Kind? {
        if has("<!--", at: offset) {
            skip(behind: "-->", from: offset + 4)
            return nil
        }
        let isEnd = octets[offset + 1] == UInt8(ascii: "/")
        var end = offset + (isEnd ? 2 : 1)
        let nameStart = end
        while end < octets.count, octets[end].isLetter || octets[end].isDigit { end += 1 }
        let name = String(
            decoding: octets[nameStart..<min(end, nameStart + Self.nameLimit)].map(\.lowercased),
            as: UTF8.self)
        offset = endOfTag(from: end)
        if Self.hidden.contains(name), !isEnd { skipElement(name) }
        return .tag(name, isEnd: isEnd)
    }

    /// Behind the `>` of a tag; quoted values may have one in them.
    private func endOfTag(from start: Int) -> Int {
        var index = start
        var quote: UInt8 = 0
        var previous: UInt8 = 0
        while index < octets.count {
            let octet = octets[index]
            if quote != 0 {
                if octet == quote { quote = 0 }
            } else if octet == ASCII.greater {
                return index + 1
            } else if octet == ASCII.quote || octet == UInt8(ascii: "'"),
                previous == ASCII.equals
            {
                quote = octet
            }
            if octet > ASCII.space { previous = octet }
            index += 1
        }
        return index
    }

    /// Goes behind the end tag of an element.
    private mutating func skipElement(_ name: String) {
        var index = offset
        while let found = octets.firstOffset(of: ASCII.less, from: index) {
            if found + 2 + name.utf8.count <= octets.count,
                octets[found + 1] == UInt8(ascii: "/"),
                octets[(found + 2)..<(found + 2 + name.utf8.count)].lazy.map(\.lowercased)
                    .elementsEqual(name.utf8)
            {
                offset = endOfTag(from: found + 2)
                return
            }
            index = found + 1
        }
        offset = octets.count
    }

    private mutating func skip(behind text: StaticString, from start: Int) {
        let last = text.utf8Start[text.utf8CodeUnitCount - 1]
        var index = start
        while let found = octets.firstOffset(of: last, from: min(index, octets.count)) {
            if found + 1 >= start + text.utf8CodeUnitCount,
                has(text, at: found + 1 - text.utf8CodeUnitCount)
            {
                offset = found + 1
                return
            }
            index = found + 1
        }
        offset = octets.count
    }

    private func has(_ text: StaticString, at offset: Int) -> Bool {
        guard offset >= 0, offset + text.utf8CodeUnitCount <= octets.count else { return false }
        return text.withUTF8Buffer { $0.elementsEqual(octets[offset..<(offset + $0.count)]) }
    }
}
