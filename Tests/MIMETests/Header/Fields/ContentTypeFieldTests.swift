import MartletBytes
import Testing

@testable import MartletMIME

private func parse(_ value: String) -> Parsed<ContentTypeField> {
    ContentTypeField.parse(octets(value)[...])
}

@Suite("Content-Type field")
struct ContentTypeFieldTests {
    typealias Case = HeaderTextTests.Case

    @Test(
        "is type and subtype in lower case",
        arguments: [
            Case("text/plain", "text/plain"), Case(" Text/HTML; charset=x\r\n", "text/html"),
            Case("image/ jpeg", "image/jpeg"), Case(" message / rfc822\r\n", "message/rfc822"),
            Case("(hello) text (plain) / (world) plain (eod);charset=us-ascii", "text/plain"),
            Case(" \t\r message/rfc822 \t ;charset=us-ascii\r\n", "message/rfc822"),
            Case(
                "application/vnd.openxmlformats-officedocument.wordprocessingml.template",
                "application/vnd.openxmlformats-officedocument.wordprocessingml.template"),
            Case("application/ld+json", "application/ld+json"),
            Case("inva/lid; name=\"", "inva/lid"),
        ])
    func type(_ example: Case) {
        let parsed = parse(example.value)
        #expect(parsed.value.description == example.text)
        #expect(!parsed.defects.contains { $0.kind == .invalidContentType })
    }

    @Test(
        "is guessed where it is broken",
        arguments: [
            Case("text", "text/plain"), Case("text/", "text/plain"),
            Case("text/ ;charset=a", "text/plain"),
            Case("multipart", "multipart/mixed"), Case("image", "application/octet-stream"),
            Case("inline", "application/octet-stream"), Case("plain/text", "text/plain"),
            Case("html/text", "text/html"), Case("application/pdf/.pdf", "application/pdf"),
            Case("text//html", "text/html"), Case("text/plain, text/html", "text/plain"),
            Case("text/plain: x", "text/plain"), Case("", "text/plain"), Case("/", "text/plain"),
            Case("/plain", "text/plain"), Case(";", "text/plain"),
            Case(";charset=us-ascii", "text/plain"),
            Case("charset=us-ascii", "text/plain"), Case("=", "text/plain"),
            Case("\u{E1}/b", "text/plain"), Case("=?utf-8?Q?Image/PNG?=; x=y", "image/png"),
            Case("=?utf-8?Q?image/png=3B_x=3Dy?=", "image/png"),
            Case("=?utf-8?Q?=3D=3Fx?=", "text/plain"), Case("\"=?x", "text/plain"),
        ])
    func broken(_ example: Case) {
        let parsed = parse(example.value)
        #expect(parsed.value.description == example.text)
        #expect(parsed.defects.contains { $0.kind == .invalidContentType })
        let inDigest = ContentTypeField.parse(octets("/x")[...], fallback: .messageRFC822).value
        #expect(inDigest == .messageRFC822)
    }

    @Test(
        "keeps its parameters whatever the type is",
        arguments: [
            "text/plain; charset=a", "text/plain charset=a", "text;charset=a", ";charset=a",
            "/;charset=a",
            "charset=a", "a/b/c;charset=a", "\"text/plain\"; charset=a", "a/b\r\n charset=a",
            "text/plain; charset=\"a\" (x)", "text/plain;\u{E4};charset=a",
            "text/plain x; charset=a",
        ])
    func keepsParameters(_ value: String) { #expect(parse(value).value.charset == "a") }

    @Test(
        "has the octets of its boundary",
        arguments: [
            Case("multipart/mixed; boundary=a", "a"), Case("multipart/mixed; boundary=\"a \"", "a"),
            Case("multipart/mixed; boundary=\"foo\r\n bar\"", "foo bar"),
            Case("multipart/mixed; boundary=\"=?utf-8?q?x?=\"", "=?utf-8?q?x?="),
            Case("multipart/mixed; boundary=\"a\\b\u{E4}\"", "ab\u{E4}"),
            Case("multipart/mixed; boundary*0=a; boundary*1=\"b c\"", "ab c"),
            Case("multipart/mixed; boundary*=us-ascii''a%3F", "a?"),
            Case("multipart/mixed; boundary=----=_Part(1):x/y", "----=_Part(1):x/y"),
            Case("multipart/mixed; boundary=a; boundary=b", "a"),
        ])
    func boundary(_ example: Case) {
        #expect(parse(example.value).value.boundary == octets(example.text))
        #expect(parse("multipart/mixed; boundary=\"\"").value.boundary == nil)
        #expect(parse("multipart/mixed; x=y").value.boundary == nil)
    }

    @Test("becomes a strict value where it can")
    func strict() throws {
        let field = parse("text/plain; charset=utf-8; na%me=x; format=flowed").value
        let value = try #require(field.contentType)
        #expect(value.description == "text/plain")
        #expect(value.parameters.map(\.name) == ["charset", "format"])
    }
}

@Suite("Content-Disposition field")
struct ContentDispositionFieldTests {
    private func parse(_ value: String) -> Parsed<ContentDispositionField> {
        ContentDispositionField.parse(octets(value)[...])
    }

