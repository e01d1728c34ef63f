import MartletBytes
import MartletTestSupport
import Testing

@testable import MartletMIME

private let jane = try! MailboxAddress("jane@example.org")

private func render(
    _ change: (inout OutgoingMessage) throws -> Void
) throws -> (raw: [UInt8], message: ReadMessage) {
    var message = OutgoingMessage(from: jane)
    try change(&message)
    let raw = try #require(try message.rendered().octetsInMemory)
    return (raw, try ReadMessage(raw))
}

private func headerLines(_ raw: [UInt8]) -> [String] {
    Array(text(raw).lines.prefix { !$0.isEmpty })
}

@Suite("Header folding")
struct HeaderFoldingTests {
    @Test("keeps lines within 78, folds only at blanks, and loses none")
    func folds() throws {
        let subject = (1...60).map { "word\($0)" + ($0 % 7 == 0 ? "  " : "") }.joined(
            separator: " ")
        let (raw, message) = try render { $0.subject = subject }
        #expect(headerLines(raw).allSatisfy { $0.utf8.count <= 78 })
        #expect(message["Subject"] == subject)
        #expect(headerLines(raw).count { $0.first == " " } > 3)
    }

    @Test("leaves a short field on one line, to the last octet", arguments: [68, 69, 70, 71])
    func border(count: Int) throws {
        // "Subject: " and one space take 10 of the 78 octets.
        let subject = String(repeating: "x", count: count - 5) + " yyyyy"
        let (raw, message) = try render { $0.subject = subject }
        let line = try #require(headerLines(raw).first { $0.hasPrefix("Subject") })
        #expect((line == "Subject: " + subject) == (count <= 68))
        #expect(message["Subject"] == subject)
    }

    @Test("a word too long for a line of 998 is encoded in a subject")
    func longWord() throws {
        for count in [900, 901, 5_000] {
            let subject = "a " + String(repeating: "x", count: count) + " b"
            let (raw, message) = try render { $0.subject = subject }
            #expect(headerLines(raw).allSatisfy { $0.utf8.count <= 998 })
            #expect(message.decoded("Subject") == subject)
            #expect((message["Subject"] == subject) == (count <= 900))
        }
    }

    @Test("a word too long for a line of 998 is refused in an extra field, by name")
    func longExtra() throws {
        let ok = String(repeating: "x", count: 997)
        let (raw, message) = try render { try $0.extraFields.append("X-Long", "a " + ok) }
        #expect(message["X-Long"] == "a " + ok)
        #expect(headerLines(raw).map(\.utf8.count).max() == 998)
        let error = try #require(throws: CompositionError.self) {
            try render { try $0.extraFields.append("X-Long", ok + "xx") }
        }
        #expect(error.kind == .tooLong(limit: 998) && error.field == "X-Long")
    }

    @Test("runs of blanks never make a line of blanks only")
    func blanks() throws {
        for count in [1, 19, 20, 21, 70, 80, 500] {
            let subject =
                "a" + String(repeating: " ", count: count) + "b"
                + String(repeating: "c ", count: 60)
            let (raw, message) = try render { $0.subject = subject }
            #expect(message.decoded("Subject") == subject)
            #expect(headerLines(raw).allSatisfy { $0.contains { $0 != " " } })
            #expect(headerLines(raw).allSatisfy { $0.utf8.count <= 78 })
        }
    }

    @Test("refuses a text beyond its limit, and a header section beyond 1 MiB")
    func limits() throws {
        let long = String(repeating: "é", count: MessageHeader.textLimit / 2)
        #expect(try render { $0.subject = long }.message.decoded("Subject") == long)
        var error = try #require(throws: CompositionError.self) {
            try render { $0.subject = long + "x" }
        }
        #expect(error.kind == .tooLong(limit: MessageHeader.textLimit) && error.field == "Subject")
        error = try #require(throws: CompositionError.self) {
            try render { $0.to = Array(repeating: jane, count: 70_000) }
        }
        #expect(error.kind == .tooLong(limit: 1 << 20))
    }

    @Test("many recipients are one a word, with commas")
    func recipients() throws {
        let to = try (1...500).map { try MailboxAddress("User \($0) <user\($0)@example.org>") }
        let (raw, message) = try render { $0.to = to }
        #expect(AddressList(try #require(message["To"])).mailboxes == to)
        #expect(headerLines(raw).allSatisfy { $0.utf8.count <= 78 })
    }

    @Test("message IDs are kept whole and separated by white space")
    func messageIDs() throws {
        let names = try (1...30).map {
            try MessageID("<\(String(repeating: "x", count: $0 * 4))@a>")
        }
        let (raw, message) = try render {
            $0.references = names
            $0.inReplyTo = [names[29]]
            $0.messageID = try MessageID("id@example.org")
        }
        #expect(message["References"] == names.map(\.description).joined(separator: " "))
        #expect(message["In-Reply-To"] == names[29].description)
        #expect(headerLines(raw).contains("Message-ID: <id@example.org>"))
    }
}

