import MartletBytes
import MartletTestSupport
import Testing

@testable import MartletMIME

private let jane = try! MailboxAddress("Jane <jane@example.org>")
private let bob = try! MailboxAddress("bob@example.org")
private let eve = try! MailboxAddress("eve@example.org")

private func octets(
    _ message: OutgoingMessage, _ options: RenderingOptions = RenderingOptions()
) throws -> [UInt8] {
    try #require(try message.rendered(options).octetsInMemory)
}

@Suite("Rendering")
struct RenderingTests {
    @Test("a plain message, octet for octet")
    func golden() throws {
        var message = OutgoingMessage(
            from: jane, to: [bob], cc: [eve], bcc: [try MailboxAddress("secret@example.org")],
            subject: "Grüße", text: "Hello\nBob\r\n")
        message.replyTo = [eve]
        message.date = MailDate(secondsSinceEpoch: 1_796_008_975, offsetInMinutes: 60)
        message.messageID = try MessageID("<id@example.org>")
        message.inReplyTo = [try MessageID("a@b")]
        message.references = [try MessageID("c@d"), try MessageID("a@b")]
        message.xMailer = "Martlet"
        try message.extraFields.append("List-Unsubscribe", "<https://example.org/u>")
        let expected = """
            Date: Mon, 30 Nov 2026 04:22:55 +0100
            From: Jane <jane@example.org>
            Reply-To: eve@example.org
            To: bob@example.org
            Cc: eve@example.org
            Subject: =?UTF-8?B?R3LDvMOfZQ==?=
            Message-ID: <id@example.org>
            In-Reply-To: <a@b>
            References: <c@d> <a@b>
            X-Mailer: Martlet
            List-Unsubscribe: <https://example.org/u>
            MIME-Version: 1.0
            Content-Type: text/plain; charset=us-ascii
            Content-Transfer-Encoding: 7bit

            Hello
            Bob

            """
        #expect(text(try octets(message)).replacing("\r\n", with: "\n") == expected)
    }

    @Test("Bcc is never written, and is among the recipients")
    func bcc() throws {
        let message = OutgoingMessage(from: jane, to: [bob], bcc: [eve, bob], text: "x")
        #expect(!text(try octets(message)).lowercased().contains("bcc"))
        #expect(!text(try octets(message)).contains("eve@"))
        #expect(message.recipients == [bob, eve])
    }

    @Test("From is needed, and Sender with several authors")
    func authors() throws {
        var message = OutgoingMessage(from: jane)
        message.from = []
        var error = try #require(throws: CompositionError.self) { try message.rendered() }
        #expect(error.kind == .missing && error.field == "From")
        message.from = [jane, bob]
        error = try #require(throws: CompositionError.self) { try message.rendered() }
        #expect(error.kind == .missing && error.field == "Sender")
        message.sender = bob
        let read = try ReadMessage(try octets(message))
        #expect(read["From"] == "Jane <jane@example.org>, bob@example.org")
        #expect(read["Sender"] == "bob@example.org")
        #expect(message.envelopeSender == bob)
    }

    @Test("date and message ID are added where they are missing, and only there")
    func completed() throws {
        var random = SeededGenerator(seed: 1)
        let date = MailDate(secondsSinceEpoch: 1_796_008_975)
        let message = OutgoingMessage(from: jane)
        let first = message.completed(date: date, messageIDDomain: "example.org", random: &random)
        let second = message.completed(date: date, messageIDDomain: "example.org", random: &random)
        #expect(first.date == date)
        let name = try #require(first.messageID)
        #expect(name.text.hasSuffix("@example.org"))
        #expect(try MessageID(name.description) == name)
        #expect(second.messageID != name)
        let third = first.completed(
            date: MailDate(secondsSinceEpoch: 0), messageIDDomain: "x", random: &random)
        #expect(third.date == date && third.messageID == name)
        for domain in ["bücher.example", "a\r\nb", "", "a>b", "a..b", ".a"] {
            let name = MessageID(domain: domain, date: date, random: &random)
            #expect(try MessageID(name.description) == name)
            #expect(name.text.hasSuffix("@mail.invalid"))
        }
    }

