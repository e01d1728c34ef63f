import MartletBytes

/// Between HTML and text, as far as quoting needs it. Nothing in here makes HTML safe to show.
enum HTMLText {
    /// `text` as paragraphs of HTML.
    static func paragraphs(of text: String) -> String {
        guard !text.isEmpty else { return "" }
        return "<div>" + escaped(text) + "</div><br>\n"
    }

    /// The body of the message inside of a `blockquote`, behind a line that says whose it is.
    static func quotation(of message: Message, attribution: String) -> String {
        "<div>" + escaped(attribution) + "</div>\n<blockquote type=\"cite\">\n" + body(of: message)
            + "\n</blockquote>\n"
    }

    /// What stands in the body of the message's HTML, or its text as HTML.
    static func body(of message: Message) -> String {
        guard let html = message.readableHTML else {
            return "<div>" + escaped(QuotedText(of: message).plain) + "</div>"
        }
        return innerBody(of: html)
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
}