@Suite("Encoded words")
struct EncodedWordTests {
    @Test(
        "stand only where they are needed, with the blanks right",
        arguments: [
            ("Hello world", "Hello world"),
            ("", ""),
            ("Überraschung an alle", "=?UTF-8?Q?=C3=9Cberraschung?= an alle"),
            ("a é b", "a =?UTF-8?B?w6k=?= b"),
            ("über naïve", "=?UTF-8?B?w7xiZXIgbmHDr3Zl?="),
            ("Привет, мир", "=?UTF-8?B?0J/RgNC40LLQtdGCLCDQvNC40YA=?="),
            (" lead", "=?UTF-8?Q?_lead?="), ("trail ", "=?UTF-8?Q?trail_?="),
            (" ", "=?UTF-8?Q?_?="),
            ("a  b", "a  b"),
            ("see =?UTF-8?Q?x?= here", "see =?UTF-8?B?PT9VVEYtOD9RP3g/PQ==?= here"),
            ("1 =? 2", "1 =?UTF-8?B?PT8=?= 2"),
            ("bell \u{7}", "bell =?UTF-8?Q?=07?="),
            ("what = that?", "what = that?"),
        ])
    func table(subject: String, value: String) throws {
        #expect(try render { $0.subject = subject }.message["Subject"] == value)
    }

