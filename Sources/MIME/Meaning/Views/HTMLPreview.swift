import MartletBytes

/// Takes the visible words from the start of an HTML text. It is made for one line of preview: what comes out is words,
/// and nobody may take it for HTML.
enum HTMLPreview {
    /// Adds the words to the line.
    static func add(_ html: String, to preview: inout PreviewLine, keepsQuotes: Bool) {
        var html = html
        html.withUTF8 { octets in
            let octets = UnsafeRawBufferPointer(octets)
            var scanner = HTMLScanner(octets)
            var quoteDepth = 0
            while !preview.isFull, let token = scanner.next() {
                let isShown = quoteDepth == 0 || keepsQuotes
                switch token.kind {
                case .text where isShown:
                    preview.add(String(decoding: octets[token.range], as: UTF8.self))
                case .character(let scalar) where isShown: preview.add(scalar)
                case .text, .character: break
                case .tag(let name, let isEnd):
                    if name == "blockquote" { quoteDepth = max(0, quoteDepth + (isEnd ? -1 : 1)) }
                    if !inline.contains(name) { preview.endWord() }
                }
            }
        }
    }

    /// Elements that may stand within a word.
    private static let inline: Set<String> = [
        "a", "abbr", "b", "big", "bdo", "bdi", "code", "del", "em", "font", "i", "ins", "kbd",
        "mark", "o:p", "q", "s", "small", "span", "strike", "strong", "sub", "sup", "tt", "u",
        "wbr",
    ]
}
