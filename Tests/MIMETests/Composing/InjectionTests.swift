import MartletBytes
import Testing

@testable import MartletMIME

private let jane = try! MailboxAddress("jane@example.org")

@Suite("Injection")
struct InjectionTests {
    static let evil = ["x\r\nBcc: y@z", "x\ny", "x\ry", "x\u{0}y", "\r\n", "x\r\n y", "x\n\ty"]

    @Test(
        "a line break or NUL in a value is refused, and the error names the field", arguments: evil)
    func values(evil: String) throws {
        let message = OutgoingMessage(from: jane)
        let cases: [(String, (inout OutgoingMessage) throws -> Void)] = [
            ("Subject", { $0.subject = evil }),
            ("X-Mailer", { $0.xMailer = evil }),
            (
                "Attachment \(evil)",
                { $0.attachments = [Attachment(name: evil, content: OctetArray([]))] }
            ),
            ("X-Extra", { try $0.extraFields.append("X-Extra", evil) }),
            ("A field name", { try $0.extraFields.append(evil, "x") }),
            ("Message-ID", { $0.messageID = try MessageID(evil) }),
            (
                "Content-Type",
                {
                    $0.attachments = [
                        Attachment(
                            name: "a", contentType: try ContentType("text/plain; x=\"\(evil)\""),
                            content: OctetArray([]))
                    ]
                }
            ),
            (
                "Content-Type x",
                { _ in
                    var type = ContentType.octetStream; try type.set("x", to: evil)
                }
            ),
        ]
        for (field, change) in cases {
            let error = try #require(throws: CompositionError.self) {
                var message = message
                try change(&message)
                _ = try message.rendered()
            }
            #expect(error.field == field)
            #expect(error.kind == .forbiddenCharacter)
            #expect(error.recovery == .fixInput)
            #expect(!error.description.utf8.contains { $0.isControl })
        }
    }

    @Test(
        "a domain conversion cannot smuggle anything in", arguments: evil + ["a b", "x>", "é", ""])
    func domains(evil: String) throws {
        let message = OutgoingMessage(from: try MailboxAddress("jane@bücher.example"))
        let error = try #require(throws: CompositionError.self) {
            try message.rendered(RenderingOptions(domainToASCII: { _ in evil }))
        }
        #expect(error.kind == .invalidDomain && error.field == "From")
    }

    @Test(
        "a field name that is none is refused",
        arguments: ["", "a b", "a:", "é", "x\u{7F}", String(repeating: "x", count: 77)])
    func names(name: String) {
        #expect(throws: CompositionError.self) { try HeaderField(name, "x") }
    }

    @Test(
        "a field that the message writes itself cannot come a second time",
        arguments: [
            "Bcc", "bcc", "From", "Sender", "To", "Cc", "Reply-To", "Subject", "Date", "Message-ID",
            "In-Reply-To", "References", "MIME-Version", "Content-Type",
            "Content-Transfer-Encoding", "Content-Anything", "Resent-Bcc",
        ])
    func reserved(name: String) throws {
        var message = OutgoingMessage(from: jane)
        try message.extraFields.append(name, "x@y.org")
        let error = try #require(throws: CompositionError.self) { try message.rendered() }
        #expect(error.kind == .reserved && error.field == name)
    }

    @Test(
        "a message ID that is none is refused",
        arguments: ["", "<>", "a b", "<a", "a>", "<a>b", "é@x", String(repeating: "x", count: 901)])
    func messageIDs(text: String) {
        #expect(throws: CompositionError.self) { try MessageID(text) }
    }

    @Test(
        "a content type that is none is refused",
        arguments: [
            "", "text", "text/", "/plain", "text/plain/x", "text plain", "té/x", "text/plain; x",
            "text/plain; =x", "text/plain; x=", "text/plain; x=\"y", "text/plain; x=\"y\\",
            "text/plain; x=y z", "text/plain; n*=x", "\(String(repeating: "x", count: 128))/x",
            "text/plain; x=\"\(String(repeating: "x", count: 1_025))\"",
        ])
    func contentTypes(text: String) {
        #expect(throws: CompositionError.self) { try ContentType(text) }
    }

    @Test("a file name beyond its limit is refused")
    func longFileName() throws {
        var message = OutgoingMessage(from: jane)
        let name = String(repeating: "x", count: 1_024)
        message.attachments = [Attachment(name: name, content: OctetArray([]))]
        _ = try message.rendered()
        message.attachments[0].name += "x"
        let error = try #require(throws: CompositionError.self) { try message.rendered() }
        #expect(error.kind == .tooLong(limit: 1_024))
    }
}
