import MartletBytes
import MartletMIME
import MartletTestSupport
import Testing

@testable import MartletIMAPCore

@Suite("Served sections")
struct SectionServingTests {
    /// The octets of a section with LF line ends; `nil` for NIL.
    private func section(_ name: String, of text: String) throws -> String? {
        var cursor = IMAPCursor(Array("[\(name)]".utf8)[...])
        let section = try cursor.section()
        var message = ServedMessage(Samples.octets(text))
        return message.section(section).messageData.octets.map {
            String(decoding: $0, as: UTF8.self).replacing("\r\n", with: "\n")
        }
    }

    static let nestedCases: [(String, String?)] = [
        (
            "HEADER",
            "Subject: outer\nContent-Type: multipart/mixed; boundary=b\nMIME-Version: 1.0\n\n"
        ),
        ("HEADER.FIELDS (subject X-None)", "Subject: outer\n\n"),
        ("HEADER.FIELDS (None)", "\n"),
        (
            "HEADER.FIELDS.NOT (SUBJECT mime-version)",
            "Content-Type: multipart/mixed; boundary=b\n\n"
        ),
        ("1", "caf=C3=A9\nsecond"),
        (
            "1.MIME",
            "Content-Type: text/plain; charset=\"utf-8\"\nContent-Transfer-Encoding: quoted-printable\n\n"
        ),
        ("1.HEADER", nil), ("1.TEXT", nil), ("1.HEADER.FIELDS (Subject)", nil), ("1.1", nil),
        ("2", "Subject: inner\nFrom: in@example.com\n\ninner body"),
        ("2.MIME", "Content-Type: message/rfc822\nContent-Description: a message\n\n"),
        ("2.HEADER", "Subject: inner\nFrom: in@example.com\n\n"),
        ("2.HEADER.FIELDS (From)", "From: in@example.com\n\n"),
        ("2.HEADER.FIELDS.NOT (From)", "Subject: inner\n\n"),
        ("2.TEXT", "inner body"), ("2.1", "inner body"),
        ("2.1.MIME", "Subject: inner\nFrom: in@example.com\n\n"), ("2.2", nil), ("2.1.1", nil),
        ("3.1", "plain"), ("3.2", "<b>bold</b> word"), ("3.2.MIME", "Content-Type: text/html\n\n"),
        ("3.1.MIME", "\n"), ("3.3", nil), ("3.2.1", nil), ("4", "iVBORw0KGgo="), ("5", nil),
        ("4294967295", nil),
    ]

    @Test("of nested parts", arguments: nestedCases)
    func nested(name: String, expected: String?) throws {
        #expect(try section(name, of: Samples.nested) == expected)
    }

    static let plainCases: [(String, String, String?)] = [
        ("A: b\nC: d\n\nbody\n", "", "A: b\nC: d\n\nbody\n"),
        ("A: b\nC: d\n\nbody\n", "1", "body\n"),
        ("A: b\nC: d\n\nbody\n", "TEXT", "body\n"),
        ("A: b\nC: d\n\nbody\n", "1.MIME", "A: b\nC: d\n\n"),
        ("A: b\nC: d\n\nbody\n", "2", nil),
        ("A: b\nC: d\n\nbody\n", "1.TEXT", nil),
        ("A: b\n c\nD: e\nA : f\n\n", "HEADER.FIELDS (A)", "A: b\n c\nA : f\n\n"),
        ("A: b\n c\nD: e\nA : f\n\n", "HEADER.FIELDS.NOT (A)", "D: e\n\n"),
        // There is no body, and so no empty line.
        ("A: b\nC: d\n", "HEADER", "A: b\nC: d\n"),
        ("A: b\nC: d\n", "HEADER.FIELDS (A)", "A: b\n"),
        ("A: b\nC: d\n", "HEADER.FIELDS.NOT (A)", "C: d\n"),
        ("A: b\nC: d\n", "TEXT", ""), ("A: b\nC: d\n", "1", ""),
        ("A: b", "HEADER", "A: b"),
        ("\nbody", "HEADER", "\n"), ("\nbody", "TEXT", "body"), ("", "HEADER", ""),
        // What is no field goes with the others.
        ("junk\nA: b\nC: d\n\nx", "HEADER.FIELDS.NOT (A)", "junk\nC: d\n\n"),
        // Without any part, the text is all there is.
        ("Content-Type: multipart/mixed; boundary=b\n\nx\n", "1", "x\n"),
        ("Content-Type: message/rfc822\n\nA: b\n\nx\n", "1", "A: b\n\nx\n"),
        ("Content-Type: message/rfc822\n\nA: b\n\nx\n", "1.HEADER", "A: b\n\n"),
        ("Content-Type: message/rfc822\n\nA: b\n\nx\n", "1.1", "x\n"),
    ]