    @Test(
        "the transfer encoding follows the content",
        arguments: [
            // text, encoding where 8-bit is not allowed, and where it is
            ("plain", "7bit", "7bit"), ("", "7bit", "7bit"),
            ("Grüße aus Köln und viele andere Wörter", "quoted-printable", "8bit"),
            ("Привет, мир, как дела?", "base64", "8bit"),
            (String(repeating: "x", count: 998), "7bit", "7bit"),
            (String(repeating: "x", count: 999), "quoted-printable", "quoted-printable"),
            (String(repeating: "ж", count: 499), "base64", "8bit"),
            (String(repeating: "ж", count: 500), "base64", "base64"),
            ("nul \u{0} in a text of some length", "quoted-printable", "quoted-printable"),
        ])
    func encoding(body: String, sevenBit: String, eightBit: String) throws {
        let message = OutgoingMessage(from: jane, text: body)
        for (allows8Bit, encoding) in [(false, sevenBit), (true, eightBit)] {
            let rendered = try message.rendered(RenderingOptions(allows8Bit: allows8Bit))
            let octets = try #require(rendered.octetsInMemory)
            let read = try ReadMessage(octets)
            #expect(read["Content-Transfer-Encoding"] == encoding)
            #expect(rendered.needs8BitMIME == (encoding == "8bit"))
            #expect(OctetProfile(octets).has8Bit == (encoding == "8bit"))
            let content = text(try #require(read.content))
            #expect(content == body || content == body + "\r\n")
            try checkForm(octets)
        }
    }

    @Test(
        "any line ends become CRLF",
        arguments: ["a\nb\n", "a\r\nb\r\n", "a\rb\r", "a\nb\r\n", "a\rb\n"])
    func lineEnds(body: String) throws {
        #expect(
            try ReadMessage(try octets(OutgoingMessage(from: jane, text: body))).body
                == Array("a\r\nb\r\n".utf8))
        let encoded = try ReadMessage(try octets(OutgoingMessage(from: jane, text: body + "é")))
        #expect(text(encoded.content!).hasPrefix("a\r\nb\r\né"))
        let html = try ReadMessage(try octets(OutgoingMessage(from: jane, text: "x", html: body)))
        #expect(html.parts[1].content == Array("a\r\nb\r\n".utf8))
    }

    @Test("text and HTML are alternatives; attachments come behind them")
    func structure() throws {
        var message = OutgoingMessage(from: jane, text: "plain", html: "<p>rich")
        var read = try ReadMessage(try octets(message))
        #expect(read["Content-Type"]?.hasPrefix("multipart/alternative; boundary=") == true)
        #expect(
            read.parts.map { $0["Content-Type"] } == [
                "text/plain; charset=us-ascii", "text/html; charset=us-ascii",
            ])
        #expect(read.parts.map { text($0.content!) } == ["plain", "<p>rich"])

        message.attachments = [
            Attachment(name: "a.png", content: OctetArray([0, 1, 255])),
            Attachment(name: "b", content: OctetArray([]), disposition: .inline),
        ]
        read = try ReadMessage(try octets(message))
        #expect(read["Content-Type"]?.hasPrefix("multipart/mixed; boundary=") == true)
        #expect(read.parts.count == 3)
        #expect(read.parts[0].parts.map { text($0.content!) } == ["plain", "<p>rich"])
        #expect(read.parts[1]["Content-Type"] == "image/png; name=a.png")
        #expect(read.parts[1]["Content-Disposition"] == "attachment; filename=a.png")
        #expect(read.parts[1].content == [0, 1, 255])
        #expect(read.parts[2]["Content-Type"] == "application/octet-stream; name=b")
        #expect(read.parts[2]["Content-Disposition"] == "inline; filename=b")
        #expect(read.parts[2].content == [])

