import MartletBytes

/// Between HTML and text, as far as quoting needs it. Nothing in here makes HTML safe to show.
enum HTMLText {
    /// `text` as paragraphs of HTML.
    static func paragraphs(of text: String) -> String {
        guard !text.isEmpty else { return "" }
        return "<div>" + escaped(text) + "</div><br>\n"
    }

    /// The body of the message inside of a `blockquote`, behind a line that says whose it is.
    static func quotation(of contents: MessageContents, attribution: String) -> String {
        "<div>" + escaped(attribution) + "</div>\n<blockquote type=\"cite\">\n" + body(of: contents)
            + "\n</blockquote>\n"
    }

    /// What stands in the body of the message's HTML, or its text as HTML.
    static func body(of contents: MessageContents) -> String {
        guard let part = contents.html else {
            return "<div>" + escaped(QuotedText(of: contents).plain) + "</div>"
        }
        return innerBody(of: part.text().value)
    }

    /// `text` with the signs of HTML as references and its line ends as `<br>`.
    static func escaped(_ text: String) -> String {
        var html: [UInt8] = []
        for octet in canonicalLines(text.utf8) {
            switch octet {
            case UInt8(ascii: "&"): html += "&amp;".utf8
            case ASCII.less: html += "&lt;".utf8
            case ASCII.greater: html += "&gt;".utf8
            case ASCII.quote: html += "&quot;".utf8
            case ASCII.cr: html += "<br>".utf8
            default: html.append(octet)
            }
        }
        return String(decoding: html, as: UTF8.self)
    }

    /// What stands between `<body …>` and `</body>`; everything, where there is no such tag.
    private static func innerBody(of html: String) -> String {
        let octets = [UInt8](html.utf8)
        var scanner = HTMLScanner(octets)
        var start = 0
        var end = octets.count
        while let token = scanner.next() {
            guard case .tag(let name, let isEnd) = token.kind, name == "body" else { continue }
            if isEnd {
                end = token.range.lowerBound
            } else if start == 0 {
                start = token.range.upperBound
            }
        }
        return String(decoding: octets[start..<max(start, end)], as: UTF8.self)
    }

    /// What `html` says, roughly: tags dropped, blocks on lines of their own, the common references decoded.
    static func plainText(of html: String) -> String {
        let octets = [UInt8](html.utf8)
        var scanner = HTMLScanner(octets)
        var text = PlainTextWriter()
        // The text of these is no text.
        let hidden: Set<String> = ["style", "script", "title", "head", "template"]
        var hiddenBy: String?
        while let token = scanner.next() {
            switch token.kind {
            case .text where hiddenBy == nil: text.add(octets[token.range])
            case .tag(let name, let isEnd):
                if hiddenBy == nil, hidden.contains(name), !isEnd { hiddenBy = name }
                // A head that nobody ends is ended by the body.
                if (isEnd && name == hiddenBy) || name == "body" { hiddenBy = nil }
                if name == "br" { text.breakLine() }
                if PlainTextWriter.blocks.contains(name) { text.endBlock() }
            default: break
            }
        }
        return text.finish()
    }
}

/// Cuts HTML into tags, comments and what stands between: linear, whatever is in it.
private struct HTMLScanner {
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

/// Collects text: white space becomes one blank, blocks become lines.
private struct PlainTextWriter {
    static let blocks: Set<String> = [
        "p", "div", "tr", "li", "ul", "ol", "table", "blockquote", "h1", "h2", "h3", "h4", "h5", "h6",
        "pre", "hr", "section", "article", "header", "footer",
    ]

    private var text: [UInt8] = []
    private var hasBlank = false

    mutating func add(_ octets: ArraySlice<UInt8>) {
        var index = octets.startIndex
        while index < octets.endIndex {
            let octet = octets[index]
            if octet.isBlank || octet == ASCII.lf || octet == ASCII.cr {
                hasBlank = true
                index += 1
                continue
            }
            if hasBlank, let last = text.last, last != ASCII.lf { text.append(ASCII.space) }
            hasBlank = false
            guard octet == UInt8(ascii: "&"), let (decoded, end) = Self.reference(octets[index...])
            else {
                text.append(octet)
                index += 1
                continue
            }
            text += decoded.utf8
            index = end
        }
    }

    mutating func breakLine() {
        text.append(ASCII.lf)
        hasBlank = false
    }

    mutating func endBlock() {
        if let last = text.last, last != ASCII.lf { breakLine() }
        hasBlank = false
    }

    func finish() -> String { String(decoding: text, as: UTF8.self) }

    /// `&name;`, `&#number;` or `&#xnumber;`, of the few that plain text is written with.
    private static func reference(_ octets: ArraySlice<UInt8>) -> (Character, Int)? {
        let limit = 10
        let body = octets.dropFirst().prefix(limit).prefix { $0 != UInt8(ascii: ";") }
        guard body.endIndex < octets.endIndex, octets[body.endIndex] == UInt8(ascii: ";")
        else { return nil }
        let name = String(decoding: body, as: UTF8.self)
        let named: [String: Character] = [
            "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": " ",
        ]
        if let character = named[name] { return (character, body.endIndex + 1) }
        guard name.hasPrefix("#") else { return nil }
        let digits = name.dropFirst()
        let isHex = digits.first == "x" || digits.first == "X"
        let number = isHex ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        guard let number, number >= 0x20, number != 0x7F, let scalar = Unicode.Scalar(number)
        else { return nil }
        return (Character(scalar), body.endIndex + 1)
    }
}
