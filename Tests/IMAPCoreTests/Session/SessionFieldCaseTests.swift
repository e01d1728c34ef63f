import MartletBytes
import MartletTestSupport
import Testing

@testable import MartletIMAPCore

@Suite("Field cases of sessions")
struct SessionFieldCaseTests {
    @Test(
        "are got through whole, octet by octet, and cut at every octet",
        arguments: fetchCases + loginCases + liveCases + changeCases)
    func replay(sessionCase: SessionCase) {
        sessionCase.replay(.never)
        sessionCase.replay(.everyOctet)
        for place in 1..<sessionCase.size { sessionCase.replay(.at(place)) }
    }

    @Test(
        "end for good where the server closes behind any octet",
        arguments: fetchCases + loginCases + liveCases + changeCases)
    func breakOff(sessionCase: SessionCase) {
        for place in 0..<sessionCase.size { sessionCase.breakOff(after: place) }
    }

    private static let flags = [FetchAttribute.flags]

    // MARK: FETCH

    static let fetchCases: [SessionCase] = [
        SessionCase(
            1, "one malformed BODYSTRUCTURE of five costs itself alone",
            [
                .run(IMAP.Fetch(UIDSet.of("1:5"), [.bodyStructure])),
                .client("M2 UID FETCH 1:5 (BODYSTRUCTURE)|"),
                .server(
                    (1...5).map { number in
                        let structure =
                            number == 3
                            ? "(\"text\" ((\"plain\" {x} NIL)) \"7bit\")"
                            : "(\"text\" \"plain\" NIL NIL NIL \"7bit\" 5 1)"
                        return "* \(number) FETCH (UID \(number) BODYSTRUCTURE \(structure))\n"
                    }.joined() + "M2 OK done"),
                .holds { talk in
                    let result = talk.output(0, of: IMAP.Fetch<UID>.self)
                    return result?.rows.map(\.hasDamage) == [false, false, true, false, false]
                        && result?.missing == []
                },
            ]),
        SessionCase(
            7, "a literal that is cut short ends when patience does, and costs one row",
            [
                .run(IMAP.Fetch(UIDSet.of("1:2"), [.message, .flags])),
                .client("M2 UID FETCH 1:2 (BODY.PEEK[] FLAGS)|"),
                .server(
                    "* 1 FETCH (UID 1 BODY[] {900}\n" + String(repeating: "x", count: 596)
                        + "\n)\n* 2 FETCH (UID 2 BODY[] {3}\nabc FLAGS ())\nM2 OK done"),
                .events([]), .patienceEnds, .events(["#0 OK"]),
                .holds { talk in
                    let result = talk.output(0, of: IMAP.Fetch<UID>.self)
                    return talk.error == nil && result?.rows.last?.uid == UID(2)
                        && result?.rows.last?.data(of: .message)?.octets == Array("abc".utf8)[...]
                },
                .run(IMAP.Noop()), .client("M3 NOOP|"), .server("M3 OK"), .events(["#1 OK"]),
            ]),
        SessionCase(
            9, "mod-sequences of -1 and 0 are none",
            offering: "IMAP4rev1 CONDSTORE",
            [
                .server("* OK [HIGHESTMODSEQ 12] m\n* OK [HIGHESTMODSEQ 0] m"),
                .holds { $0.session.mailbox?.highestModSeq == nil },
                .run(IMAP.Fetch(UIDSet.of("3"), [.modSeq])),
                .client("M2 UID FETCH 3 (MODSEQ)|"),
                .server("* 1 FETCH (UID 3 MODSEQ (-1))\nM2 OK"),
                .holds { talk in
                    let row = talk.output(0, of: IMAP.Fetch<UID>.self)?.rows.first
                    return row?.uid == UID(3) && row?.modSeq == nil
                },
            ]),
        SessionCase(
            12, "Domino's double parentheses are an answer",
            [
                .run(IMAP.Fetch(UIDSet.of("1"), flags)), .client("M2 UID FETCH 1 (FLAGS)|"),
                .server("* 1 FETCH ((UID 1 FLAGS (\\Seen)))\nM2 OK"),
                .holds { $0.output(0, of: IMAP.Fetch<UID>.self)?.rows.first?.flags == [.seen] },
            ]),
        SessionCase(
            19, "OK without a row says what is missing, not that it is gone",
            [
                .run(IMAP.Fetch(UIDSet.of("4,6"), flags)), .client("M2 UID FETCH 4,6 (FLAGS)|"),
                .server("M2 OK FETCH completed."),
                .events(["#0 OK"]),
                .holds {
                    $0.output(0, of: IMAP.Fetch<UID>.self)?.missing == .of("4,6")
                        && $0.session.mailbox?.messageCount == 3
                },
            ]),
        SessionCase(
            20, "a row without its UID gets the one that its number is known by",
            [
                .server("* 1 FETCH (UID 10 FLAGS ())\n* 3 FETCH (UID 30 FLAGS ())"),
                .events(["changed 1 10", "changed 3 30"]),
                .run(IMAP.Fetch(UIDSet.of("30"), flags)), .client("M2 UID FETCH 30 (FLAGS)|"),
                .server("* 3 FETCH (FLAGS (\\Seen))\nM2 OK"), .events(["#0 OK"]),
                .holds {
                    let result = $0.output(0, of: IMAP.Fetch<UID>.self)
                    return result?.rows.first?.uid == UID(30) && result?.missing == []
                },
            ]),
        SessionCase(
            21, "a parenthesis that closes too early leaves the data in their row",
            [
                .run(IMAP.Fetch(UIDSet.of("1"), [.message])),
                .client("M2 UID FETCH 1 (BODY.PEEK[])|"),
                .server("* 1 FETCH (UID 1) BODY[] {5}\nabc\n)\nM2 OK"),
                .holds {
                    let row = $0.output(0, of: IMAP.Fetch<UID>.self)?.rows.first
                    return row?.data(of: .message)?.octets == Array("abc\r\n".utf8)[...]
                },
            ]),
        SessionCase(
            23, "EXPUNGE between two rows shifts the numbers, not the UIDs; number 0 is none",
            [
                .server(
                    "* 1 FETCH (UID 10 FLAGS ())\n* 2 FETCH (UID 20 FLAGS ())\n* 3 FETCH (UID 30 FLAGS ())"
                ),
                .events(["changed 1 10", "changed 2 20", "changed 3 30"]),
                .run(IMAP.Fetch(UIDSet.of("10,30"), flags)),
                .client("M2 UID FETCH 10,30 (FLAGS)|"),
                .server(
                    "* 1 FETCH (UID 10 FLAGS (\\Seen))\n* 2 EXPUNGE\n* 2 FETCH (FLAGS (\\Draft))\n* 0 FETCH (UID 99 FLAGS ())\nM2 OK"
                ),
                .events(["expunged 2 20", "changed - 99", "#0 OK"]),
                .holds { talk in
                    talk.output(0, of: IMAP.Fetch<UID>.self)?.rows.map(\.uid) == [UID(10), UID(30)]
                        && talk.session.mailbox?.uid(of: SequenceNumber(2)!) == UID(30)
                },
            ]),
        SessionCase(
            24, "SEARCH in answer to what asked for ESEARCH is counted",
            offering: "IMAP4rev1 ESEARCH",
            [
                .run(IMAP.Search<UID>(.all, returning: SearchReturn([.count, .min]))),
                .client("M2 UID SEARCH RETURN (MIN COUNT) ALL|"),
                .server("* SEARCH 7 5 9\nM2 OK"),
                .holds {
                    let result = $0.output(0, of: IMAP.Search<UID>.self)
                    return result?.count == 3 && result?.minimum == UID(5)
                },
            ]),
    ]

