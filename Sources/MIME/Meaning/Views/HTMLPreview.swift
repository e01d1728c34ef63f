import MartletBytes

/// Takes the visible words from the start of an HTML text. It is made for one line of preview: what comes out is words,
/// and nobody may take it for HTML.
enum HTMLPreview {
    /// Adds the words to the line.
    static func add(_ html: String, to preview: inout PreviewLine, keepsQuotes: Bool) {
        var html = html
        html.withUTF8 { octets in
            var scanner = HTMLPreviewScanner(octets: UnsafeRawBufferPointer(octets))
            scanner.keepsQuotes = keepsQuotes
            scanner.run(adding: &preview)
        }
    }
}

/// Goes once through the octets, forward only.
private struct HTMLPreviewScanner {
    let octets: UnsafeRawBufferPointer
    var keepsQuotes = false
    private var offset = 0
    private var quoteDepth = 0
    // Text is taken piece by piece.
    private var textStart = 0

    init(octets: UnsafeRawBufferPointer) { self.octets = octets }

    mutating func run(adding preview: inout PreviewLine) {
        while offset < octets.count, !preview.isFull {
            switch octets[offset] {
            case ASCII.less where isMarkup(at: offset + 1):
                endText(adding: &preview)
                markup(adding: &preview)
                textStart = offset
            case UInt8(ascii: "&"):
                endText(adding: &preview)
                reference(adding: &preview)
                textStart = offset
            default:
                offset += 1
            }
        }
        endText(adding: &preview)
    }

    private var isHidden: Bool { quoteDepth > 0 && !keepsQuotes }

    private func endText(adding preview: inout PreviewLine) {
        guard textStart < offset, !isHidden else { return }
        preview.add(String(decoding: octets[textStart..<offset], as: UTF8.self))
    }

    private func isMarkup(at offset: Int) -> Bool {
        guard offset < octets.count else { return false }
        let octet = octets[offset]
        return octet.isLetter || octet == UInt8(ascii: "/") || octet == UInt8(ascii: "!")
            || octet == UInt8(ascii: "?")
    }

    /// At `<`: skips a tag or a comment, and what is in an element that shows nothing.
    private mutating func markup(adding preview: inout PreviewLine) {
        if has("<!--", at: offset) {
            skip(behind: "-->", from: offset + 4)
            return
        }
        let isEnd = offset + 1 < octets.count && octets[offset + 1] == UInt8(ascii: "/")
        var end = offset + (isEnd ? 2 : 1)
        let nameStart = end
        while end < octets.count, octets[end].isLetter || octets[end].isDigit { end += 1 }
        let name = String(
            decoding: octets[nameStart..<min(end, nameStart + 12)].map(\.lowercased),
            as: UTF8.self)
        offset = endOfTag(from: end)
        if Self.hidden.contains(name), !isEnd { return skipElement(name) }
        if name == "blockquote" { quoteDepth = max(0, quoteDepth + (isEnd ? -1 : 1)) }
        if !Self.inline.contains(name) { preview.endWord() }
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

    /// Elements whose text is not shown.
    private static let hidden: Set<String> = [
        "script", "style", "title", "template", "textarea", "noscript", "svg", "xml", "object",
    ]
    /// Elements that may stand within a word.
    private static let inline: Set<String> = [
        "a", "abbr", "b", "big", "bdo", "bdi", "code", "del", "em", "font", "i", "ins", "kbd",
        "mark", "o", "q", "s", "small", "span", "strike", "strong", "sub", "sup", "tt", "u", "wbr",
    ]

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

    /// At `&`: adds the character that a reference stands for.
    private mutating func reference(adding preview: inout PreviewLine) {
        let (scalar, end) = HTMLCharacterReference.read(octets, at: offset)
        offset = end
        if !isHidden { preview.add(scalar ?? "&") }
    }
}
