import MartletBytes
import MartletIMAPCore
import MartletMIME
import MartletTestSupport
import Testing

@Suite("Response parser")
struct ResponseParserTests {
    static func parse(_ text: String) -> IMAPResponse { ResponseParser().parse(Array(text.utf8)) }

    static func code(_ text: String) -> ResponseCode? {
        guard case .condition(let condition) = parse("* OK [\(text)] words") else { return nil }
        #expect(condition.text.words == "words")
        return condition.text.code
    }

    static let codes: [(String, ResponseCode)] = [
        ("ALERT", .alert), ("alert", .alert), ("READ-ONLY", .readOnly), ("TRYCREATE", .tryCreate),
        ("UIDNEXT 4392", .uidNext(UID(4392)!)),
        ("UIDVALIDITY 3857529045", .uidValidity(UIDValidity(3_857_529_045))),
        ("UNSEEN 12", .unseen(SequenceNumber(12)!)),
        ("PERMANENTFLAGS (\\Seen \\*)", .permanentFlags([.seen, .anyKeyword])),
        ("PERMANENTFLAGS ()", .permanentFlags([])),
        ("APPENDUID 38505 3955", .appendUID(UIDValidity(38505), MessageNumberList([3955]))),
        (
            "COPYUID 38505 304,319:320 3958:3956",
            .copyUID(
                CopiedUIDs(
                    uidValidity: UIDValidity(38505),
                    source: MessageNumberList(runs: [
                        .init(304, through: 304), .init(319, through: 320),
                    ]),
                    destination: MessageNumberList(runs: [.init(3958, through: 3956)])))
        ),
        ("HIGHESTMODSEQ 715194045007", .highestModSeq(ModSequence(715_194_045_007)!)),
        ("MODIFIED 7,9", .modified(MessageNumberList([7, 9]))), ("CLOSED", .closed),
        ("BADCHARSET (UTF-8 \"x y\")", .badCharset(["UTF-8", "x y"])),
        ("METADATA LONGENTRIES 2199", .metadata(.longEntries(2199))),
        ("METADATA TOOMANY", .metadata(.tooMany)),
        (
            "INPROGRESS (\"A1\" 454 1000)",
            .inProgress(CommandProgress(tag: "A1", progress: 454, goal: 1000))
        ),
        ("INPROGRESS (NIL NIL NIL)", .inProgress(CommandProgress())),
        ("INPROGRESS", .inProgress(CommandProgress())),
        (
            "MESSAGELIMIT 1000 23221",
            .messageLimit(MessageLimit(limit: 1000, lowestUID: UID(23221)))
        ),
        ("MAILBOXID (F2212ea87-6097)", .mailboxID(ObjectID("F2212ea87-6097"))),
        ("REFERRAL imap://u;AUTH=*@[::1/x", .referral("imap://u;AUTH=*@[::1/x")),
        ("NOUPDATE \"B02\"", .noUpdate(tag: "B02")),
        ("BADEVENT (FlagChange)", .badEvent(["FlagChange"])),
        ("UNDEFINED-FILTER on-the-road", .undefinedFilter("on-the-road")),
        ("URLMECH INTERNAL XSAMPLE=P34O=", .urlMechanism(text: "INTERNAL XSAMPLE=P34O=")),
        ("WEBALERT https://example.org/x", .webAlert("https://example.org/x")),
        ("OVERQUOTA", .overQuota), ("UIDREQUIRED", .uidRequired), ("THROTTLED", .throttled),
        // Malformed ones
        ("UIDNEXT 0", .other(name: "UIDNEXT", octets: Array("0".utf8))),
        ("UIDNEXT 4294967296", .other(name: "UIDNEXT", octets: Array("4294967296".utf8))),
        ("UIDVALIDITY -1", .other(name: "UIDVALIDITY", octets: Array("-1".utf8))),
        ("UNSEEN", .other(name: "UNSEEN", octets: [])),
        (
            "HIGHESTMODSEQ 9223372036854775808",
            .other(name: "HIGHESTMODSEQ", octets: Array("9223372036854775808".utf8))
        ),
        ("COPYUID 1 x y", .other(name: "COPYUID", octets: Array("1 x y".utf8))),
        ("X-NEW \"a ] b\" c", .other(name: "X-NEW", octets: Array("\"a ] b\" c".utf8))),
        ("", .other(name: "", octets: [])),
    ]

