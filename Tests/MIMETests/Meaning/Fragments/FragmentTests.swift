import MartletBytes
import MartletMIME
import MartletTestSupport
import Testing

@Suite("Message fragments")
struct FragmentTests {
    static func fragment(_ number: Int, of total: Int?, _ body: String, id: String = "i@x")
        -> MessageFragment
    {
        let text =
            "X-Way: \(number)\nSubject: part \(number)\nMessage-ID: <m\(number)@x>\nMIME-Version: 1.0\nContent-Type: message/partial; id=\"\(id)\"; number=\(number)"
            + (total.map { "; total=\($0)" } ?? "") + "\n\n" + body
        return Message(parsing: Array(text.utf8)).fragment!
    }

    static func text(_ message: ReassembledMessage) -> String? {
        guard case .complete(let octets) = message else { return nil }
        return String(decoding: octets, as: UTF8.self)
    }

    @Test("come to the message that was cut, with the right header")
    func whole() {
        let first = Self.fragment(
            1, of: nil,
            "Subject: all\nMessage-ID: <all@x>\nX-Way: inner\nTo: inner@x\nContent-Language: en\nContent-Type: text/plain\n\none\n"
        )
        let second = Self.fragment(2, of: nil, "two")
        let third = Self.fragment(3, of: 3, "three")
        let parsed = MessageFragment.reassemble([third, first, second])
        #expect(parsed.defects.isEmpty)
        #expect(
            Self.text(parsed.value)
                == "X-Way: 1\nSubject: all\nMessage-ID: <all@x>\nContent-Type: text/plain\nContent-Language: en\n\none\ntwo\nthree"
        )
    }

    @Test("say which ones are missing")
    func missing() {
        let first = Self.fragment(1, of: nil, "A: b\n\nx")
        let fourth = Self.fragment(4, of: 6, "x")
        #expect(MessageFragment.reassemble([first, fourth]).value == .missing([2...3, 5...6]))
        #expect(MessageFragment.reassemble([first]).value == .missing([2...Int.max]))
        #expect(MessageFragment.reassemble([]).value == .missing([1...Int.max]))
    }

    @Test("of others, twice, and with another total are passed over")
    func odd() {
        let parts = [
            Self.fragment(1, of: 2, "A: b\n\none"), Self.fragment(1, of: 2, "A: b\n\nevil"),
            Self.fragment(2, of: 2, "two", id: "j"),
            Self.fragment(2, of: 2, "two"), Self.fragment(9, of: 2, "nine"),
        ]
        let parsed = MessageFragment.reassemble(parts)
        #expect(Self.text(parsed.value)?.hasSuffix("one\ntwo") == true)
        #expect(parsed.defects.count == 2)
    }

    @Test("with numbers that cannot be are none, or have no total")
    func numbers() {
        func fragment(_ number: String, _ total: String, limit: Int? = nil) -> MessageFragment? {
            var limits = MIMELimits()
            if let limit { limits.fragmentCount = limit }
            let text =
                "Content-Type: message/partial; id=a; number=\(number); total=\(total)\n\nA: b\n\nx"
            return Message(parsing: Octets(Array(text.utf8)), limits: limits).fragment
        }
        for number in ["0", "-1", "10001", "\(Int.max)", "99999999999999999999"] {
            #expect(fragment(number, "3") == nil)
        }
        for total in ["1", "0", "-5", "\(Int.min)", "\(Int.max)", "10001", "x"] {
            #expect(fragment("2", total)?.number == 2)
            #expect(fragment("2", total)?.total == nil)
        }
        #expect(fragment("2", "2")?.total == 2)
        // Without a limit nothing overflows either.
        let last = fragment("\(Int.max)", "\(Int.max)", limit: .max)
        #expect(last?.total == .max)
        #expect(
            MessageFragment.reassemble([last].compactMap { $0 }).value
                == .missing([1...(Int.max - 1)]))
    }

    @Test("stay below the limit")
    func limit() {
        var limits = MIMELimits()
        limits.bodySizeInOctets = 200
        let parts = (1...3).map { Self.fragment($0, of: 3, String(repeating: "x", count: 100)) }
        #expect(
            MessageFragment.reassemble(parts, limits: limits).defects.map(\.limit) == [
                "bodySizeInOctets"
            ])
    }

    @Test(
        "need an id and a number",
        arguments: ["id=x", "number=1", "id=x; number=0", "id=x; number=one", ""])
    func none(_ parameters: String) {
        #expect(lines("Content-Type: message/partial; \(parameters)", "", "x").fragment == nil)
    }
}