        message.text = nil
        read = try ReadMessage(try octets(message))
        #expect(read.parts[0]["Content-Type"] == "text/html; charset=us-ascii")
        message.html = nil
        read = try ReadMessage(try octets(message))
        #expect(read.parts.count == 2)
        message.attachments = []
        read = try ReadMessage(try octets(message))
        #expect(read["Content-Type"] == "text/plain; charset=us-ascii")
        #expect(read.body.isEmpty)
    }

    @Test("a text with the escapes of ISO-2022-JP is read as it was written")
    func escapes() throws {
        let text = "\u{1B}$B$3\u{1B}(B\n"
        let rendered = try OutgoingMessage(from: jane, text: text, html: text).rendered()
        let read = OutgoingMessage(
            editing: Message(parsing: try #require(rendered.octetsInMemory)))
        #expect(read.text == text && read.html == text)
    }

    @Test("a text file in UTF-8 is labelled, one of unknown charset is not")
    func charset() throws {
        var message = OutgoingMessage(from: jane, text: "x")
        message.attachments = [
            Attachment(name: "a.txt", content: OctetArray(Array("é".utf8))),
            Attachment(name: "b.txt", content: OctetArray([0xE9])),
            Attachment(name: "c.txt", content: OctetArray(Array("e".utf8))),
            Attachment(name: "d.bin", content: OctetArray(Array("é".utf8))),
        ]
        let read = try ReadMessage(try octets(message))
        #expect(
            read.parts.dropFirst().map { $0["Content-Type"] } == [
                "text/plain; charset=utf-8; name=a.txt", "text/plain; name=b.txt",
                "text/plain; name=c.txt", "application/octet-stream; name=d.bin",
            ])
    }

    @Test("a multipart with an 8-bit part says so itself")
    func eightBitMultipart() throws {
        var message = OutgoingMessage(from: jane, text: "é", html: "x")
        message.attachments = [Attachment(name: "a", content: OctetArray([1]))]
        let options = RenderingOptions(allows8Bit: true)
        let read = try ReadMessage(try octets(message, options))
        #expect(read["Content-Transfer-Encoding"] == "8bit")
        #expect(read.parts[0]["Content-Transfer-Encoding"] == "8bit")
        message.text = "e"
        #expect(try ReadMessage(try octets(message, options))["Content-Transfer-Encoding"] == nil)
    }

    @Test(
        "any message comes back as it was composed, in canonical form", arguments: UInt64(0)..<150)
    func law(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        func body() -> String? {
            guard Int.random(in: 0..<4, using: &random) > 0 else { return nil }
            let separators = ["\n", "\r\n", " \n", "\n\n", "\n.\n", "\n--\n", "\nFrom "]
            return (0..<Int.random(in: 0...6, using: &random)).map { _ in
                randomText(words: 0...8, controls: true, &random)
                    + separators.randomElement(using: &random)!
            }.joined()
        }
        var message = OutgoingMessage(from: jane, to: [bob], text: body(), html: body())
        var contents: [[UInt8]] = []
        for index in 0..<Int.random(in: 0...3, using: &random) {
            let content = (0..<Int.random(in: 0...300, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            contents.append(content)
            let source: any OctetSource =
                Bool.random(using: &random)
                ? OctetArray(content)
                : StreamedOctets(content, pieces: [Int.random(in: 1...200, using: &random)])
            message.attachments.append(Attachment(name: "file \(index)", content: source))
        }
        let rendered = try message.rendered(
            RenderingOptions(allows8Bit: Bool.random(using: &random)))
        let octets = try await rendered.allOctets(limit: Int.random(in: 1...500, using: &random))
        #expect(octets.count == rendered.sizeInOctets)
        #expect(rendered.octetsInMemory == nil || rendered.octetsInMemory == octets)
        try checkForm(octets)
        let read = try ReadMessage(octets)
        let attachmentParts = read.parts.filter { $0["Content-Disposition"] != nil }
        #expect(attachmentParts.map { $0.content ?? [0] } == contents)
        let holder = contents.isEmpty ? read : read.parts[0]
        let textParts = holder.parts.isEmpty ? [holder] : holder.parts
        let texts = [message.text, message.html].compactMap { $0 }
        for (part, body) in zip(textParts, texts) where part["Content-Disposition"] == nil {
            let canonical = text(canonicalLines(body.utf8))
            let content = text(try #require(part.content))
            // A message of one part has to end with a line end.
            #expect(content == canonical || (read.parts.isEmpty && content == canonical + "\r\n"))
        }
    }

    private func checkForm(_ octets: [UInt8]) throws {
        let profile = OctetProfile(octets)
        #expect(!profile.hasBareCR && !profile.hasBareLF && !profile.hasNUL)
        #expect(profile.longestLineInOctets <= 998)
        #expect(octets.suffix(2) == [13, 10])
    }
}

@Suite("Boundaries")
struct BoundaryTests {
    private func boundaries(in message: OutgoingMessage) throws -> [String] {
        let read = try ReadMessage(try octets(message))
        return ([read] + read.parts).compactMap { $0.parameter("boundary", of: "Content-Type") }
    }

    @Test("never occur in the content, even if it was made to have them")
    func collisions() throws {
        var message = OutgoingMessage(from: jane, text: "x", html: "y")
        message.attachments = [Attachment(name: "a", content: OctetArray([1]))]
        var seen: [String] = []
        for _ in 0..<20 {
            let found = try boundaries(in: message)
            #expect(found.count == 2 && Set(found).count == 2)
            #expect(Set(found).isDisjoint(with: seen))
            for boundary in found {
                #expect(!message.text!.contains(boundary) && !message.html!.contains(boundary))
            }
            seen += found
            message.text = "x" + seen.map { "\n--\($0)\n--\($0)--" }.joined()
            message.html = seen.joined(separator: " ")
        }
        let read = try ReadMessage(try octets(message))
        #expect(
            text(read.parts[0].parts[0].content!) == message.text!.replacing("\n", with: "\r\n"))
    }

    @Test("avoid those of an attached message")
    func nested() throws {
        let inner = try octets(OutgoingMessage(from: jane, text: "x", html: "y"))
        var message = OutgoingMessage(from: jane, text: "x", html: "y")
        message.attachments = [Attachment(name: "inner.eml", content: OctetArray(inner))]
        let read = try ReadMessage(try octets(message))
        #expect(read.parts[1]["Content-Type"] == "message/rfc822; name=inner.eml")
        #expect(read.parts[1].body == inner)
        let own = try boundaries(in: message)
        let theirs = try #require(try ReadMessage(inner).parameter("boundary", of: "Content-Type"))
        #expect(!own.contains(theirs))
    }

    @Test("are the same each time the same message is rendered")
    func repeatable() throws {
        let message = OutgoingMessage(from: jane, text: "x", html: "y")
        #expect(try octets(message) == octets(message))
    }
}

@Suite("Attached messages")
struct AttachedMessageTests {
    private func part(
        _ content: any OctetSource, allows8Bit: Bool = false
    ) async throws -> ReadMessage {
        var message = OutgoingMessage(from: jane, text: "x")
        message.attachments = [Attachment(name: "a.eml", content: content)]
        let rendered = try message.rendered(RenderingOptions(allows8Bit: allows8Bit))
        return try ReadMessage(try await rendered.allOctets()).parts[1]
    }

    @Test("go as they are when they can, and as base64 octets when they cannot")
    func forms() async throws {
        let ascii = Array("Subject: x\r\n\r\nHello\r\n".utf8)
        let eightBit = Array("Subject: x\r\n\r\né\r\n".utf8)
        let longLine = Array("Subject: x\r\n\r\n".utf8) + Array(repeating: 0x78, count: 999)
        let bareCR = Array("Subject: x\r\n\r\na\rb\r\n".utf8)
        let nul = Array("Subject: x\r\n\r\n\u{0}\r\n".utf8)

        var read = try await part(OctetArray(ascii))
        #expect(read["Content-Type"] == "message/rfc822; name=a.eml")
        #expect(read["Content-Transfer-Encoding"] == "7bit")
        #expect(read.body == ascii)
        read = try await part(OctetArray(eightBit), allows8Bit: true)
        #expect(read["Content-Transfer-Encoding"] == "8bit")
        #expect(read.body == eightBit)
        for content in [eightBit, longLine, bareCR, nul] {
            read = try await part(OctetArray(content))
            #expect(read["Content-Type"] == "application/octet-stream; name=a.eml")
            #expect(read["Content-Transfer-Encoding"] == "base64")
            #expect(read.content == content)
        }
        read = try await part(StreamedOctets(ascii))
        #expect(read["Content-Type"] == "application/octet-stream; name=a.eml")
        #expect(read.content == ascii)
    }

    @Test("with the line ends of a Unix file get CRLF")
    func unix() async throws {
        let read = try await part(OctetArray(Array("Subject: x\n\nHello\n".utf8)))
        #expect(read["Content-Type"] == "message/rfc822; name=a.eml")
        #expect(read.body == Array("Subject: x\r\n\r\nHello\r\n".utf8))
    }
}

@Suite("International addresses")
struct InternationalAddressTests {
    private struct NoSuchDomain: Error {}

    private let toASCII: @Sendable (String) throws -> String = {
        guard $0 == "bücher.example" else { throw NoSuchDomain() }
        return "xn--bcher-kva.example"
    }

    @Test("a non-ASCII domain goes out in its ASCII form, also where UTF-8 would be allowed")
    func domain() throws {
        let message = OutgoingMessage(from: try MailboxAddress("Bü <j@bücher.example>"))
        for allowsUTF8 in [false, true] {
            let rendered = try message.rendered(
                RenderingOptions(allowsUTF8Headers: allowsUTF8, domainToASCII: toASCII))
            let read = try ReadMessage(try #require(rendered.octetsInMemory))
            #expect(read["From"] == "=?UTF-8?B?QsO8?= <j@xn--bcher-kva.example>")
            #expect(!rendered.needsSMTPUTF8)
        }
    }

    @Test("a domain without an ASCII form is refused, by field")
    func badDomain() throws {
        let message = OutgoingMessage(from: jane, cc: [try MailboxAddress("x@ü.example")])
        for options in [RenderingOptions(domainToASCII: toASCII), RenderingOptions()] {
            let error = try #require(throws: CompositionError.self) {
                try message.rendered(options)
            }
            #expect(error.kind == .invalidDomain && error.field == "Cc")
        }
    }

    @Test("a non-ASCII local part needs SMTPUTF8, and then goes out in UTF-8")
    func localPart() throws {
        let address = try MailboxAddress("Jürgen <jürgen@bücher.example>")
        let message = OutgoingMessage(from: jane, to: [address], text: "x")
        let error = try #require(throws: CompositionError.self) {
            try message.rendered(RenderingOptions(domainToASCII: toASCII))
        }
        #expect(error.kind == .needsSMTPUTF8 && error.field == "To")
        #expect(error.recovery == .useAnotherServer)
        let rendered = try message.rendered(
            RenderingOptions(allowsUTF8Headers: true, domainToASCII: toASCII))
        #expect(rendered.needsSMTPUTF8)
        let read = try ReadMessage(try #require(rendered.octetsInMemory))
        #expect(read["To"]?.hasSuffix("<jürgen@bücher.example>") == true)
    }

    @Test("a Bcc is not written, so it needs nothing")
    func bcc() throws {
        let message = OutgoingMessage(from: jane, bcc: [try MailboxAddress("jürgen@x.org")])
        #expect(try !message.rendered().needsSMTPUTF8)
    }
}
