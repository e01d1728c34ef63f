import MartletBytes
import MartletFiles
import MartletMIME
import MartletTestSupport
import Testing

/// The messages of an mbox in memory, as text.
private func messages(
    _ mbox: String, variant: MboxVariant? = nil, unescaping: Bool = false
) throws -> [String] {
    var reader = MboxReader(Octets(Array(mbox.utf8)), variant: variant)
    var messages: [String] = []
    while let message = try reader.next() {
        let octets = try reader.octets(of: message, unescaping: unescaping)
        messages.append(String(decoding: octets[0..<octets.count], as: UTF8.self))
    }
    return messages
}

private let from = "From jane@example.org Thu Feb  8 18:49:08 1996\n"

@Suite("Mbox reader")
struct MboxReaderTests {
    @Test("finds messages, their senders and dates, and leaves the empty lines between them out")
    func plain() throws {
        let mbox = """
            From jane@example.org Thu Feb  8 18:49:08 1996
            Subject: one

            First.

            From MAILER-DAEMON Fri Feb  9 00:00:00 1996
            Subject: two

            Second.

            """
        var reader = MboxReader(Octets(Array(mbox.utf8)))
        let first = try #require(try reader.next())
        #expect(first.separatorRange == 0..<47)
        #expect(first.range == 47..<68)
        #expect(first.sender == "jane@example.org")
        #expect(first.date == MailDate(secondsSinceEpoch: 823_805_348))
        let second = try #require(try reader.next())
        #expect(second.separatorRange.lowerBound == 69)
        #expect(second.sender == "MAILER-DAEMON")
        #expect(second.range.upperBound == mbox.utf8.count)
        #expect(try reader.next() == nil)
        #expect(try reader.next() == nil)
        #expect(reader.leadingRange == 0..<0)
    }

    @Test(
        "takes no sentence that begins with From for a separator",
        arguments: [
            "\nFrom Russia with love\nYear: 1963\n", "\nFrom x\n", "\nFrom x\nSubject: y\n",
            "\nFrom bob@example.com\nSubject: y\n", "\nFrom - \nSubject: y\n",
            "\nFrom May 5 2024 10:00 on\n", "\nFrom Monday, 5 May 2024\n", "\nFrom \n", "\nFrom\n",
            "\n>From bob Thu Feb  8 18:49:08 1996\n", "\n From bob Thu Feb  8 18:49:08 1996\n",
            "\nFrom bob Thu Feb  8 18:49:08 1996 until now\n", "\nfrom a Thu Feb 8 18:49:08 1996\n",
            "\nFrom bob Thu Feb 32 18:49:08 1996\n", "\nFrom bob Thu Feb 3 25:49:08 1996\n",
            "text\nFrom bob Thu Feb  8 18:49:08 1996\nis prose here\n",
            "\rFrom bob Thu Feb  8 18:49:08 1996\n",
        ])
    func prose(body: String) throws {
        let mbox = from + "Subject: a\n\n" + body + "end\n\n" + from + "Subject: b\n\n"
        #expect(try messages(mbox) == ["Subject: a\n\n" + body + "end\n", "Subject: b\n"])
    }