@Suite(
    "Fragments of the corpus", .corpus("mimekit/partial"),
    .corpus("mailcore2/parser/input/partial"))
struct FragmentCorpusTests {
    static func reassembled(_ paths: [String]) throws -> [UInt8] {
        let fragments = try paths.map { path in
            let octets = try Corpus.octets(path)
            return try #require(Message(parsing: octets).fragment)
        }
        guard case .complete(let octets) = MessageFragment.reassemble(fragments).value else {
            Issue.record("not complete")
            return []
        }
        return octets
    }

    @Test(
        "come to the messages that are beside them",
        arguments: [("rfc2046", 2), ("message-partial", 3)])
    func mimeKit(_ name: String, _ count: Int) throws {
        let octets = try Self.reassembled((0..<count).map { "mimekit/partial/\(name).\($0).eml" })
        #expect(octets == (try Corpus.octets("mimekit/partial/\(name).eml")))
    }

    @Test("of a newsgroup come to a message with its picture")
    func mailCore() throws {
        let folder = "mailcore2/parser/input/partial/message-partial"
        let message = Message(
            parsing: try Self.reassembled(["\(folder).2.msg.txt", "\(folder).1.msg.txt"]))
        #expect(message.subject == "{15_3779; Victoria & Cherry}: suzeFan - 2377h003.jpg")
        let file = try #require(message.attachedFiles.first)
        #expect(file.safeName == "2377h003.jpg" && file.octets.prefix(3) == [0xFF, 0xD8, 0xFF])
        #expect(file.read { _ in }.isEmpty)
    }
}

@Suite("External bodies")
struct ExternalBodyTests {
    @Test("say where they are")
    func ftp() throws {
        let message = lines(
            "Content-Type: message/external-body; name=\"BodyFormats.ps\"; site=\"ftp.example.org\"; mode=\"image\";",
            " access-type=ANON-FTP; directory=\"pub\"; size=1234; permission=read-write;",
            " expiration=\"Fri, 14 Jun 1991 19:13:14 -0400 (EDT)\"", "",
            "Content-type: application/postscript",
            "Content-ID: <id42@example.org>", "", "phantom")
        let body = try #require(message.root.externalBody)
        #expect(
            body.accessType == "anon-ftp" && body.site == "ftp.example.org"
                && body.directory == "pub")
        #expect(
            body.name == "BodyFormats.ps" && body.mode == "image" && body.permission == "read-write"
        )
        #expect(body.sizeInOctets == 1_234 && body.expiration != nil)
        #expect(body.type.description == "application/postscript")
        #expect(body.contentID == "id42@example.org")
        #expect(String(decoding: body.phantom.decodedBody().value, as: UTF8.self) == "phantom")
    }

    @Test("have URLs without the blanks that fold them")
    func url() throws {
        let message = lines(
            "Content-Type: message/external-body; access-type=URL; URL=\"http://example.org/ a/",
            " b\"", "", "Content-Type: image/png", "", "")
        #expect(message.root.externalBody?.url == "http://example.org/a/b")
        #expect(lines("Content-Type: text/plain", "", "").root.externalBody == nil)
        #expect(
            lines("Content-Type: message/external-body", "", "").root.externalBody?.accessType == ""
        )
    }
}
