import MartletBytes
import MartletMIME
import MartletTestSupport
import MartletText
import Testing

@Suite("Bodies of parts")
struct BodyTests {
    private func root(_ header: String, _ body: [UInt8]) -> Part {
        Message(parsing: Array((header + "\n\n").utf8) + body).root
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let header: String
        let body: [UInt8]
        let text: String
        var defects: [Defect.Kind] = []

        init(
            _ claim: String, _ header: String, _ body: [UInt8], is text: String,
            defects: [Defect.Kind] = []
        ) {
            testDescription = claim
            self.header = header
            self.body = body
            self.text = text
            self.defects = defects
        }

        init(
            _ claim: String, _ header: String, _ body: String, is text: String,
            defects: [Defect.Kind] = []
        ) {
            self.init(claim, header, Array(body.utf8), is: text, defects: defects)
        }
    }

    static let latin1: [UInt8] = [0x47, 0x72, 0xFC, 0xDF, 0x65]  // Grüße
    static let texts: [Case] = [
        Case("plain", "A: b", "x", is: "x"),
        Case("base64", "Content-Transfer-Encoding: base64", "aGkK", is: "hi\n"),
        Case("quoted-printable", "Content-Transfer-Encoding: quoted-printable", "a=3Db", is: "a=b"),
        Case(
            "quoted-printable with a wrong escape", "Content-Transfer-Encoding: quoted-printable",
            "a=ZZ", is: "a=ZZ", defects: [.invalidQuotedPrintable]),
        Case(
            "an encoding that nobody knows", "Content-Transfer-Encoding: x-own", "aGk=", is: "aGk=",
            defects: [.unknownTransferEncoding]),
        Case(
            "uuencode", "Content-Transfer-Encoding: x-uuencode", "begin 644 a\n#:&D*\n \nend\n",
            is: "hi\n"),
        Case(
            "a charset", "Content-Type: text/plain; charset=iso-8859-1", latin1, is: "Grüße"),
        Case("no charset, UTF-8", "Content-Type: text/plain", "Grüße", is: "Grüße"),
        Case("no charset, other octets", "Content-Type: text/plain", latin1, is: "Grüße"),
        Case(
            "7bit that has eight", "Content-Transfer-Encoding: 7bit", latin1, is: "Grüße"),
        Case(
            "a charset that nobody knows", "Content-Type: text/plain; charset=x-own", "Grüße",
            is: "Grüße", defects: [.unknownCharset]),
        Case(
            "us-ascii that is UTF-8", "Content-Type: text/plain; charset=us-ascii", "Grüße",
            is: "Grüße", defects: [.malformedText]),
        Case(
            "us-ascii that is ISO-2022-JP", "Content-Type: text/plain; charset=us-ascii",
            [0x1B, 0x24, 0x42, 0x24, 0x22, 0x1B, 0x28, 0x42], is: "あ", defects: [.malformedText]),
        Case(
            "UTF-16 whose order of octets is found", "Content-Type: text/plain; charset=utf-16",
            [0x47, 0, 0xFC, 0], is: "Gü"),
        Case(
            "UTF-32 with its mark", "Content-Type: text/plain; charset=utf-32",
            [0, 0, 0xFE, 0xFF, 0, 0, 0, 0xFC], is: "ü"),
        Case(
            "UTF-16 of one order in the other", "Content-Type: text/plain; charset=utf-16le",
            [0xFE, 0xFF, 0, 0xFC], is: "ü", defects: [.malformedText]),
        Case(
            "UTF-8 that cannot be", "Content-Type: text/plain; charset=utf-8", latin1, is: "Grüße",
            defects: [.malformedText]),
        Case(
            "UTF-8 with one octet broken", "Content-Type: text/plain; charset=utf-8",
            Array("äöü".utf8) + [0xFF], is: "äöü\u{FFFD}", defects: [.malformedText]),
        Case(
            "the charset an HTML text names", "Content-Type: text/html",
            Array("<meta charset=iso-8859-7>".utf8) + [0xE1], is: "<meta charset=iso-8859-7>α"),
        Case(
            "the charset an HTML text names as its type", "Content-Type: text/html",
            Array("<META http-equiv=Content-Type content='text/html; charset=koi8-r'>".utf8) + [
                0xC1
            ],
            is: "<META http-equiv=Content-Type content='text/html; charset=koi8-r'>а"),
        Case(
            "the part's charset before the text's", "Content-Type: text/html; charset=koi8-r",
            Array("<meta charset=iso-8859-7>".utf8) + [0xC1], is: "<meta charset=iso-8859-7>а"),
        Case(
            "a charset in a comment of HTML", "Content-Type: text/html",
            Array("<!-- <meta charset=iso-8859-7> -->".utf8) + [0xE1],
            is: "<!-- <meta charset=iso-8859-7> -->á"),
    ]

    @Test("are read as text", arguments: texts)
    func text(_ example: Case) {
        let text = root(example.header, example.body).text()
        #expect(text.value == example.text)
        #expect(text.defects.map(\.kind) == example.defects)
    }

    @Test("are guessed by a detector only where nothing else can tell")
    func detector() {
        let greek = Charset(label: "iso-8859-7")
        let part = root("Content-Type: text/plain", Self.latin1)
        #expect(part.text(detector: { _ in greek }).value == "Grόίe")
        let certain = root("Content-Type: text/plain", Array("Grüße".utf8))
        #expect(certain.text(detector: { _ in greek }).value == "Grüße")
        let labelled = root("Content-Type: text/plain; charset=iso-8859-1", Self.latin1)
        #expect(labelled.text(detector: { _ in greek }).value == "Grüße")
    }

    @Test("are cut at the limit, and say so")
    func limit() {
        var limits = MIMELimits()
        limits.bodySizeInOctets = 4
        let message = Message(parsing: Array("A: b\n\n12345678".utf8), limits: limits)
        let body = message.root.decodedBody()
        #expect(body.value == Array("1234".utf8))
        #expect(body.defects == [Defect(.limitReached, at: 4, limit: "bodySizeInOctets")])
    }

    @Test("tell all defects of a part with offsets into the message")
    func allDefects() {
        let text = "Date: 99 Foo\nSubject: a\nContent-Transfer-Encoding: base64\n\naG!k=="
        let defects = Message(parsing: Array(text.utf8)).root.allDefects()
        #expect(defects.map(\.kind).contains(.invalidBase64))
        #expect(defects.first { $0.kind == .invalidBase64 }?.offset == text.utf8.count - 4)
        #expect(defects.contains { $0.kind == .invalidDate && $0.offset < 13 })
    }
}
