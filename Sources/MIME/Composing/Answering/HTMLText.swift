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
        text.withLineFeeds.escapedForHTML.utf8
            .split(separator: ASCII.lf, omittingEmptySubsequences: false)
            .map { String(Substring($0)) }.joined(separator: "<br>\n")
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