    // MARK: Login and TLS

    static let loginCases: [SessionCase] = [
        SessionCase(
            35, "a login that was taken and is not connected: no other password helps",
            [
                .run(IMAP.Noop()), .client("M2 NOOP|"),
                .server("M2 NO User is authenticated but not connected."),
                .events(["#0 NO"]),
                .holds {
                    guard let end = $0.ends[0]?.end else { return false }
                    let error = IMAPError(kind: .refused(end.text), command: "NOOP")
                    return error.recovery == .giveUp
                        && error.description.contains("switched off for this account")
                },
            ]),
        SessionCase(
            39, "octets before the handshake are believed by nobody", offering: nil,
            [
                .server("* OK [CAPABILITY IMAP4rev1 STARTTLS] hi"), .run(IMAP.StartTLS()),
                .client("M1 STARTTLS|"),
                .server("M1 OK begin TLS\n* CAPABILITY IMAP4rev1 AUTH=PLAIN\nM2 OK logged in"),
                .holds {
                    if case .injectedPlaintext? = $0.error?.kind {
                        $0.session.capabilities.isEmpty && !$0.session.isAuthenticated
                    } else {
                        false
                    }
                },
            ]),
        SessionCase(
            40, "a greeting of another protocol is told as such", offering: nil,
            [
                .server("220 mail.example.test ESMTP ready"),
                .holds { $0.error?.description.contains("not IMAP: \"220 mail") == true },
            ]),
        SessionCase(
            44, "two spaces in a row and bare plus signs cost no capability", offering: nil,
            [
                .server("* PREAUTH hi\n* CAPABILITY IMAP4rev1  SASL-IR + + IDLE  LITERAL+"),
                .holds {
                    let capabilities = $0.session.capabilities
                    return capabilities.has(.literalPlus) && capabilities.has(.saslIR)
                        && capabilities.has(.idle)
                },
                .run(Words(name: "X", scope: .authenticated, literal: Array("abc".utf8))),
                .client("M1 X {3+}|abc|"),
            ]),
        SessionCase(
            45, "a CAPABILITY without a code behind the login counts", offering: nil,
            [
                .server("* OK hi"), .run(IMAP.CapabilityCommand()), .client("M1 CAPABILITY|"),
                .server("* CAPABILITY IMAP4rev1 AUTH=PLAIN\nM1 OK"),
                .run(IMAP.Login(user: "a", password: Secret("b"))),
                .client("M2 LOGIN \"a\" \"b\"|"),
                .server("* CAPABILITY IMAP4rev1 IDLE\nM2 OK"),
                .holds {
                    $0.session.capabilitiesAreCurrent && $0.session.capabilities.has(.idle)
                        && !$0.session.capabilities.has(Capability("AUTH=PLAIN"))
                },
            ]),
    ]

