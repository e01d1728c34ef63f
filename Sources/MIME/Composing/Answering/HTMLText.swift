import MartletBytes

/// Between HTML and text, as far as quoting needs it. Nothing in here makes HTML safe to show.
enum HTMLText {
    /// `text` as paragraphs of HTML.
    static func paragraphs(of text: String) -> String {
        guard !text.isEmpty else { return "" }
        return "<div>" + escaped(text) + "</div><br>\n"
    }

    /// `body` inside of a `blockquote`, behind a line that says whose it is.
    static func quotation(_ body: String, attribution: String) -> String {
        "<div>" + escaped(attribution) + "</div>\n<blockquote type=\"cite\">\n" + body
            + "\n</blockquote>\n"
    }

    /// `text` with the signs of HTML as references and its line ends as `<br>`.
    static func escaped(_ text: String) -> String {
        var octets: [UInt8] = []
        octets.reserveCapacity(text.utf8.count + text.utf8.count / 8)
        for octet in text.withLineFeeds.escapedForHTML.utf8 {
            if octet == ASCII.lf { octets += "<br>".utf8 }
            octets.append(octet)
        }
        return String(decoding: octets, as: UTF8.self)
    }

    /// What stands between `<body …>` and `</body>`; everything, where there is no such tag.
    static func innerBody(of html: String) -> String {
        var html = html
        return html.withUTF8 { octets in
            let octets = UnsafeRawBufferPointer(octets)
            var scanner = HTMLScanner(octets)
            var start = 0
            var end = octets.count
            while let token = scanner.next() {
                guard case .tag("body", let isEnd) = token.kind else { continue }
                if isEnd {
                    end = token.range.lowerBound
                } else if start == 0 {
                    start = token.range.upperBound
                }
            }
            return String(decoding: octets[start..<max(start, end)], as: UTF8.self)
        }
    }
}
