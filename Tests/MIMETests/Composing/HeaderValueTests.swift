import MartletBytes
import Testing

@testable import MartletMIME

@Suite("ContentType")
struct ContentTypeTests {
    @Test(
        "reads types and parameters",
        arguments: [
            ("text/plain", "text/plain", []), ("TEXT/Html", "text/html", []),
            (" text / plain ; charset = UTF-8 ", "text/plain", ["charset=UTF-8"]),
            ("a/b; X=\"y \\\" ;z\"; w=v;", "a/b", ["x=y \" ;z", "w=v"]),
            ("a/b; x=1; X=2", "a/b", ["x=2"]),
            ("application/vnd.a+json", "application/vnd.a+json", []),
        ])
    func reads(text: String, type: String, parameters: [String]) throws {
        let read = try ContentType(text)
        #expect(read.description == type)
        #expect(read.parameters.map { $0.name + "=" + $0.value } == parameters)
    }

    @Test(
        "follows the file name's extension",
        arguments: [
            ("a.pdf", "application/pdf"), ("A.PDF", "application/pdf"),
            ("a.tar.gz", "application/gzip"),
            ("a", "application/octet-stream"), ("", "application/octet-stream"),
            ("a.", "application/octet-stream"), ("a.unknown", "application/octet-stream"),
            (".txt", "text/plain"),
            (
                "Übersicht.docx",
                "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
            ),
        ])
    func extensions(name: String, type: String) {
        #expect(ContentType.forFileName(name).description == type)
        #expect(Attachment(name: name, content: OctetArray([])).contentType.description == type)
    }

    @Test("given by the caller wins over the extension")
    func given() throws {
        let type = try ContentType("application/x-own")
        let attachment = Attachment(name: "a.pdf", contentType: type, content: OctetArray([]))
        #expect(attachment.contentType == type)
    }
}

@Suite("Header values")
struct HeaderValueTests {
    @Test("field names are compared without case, and kept with it")
    func names() throws {
        var fields: HeaderFields = [try HeaderField("X-Test", "1")]
        try fields.append("x-test", "2")
        #expect(fields["X-TEST"] == "1")
        #expect(fields.map(\.name.text) == ["X-Test", "x-test"])
        #expect(Set(fields.map(\.name)).count == 1)
        #expect(fields["X-Other"] == nil)
    }

    @Test("message IDs come with or without brackets")
    func messageIDs() throws {
        #expect(try MessageID("<a@b>") == MessageID("a@b"))
        #expect(try MessageID("a@b").description == "<a@b>")
        #expect(try MessageID("<no-at-sign>").text == "no-at-sign")
    }

    @Test("extra fields keep their blanks, and ASCII ones are never encoded")
    func extra() throws {
        var message = OutgoingMessage(from: try MailboxAddress("jane@example.org"))
        try message.extraFields.append("X-A", "a  b\tc =?UTF-8?Q?x?= ")
        try message.extraFields.append("X-B", "é")
        let read = try ReadMessage(try #require(try message.rendered().octetsInMemory))
        #expect(read["X-A"] == "a  b\tc =?UTF-8?Q?x?=")
        #expect(read["X-B"] == "=?UTF-8?B?w6k=?=")
    }

    @Test("a date is written as given, and left out where there is none")
    func date() throws {
        var message = OutgoingMessage(from: try MailboxAddress("jane@example.org"))
        var read = try ReadMessage(try #require(try message.rendered().octetsInMemory))
        #expect(read["Date"] == nil && read["Message-ID"] == nil && read["To"] == nil)
        message.date = MailDate(secondsSinceEpoch: 0, offsetInMinutes: -60)
        read = try ReadMessage(try #require(try message.rendered().octetsInMemory))
        #expect(read["Date"] == "Wed, 31 Dec 1969 23:00:00 -0100")
    }

    @Test("texts that are no addresses stop a message before it is made")
    func addresses() throws {
        let message = try OutgoingMessage(
            from: "Jane <jane@example.org>", to: ["bob@example.org"], bcc: ["eve@example.org"])
        #expect(message.recipients.map(\.localPart) == ["bob", "eve"])
        let error = #expect(throws: AddressError.self) {
            try OutgoingMessage(from: "jane@example.org", to: ["bob@example.org", "oops"])
        }
        #expect(error?.kind == .missingAtSign && error?.text == "oops")
    }
}

@Suite("Error sentences")
struct ErrorSentenceTests {
    @Test("say what is wrong and what to do")
    func sentences() {
        let kinds: [CompositionError.Kind] = [
            .missing, .forbiddenCharacter, .invalid, .tooLong(limit: 7), .reserved,
            .needsSMTPUTF8, .invalidDomain, .contentShrank(expected: 2, found: 1),
            .contentGrew(expected: 2), .unreadable,
        ]
        let sentences = kinds.map {
            CompositionError($0, field: "Fie\r\nld", value: "x\u{1B}").description
        }
        #expect(Set(sentences).count == kinds.count)
        for sentence in sentences {
            #expect(sentence.contains("Fie??ld"))
            #expect(sentence.last == ".")
            #expect(!sentence.utf8.contains { $0.isControl })
        }
    }

    @Test("are not endless")
    func length() {
        let long = String(repeating: "x", count: 100_000)
        #expect(CompositionError(.invalid, field: long, value: long).description.count < 300)
        #expect(AddressError(kind: .empty, text: long).description.count < 300)
    }
}