    @Test("is inline or an attachment")
    func kinds() {
        #expect(parse(" INLINE (x)\r\n") == Parsed(ContentDispositionField(.inline)))
        let parsed = parse("attachment;\r\n filename=\"a.pdf\"; size=123")
        #expect(parsed.value.kind == .attachment)
        #expect(parsed.value.fileName == "a.pdf")
        #expect(parsed.value.sizeInOctets == 123)
        #expect(parsed.defects == [])
        #expect(!parse("inline").value.isAttachment)
        #expect(parse("form-data; name=x").value.kind == .formData)
        #expect(parse("x-what").value.isAttachment)
        #expect(parse("x-what").value.kind.name == "x-what")
    }

    @Test(
        "is an attachment with its name where it is broken",
        arguments: [
            ";\r\n filename=\"a.png\"", "filename=a.png", "\"attachment\"; filename=a.png",
            "=?utf-8?Q?attachment?=; filename=a.png", "attachment filename=a.png",
            "attachment, filename=a.png", "=?utf-8?Q?invalid;x?=; filename=a.png",
            "\u{E4}; name=a.png",
            "attachment;filename=a.png;filename=b.png", "attachment/x; filename=a.png",
        ])
    func broken(_ value: String) {
        #expect(parse(value).value.isAttachment)
        #expect(parse(value).value.fileName == "a.png")
    }

    @Test("says what is odd")
    func namesDefects() {
        #expect(parse("").defects == [Defect(.invalidDisposition, at: 0)])
        #expect(parse(";").defects == [Defect(.invalidDisposition, at: 0)])
        #expect(parse("=?utf-8?Q?inline?=").value.kind == .inline)
        #expect(parse("=?utf-8?Q?inline?=").defects == [Defect(.invalidDisposition, at: 0)])
    }
}

@Suite("Content-Transfer-Encoding field")
struct ContentTransferEncodingTests {
    struct Case: Sendable {
        var value: String
        var encoding: ContentTransferEncoding
        init(_ value: String, _ encoding: ContentTransferEncoding) {
            self.value = value
            self.encoding = encoding
        }
    }

    @Test(
        "is known in many spellings",
        arguments: [
            Case(" base64\r\n", .base64), Case("BASE64", .base64), Case("base64;", .base64),
            Case("base64 (yes)", .base64), Case("(x) base64", .base64), Case("\"base64\"", .base64),
            Case("base-64", .base64), Case("base64; x=y", .base64), Case("'base64'", .base64),
            Case("base64, 8bit", .base64), Case("base64.", .base64), Case("base64 (", .base64),
            Case("Quoted-Printable", .quotedPrintable), Case("quoted_printable", .quotedPrintable),
            Case("quoted printable", .quotedPrintable), Case("QuotedPrintable", .quotedPrintable),
            Case("7bit", .sevenBit), Case("7-bit", .sevenBit), Case("7bits", .sevenBit),
            Case("8 bit", .eightBit), Case("8-Bit", .eightBit),
            Case("7bit charset=us-ascii", .sevenBit),
            Case("binary", .binary), Case("x-uue", .uuencode), Case("x-uuencode", .uuencode),
            Case("uuencode", .uuencode), Case("x-uu", .uuencode), Case("x-yenc", .yEnc),
            Case("x-yencode", .yEnc), Case("x-base64", .base64),
        ])
    func known(_ example: Case) {
        let parsed = ContentTransferEncoding.parse(octets(example.value)[...])
        #expect(parsed == Parsed(example.encoding))
        #expect(parsed.value.isKnown)
    }

    @Test("is kept where nobody knows it")
    func unknown() {
        let parsed = ContentTransferEncoding.parse(octets(" Base9000\r\n")[...])
        #expect(parsed.value.name == "base9000")
        #expect(!parsed.value.isKnown)
        #expect(parsed.defects == [Defect(.unknownTransferEncoding, at: 1)])
    }

    @Test("is 7bit where it says nothing", arguments: ["", " ", ";", "(x)", "\"\""])
    func empty(_ value: String) {
        let parsed = ContentTransferEncoding.parse(octets(value)[...])
        #expect(parsed.value == .sevenBit)
        #expect(parsed.defects == [Defect(.invalidValue, at: 0)])
    }
}
