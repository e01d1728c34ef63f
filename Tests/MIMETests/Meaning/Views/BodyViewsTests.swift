import MartletMIME
import MartletTestSupport
import Testing

@Suite("Body views")
struct BodyViewsTests {
    /// A message whose parts are written as `type` or `type name`, multiparts as `subtype( … )`.
    ///
    ///     mixed( text/plain related( text/html image/png ) )
    static func message(_ outline: String) -> Message {
        var text = ""
        var boundaries: [String] = []
        var count = 0
        func delimiter() { if let last = boundaries.last { text += "\n--\(last)\n" } }
        for token in outline.split(separator: " ") {
            if token == ")" {
                text += "\n--\(boundaries.removeLast())--\n"
            } else if token.hasSuffix("(") {
                delimiter()
                count += 1
                boundaries.append("b\(count)")
                text += "Content-Type: multipart/\(token.dropLast()); boundary=b\(count)\n\n"
            } else {
                // type[!][=name]: ! is an attachment.
                delimiter()
                count += 1
                let pieces = token.split(separator: "=")
                let isAttachment = pieces[0].hasSuffix("!")
                text += "Content-Type: \(isAttachment ? pieces[0].dropLast() : pieces[0])\n"
                if isAttachment { text += "Content-Disposition: attachment\n" }
                if pieces.count > 1 {
                    text += "Content-Disposition: inline; filename=\(pieces[1])\n"
                }
                text += "\n\(token)"
            }
        }
        return Message(parsing: Array(text.utf8))
    }

    static func names(_ parts: [Part]) -> String {
        parts.map(\.contentType.description).joined(separator: " ")
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let outline: String
        let text: String
        let html: String
        let attachments: String
        var testDescription: String { outline }
        init(_ outline: String, _ text: String, _ html: String, _ attachments: String = "") {
            self.outline = outline
            self.text = text
            self.html = html
            self.attachments = attachments
        }
    }

    static let cases: [Case] = [
        Case("text/plain", "text/plain", "text/plain"),
        Case("text/html", "text/html", "text/html"),
        Case("application/pdf", "", "", "application/pdf"),
        Case("image/png", "image/png", "image/png"),
        Case("text/plain!", "", "", "text/plain"),
        Case("mixed( text/plain! text/html )", "text/html", "text/html", "text/plain"),
        Case("alternative( text/plain text/html )", "text/plain", "text/html"),
        Case("alternative( text/plain )", "text/plain", "text/plain"),
        Case("alternative( text/html )", "text/html", "text/html"),
        Case(
            "mixed( text/plain=a.txt text/plain=b.txt )", "text/plain", "text/plain", "text/plain"),
        Case("mixed( text/plain text/plain )", "text/plain text/plain", "text/plain text/plain"),
        Case(
            "mixed( text/plain image/png text/plain )", "text/plain image/png text/plain",
            "text/plain image/png text/plain"),
        Case(
            "mixed( related( text/html image/png ) application/pdf )", "text/html", "text/html",
            "image/png application/pdf"),
        Case(
            "mixed( alternative( text/plain related( text/html image/png ) ) application/pdf )",
            "text/plain", "text/html", "image/png application/pdf"),
        Case(
            "related( alternative( text/plain text/html ) image/png )", "text/plain", "text/html",
            "image/png"),
        Case(
            "alternative( text/plain mixed( text/html image/png ) )", "text/plain",
            "text/html image/png", "image/png"),
        Case(
            "alternative( text/plain text/html text/calendar )", "text/plain", "text/html",
            "text/calendar"),
        Case("mixed( text/plain message/rfc822 )", "text/plain", "text/plain", "message/rfc822"),
        Case(
            "signed( text/plain application/pgp-signature )", "text/plain", "text/plain",
            "application/pgp-signature"),
        Case(
            "encrypted( application/pgp-encrypted application/octet-stream )", "", "",
            "application/pgp-encrypted application/octet-stream"),
        Case(
            "mixed( text/html encrypted( text/html application/octet-stream ) text/html )",
            "text/html text/html", "text/html text/html", "text/html application/octet-stream"),
        Case("related( text/html text/plain )", "text/html", "text/html", "text/plain"),
        // The example of RFC 8621 §4.1.4.
        Case(
            "mixed( text/plain mixed( alternative( mixed( text/plain image/jpeg=b text/plain ) related( text/html image/jpeg=f ) ) image/jpeg=g! application/x-excel message/rfc822 ) text/plain )",
            "text/plain text/plain image/jpeg text/plain image/jpeg text/plain",
            "text/plain text/html image/jpeg text/plain",
            "image/jpeg image/jpeg application/x-excel message/rfc822"),
    ]