    @Test("reads each code", arguments: codes)
    func readsCode(text: String, code: ResponseCode) { #expect(Self.code(text) == code) }

    @Test("takes a code that nothing closes, or without words, for what it is")
    func bareCodes() {
        guard case .tagged(let open) = Self.parse("A1 OK [ALERT open"),
            case .tagged(let bare) = Self.parse("A1 OK [ALERT]")
        else {
            Issue.record("not tagged")
            return
        }
        #expect(open.text.code == nil && open.text.words == "[ALERT open")
        #expect(bare.text.code == .alert && bare.text.octets.isEmpty)
    }

    static let damaged: [(String, String?, UInt32?)] = [
        ("* 99999999999 EXISTS", nil, nil), ("* 4294967296 EXPUNGE", nil, nil),
        ("* 0 EXPUNGE", "EXPUNGE", nil),
        ("* 5 EXISTS x", "EXISTS", 5), ("*", nil, nil), ("* ", nil, nil), ("A1", nil, nil),
        ("A1 FOO x", nil, nil),
        ("A1 ", nil, nil), ("", nil, nil), ("* SEARCH 1 x", "SEARCH", nil),
        ("* SEARCH 0", "SEARCH", nil),
        ("* 7 FETCH", "FETCH", 7), ("* 7 FETCH UID 5", "FETCH", 7), ("* LIST", "LIST", nil),
        ("* STATUS x", "STATUS", nil), ("* THREAD 1", "THREAD", nil),
        ("* THREAD (1", "THREAD", nil),
        ("* THREAD (1))", "THREAD", nil), ("* VANISHED (LATER) 1", "VANISHED", nil),
        ("* VANISHED x", "VANISHED", nil),
        ("* ESEARCH (TAG", "ESEARCH", nil), ("* 0 UIDFETCH (FLAGS ())", "UIDFETCH", nil),
    ]

    @Test("gives what it cannot read as it came", arguments: damaged)
    func damage(text: String, name: String?, number: UInt32?) {
        guard case .damaged(let damaged) = Self.parse(text) else {
            Issue.record("\(Self.parse(text))")
            return
        }
        #expect(damaged.octets == Array(text.utf8))
        #expect(damaged.name == name && damaged.number?.rawValue == number)
        #expect(damaged.failure.offset <= text.utf8.count)
    }

    @Test(
        "reads the delimiter of names",
        arguments: [
            ("\"/\"", UInt8(ascii: "/")), ("\"\\\\\"", UInt8(ascii: "\\")),
            ("\"\\\"", UInt8(ascii: "\\")),
            ("NIL", nil), ("\"\\\"\"", UInt8(ascii: "\"")), ("{1}\r\n.", UInt8(ascii: ".")),
            ("\"\"", nil),
        ] as [(String, UInt8?)])
    func delimiters(text: String, delimiter: UInt8?) {
        #expect(
            Self.parse("* LIST () \(text) INBOX")
                == .list(ListEntry(delimiter: delimiter, name: .inbox)))
    }