    // MARK: The live connection

    static let liveCases: [SessionCase] = [
        SessionCase(
            47, "signs of life in IDLE are no changes, and IDLE goes on",
            [
                .run(IMAP.Idle()), .client("M2 IDLE|"), .server("+ idling\n* OK Still here"),
                .events(["#0 idling", "other"]), .holds { $0.session.isIdling }, .client(""),
                .endIdle, .client("DONE|"), .patienceEnds,
                .holds {
                    if case .timeout? = $0.error?.kind {
                        $0.error?.recovery == .reconnect
                    } else {
                        false
                    }
                },
            ]),
        SessionCase(
            48, "a command between the rows of a FETCH goes out at once",
            [
                .run(IMAP.Fetch(UIDSet.of("1:3"), flags)), .client("M2 UID FETCH 1:3 (FLAGS)|"),
                .server("* 1 FETCH (UID 1 FLAGS ())"),
                .run(IMAP.Store(UIDSet.of("1"), .add([.seen]), isSilent: true)),
                .client("M3 UID STORE 1 +FLAGS.SILENT (\\Seen)|"),
                .server(
                    "* 2 FETCH (UID 2 FLAGS ())\n* 3 FETCH (UID 3 FLAGS ())\nM2 OK\nM3 OK"),
                .events(["#0 OK", "#1 OK"]),
            ]),
        SessionCase(
            51, "EXISTS before the continuation of IDLE is heard",
            [
                .run(IMAP.Idle()), .client("M2 IDLE|"), .server("* 4 EXISTS\n+ idling"),
                .events(["exists 4", "#0 idling"]), .endIdle, .client("DONE|"), .server("M2 OK"),
                .events(["#0 OK"]), .run(IMAP.Noop()), .client("M3 NOOP|"),
            ]),
        SessionCase(
            52, "IDLE that is ended before its continuation ends right behind it",
            [
                .run(IMAP.Idle()), .client("M2 IDLE|"), .endIdle, .run(IMAP.Noop()), .client(""),
                .server("+ idling"), .client("DONE|"), .server("M2 OK"), .client("M3 NOOP|"),
                .server("M3 OK"), .events(["#0 idling", "#0 OK", "#1 OK"]),
            ]),
        SessionCase(
            53, "a server that closes in IDLE without a word ends it, and what waits behind it",
            [
                .run(IMAP.Idle()), .client("M2 IDLE|"), .server("+ idling"), .endIdle,
                .run(IMAP.Noop()), .client("DONE|"), .closes,
                .holds {
                    if case .unexpectedClose? = $0.error?.kind {
                        $0.error?.recovery == .reconnect && $0.session.isOver
                    } else {
                        false
                    }
                },
            ]),
        SessionCase(
            55, "a bare + lets a literal go",
            [
                .run(IMAP.Append(AppendMessage(OctetArray(Array("a: b\r\n".utf8))), to: .inbox)),
                .client("M2 APPEND INBOX {6}|"), .server("+"), .client("<6>|"),
                .server("M2 OK [APPENDUID 7 44] done"),
                .holds { $0.output(0, of: IMAP.Append.self)?.uids == [UID(44)!] },
            ]),
        SessionCase(
            56, "the words of BYE are the error when the end follows at once",
            [
                .run(IMAP.Noop()), .client("M2 NOOP|"),
                .server("* BYE too much bandwidth was used"),
                .events(["closing too much bandwidth was used"]), .closes,
                .holds {
                    $0.error?.text?.words == "too much bandwidth was used"
                        && $0.error?.description.contains("too much bandwidth was used") == true
                },
            ]),
        SessionCase(
            57, "what a lost connection left unanswered fails as a whole: no answer moves up",
            [
                .run(IMAP.Store(UIDSet.of("1"), .add([.deleted]), isSilent: true)),
                .run(IMAP.UIDExpunge(UIDSet.of("1"))), .run(IMAP.Noop()),
                .client("M2 UID STORE 1 +FLAGS.SILENT (\\Deleted)|M3 UID EXPUNGE 1|M4 NOOP|"),
                .server("M2 OK"), .events(["#0 OK"]), .closes, .events([]),
                .holds { $0.error?.recovery == .reconnect && $0.error?.command == "UID EXPUNGE" },
            ]),
        SessionCase(
            60, "a refusal because of too many connections is for later", offering: nil,
            [
                .server("* BYE [ALERT] Maximum number of connections from user+IP exceeded"),
                .holds { $0.error?.recovery == .retry(after: nil) },
            ]),
        SessionCase(
            61, "FETCH before its EXISTS makes the mailbox larger, once",
            [
                .server("* 5 FETCH (UID 50 FLAGS (\\Recent))\n* 5 EXISTS"),
                .events(["changed 5 50", "exists 5"]),
                .holds {
                    $0.session.mailbox?.messageCount == 5
                        && $0.session.mailbox?.uid(of: SequenceNumber(5)!) == UID(50)
                },
            ]),
    ]

