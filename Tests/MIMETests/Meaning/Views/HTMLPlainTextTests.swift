import Testing

@testable import MartletMIME

@Suite("Plain text of HTML")
struct HTMLPlainTextTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let html: String
        let text: String
        init(_ claim: String, _ html: String, is text: String) {
            testDescription = claim
            self.html = html
            self.text = text
        }
    }

    static let layout: [Case] = [
        Case("paragraphs", "<p>a\n b</p> <p>c<p>d", is: "a b\n\nc\n\nd\n"),
        Case("blocks", "<div>a<div>b</div></div>c", is: "a\nb\nc\n"),
        Case("breaks", "a<br>b<br><br/>c<br>", is: "a\nb\n\nc\n"),
        Case(
            "the empty line of many programs", "<div>a</div><div><br></div><div>b</div>",
            is: "a\n\nb\n"),
        Case(
            "quotations", "a<blockquote>b<p>c<blockquote>d</blockquote></blockquote>e",
            is: "a\n> b\n>\n> c\n>> d\n\ne\n"),
        Case(
            "links by their text", "see <a href='https://example.org/x'>this</a>.",
            is: "see this.\n"),
        Case(
            "lists", "x<ul><li>a<br>b<li><p>c</p><ol><li>d<li>e</ol></ul>y",
            is: "x\n\n- a\n  b\n\n- c\n\n  1. d\n  2. e\n\ny\n"),
        Case("no bullet of an empty item", "<ul><li></li></ul>a", is: "a\n"),
        Case(
            "tables",
            "<table><tr><th>a</th><th>b c</th></tr>\n<tr><td> d</td> <td>e</td></tr></table>",
            is: "a\tb c\nd\te\n"),
        Case("preformatted text", "a<pre>\n b\n\n  c\td\n</pre>e", is: "a\n\n b\n\n  c\td\n\ne\n"),
        Case("a first line end behind a reference", "<pre>&eacute;\nb</pre>", is: "é\nb\n"),
        Case("fields", "<textarea>\n<b>a</b> &lt;\n</textarea>b", is: "<b>a</b> <\nb\n"),
        Case("what is for browsers without scripts", "<noscript>a</noscript>b", is: "ab\n"),
        Case("nothing", " <p>\n<br>", is: ""),
    ]

    @Test("lays it out", arguments: layout)
    func laysOut(_ test: Case) { #expect(HTMLPlainText.render(test.html) == test.text) }

    static let tokens: [Case] = [
        Case("comments", "a<!-- <b> > -- -->b<!---->c", is: "abc\n"),
        Case("comments that end at once", "<!-->a<!--->b-->", is: "ab-->\n"),
        Case("comments that end with !", "<!-- x --!>a", is: "a\n"),
        Case("a comment that only begins like that", "<!---!>x-->a", is: "a\n"),
        Case(
            "declarations end at the first >", "<!DOCTYPE x \"a>b\">c<?x='>'?>d", is: "b\">c'?>d\n"),
        Case("scripts end with their own tag", "<script>a</scriptx>b</script >c", is: "c\n"),
        Case("names go on", "<script-x>a</script-x><o:p>b</o:p>", is: "ab\n"),
        Case("frames are not shown", "<iframe>a</iframe><noframes><p>b</noframes>c", is: "c\n"),
    ]

    @Test("finds tags where browsers do", arguments: tokens)
    func scans(_ test: Case) { #expect(HTMLPlainText.render(test.html) == test.text) }

    static let references: [Case] = [
        Case("old names need no semicolon", "&ampx &copy2 &notit; &AMP", is: "&x ©2 ¬it; &\n"),
        Case("the longest name counts", "&notin; &notin &sup1 &sup; &sup", is: "∉ ¬in ¹ ⊃ &sup\n"),
        Case(
            "others need one", "&euro &euro; &alpha;&Omega;&sigmaf;&sigma;&rho",
            is: "&euro € αΩςσ&rho\n"),
        Case("symbols", "&hArr;&there4;&lang;&diams;&commat;", is: "⇔∴⟨♦@\n"),
        Case("nothing known", "&bogus; & &; &-;", is: "&bogus; & &; &-;\n"),
    ]

    @Test("reads character references", arguments: references)
    func reads(_ test: Case) { #expect(HTMLPlainText.render(test.html) == test.text) }

    @Test(
        "reads a name in an attribute only where it ends",
        arguments: [
            ("&copy=1", nil), ("&copyx", nil), ("&copy;=1", "©"), ("&copy", "©"), ("&copy&", "©"),
        ] as [(String, Unicode.Scalar?)])
    func attributes(text: String, scalar: Unicode.Scalar?) {
        let found = Array(text.utf8).withUnsafeBytes {
            HTMLCharacterReference.read($0, at: 0, inAttribute: true).scalar
        }
        #expect(found == scalar)
    }

    @Test(
        "takes time and room in proportion to the HTML, whatever is in it",
        arguments: [
            "<", "<!--", "<a ", "&", "&a", "&#1", "<p>", "<br>", "<blockquote>a", "<ul><li>a",
            "<td>",
            "<textarea></", "<pre>\n", "<script></", "</blockquote>x", "<blockquote><br>a",
        ])
    func hostile(unit: String) {
        let html = String(repeating: unit, count: 30_000)
        var size = 0
        let elapsed = ContinuousClock().measure { size = HTMLPlainText.render(html).utf8.count }
        #expect(elapsed < .seconds(20))
        #expect(size <= 60 * html.utf8.count)
    }

    @Test("leaves out line ends that are more than a hundred in a row")
    func lineEnds() {
        let html =
            "a" + String(repeating: "<blockquote>", count: 16) + "b<pre>"
            + String(repeating: "\n", count: 50_000) + "c"
        #expect(HTMLPlainText.render(html).utf8.count < 3_000)
    }
}