    @Test("gives a response of another name as it came")
    func unknown() {
        #expect(
            Self.parse("* xfoo a (b)")
                == .unknown(UnknownResponse(name: "XFOO", octets: Array("a (b)".utf8))))
        #expect(
            Self.parse("* 5 XFOO a")
                == .unknown(UnknownResponse(name: "XFOO", number: 5, octets: Array("a".utf8))))
        #expect(Self.parse("* XFOO") == .unknown(UnknownResponse(name: "XFOO", octets: [])))
    }

    @Test("keeps the order of threads, however deep", .timeLimit(.minutes(1)))
    func threads() {
        func nodes(_ pairs: [(UInt32?, Int?)]) -> IMAPResponse {
            .thread(pairs.map { ThreadNode(number: $0.0, parent: $0.1) })
        }
        #expect(
            Self.parse("* THREAD (2)(3 6 (4 23)(44 7 96))")
                == nodes([(2, nil), (3, nil), (6, 1), (4, 2), (23, 3), (44, 2), (7, 5), (96, 6)]))
        #expect(Self.parse("* THREAD ((3)(5))") == nodes([(nil, nil), (3, 0), (5, 0)]))
        #expect(Self.parse("* THREAD") == nodes([]))
        let count = 100_000
        let deep =
            String(repeating: "(1 ", count: count) + "2" + String(repeating: ")", count: count)
        guard case .thread(let all) = Self.parse("* THREAD " + deep) else {
            Issue.record("no THREAD")
            return
        }
        #expect(all.count == count + 1 && all.last?.parent == count - 1)
    }

    @Test("keeps the order of numbers, and counts without making them")
    func numberLists() {
        guard
            case .extendedSearch(let search) = Self.parse(
                "* ESEARCH (TAG \"a\") UID ALL 9,5:3,4294967295:1")
        else {
            Issue.record("no ESEARCH")
            return
        }
        #expect(search.all?.count == 4 + 4_294_967_295)
        #expect(Array(search.all!.numbers.prefix(5)) == [9, 5, 4, 3, 4_294_967_295])
        #expect(search.all?.uids.count == 4_294_967_295)
    }

    @Test(
        "passes over parentheses 100,000 deep, wherever they stand", .timeLimit(.minutes(1)),
        arguments: [
            "* 1 FETCH (UID 4 X-NEW @ FLAGS ())", "* 1 FETCH (UID 4 FLAGS @)",
            "* 1 FETCH (UID 4 BODY[] @)",
            "* LIST () \"/\" x (\"A\" @)", "* STATUS x (X @)", "* ESEARCH X @",
            "* NAMESPACE @ NIL NIL", "* ID @",
            "* 1 FETCH @", "* OK [X @] x", "* OK [CAPABILITY @] x", "* OK [PERMANENTFLAGS @] x",
            "* FLAGS @", "* X @",
            "* METADATA x @", "* QUOTA x @", "* CAPABILITY @", "* URLFETCH x @",
            "* 1 FETCH (BODY[HEADER.FIELDS @] x)",
            "* LIST @ NIL x", "* 1 FETCH (ENVELOPE (@ @) UID 4)", "* THREAD @",
            "* 1 FETCH (BODYSTRUCTURE (@))",
            "* 1 FETCH (BODYSTRUCTURE (\"message\" \"rfc822\" @))",
        ])
    func depth(text: String) {
        func many(_ text: String, _ count: Int = 100_000) -> String {
            String(repeating: text, count: count)
        }
        for inner in [
            many("(") + "x" + many(")"), many("("), many(")"), many("(\"x\" ", 3_000),
            many("[", 3_000),
            many("\"", 3_000), many("\"a\"b", 3_000), many("{1}", 3_000), many("\\\"", 3_000),
            many(" UID 0 ", 3_000), many("((\"a\" \"b\" 5)", 3_000), many("(BODY[ ", 3_000),
        ] {
            _ = Self.parse(text.replacing("@", with: inner))
        }
    }

    @Test("reads numbers up to their limits and no further")
    func numbers() {
        #expect(Self.parse("* 4294967295 EXISTS") == .exists(.max))
        func item(_ text: String) -> FetchItem? {
            guard case .fetch(let fetch) = Self.parse("* 1 FETCH (\(text))") else { return nil }
            return fetch.items.first
        }
        #expect(item("RFC822.SIZE 9223372036854775807") == .size(UInt64(Int64.max)))
        #expect(item("X-GM-MSGID 18446744073709551615") == .gmailMessageID(.max))
        for text in [
            "RFC822.SIZE 9223372036854775808", "RFC822.SIZE 99999999999999999999", "UID 0",
            "UID 4294967296", "UID -1",
            "X-GM-MSGID 18446744073709551616", "MODSEQ (9223372036854775808)", "RFC822.SIZE 1e999",
            "RFC822.SIZE 1e19",
            "RFC822.SIZE 1.x", "BODY[0] NIL", "BODY[4294967296] NIL", "BODY[1..2] NIL",
            "BODY[]<-1> NIL",
            "INTERNALDATE \"31-Feb-2026 00:00:00 +0000\"", "INTERNALDATE \"\"", "BODY[1.FOO] x",
            "BODY[ x", "UID",
        ] {
            guard case .damaged? = item(text) else {
                Issue.record("\(text) is \(String(describing: item(text)))")
                continue
            }
        }
    }

    @Test("finds the UID in a response that is beyond saving")
    func lostUID() {
        let text = "* 7 FETCH (ENVELOPE (((\"x\" FLAGS (\\Seen UID 5 BODY[] NIL"
        guard case .fetch(let fetch) = Self.parse(text) else {
            Issue.record("no FETCH")
            return
        }
        #expect(fetch.number == SequenceNumber(7) && fetch.uid == UID(5) && fetch.hasDamage)
    }

    @Test("reads a date with its zone")
    func dates() {
        func date(_ text: String) -> MailDate? {
            guard case .fetch(let fetch) = Self.parse("* 1 FETCH (INTERNALDATE \"\(text)\")") else {
                return nil
            }
            return fetch.internalDate
        }
        #expect(date("17-Jul-1996 02:44:25 -0700")?.text == "Wed, 17 Jul 1996 02:44:25 -0700")
        #expect(date(" 1-jan-2026 09:30:00 +0530")?.text == "Thu, 1 Jan 2026 09:30:00 +0530")
        #expect(date("1-Jan-2026 09:30:00 +0000")?.text == "Thu, 1 Jan 2026 09:30:00 +0000")
        #expect(date("29-Feb-2024 23:59:60 +0000")?.text == "Fri, 1 Mar 2024 00:00:00 +0000")
    }
}