    // MARK: Changes and refusals

    static let changeCases: [SessionCase] = [
        SessionCase(
            63, "VANISHED of everything takes what is known to be there, and voids the numbers",
            offering: "IMAP4rev1 QRESYNC CONDSTORE ENABLE",
            [
                .server("* 1 FETCH (UID 10 FLAGS ())\n* VANISHED (EARLIER) 1:*\n* VANISHED 10"),
                .events(["changed 1 10", "vanished 1:*", "vanished 10"]),
                .holds { $0.session.mailbox?.messageCount == 2 },
            ]),
        SessionCase(
            76, "a range beyond the end that is refused is the caller's to mend",
            [
                .run(IMAP.Fetch(SequenceSet.of("11:20"), flags)),
                .client("M2 FETCH 11:20 (FLAGS)|"), .server("M2 BAD [CLIENTBUG] out of range"),
                .run(IMAP.Fetch(SequenceSet.of("12"), flags)), .client("M3 FETCH 12 (FLAGS)|"),
                .server("M3 NO out of range"), .events(["#0 BAD", "#1 NO"]),
            ]),
        SessionCase(
            81, "each way to say that a client is too fast says when to come again",
            [
                .run(IMAP.Noop()), .run(IMAP.Noop()), .client("M2 NOOP|M3 NOOP|"),
                .server(
                    "M2 NO [THROTTLED] slow down\nM3 BAD Request is throttled. Suggested Backoff Time: 300000 milliseconds"
                ),
                .holds { talk in
                    let waits = (0...1).compactMap { talk.ends[$0]?.end.text }.map {
                        IMAPError(kind: .refused($0)).recovery
                    }
                    return waits == [.retry(after: nil), .retry(after: .seconds(300))]
                },
            ]),
    ]

    // MARK: Races and numbers