    @Test("of plain and odd messages", arguments: plainCases)
    func plain(text: String, name: String, expected: String?) throws {
        #expect(try section(name, of: text) == expected)
    }

    @Test("pieces are as asked for, and none lies outside")
    func partials() {
        let content = SectionContent.piece(Octets(Array("0123456789".utf8)), 2..<8)
        func cut(_ origin: UInt64, _ count: UInt64) -> String? {
            content.cut(to: OctetRange(from: origin, count: count)).messageData.octets.map {
                String(decoding: $0, as: UTF8.self)
            }
        }
        #expect(cut(0, 3) == "234")
        #expect(cut(4, 3) == "67")
        #expect(cut(5, .max) == "7")
        #expect(cut(6, 1) == "")
        #expect(cut(.max, .max) == "")
        #expect(SectionContent.missing.cut(to: OctetRange(from: 0, count: 1)).messageData == .nil)
    }

    /// Every section that a message can have, and some that it has not.
    private func sections(_ message: Message) -> [MessageSection] {
        var sections: [MessageSection] = [.message, .header, .text]
        let names = ["Subject", "content-type", "FROM"]
        for part in BodyStructure(of: message).parts {
            for content in [
                MessageSection.Content.whole, .header, .text, .mime, .headerFields(names),
                .headerFieldsNot(names),
            ] {
                sections.append(MessageSection(part.number, content))
                sections.append(MessageSection(part.number.child(3), content))
            }
        }
        return sections
    }

    @Test(
        "header and text are the whole, and pieces glue together",
        arguments: 0..<200 as Range<UInt64>)
    func laws(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let sample = Samples.odd.randomElement(using: &generator)!
        let octets =
            seed % 3 == 0
            ? Samples.octets(sample) : Samples.damaged(Samples.octets(sample), by: &generator)
        var message = ServedMessage(octets)
        let header = message.section(MessageSection.header).messageData.octets ?? []
        let text = message.section(MessageSection.text).messageData.octets ?? []
        #expect(Array(header + text) == octets)
        // The header alone tells what the whole message does.
        var whole = ServedMessage(Message(parsing: octets))
        for section in sections(message.message()) {
            let content = message.section(section)
            var fresh = ServedMessage(octets)
            #expect(content.messageData == whole.section(section).messageData)
            #expect(content.messageData == fresh.section(section).messageData)
            guard let all = content.messageData.octets else { continue }
            let step = UInt64.random(in: 1...20, using: &generator)
            var glued: [UInt8] = []
            for origin in stride(from: 0, to: UInt64(all.count), by: Int(step)) {
                let range = OctetRange(from: origin, count: step)
                glued += content.cut(to: range).messageData.octets ?? []
            }
            #expect(glued == Array(all))
        }
    }

