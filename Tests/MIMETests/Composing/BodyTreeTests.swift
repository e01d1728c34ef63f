import MartletBytes
import MartletTestSupport
import Testing

@testable import MartletMIME

private let jane = try! MailboxAddress("jane@example.org")
private let invitation = "BEGIN:VCALENDAR\r\nMETHOD:request\r\nEND:VCALENDAR\r\n"

private func read(
    _ message: OutgoingMessage, _ options: RenderingOptions = RenderingOptions()
) throws -> Message {
    Message(parsing: try #require(try message.rendered(options).octetsInMemory))
}

/// `mixed(alternative(plain, html), pdf)`.
private func shape(_ part: Part) -> String {
    let type = part.contentType
    guard part.kind == .multipart else { return type.subtype }
    return type.subtype + "(" + part.children.map(shape).joined(separator: ", ") + ")"
}

private let picture = Attachment(
    name: "logo.png", content: OctetArray([1, 2, 3]), disposition: .inline,
    contentID: try! MessageID("logo@example.org"))
private let file = Attachment(name: "plan.pdf", content: OctetArray([4, 5]))

@Suite("The structure of a body")
struct BodyTreeTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var has: String
        var shape: String
        var testDescription: String { has.isEmpty ? "nothing" : has }
    }

    @Test(
        "follows from what the message has",
        arguments: [
            Case(has: "", shape: "plain"), Case(has: "t", shape: "plain"),
            Case(has: "h", shape: "html"), Case(has: "th", shape: "alternative(plain, html)"),
            Case(has: "tah", shape: "alternative(plain, x-amp-html, html)"),
            Case(has: "thp", shape: "alternative(plain, related(html, png))"),
            Case(has: "hp", shape: "related(html, png)"),
            Case(has: "tp", shape: "mixed(plain, png)"), Case(has: "p", shape: "mixed(png)"),
            Case(has: "thc", shape: "alternative(plain, html, calendar)"),
            Case(has: "tc", shape: "alternative(plain, calendar)"),
            Case(has: "c", shape: "calendar"),
            Case(has: "tci", shape: "mixed(alternative(plain, calendar), ics)"),
            Case(has: "f", shape: "mixed(pdf)"), Case(has: "tf", shape: "mixed(plain, pdf)"),
            Case(has: "thf", shape: "mixed(alternative(plain, html), pdf)"),
            Case(has: "hpf", shape: "mixed(related(html, png), pdf)"),
            Case(
                has: "tahpcif",
                shape:
                    "mixed(alternative(plain, x-amp-html, related(html, png), calendar), pdf, ics)"),
        ])
    func shapes(_ example: Case) throws {
        var message = OutgoingMessage(from: jane)
        for sign in example.has {
            switch sign {
            case "t": message.text = "x"
            case "h": message.html = "<p>x"
            case "a": message.ampHTML = "<html amp4email>"
            case "c": message.calendar = try CalendarObject(invitation)
            case "i": message.calendar?.fileName = "invite.ics"
            case "p": message.attachments.append(picture)
            default: message.attachments.append(file)
            }
        }
        let read = try read(message)
        #expect(shape(read.root) == example.shape)
        #expect(read.defects.isEmpty)
        for part in read.parts where part.contentType.subtype == "related" {
            #expect(part.contentType.parameters["type"] == "text/html")
            #expect(part.contentType.parameters["start"] == nil)
        }
    }

    @Test("a picture is found by the URL in the HTML")
    func embedded() throws {
        var random = SeededGenerator(seed: 1)
        var message = OutgoingMessage(from: jane)
        let url = message.embed(OctetArray([1, 2]), name: "ä.png", random: &random)
        let other = message.embed(OctetArray([1, 2]), name: "ä.png", random: &random)
        #expect(url != other && url.hasPrefix("cid:"))
        message.html = "<img src=\"\(url)\"><td background='\(other)'>"
        #expect(message.missingContentIDs == [])
        let part = try #require(
            try read(message).parts.first { $0.contentType.subtype == "png" })
        #expect(part.contentID.map { "cid:" + $0.text } == url)
        #expect(part.disposition?.kind == .inline)
        #expect(part.fileName == "ä.png")
    }

    @Test("a URL has no character that HTML or a URL would take for something else")
    func contentURL() throws {
        var attachment = picture
        #expect(attachment.contentURL == "cid:logo@example.org")
        attachment.contentID = try MessageID("a%b&c\"d'e/f?g#h@x")
        let url = try #require(attachment.contentURL)
        #expect(url == "cid:a%25b%26c%22d%27e%2Ff%3Fg%23h@x")
        var message = OutgoingMessage(from: jane, html: "<img src=\"\(url)\">")
        #expect(message.missingContentIDs == ["a%b&c\"d'e/f?g#h@x"])
        message.attachments = [attachment]
        #expect(message.missingContentIDs == [])
        attachment.contentID = nil
        #expect(attachment.contentURL == nil)
    }

    @Test(
        "pictures that nobody attached are told, once each",
        arguments: [
            ("<img src=cid:a@b>", ["a@b"]), ("<img src='CID:a@b'> <img src=\"cid:a@b\">", ["a@b"]),
            ("url(cid:x)", ["x"]), ("acid:a", []), ("<p>cid:</p>", []), ("cid:", []), ("", []),
            ("src=\"cid:a&amp;b%40c\"", ["a&b@c"]), ("cid:%4", ["%4"]), ("=cid:%zz", ["%zz"]),
            ("no cid here", []),
        ] as [(String, [String])])
    func missing(html: String, names: [String]) throws {
        #expect(OutgoingMessage(from: jane, html: html).missingContentIDs == names)
    }

    @Test("a calendar repeats its method, and says UTF-8 whatever is in it")
    func calendar() throws {
        var message = OutgoingMessage(from: jane, text: "x")
        message.calendar = try CalendarObject(invitation, fileName: "invite.ics")
        let parts = try Array(read(message).parts)
        let part = try #require(parts.first { $0.contentType.subtype == "calendar" })
        #expect(part.contentType.parameters["method"] == "REQUEST")
        #expect(part.contentType.parameters["charset"] == "utf-8")
        #expect(part.decodedBody().value == Array(invitation.utf8))
        let file = try #require(parts.last)
        #expect(file.contentType.description == "application/ics" && file.fileName == "invite.ics")
        #expect(file.decodedBody().value == Array(invitation.utf8))
    }

    @Test("an attached message is not copied into memory, and its line ends stay")
    func largeMessage() async throws {
        let inner =
            Array("Subject: x\r\n\r\n".utf8)
            + Array(repeating: [UInt8]("line\r\n".utf8), count: 200_000).joined()
        var message = OutgoingMessage(from: jane, text: "x")
        message.attachments = [
            Attachment(
                name: "a.eml", contentType: try ContentType("message/rfc822"),
                content: Octets(inner))
        ]
        let rendered = try message.rendered()
        #expect(rendered.octetsInMemory == nil)
        let octets = try await rendered.allOctets(limit: 100_000)
        #expect(octets.count == rendered.sizeInOctets)
        let part = try #require(Message(parsing: octets).parts.first { $0.kind == .message })
        #expect(part.decodedBody().value == inner)
    }
}