    @Test("52: DONE races + in any order, 10,000 times", arguments: 0..<10 as Range<UInt64>)
    func doneRaces(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<1_000 {
            var talk = Talk.selected()
            talk.submit(IMAP.Idle())
            var number = 2
            // The server's lines, and what the caller does meanwhile, in a random order that each keeps.
            var lines = ["+ idling", "* 4 EXISTS"]
            if Bool.random(using: &random) { lines.reverse() }
            var wishes = Int.random(in: 1...3, using: &random)
            var done = 0
            var wire = ""
            while !lines.isEmpty || wishes > 0 {
                if wishes > 0, lines.isEmpty || Bool.random(using: &random) {
                    wishes -= 1
                    if Bool.random(using: &random) {
                        talk.session.endIdle()
                        talk.drain()
                    } else {
                        talk.submit(IMAP.Noop())
                        number += 1
                    }
                } else {
                    talk.server(lines.removeFirst())
                }
                let written = talk.written()
                if written.contains("DONE|") { done += 1 }
                wire += written
            }
            #expect(done == 1 && wire.hasSuffix("M2 IDLE|DONE|"), "\(seed): \(wire)")
            talk.server("M2 OK")
            let rest = talk.written()
            #expect(rest == (3..<(number + 1)).map { "M\($0) NOOP|" }.joined(), "\(seed)")
            #expect(talk.error == nil)
        }
    }

    @Test("79: 100,000 rows of flags leave little behind", .timeLimit(.minutes(1)))
    func manyFlags() {
        var talk = Talk.selected()
        let id = talk.submit(IMAP.FetchStream(IMAP.Fetch(UIDSet.all, Self.flags)))
        var rows = 0
        for start in stride(from: 1, through: 100_000, by: 1_000) {
            let lines = (start..<(start + 1_000)).map { "* \($0) FETCH (UID \($0) FLAGS ())\r\n" }
            talk.server(octets: Array(lines.joined().utf8))
            let pieces = talk.session.withCollector(
                of: id, IMAP.FetchStream<UID>.Collector.self
            ) { $0.takePieces() }
            // What was taken is not kept.
            #expect(pieces?.count == 1_000)
            rows += pieces?.count ?? 0
        }
        talk.server("M2 OK")
        #expect(rows == 100_000 && talk.events == ["#1 OK"])
    }

    @Test("EXISTS of a million messages, 100,000 times", .timeLimit(.minutes(1)))
    func manyExists() {
        var talk = Talk.selected()
        talk.server("* 1000000 EXISTS", "* 1000000 FETCH (UID 4000000000 FLAGS ())")
        #expect(talk.session.mailbox?.uid(of: SequenceNumber(1_000_000)!) == UID(4_000_000_000))
        talk.events = []
        let lines = Array(String(repeating: "* 1000000 EXISTS\r\n", count: 1_000).utf8)
        for _ in 0..<100 {
            talk.session.receive(lines)
            talk.drain()
            #expect(talk.events.count == 1_000)
            talk.events = []
        }
        #expect(talk.session.mailbox?.messageCount == 1_000_000 && talk.error == nil)
    }

    @Test("EXPUNGE beyond the list takes nothing, and says that numbers are lost")
    func expungeBeyond() {
        var talk = Talk.selected()
        talk.server("* 4 EXPUNGE", "* 4294967295 EXPUNGE", "* 4294967296 EXPUNGE", "* 3 EXPUNGE")
        #expect(talk.events.filter { $0 == "lost" }.count == 2)
        #expect(talk.events.last == "expunged 3 ?")
        #expect(talk.session.mailbox?.messageCount == 2)
    }

    @Test(
        "numbers beyond 32 and 64 bits change nothing that is known",
        arguments: [
            "* 4294967296 EXISTS", "* 18446744073709551616 EXISTS",
            "* 99999999999999999999999999 FETCH (UID 1 FLAGS ())",
            "* 1 FETCH (UID 18446744073709551616 FLAGS ())",
            "* OK [UIDVALIDITY 18446744073709551616] v",
            "* OK [HIGHESTMODSEQ 99999999999999999999] m", "* VANISHED 1:18446744073709551616",
        ])
    func hugeNumbers(line: String) {
        var talk = Talk.selected()
        talk.server(line)
        #expect(talk.session.mailbox?.messageCount == 3)
        #expect(talk.session.mailbox?.uidValidity == UIDValidity(7))
        talk.submit(IMAP.Noop())
        _ = talk.written()
        talk.server("M2 OK")
        #expect(talk.error == nil && talk.events.last == "#1 OK")
    }
}