    @Test("for all of its octets a message is not taken apart, and for its header the rest is not")
    func laziness() throws {
        var message = ServedMessage(Samples.octets(Samples.nested))
        let item = try message.item(.section(.message, range: OctetRange(from: 3, count: 9)))
        #expect(message.isUntouched)
        _ = try message.item(.rfc822(.message))
        _ = try message.item(.size)
        #expect(message.isUntouched)
        #expect(item == .section(.message, origin: 3, .octets(Array("ject: out".utf8)[...])))
        _ = try message.item(.envelope)
        _ = message.section(MessageSection.text)
        _ = message.section(MessageSection(.message, .headerFields(["Subject"])))
        #expect(!message.isTakenApart)
        _ = try message.item(.bodyStructure)
        #expect(message.isTakenApart)
    }

    @Test("octets of an array are not copied")
    func slices() throws {
        let octets = Samples.octets(Samples.nested)
        var message = ServedMessage(octets)
        let slice = try #require(
            message.section(MessageSection(PartNumber([2]))).messageData.octets)
        #expect(slice.startIndex > 0)
        let isSame = octets.withUnsafeBufferPointer { whole in
            slice.withUnsafeBufferPointer { part in
                part.baseAddress == whole.baseAddress.map { $0 + slice.startIndex }
            }
        }
        #expect(isSame)
    }

    @Test("BINARY is decoded")
    func binary() throws {
        var message = ServedMessage(Samples.octets(Samples.nested))
        func text(_ number: [UInt32], _ range: OctetRange? = nil) throws -> String? {
            guard
                case .binary(_, _, let data) = try message.item(
                    .binary(PartNumber(number), range: range))
            else { return nil }
            return data.octets.map { String(decoding: $0, as: UTF8.self) }
        }
        #expect(try text([1]) == "café\r\nsecond")
        #expect(try text([1], OctetRange(from: 3, count: 2)) == "é")
        #expect(try text([2, 1]) == "inner body")
        #expect(try text([2])?.hasPrefix("Subject: inner") == true)
        #expect(try text([9]) == nil)
        #expect(try text([])?.hasPrefix("Subject: outer") == true)
        #expect(
            try message.item(.binarySize(PartNumber([4]))) == .binarySize(PartNumber([4]), 8))
    }

    @Test("BINARY of an encoding that nobody knows is refused")
    func unknownEncoding() {
        var message = ServedMessage(Samples.octets("Content-Transfer-Encoding: x-odd\n\nx"))
        #expect(throws: UnknownTransferEncoding(name: "x-odd")) {
            try message.item(.binary(PartNumber([1])))
        }
        #expect(throws: UnknownTransferEncoding(name: "x-odd")) {
            try message.item(.binarySize(PartNumber([1])))
        }
        #expect(throws: Never.self) { try message.item(.section(MessageSection(PartNumber([1])))) }
    }

    @Test("old names are those of sections", arguments: RFC822Part.allCases)
    func rfc822(_ part: RFC822Part) throws {
        var message = ServedMessage(Samples.octets(Samples.nested))
        let section: MessageSection =
            switch part {
            case .message: .message
            case .header: .header
            case .text: .text
            }
        let data = message.section(section).messageData
        #expect(try message.item(.rfc822(part)) == .rfc822(part, data))
    }

    @Test("what octets do not tell is left to the mailbox")
    func others() throws {
        var message = ServedMessage([])
        for attribute: FetchAttribute in [
            .uid, .flags, .internalDate, .modSeq, .emailID, .threadID,
        ] {
            #expect(try message.item(attribute) == nil)
        }
    }

    @Test("a preview has at most 200 characters, none of them cut")
    func preview() throws {
        var message = ServedMessage(Samples.octets("\nHello  there,\n\n> quoted\nhow are you?\n"))
        #expect(try message.item(.preview()) == .preview("Hello there, how are you?"))
        var long = ServedMessage(
            Samples.octets(
                "Content-Type: text/plain; charset=utf-8\n\n" + String(repeating: "👩‍👩‍👧", count: 100)))
        let text = long.preview()
        #expect(text.unicodeScalars.count == 200)
        #expect(text.count == 40)
        var empty = ServedMessage([])
        let nothing = empty.preview()
        #expect(nothing == "")
    }
}