    @Test(
        "knows the forms a date has in separators",
        arguments: [
            ("From a@b.test Thu Feb  8 18:49:08 1996", 823_805_348, 0),
            ("From a@b.test Thu Feb 08 18:49:08 +0100 1996", 823_801_748, 60),
            ("From a@b.test Thu Feb  8 18:49:08 1996 -0500", 823_823_348, -300),
            ("From a@b.test Thu Feb  8 18:49:08 PST 1996", 823_834_148, -480),
            ("From a@b.test Thu Feb  8 18:49:08 +0000 1996 (UTC)", 823_805_348, 0),
            ("From a@b.test Thu Feb  8 18:49 1996", 823_805_340, 0),
            ("From a@b.test Thu Feb  8 1996 18:49:08", 823_805_348, 0),
            ("From a@b.test Feb  8 18:49:08 1996", 823_805_348, 0),
            ("From a@b.test Thu, 8 Feb 1996 18:49:08 +0000", 823_805_348, 0),
            ("From a@b.test Thu Feb  8 18:49:08 1996 remote from uunet", 823_805_348, 0),
            ("From a@b.test Thu Feb  8 18:49:08 96", 823_805_348, 0),
            ("From  Thu Feb  8 18:49:08 1996", 823_805_348, 0),
            ("From a b c Thu Feb  8 18:49:08 1996", 823_805_348, 0),
            ("From a@b.test Thu Feb 29 00:00:60 2024", 1_709_164_860, 0),
            ("From a@b.test Sat Jan 01 00:00:00 2000 ", 946_684_800, 0),
            ("From a@b.test\tThu Feb  8 18:49:08 1996\r", 823_805_348, 0),
        ] as [(String, Int64?, Int)])
    func dates(line: String, seconds: Int64?, offset: Int) throws {
        let mbox = from + "Subject: a\n\nx\n\n" + line + "\nSubject: b\n\ny\n"
        var reader = MboxReader(Octets(Array(mbox.utf8)))
        _ = try reader.next()
        let date = try reader.next()?.date
        #expect(
            date
                == seconds.map { MailDate(secondsSinceEpoch: $0, offsetInMinutes: offset) })
    }

    @Test(
        "shows the sender as it is written, on one line",
        arguments: [
            ("jane@example.org", "jane@example.org"), ("-", nil), ("", nil),
            ("\"jane doe\"@example.org", "\"jane doe\"@example.org"),
            ("a\u{1B}[2Jb", "a\u{FFFD}[2Jb"), ("jürgen@example.org", "jürgen@example.org"),
        ] as [(String, String?)])
    func senders(written: String, shown: String?) throws {
        let mbox = "From \(written) Thu Feb  8 18:49:08 1996\n\n"
        var reader = MboxReader(Octets(Array(mbox.utf8)))
        #expect(try #require(try reader.next()).sender == shown)
    }

    @Test("takes separators without a date where the first has none")
    func undated() throws {
        let mozilla = "From - \nSubject: a\n\nx\nFrom - \nSubject: b\n\nFrom - me\nFrom -\nto you\n"
        #expect(
            try messages(mozilla)
                == ["Subject: a\n\nx", "Subject: b\n\nFrom - me\nFrom -\nto you\n"])
        let numbered = "From 1@xxx\nSubject: a\n\nFrom here\n\nFrom 2@xxx\nSubject: b\n\nx\n"
        #expect(try messages(numbered) == ["Subject: a\n\nFrom here\n", "Subject: b\n\nx\n"])
    }

    @Test("splits without an empty line where a header field follows, as Netscape wrote it")
    func netscape() throws {
        let mbox = from + "Subject: a\n\n--x--\n" + from + "Subject: b\n\ny\n"
        #expect(try messages(mbox) == ["Subject: a\n\n--x--", "Subject: b\n\ny\n"])
        // the first line of a message is its own
        #expect(try messages(from + from + "Subject: a\n\n") == [from + "Subject: a\n"])
    }

    @Test("reads CRLF, empty messages, byte order marks and empty lines in front")
    func shapes() throws {
        let crlf = (from + "Subject: a\n\nx\n\n" + from + "Subject: b\n\ny\n")
            .split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\r\n")
        #expect(
            try messages(crlf) == ["Subject: a\r\n\r\nx\r\n", "Subject: b\r\n\r\ny\r\n"])
        #expect(try messages(from + "\n" + from + "\n" + from) == ["", "", ""])
        #expect(try messages(String(from.dropLast())) == [""])
        #expect(try messages("\u{FEFF}\n\r\n" + from + "a: b\n\n") == ["a: b\n"])
    }

    @Test("keeps what stands before the first separator, and finds none in other files")
    func leading() throws {
        let junk = "Not mail at all.\n\n"
        var reader = MboxReader(Octets(Array((junk + from + "a: b\n").utf8)))
        #expect(reader.leadingRange == 0..<junk.utf8.count)
        #expect(try reader.next() != nil)
        for text in ["", "\n", "From", "From ", "Subject: a\n\nFrom me\n", "From: a\n\nb\n"] {
            var reader = MboxReader(Octets(Array(text.utf8)))
            #expect(reader.leadingRange == 0..<text.utf8.count)
            #expect(try reader.next() == nil)
        }
    }

    @Test("believes a Content-Length only where a separator or the end follows")
    func contentLength() throws {
        let body = "x\n\n" + from + "Subject: inner\n\n"
        let length = body.utf8.count
        func mbox(_ first: String, _ second: String = "2") -> String {
            from + "Content-Length: \(first)\n\n" + body + "\n" + from
                + "content-length :\(second) \n\ny\n\n"
        }
        let both = [
            "Content-Length: \(length)\n\n" + body, "content-length :2 \n\ny\n",
        ]
        #expect(try messages(mbox("\(length)")) == both)
        #expect(MboxReader(Octets(Array(mbox("\(length)").utf8))).variant == .mboxcl2)
        #expect(try messages(mbox("\(length)"), variant: .mboxrd).count == 3)
        // a wrong one anywhere among the first messages: the file is not of that kind
        #expect(try messages(mbox("\(length)", "17")).count == 3)
        #expect(try messages(mbox("\(length)", "17"), variant: .mboxcl2).count == 2)
        for wrong in [
            "\(length - 3)", "9999999", "99999999999999999999", "-1", "", "1 2",
            "2\nContent-Length: \(length)",
        ] {
            #expect(try messages(mbox(wrong), variant: .mboxcl2).count == 3)
        }
    }

    @Test("takes the escapes away where it is asked to")
    func unescaping() throws {
        let body = ">From a\n>>From b\n> From c\nx >From d\n>From"
        let mbox = from + "a: b\n\n" + body + "\n"
        #expect(try messages(mbox) == ["a: b\n\n" + body + "\n"])
        #expect(
            try messages(mbox, unescaping: true)
                == ["a: b\n\nFrom a\n>From b\n> From c\nx >From d\n>From\n"])
        #expect(
            try messages(mbox, variant: .mboxo, unescaping: true)
                == ["a: b\n\nFrom a\n>>From b\n> From c\nx >From d\n>From\n"])
        #expect(
            try messages(mbox, variant: .mboxcl2, unescaping: true) == ["a: b\n\n" + body + "\n"])
    }

    @Test("shares the octets of an mbox in memory, and limits copies")
    func limit() throws {
        let octets = Octets(Array((from + "a: b\n").utf8))
        var reader = MboxReader(octets)
        let message = try #require(try reader.next())
        #expect(try reader.octets(of: message, limitInOctets: 5).count == 5)
        let error = #expect(throws: FileError.self) {
            try reader.octets(of: message, limitInOctets: 4)
        }
        #expect(error?.kind == .tooLarge(limitInOctets: 4))
        let place = octets.withUnsafeBytes { $0.baseAddress! + 47 }
        #expect(try reader.octets(of: message).withUnsafeBytes { $0.baseAddress == place })
    }
}
