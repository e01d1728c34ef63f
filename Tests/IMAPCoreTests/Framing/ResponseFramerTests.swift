import MartletBytes
import MartletIMAPCore
import MartletTestSupport
import Testing

@Suite("Response framer")
struct ResponseFramerTests {
    static let sessions: [String] = [
        "* OK ready\r\nA1 OK [CAPABILITY IMAP4rev1] done\r\n+ go on\r\n+\r\n* BYE bye\r\n",
        "* 1 FETCH (UID 7 BODY[] {3}\r\nabc FLAGS ())\r\n* 2 FETCH (BODY[TEXT] {0}\r\n)\r\nA2 OK x\r\n",
        "* LIST () \"/\" {5}\r\nab\r\nc\r\n* LIST () NIL x\r\n",
        "* OK text ends with {5}\r\nA1 NO so does this {99}\r\n+ and this {7}\r\n* 1 EXISTS\r\n",
        "\r\n\r\n* 1 EXISTS\n\n* 2 EXISTS\r\n",
        "* 1 FETCH (BODYSTRUCTURE (\"a\" \"long\r\n name.pdf\" \"x\"))\r\n* 2 FETCH (UID 1)\r\n",
        "* LIST () \"/\" a\"b\r\n* LIST () \"/\" c\"d\r\nA10 OK done\r\n",
        "* LIST () \"/\" a\"b\r\nA10 FETCH\"\r\nA11 BAD done\r\n",
        "* 1 FETCH (BINARY[1] ~{4}\r\n\0\r\n\0 BODY[1]<0> {2+}\r\nhi)\r\n",
        "* 3 FETCH (\0 UID 4)\r\n",
        "* LIST () \"\\\" INBOX\r\n* LIST () \"\\\" \"INBOX\\\\a\"\r\nA1 OK done\r\n",
    ]

    @Test("gives the same however its input is cut", arguments: sessions)
    func cuts(session: String) {
        let octets = Array(session.utf8)
        let whole = Replay(octets)
        #expect(whole.failure == nil)
        #expect(!whole.frames.isEmpty)
        #expect(Replay(octets, .everyOctet) == whole)
        for place in 1..<octets.count {
            #expect(Replay(octets, .at(place)) == whole, "cut at \(place)")
        }
        var small = IMAPLimits()
        small.detachedLiteralInOctets = 1
        let detached = Replay(octets, limits: small)
        #expect(Replay(octets, .everyOctet, limits: small) == detached)
        for place in 1..<octets.count {
            #expect(Replay(octets, .at(place), limits: small) == detached, "cut at \(place)")
        }
    }

    @Test("gives the first responses of a stream that is cut off anywhere", arguments: sessions)
    func prefixes(session: String) {
        let octets = Array(session.utf8)
        let whole = Replay(octets).frames
        for count in octets.indices {
            let frames = Replay(Array(octets[..<count])).frames
            #expect(frames == Array(whole.prefix(frames.count)), "the first \(count) octets")
        }
    }

    @Test("takes no literal from the text of status responses, or from a name that ends like one")
    func textWithBraces() {
        let lines = Replay(Array(Self.sessions[3].utf8)).lines
        #expect(
            lines == [
                "* OK text ends with {5}", "A1 NO so does this {99}", "+ and this {7}",
                "* 1 EXISTS",
            ])
        #expect(Replay(Array("* LIST () \"/\" a{5}\r\n* 1 EXISTS\r\n".utf8)).lines.count == 2)
    }

    @Test("takes a bare LF as line end and passes over empty lines")
    func lineEnds() {
        #expect(Replay(Array(Self.sessions[4].utf8)).lines == ["* 1 EXISTS", "* 2 EXISTS"])
    }

    @Test("joins lines within quotes, and no others")
    func joinedLines() {
        let joined = Replay(Array(Self.sessions[5].utf8)).frames
        #expect(joined.map(\.damage) == [.joinedLines, nil])
        #expect(Replay(Array(Self.sessions[6].utf8)).lines.count == 3)
        // A tag alone is none of our responses.
        #expect(Replay(Array(Self.sessions[7].utf8)).lines.count == 2)
    }

    @Test("gives up waiting for the rest of a line whose quotes do not balance")
    func openQuote() {
        let octets = Array("* LIST () \"/\" a\"b\r\n".utf8)
        #expect(Replay(octets).frames.isEmpty)
        #expect(Replay(octets, losesPatience: true).lines == ["* LIST () \"/\" a\"b"])
    }

    @Test("hands a large literal on while it comes, and says whose it is")
    func detached() {
        var limits = IMAPLimits()
        limits.detachedLiteralInOctets = 10
        let text =
            "* 5 FETCH (UID 9 BODY[1.MIME] {3}\r\nabc BODY[2]<7> {12}\r\n0123456789ab FLAGS (x))\r\n"
        let replay = Replay(Array(text.utf8), .every(7), limits: limits)
        guard case .literal(let literal, let octets, true)? = replay.events.first else {
            Issue.record("no literal")
            return
        }
        #expect(text.contains(String(decoding: octets, as: UTF8.self)) && octets.count == 12)
        #expect(literal.size == 12)
        let section = FetchItem.section(
            MessageSection(PartNumber([2])), origin: 7, .detached(index: 0, size: 12))
        #expect(
            literal.owner == LiteralOwner(number: SequenceNumber(5), uid: UID(9), item: section))
        guard case .fetch(let response)? = replay.responses.first else {
            Issue.record("no FETCH")
            return
        }
        #expect(response.items[2] == section)
        #expect(response.flags == [MessageFlag("x")!])
        #expect(
            response.data(of: MessageSection(PartNumber([1]), .mime))
                == .octets(Array("abc".utf8)[...]))
    }

    @Test("is at a literal until all of it has come")
    func isInLiteral() throws {
        var framer = ResponseFramer()
        framer.append(Array("* 1 FETCH (BODY[] {2}\r\na".utf8))
        #expect(try framer.next() == nil)
        #expect(framer.isInLiteral && framer.hasBufferedOctets)
        framer.append(Array("b)\r\nrest".utf8))
        #expect(try framer.next() != nil)
        #expect(try framer.next() == nil)
        #expect(!framer.isInLiteral && framer.hasBufferedOctets)
        #expect(framer.excerpt == "rest")
        #expect(framer.takeBufferedOctets() == Array("rest".utf8))
        #expect(!framer.hasBufferedOctets)
    }

    @Test("hands whole responses on without a copy")
    func slices() throws {
        var framer = ResponseFramer()
        let octets = Array("* 1 EXISTS\r\n* 2 EXISTS\r\n".utf8)
        framer.append(octets)
        _ = try framer.next()
        guard case .response(let frame)? = try framer.next() else {
            Issue.record("no response")
            return
        }
        #expect(frame.octets.startIndex == 12)
    }
}

