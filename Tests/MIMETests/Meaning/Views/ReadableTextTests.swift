import MartletMIME
import Testing

@Suite("Readable text")
struct ReadableTextTests {
    @Test("is the plain text of the body, decoded, with LF")
    func plain() {
        let message = lines(
            "Content-Type: text/plain; charset=iso-8859-1",
            "Content-Transfer-Encoding: quoted-printable", "", "Gr=FC=DFe\r\nzwei\r")
        #expect(message.readableText == "Grüße\nzwei\n")
        #expect(message.readableHTML == nil)
    }

    @Test("joins the parts, not the attachments")
    func parts() {
        let message = lines(
            "Content-Type: multipart/mixed; boundary=b", "", "--b", "", "one", "--b",
            "Content-Disposition: attachment; filename=a.txt", "", "two", "--b",
            "Content-Type: image/png", "", "three", "--b", "", "four", "--b--")
        #expect(message.readableText == "one\nfour")
    }

    @Test("is no .txt attachment, even if that comes first")
    func textAttachment() {
        let message = lines(
            "Content-Type: multipart/mixed; boundary=b", "", "--b", "Content-Type: text/plain",
            "Content-Disposition: attachment; filename=log.txt", "", "log", "--b",
            "Content-Type: text/html", "", "<p>body</p>", "--b--")
        #expect(message.readableText == "body\n")
        #expect(message.readableHTML == "<p>body</p>")
        #expect(message.attachedFiles.map(\.safeName) == ["log.txt"])
    }

    @Test("comes of HTML by a renderer, the own one or another")
    func html() {
        let message = lines(
            "Content-Type: multipart/mixed; boundary=b", "", "--b",
            "Content-Type: multipart/related; boundary=c", "", "--c", "Content-Type: text/html",
            "", "<b>hi</b>", "--c", "Content-Type: image/png", "", "x", "--c--", "--b--")
        #expect(message.readableText == "hi\n")
        #expect(message.readableHTML == "<b>hi</b>")
        let text = message.readableText(renderingHTML: { _ in "rendered" })
        #expect(text == "rendered")
    }

    @Test("is the HTML's where the plain text beside it is empty")
    func emptyAlternative() {
        let message = lines(
            "Content-Type: multipart/alternative; boundary=b", "", "--b", "", " ", "--b",
            "Content-Type: text/html", "", "<b>hi</b>", "--b--")
        #expect(message.readableText(renderingHTML: { _ in "hi" }) == "hi")
        #expect(message.readableText == "hi\n")
        let nothing = lines(
            "Content-Type: multipart/alternative; boundary=b", "", "--b", "", " ", "--b",
            "Content-Type: text/html", "", "<img src='x'>", "--b--")
        #expect(nothing.readableText == " ")
    }

    @Test("is the HTML's also where there is a footer behind the empty plain text")
    func emptyAlternativeAndFooter() {
        let message = lines(
            "Content-Type: multipart/mixed; boundary=a", "", "--a",
            "Content-Type: multipart/alternative; boundary=b", "", "--b", "", " ", "--b",
            "Content-Type: text/html", "", "<b>hi</b>", "--b--", "--a", "", "footer", "--a--")
        #expect(message.readableText == "hi\nfooter")
    }

    @Test("joins HTML and plain text in their order")
    func htmlAndFooter() {
        let message = lines(
            "Content-Type: multipart/mixed; boundary=b", "", "--b", "Content-Type: text/html", "",
            "<p>one", "--b", "", "two", "--b", "Content-Type: text/html", "", "<p>three", "--b--")
        #expect(message.readableText == "one\ntwo\nthree\n")
    }