    @Test(
        "any subject survives in words of at most 75 on lines of at most 76",
        arguments: UInt64(0)..<400)
    func law(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let subject = randomText(words: 0...40, controls: true, &random)
        let name = randomText(words: 0...12, &random)
        let (raw, message) = try render {
            $0.subject = subject
            $0.to = [
                try MailboxAddress(displayName: name, localPart: "a", domain: "x.org"), jane,
            ]
        }
        #expect(message.decoded("Subject") == subject)
        let to = AddressList(try #require(message["To"])).mailboxes
        #expect(to.map(\.addrSpec) == ["a@x.org", "jane@example.org"])
        #expect(to[0].displayName ?? "" == name)
        for line in headerLines(raw) {
            let words = line.split(separator: " ").filter {
                decodeEncodedWord(Array($0.utf8)) != nil
            }
            for word in words {
                #expect(word.utf8.count <= 75)
                let octets = try #require(decodeEncodedWord(Array(word.utf8)))
                #expect(String(validating: octets, as: UTF8.self) != nil)
            }
            #expect(words.isEmpty || line.utf8.count <= 76)
            #expect(line.utf8.count <= 998)
            #expect(line.utf8.allSatisfy { $0 == 9 || ($0 >= 32 && $0 < 127) })
        }
    }

    @Test(
        "never cut a grapheme that fits a word", arguments: ["👩‍👩‍👧‍👦", "🇨🇭", "e\u{301}", "👍🏽", "ж", "x🎉"])
    func graphemes(character: String) throws {
        for shift in 0..<30 {
            let subject =
                String(repeating: "é", count: shift) + String(repeating: character, count: 40)
            let value = try #require(try render { $0.subject = subject }.message["Subject"])
            let words = value.split(separator: " ")
            let characters = words.map { word in
                text(decodeEncodedWord(Array(word.utf8))!).count
            }
            #expect(characters.reduce(0, +) == subject.count)
        }
    }

    @Test("a grapheme longer than a word is cut between its scalars")
    func zalgo() throws {
        let subject = "z" + String(repeating: "\u{301}", count: 200)
        let (raw, message) = try render { $0.subject = subject }
        #expect(message.decoded("Subject") == subject)
        #expect(headerLines(raw).allSatisfy { $0.utf8.count <= 76 })
    }

    @Test(
        "display names are atoms, quoted strings or encoded words",
        arguments: [
            ("Jane Doe", "Jane Doe <j@x.org>"), ("Doe, Jane", "\"Doe, Jane\" <j@x.org>"),
            ("J. Doe", "\"J. Doe\" <j@x.org>"), ("a \"b\" \\", "\"a \\\"b\\\" \\\\\" <j@x.org>"),
            ("two  spaces", "\"two  spaces\" <j@x.org>"), (" x", "\" x\" <j@x.org>"),
            ("Jürgen Mustermann, Dr.", "=?UTF-8?Q?J=C3=BCrgen_Mustermann=2C_Dr=2E?= <j@x.org>"),
            ("=?UTF-8?Q?x?=", "=?UTF-8?B?PT9VVEYtOD9RP3g/PQ==?= <j@x.org>"),
            ("x@y", "\"x@y\" <j@x.org>"),
        ])
    func names(name: String, value: String) throws {
        let message = try render {
            $0.to = [try MailboxAddress(displayName: name, localPart: "j", domain: "x.org")]
        }.message
        #expect(message["To"] == value)
    }

    @Test(
        "of a long subject stand for what is not ASCII, and never for nothing",
        arguments: [
            "Einladung zur außerordentlichen Mitgliederversammlung des Vereins zur Förderung der "
                + "Grundstücksverkehrsgenehmigungszuständigkeitsübertragungsverordnung am Dienstag in Köln",
            "Procès-verbal de l'assemblée générale extraordinaire des copropriétaires de la résidence "
                + "« Les Mûriers » à Besançon, réunie à l'hôtel de ville le vingt-huit février à dix heures",
            String(repeating: "🎉", count: 40), String(repeating: "👍🏽", count: 40),
        ])
    func longSubjects(subject: String) throws {
        let (raw, message) = try render { $0.subject = subject }
        let value = try #require(message["Subject"])
        #expect(HeaderText.decode(Array(value.utf8)[...]).value == subject)
        let words = value.split(separator: " ")
        for word in words where word.contains("=?") {
            let octets = try #require(decodeEncodedWord(Array(word.utf8)))
            #expect(!octets.isEmpty)
        }
        let plain = subject.split(separator: " ").filter { $0.utf8.allSatisfy { $0 < 0x80 } }
        // An ASCII word is encoded only between two that have to be, with the blanks around it.
        #expect(words.filter { !$0.contains("=?") }.allSatisfy(plain.contains))
        #expect(headerLines(raw).allSatisfy { $0.utf8.count <= 78 })
    }

    @Test("a display name in quotes is never folded: some take the fold for a part of it")
    func quoted() throws {
        for count in [60, 70, 80, 200] {
            let name = "Doe, Jane " + String(repeating: "x ", count: count / 2) + "(Example)"
            let (raw, message) = try render {
                $0.to = [try MailboxAddress(displayName: name, localPart: "j", domain: "x.org")]
            }
            #expect(decodeEncodedWords(message["To"]!).contains(name))
            #expect(headerLines(raw).allSatisfy { $0.utf8.count { $0 == ASCII.quote } % 2 == 0 })
            #expect(headerLines(raw).allSatisfy { $0.utf8.count <= 80 })
        }
    }

    @Test("a word in base64 that others follow has no padding where a character ends in time")
    func padding() throws {
        for piece in ["ж", "日本", "é🎉", "👩‍👩‍👧‍👦🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉"] {
            for shift in 0..<4 {
                let subject =
                    String(repeating: "x", count: shift) + String(repeating: piece, count: 30)
                let message = try render { $0.subject = subject }.message
                let words = try #require(message["Subject"]).split(separator: " ")
                #expect(message.decoded("Subject") == subject)
                for (word, next) in zip(words, words.dropFirst()) where next.contains("?B?") {
                    #expect(!word.contains("=?=") || word.contains("?Q?"))
                }
            }
        }
    }

    @Test("a display name of nothing but spaces keeps its lines short")
    func spaces() throws {
        let name = "a" + String(repeating: " ", count: 3_000) + "b"
        let (raw, message) = try render {
            $0.to = [try MailboxAddress(displayName: name, localPart: "j", domain: "x.org")]
        }
        #expect(headerLines(raw).allSatisfy { $0.utf8.count <= 78 })
        #expect(decodeEncodedWords(message["To"]!) == name + " <j@x.org>")
    }
}

@Suite("Parameters")
struct ParameterTests {
    private func pieces(_ value: String) -> [String] {
        Parameters.pieces(name: "filename", value: value).map(text)
    }