    @Test("are those of RFC 8621", arguments: cases)
    func views(_ test: Case) {
        let views = Self.message(test.outline).bodyViews
        #expect(Self.names(views.textBody) == test.text)
        #expect(Self.names(views.htmlBody) == test.html)
        #expect(Self.names(views.attachments) == test.attachments)
    }

    @Test("lose no leaf, and have an attachment once")
    func nothingIsLost() {
        let subtypes = ["mixed(", "alternative(", "related(", "digest(", "encrypted("]
        let types = [
            "text/plain", "text/html", "image/png", "application/pdf", "text/plain!", "text/html=n",
        ]
        for seed in 0..<300 as Range<UInt64> {
            var random = SeededGenerator(seed: seed)
            var tokens = ["mixed("]
            var depth = 1
            for _ in 0..<Int.random(in: 1...14, using: &random) {
                switch Int.random(in: 0..<5, using: &random) {
                case 0:
                    tokens.append(subtypes.randomElement(using: &random)!)
                    depth += 1
                case 1 where depth > 1 && !tokens.last!.hasSuffix("("):
                    tokens.append(")")
                    depth -= 1
                default: tokens.append(types.randomElement(using: &random)!)
                }
            }
            if tokens.last!.hasSuffix("(") { tokens.append("text/plain") }
            tokens += Array(repeating: ")", count: depth)
            let message = Self.message(tokens.joined(separator: " "))
            let views = message.bodyViews
            let attached = views.attachments.map(\.range)
            #expect(Set(attached).count == attached.count, "seed \(seed)")
            let all = Set((views.textBody + views.htmlBody + views.attachments).map(\.range))
            for part in message.parts where part.kind == .leaf && part.depth > 0 {
                // Alternatives within an alternative of the other kind are not for anybody.
                let isShowable = ["text/plain", "text/html"].contains(part.contentType.description)
                if !isShowable { #expect(all.contains(part.range), "seed \(seed)") }
            }
        }
    }

    @Test("have the text of a multipart whose opening delimiter is missing")
    func textWithoutParts() {
        let message = lines(
            "Content-Type: multipart/mixed; boundary=x", "", "Hello, this is all.", "")
        #expect(message.readableText == "Hello, this is all.\n")
        #expect(message.bodyViews.textBody.count == 1)
        let empty = lines("Content-Type: multipart/mixed; boundary=x", "", "", "")
        #expect(empty.bodyViews.textBody.isEmpty)
    }

    @Test("need neither stack nor much time for deep and wide messages")
    func hostile() {
        var deep = "Content-Type: multipart/mixed; boundary=b0\n\n"
        for level in 1..<2_000 {
            deep += "--b\(level - 1)\nContent-Type: multipart/alternative; boundary=b\(level)\n\n"
        }
        deep += "--b1999\n\nhello"
        #expect(Message(parsing: Array(deep.utf8)).bodyViews.textBody.count <= 1)
        let wide =
            "Content-Type: multipart/mixed; boundary=b\n\n"
            + String(repeating: "--b\n\nx\n", count: 100_000)
        #expect(Message(parsing: Array(wide.utf8)).bodyViews.textBody.count > 10_000)
    }

    @Test(
        "the root of a multipart/related is the part that its start names, or else the first",
        arguments: [
            ("<r@example.com>", "text/html"), ("r@example.com", "text/html"),
            ("<x@example.com>", "image/png"),
        ])
    func start(name: String, root: String) {
        let message = lines(
            "Content-Type: multipart/related; start=\"\(name)\"; boundary=b", "", "--b",
            "Content-Type: image/png", "", "x", "--b", "Content-Type: text/html",
            "Content-ID: <r@example.com>", "", "y", "--b--")
        #expect(Self.names(message.bodyViews.htmlBody) == root)
        #expect(message.bodyViews.attachments.count == 1)
    }
}