    @Test("has texts of types that nobody knows, but not those for programs")
    func otherTexts() {
        let message = lines(
            "Content-Type: multipart/mixed; boundary=b", "", "--b", "Content-Type: text/markdown",
            "", "# one", "--b", "", "two", "--b", "Content-Type: text/calendar", "", "BEGIN", "--b",
            "Content-Type: text/csv", "Content-Disposition: attachment", "", "a,b", "--b",
            "Content-Type: text/x-unknown", "", "three", "--b--")
        #expect(message.readableText == "# one\ntwo\nthree")
        #expect(message.previewText() == "# one two three")
        #expect(lines("Content-Type: text/csv", "", "a,b").readableText == "a,b")
        #expect(lines("Content-Type: text/vcard", "", "BEGIN:VCARD").readableText == nil)
        let form = lines(
            "Content-Type: multipart/alternative; boundary=b", "", "--b",
            "Content-Type: text/markdown", "", "*one*", "--b", "", "one", "--b--")
        #expect(form.readableText == "one")
        let encrypted = lines(
            "Content-Type: multipart/encrypted; boundary=b", "", "--b",
            "Content-Type: text/markdown", "", "secret", "--b--")
        #expect(encrypted.readableText == nil)
    }

    @Test("joins flowed lines, with and without delsp")
    func flowed() {
        let flowed = lines(
            "Content-Type: text/plain; format=flowed", "", "one ", "two", "> three ", "> four",
            "-- ", "me")
        #expect(flowed.readableText == "one two\n> three four\n-- \nme\n")
        let deleting = lines("Content-Type: text/plain; format=flowed; delsp=yes", "", "日 ", "本")
        #expect(deleting.readableText == "日本\n")
    }

    @Test("leaves files out that are uuencoded in it, which are attachments")
    func embeddedFile() {
        let message = lines(
            "Subject: x", "", "before", "begin 644 cat.txt", "#0V%T", "`", "end", "after")
        #expect(message.readableText == "before\nafter")
        #expect(message.attachedFiles.map(\.safeName) == ["cat.txt"])
        #expect(message.attachedFiles.map(\.octets) == [Array("Cat".utf8)])
    }

    @Test("leaves a thousand files out in one go")
    func manyFiles() {
        let file = "begin 644 cat.txt\n#0V%T\n`\nend\n"
        let text = String(repeating: file + "x\n", count: 1_000)
        let filling = String(repeating: "word\n", count: 200_000)
        let message = lines("Subject: x", "", text + filling)
        var readable: String?
        let elapsed = ContinuousClock().measure { readable = message.readableText }
        #expect(readable == String(repeating: "x\n", count: 1_000) + filling)
        #expect(elapsed < .seconds(20))
    }

    @Test("escapes plain text among HTML")
    func mixedHTML() {
        let message = lines(
            "Content-Type: multipart/mixed; boundary=b", "", "--b", "Content-Type: text/html", "",
            "<i>a</i>", "--b", "", "<b> & \"c\"", "--b--")
        #expect(
            message.readableHTML == "<i>a</i><pre>\n&lt;b&gt; &amp; &quot;c&quot;</pre>\n")
    }

    @Test("has nothing of what is encrypted")
    func encrypted() {
        let message = lines(
            "Content-Type: multipart/encrypted; boundary=b; protocol=\"application/pgp-encrypted\"",
            "", "--b", "Content-Type: application/pgp-encrypted", "", "Version: 1", "--b",
            "Content-Type: text/plain", "", "secret", "--b--")
        #expect(message.readableText == nil)
        #expect(message.previewText() == "")
        let opaque = lines("Content-Type: application/pkcs7-mime", "", "text")
        #expect(opaque.readableText == nil)
    }
}

@Suite("Preview text")
struct PreviewTextTests {
    static func plain(_ text: String) -> String {
        Message(parsing: Array(("Subject: x\n\n" + text).utf8)).previewText()
    }

    static func html(_ text: String, limit: Int = 200) -> String {
        Message(parsing: Array(("Content-Type: text/html; charset=utf-8\n\n" + text).utf8))
            .previewText(limit: limit)
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let text: String
        let preview: String
        init(_ claim: String, _ text: String, is preview: String) {
            testDescription = claim
            self.text = text
            self.preview = preview
        }
    }