@Suite("Limits of the response framer")
struct ResponseFramerLimitsTests {
    private static func failure(_ text: String, limits: IMAPLimits = .standard) -> FramingError? {
        Replay(Array(text.utf8), limits: limits).failure
    }

    @Test("a literal of 4 GiB is streamed, one beyond the limit or 64 bits is refused")
    func announced() {
        let replay = Replay(Array("* 1 FETCH (BODY[] {4294967296}\r\nab".utf8))
        #expect(replay.failure == nil)
        guard case .literal(let literal, let octets, false)? = replay.events.first else {
            Issue.record("no literal")
            return
        }
        #expect(literal.size == 1 << 32 && octets == Array("ab".utf8))
        let limit = IMAPLimits.standard.literalInOctets
        #expect(
            Self.failure("* 1 FETCH (BODY[] {\(limit + 1)}\r\n") == .literalTooLarge(limit: limit))
        for digits in [
            "99999999999999999999", "18446744073709551616", String(repeating: "9", count: 5_000),
        ] {
            #expect(
                Self.failure("* 1 FETCH (BODY[] {\(digits)}\r\n") == .literalTooLarge(limit: limit))
        }
    }

    @Test("a line without an end is refused")
    func line() {
        var limits = IMAPLimits()
        limits.lineInOctets = 100
        let line = "* SEARCH " + String(repeating: "1 ", count: 44)
        #expect(Self.failure(line + "1\r\n", limits: limits) == nil)
        #expect(Self.failure(line + "1234", limits: limits) == .lineTooLong(limit: 100))
        #expect(Self.failure(line + "12\r\n", limits: limits) == .lineTooLong(limit: 100))
    }

    @Test("a million numbers are one line")
    func millionNumbers() {
        let line = "* SEARCH" + String(repeating: " 1234567890", count: 1_000_000) + "\r\n"
        let replay = Replay(Array(line.utf8), .every(65_536))
        guard case .search(let response)? = replay.responses.first else {
            Issue.record("no SEARCH")
            return
        }
        #expect(response.numbers.count == 1_000_000)
    }

    @Test("literals have a number and a size together")
    func literals() {
        var limits = IMAPLimits()
        limits.literalCount = 3
        let three = String(repeating: " {1}\r\nx", count: 3)
        #expect(Self.failure("* X" + three + "\r\n", limits: limits) == nil)
        #expect(
            Self.failure("* X" + three + " {0}\r\n", limits: limits) == .tooManyLiterals(limit: 3))
        limits = IMAPLimits()
        limits.literalsInMemoryInOctets = 8
        #expect(
            Self.failure("* X {5}\r\n12345 {4}\r\n1234\r\n", limits: limits)
                == .literalsTooLarge(limit: 8))
    }

    @Test("a megabyte in single octets takes no longer than its octets", .timeLimit(.minutes(1)))
    func singleOctets() {
        let literal = String(repeating: "0123456789abcdef", count: 10_000)
        let text = "* 1 FETCH (UID 1 BODY[] {\(literal.utf8.count)}\r\n\(literal))\r\n"
        let octets = Array(String(repeating: text, count: 7).utf8)
        let replay = Replay(octets, .everyOctet)
        #expect(replay.frames.count == 7)
        #expect(replay == Replay(octets))
    }

    @Test("TLS instead of IMAP is told")
    func tls() {
        #expect(Self.failure("\u{16}\u{3}\u{1}") == .tlsRecord)
        #expect(Self.failure("\u{15}\u{3}\u{3}\0\u{2}") == .tlsRecord)
    }
}
