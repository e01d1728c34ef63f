import MartletBytes

/// What an HTML text says, as plain text.
///
///     HTMLPlainText.render("<p>Hi <b>you</b></p><ul><li>one<li>two</ul>")    // Hi you\n\n- one\n- two\n
///
/// All text that a browser shows is there: paragraphs with an empty line between them, items behind `- ` or their
/// number, cells of a row with a tab between them, preformatted text as it stands, and each `blockquote` behind one more
/// `>`. Of links and images only the text is left. It takes time in proportion to the HTML, whatever is in it.
public enum HTMLPlainText {
    /// How deep quotations and lists are shown; what is deeper is shown there.
    static let shownDepth = 16

    /// Renders HTML; lines end with LF, the last one too.
    public static func render(_ html: String) -> String {
        var html = html
        return html.withUTF8 { octets in
            let octets = UnsafeRawBufferPointer(octets)
            var scanner = HTMLScanner(octets)
            var writer = HTMLPlainTextWriter()
            while let token = scanner.next() {
                switch token.kind {
                case .text: writer.add(octets[token.range])
                case .character(let scalar): writer.add(scalar)
                case .tag(let name, let isEnd): writer.take(tag: name, isEnd: isEnd)
                }
            }
            return writer.finish()
        }
    }
}