    static let plainCases: [Case] = [
        Case("one line", "Hello\n\n  there,\tyou\n", is: "Hello there, you"),
        Case("no signature", "Hi\n-- \nJane\n", is: "Hi"),
        Case("no quotes", "> old\n> older\nNew\n", is: "New"),
        Case(
            "no introduction of a quote",
            "Yes.\n\nOn Mon, 1 Jan 2024, Jane\n<jane@example.org> wrote:\n\n> Can you?\n",
            is: "Yes."),
        Case("a line with a colon that introduces no quote", "Buy:\nmilk\n", is: "Buy: milk"),
        Case("all quoted", "> Can you?\n>> No\n", is: "Can you? No"),
        Case("no original message", "Yes\n-----Original Message-----\nFrom: x\n", is: "Yes"),
        Case(
            "a message passed on alone", "---------- Forwarded message ----------\nHi\n", is: "Hi"),
        Case("no rules", "=====\nNews\n-----\nOne\n", is: "News One"),
        Case(
            "no armor",
            "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\nHi\n-----BEGIN PGP SIGNATURE-----\nxyz\n",
            is: "Hi"),
        Case(
            "nothing encrypted", "-----BEGIN PGP MESSAGE-----\n\nabc=\n-----END PGP MESSAGE-----\n",
            is: ""),
        Case("no invisible characters", "a\u{200B}b\u{202E}c\u{0}d", is: "abcd"),
    ]

    @Test("of plain text", arguments: plainCases)
    func plainText(_ test: Case) { #expect(Self.plain(test.text) == test.preview) }

    static let htmlCases: [Case] = [
        Case("tags are dropped", "<p>Hello <b>wor</b>ld</p><p>x</p>", is: "Hello world x"),
        Case(
            "styles, scripts, titles and comments are dropped",
            "<title>t</title><STYLE>a > b {}</STYLE><!-- c > d --><script>if (a<b) {}</script>x",
            is: "x"),
        Case(
            "references are characters",
            "a&amp;b &lt;c&gt; &#8364;&#x41;&nbsp;&eacute;&bogus; &#150;",
            is: "a&b <c> €A é&bogus; –"),
        Case("a < that begins no tag", "1 < 2", is: "1 < 2"),
        Case("a > in a value", "<a title='x > y' href=\"z>\">t</a>", is: "t"),
        Case("what is never closed", "a<b title=\"", is: "a"),
        Case(
            "quotes are dropped",
            "Yes<blockquote>old <blockquote>older</blockquote></blockquote> sure", is: "Yes sure"),
        Case("quotes if there is nothing else", "<blockquote>old</blockquote>", is: "old"),
        Case("filling is dropped", "Hi&zwnj;&nbsp;&#847; &zwnj;&nbsp;&#847;", is: "Hi"),
        Case("cells are words", "<td>a</td><td>b</td>", is: "a b"),
    ]

    @Test("of HTML", arguments: htmlCases)
    func htmlText(_ test: Case) { #expect(Self.html(test.text) == test.preview) }

    @Test("is cut between characters")
    func limit() {
        #expect(Self.html("e\u{301}e\u{301}e\u{301}", limit: 2) == "e\u{301}e\u{301}")
        #expect(Self.html("👩‍👩‍👧‍👦👩‍👩‍👧‍👦", limit: 1) == "👩‍👩‍👧‍👦")
        #expect(Self.html("abc", limit: 0) == "")
        #expect(Self.html(String(repeating: "word ", count: 100_000), limit: 11) == "word word w")
    }

    @Test("is that of HTML where plain text has nothing")
    func emptyPlain() {
        let message = lines(
            "Content-Type: multipart/alternative; boundary=b", "", "--b", "", "", "--b",
            "Content-Type: text/html", "", "<b>hi</b>", "--b--")
        #expect(message.previewText() == "hi")
    }

    @Test("takes little time, however large the body is and whatever is in it")
    func hostile() {
        for text in ["<", "<a ", "&", "<!--", "<script>", "<blockquote>", "</", "<a b='", "&#1"] {
            #expect(Self.html(String(repeating: text, count: 100_000)).count <= 200)
        }
        for text in [">", "> \n", "a:\n> \n", "-----a-----\n", "\u{301}", "\n"] {
            #expect(Self.plain(String(repeating: text, count: 100_000)).count <= 200)
        }
    }

    @Test("of a text that is cut in a character is not in another charset")
    func cut() {
        let text = Self.plain(String(repeating: "é", count: 200_000))
        #expect(text == String(repeating: "é", count: 200))
    }
}
