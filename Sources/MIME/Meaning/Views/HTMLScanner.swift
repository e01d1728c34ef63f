import MartletBytes

/// Cuts HTML into tags and the text that is shown where scripts do not run: forward only, and linear whatever is in it.
/// Comments, and elements whose text nobody sees, are passed over. WHATWG HTML §13.2.5.
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
        "script", "style", "title", "template", "svg", "xml", "object", "iframe", "noembed",
        "noframes",
    ]
    private static let nameLimit = 12

    let octets: UnsafeRawBufferPointer
    private var offset = 0
    /// The element in which only its own end tag is one.
    private var textElement: String?

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
        if let textElement { return isEndTag(of: textElement, at: offset) }
        let octet = octets[offset]
        return octet.isLetter || octet == UInt8(ascii: "/") || octet == UInt8(ascii: "!")
            || octet == UInt8(ascii: "?")
    }

    /// At `<`: passes over a tag with what it hides, or a comment, which is no token.
    private mutating func markup() -> Token.Kind? {
        if has("<!--", at: offset) {
            offset = endOfComment(from: offset + 4)
            return nil
        }
        let isEnd = octets[offset + 1] == UInt8(ascii: "/")
        let nameStart = offset + (isEnd ? 2 : 1)
        guard nameStart < octets.count, octets[nameStart].isLetter else {
            // `<!…>`, `<?…>` and `</…>` without a name are comments too.
            offset =
                octets.firstOffset(of: ASCII.greater, from: nameStart).map { $0 + 1 }
                ?? octets.count
            return nil
        }
        var end = nameStart
        while end < octets.count, !isEndOfName(at: end) { end += 1 }
        let name = String(
            decoding: octets[nameStart..<min(end, nameStart + Self.nameLimit)].map(\.lowercased),
            as: UTF8.self)
        offset = endOfTag(from: end)
        textElement = name == "textarea" && !isEnd ? name : nil
        if Self.hidden.contains(name), !isEnd { skipElement(name) }
        return .tag(name, isEnd: isEnd)
    }

    private func isEndOfName(at offset: Int) -> Bool {
        let octet = octets[offset]
        return octet <= ASCII.space || octet == UInt8(ascii: "/") || octet == ASCII.greater
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

    /// Behind a comment whose text begins at `start`: `-->` and `--!>` end it, `>` and `->` do at its start.
    private func endOfComment(from start: Int) -> Int {
        if has(">", at: start) { return start + 1 }
        if has("->", at: start) { return start + 2 }
        var index = start
        while let found = octets.firstOffset(of: ASCII.greater, from: index) {
            if found >= start + 2, has("--", at: found - 2) { return found + 1 }
            if found >= start + 3, has("--!", at: found - 3) { return found + 1 }
            index = found + 1
        }
        return octets.count
    }

    /// Goes behind the end tag of an element.
    private mutating func skipElement(_ name: String) {
        var index = offset
        while let found = octets.firstOffset(of: ASCII.less, from: index) {
            if isEndTag(of: name, at: found + 1) {
                offset = endOfTag(from: found + 2)
                return
            }
            index = found + 1
        }
        offset = octets.count
    }

    /// Whether `/`, the name and the end of a name stand here.
    private func isEndTag(of name: String, at offset: Int) -> Bool {
        let end = offset + 1 + name.utf8.count
        return end < octets.count && octets[offset] == UInt8(ascii: "/")
            && octets[(offset + 1)..<end].lazy.map(\.lowercased).elementsEqual(name.utf8)
            && isEndOfName(at: end)
    }

    private func has(_ text: StaticString, at offset: Int) -> Bool {
        guard offset >= 0, offset + text.utf8CodeUnitCount <= octets.count else { return false }
        return text.withUTF8Buffer { $0.elementsEqual(octets[offset..<(offset + $0.count)]) }
    }
}