@Suite("Flowed text")
struct FlowedBodyTests {
    private func body(_ text: String, _ format: TextFormat) throws -> Part {
        var message = OutgoingMessage(from: jane, text: text)
        message.textFormat = format
        return try read(message).root
    }

    @Test("says so, breaks its paragraphs, and comes back as it was")
    func roundTrip() throws {
        let words = (0..<60).map { "Wörter\($0)" }.joined(separator: " ")
        let text = "\(words)\n\n> quoted \(words)\n>> twice\n-- \nJane\n From here\n"
        for format in [TextFormat.flowed, .flowedDelSp] {
            let part = try body(text, format)
            #expect(part.contentType.parameters["format"] == "flowed")
            #expect(part.contentType.parameters["delsp"] == (format == .flowed ? nil : "yes"))
            let lines = self.lines(of: part)
            #expect(lines.allSatisfy { $0.count <= 78 } && lines.contains("-- "))
            let read = OutgoingMessage(editing: Message(parsing: part.octets))
            #expect(read.text == text && read.textFormat == format)
        }
        #expect(try body("x", .fixed).contentType.parameters["format"] == nil)
    }

    @Test("breaks a text without blanks only where the blanks that mark it are deleted again")
    func delSp() throws {
        let text = String(repeating: "日本語", count: 100) + "\n"
        #expect(lines(of: try body(text, .flowedDelSp)).allSatisfy { $0.count <= 74 })
        let part = try body(text, .flowedDelSp)
        #expect(OutgoingMessage(editing: Message(parsing: part.octets)).text == text)
    }

    @Test("keeps the blank of a signature's mark, which quoted-printable would lose otherwise")
    func signature() throws {
        let part = try body("Grüße und guten Tag\n-- \nJane Miller is here\n", .fixed)
        #expect(part.transferEncoding == .quotedPrintable)
        let raw = part.withRawBody { text(Array($0)) }
        #expect(raw.contains("\r\n--=20\r\n"))
        #expect(lines(of: part).contains("-- "))
    }

    private func lines(of part: Part) -> [String] { part.text().value.lines }
}
