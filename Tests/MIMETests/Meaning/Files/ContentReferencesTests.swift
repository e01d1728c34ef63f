import MartletBytes
import MartletMIME
import Testing

@Suite("Content references")
struct ContentReferencesTests {
    static let message = lines(
        "Message-ID: <m@example.org>", "Content-Type: multipart/mixed; boundary=a", "", "--a",
        "Content-Type: multipart/related; boundary=b", "", "--b", "Content-Type: text/html",
        "Content-Location: http://example.org/news/index.html", "", "html", "--b",
        "Content-ID: <logo 1@example.org>", "", "logo", "--b", "Content-ID: <a%b/c@x>", "",
        "percent",
        "--b", "Content-Location: ../img/cat.png", "", "cat", "--b",
        "Content-Location: http://example.org/news/dog%20one.png", "", "dog", "--b",
        "Content-ID: <twice>", "",
        "inner", "--b--", "--a", "Content-ID: <twice>", "", "outer", "--a",
        "Content-Type: message/rfc822", "", "Content-ID: <nested>", "", "nested", "--a--")

    static func found(_ url: String, near: Bool = true) -> String? {
        let html = message.parts.first { $0.contentType.subtype == "html" }
        let part = ContentReferences(in: message.root).part(url, from: near ? html : nil)
        return part.map { $0.withRawBody { String(decoding: $0, as: UTF8.self) } }
    }

    @Test(
        "find what URLs mean",
        arguments: [
            ("cid:logo1@example.org", "logo"), ("CID:logo1%40example.org", "logo"),
            ("cid:LOGO1@Example.org", "logo"), ("cid:a%25b%2Fc@x", "percent"),
            (" cid:twice\n", "inner"),
            ("cid:<twice>", "inner"), ("mid:m@example.org/twice", "inner"),
            ("mid:m%40example.org/twice", "inner"),
            ("../img/cat.png", "cat"), ("HTTP://example.org/news/./x/../dog%20one.png#top", "dog"),
            ("dog one.png", "dog"), ("dog%20one.png", "dog"), ("/news/dog%20one.png", "dog"),
        ])
    func find(_ url: String, _ body: String) { #expect(Self.found(url) == body) }

    @Test(
        "find nothing in other messages and on the web",
        arguments: [
            "cid:nested", "cid:", "mid:other@example.org/twice", "http://example.org/", "x.png", "",
            "cid:none", "mid:", "#top",
        ])
    func findNothing(_ url: String) { #expect(Self.found(url) == nil) }

    @Test("take the first of several without a place to look from")
    func twice() { #expect(Self.found("cid:twice", near: false) == "inner") }

    @Test("find the message itself")
    func wholeMessage() throws {
        let part = try #require(ContentReferences(in: Self.message.root).part("mid:m@example.org"))
        #expect(part.parent == nil)
    }

    @Test("do not take more memory than the message by a long base")
    func longBase() {
        let base = "http://example.org/" + String(repeating: "a", count: 800_000) + "/"
        let message = lines(
            "Content-Type: multipart/related; boundary=b", "Content-Base: " + base, "", "--b",
            "Content-Type: text/html", "", "h", "--b", "Content-Location: image1", "", "one", "--b",
            "Content-Location: " + base, "", "two", "--b--")
        let references = ContentReferences(in: message.root)
        let html = message.bodyViews.htmlBody.first
        // The base names nothing, so the one of messages without any is it.
        #expect(references.part("thismessage:/image1", from: html) != nil)
        #expect(references.part("image1", from: html) != nil)
        #expect(references.part(base + "image1", from: html) == nil)
        #expect(references.part(base, from: html) == nil)
        // A base within the limit and names that come to more than it.
        var limits = MIMELimits()
        limits.urlSizeInOctets = 24
        let text =
            "Content-Type: multipart/related; boundary=b\nContent-Base: http://example.org/\n\n"
            + "--b\nContent-Location: a\n\none\n--b\nContent-Location: a-long-name\n\ntwo\n--b--"
        let short = ContentReferences(
            in: Message(parsing: Octets(Array(text.utf8)), limits: limits).root)
        #expect(short.part("a") != nil)
        #expect(short.part("http://example.org/a") != nil)
        #expect(short.part("a-long-name") == nil)
    }

    @Test("resolve names without any base")
    func noBase() {
        let message = lines(
            "Content-Type: multipart/related; boundary=b", "", "--b", "Content-Type: text/html", "",
            "h",
            "--b", "Content-Location: image1", "", "one", "--b--")
        let references = ContentReferences(in: message.root)
        #expect(references.part("image1", from: message.bodyViews.htmlBody.first) != nil)
        #expect(references.part("image1") != nil)
        #expect(references.part("./image1") != nil)
    }
}