    @Test(
        "are tokens, quoted strings or percent-encoded",
        arguments: [
            ("a.txt", "filename=a.txt"), ("a b.txt", "filename=\"a b.txt\""),
            ("*", "filename=\"*\""), ("a%20b", "filename=\"a%20b\""),
            ("a\"b\\.txt", "filename=\"a\\\"b\\\\.txt\""), ("", "filename=\"\""),
            ("é.txt", "filename*=utf-8''%C3%A9.txt"), ("a;b", "filename=\"a;b\""),
            ("100% 'sure'*.txt", "filename=\"100% 'sure'*.txt\""),
            ("ж 'x'*%.txt", "filename*=utf-8''%D0%B6%20%27x%27%2A%25.txt"),
            ("=?UTF-8?Q?x?=", "filename*=utf-8''%3D%3FUTF-8%3FQ%3Fx%3F%3D"),
            ("tab\t", "filename*=utf-8''tab%09"),
        ])
    func table(value: String, piece: String) {
        #expect(pieces(value) == [piece])
    }

    @Test("are cut into sections when long, never inside a character")
    func sections() {
        #expect(
            pieces(String(repeating: "x", count: 80)).first?.hasPrefix("filename*0=\"xxx") == true)
        #expect(
            pieces(String(repeating: "ж", count: 80)).first?.hasPrefix("filename*0*=utf-8''%D0%B6")
                == true)
        #expect(pieces(String(repeating: "ж", count: 80))[1].hasPrefix("filename*1*=%D0%B6"))
        for piece in pieces(String(repeating: "👩‍👩‍👧‍👦", count: 20)) {
            #expect(piece.utf8.count <= 400)
        }
    }

    @Test("any file name survives on lines of at most 78", arguments: UInt64(0)..<300)
    func law(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let name = randomText(words: 0...12, controls: true, &random)
        guard name.utf8.count <= Attachment.nameLimitInOctets else { return }
        let (raw, message) = try render {
            $0.attachments = [Attachment(name: name, content: OctetArray([1]))]
        }
        #expect(text(raw).lines.allSatisfy { $0.utf8.count <= 78 })
        let part = try #require(message.parts.first)
        let isNamed = !name.isEmpty
        #expect(part.parameter("filename", of: "Content-Disposition") == (isNamed ? name : nil))
        #expect(part.parameter("name", of: "Content-Type") == (isNamed ? name : nil))
    }
}
