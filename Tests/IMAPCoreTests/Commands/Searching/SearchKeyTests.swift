import MartletBytes
import MartletTestSupport
import Testing

@testable import MartletIMAPCore

@Suite("Search keys")
struct SearchKeyTests {
    static let day = CalendarDate(year: 1994, month: 2, day: 1)!
    static let criteria: [(SearchCriterion, String)] = [
        (.all, "ALL"), (.numbers(.of("1:3,7:*")), "1:3,7:*"), (.uid(.of("4")), "UID 4"),
        (.searchResult, "$"), (.answered, "ANSWERED"), (.deleted, "DELETED"), (.draft, "DRAFT"),
        (.flagged, "FLAGGED"), (.seen, "SEEN"), (.unanswered, "UNANSWERED"),
        (.undeleted, "UNDELETED"), (.undraft, "UNDRAFT"), (.unflagged, "UNFLAGGED"),
        (.unseen, "UNSEEN"), (.recent, "RECENT"), (.new, "NEW"), (.old, "OLD"),
        (.keyword(.forwarded), "KEYWORD $Forwarded"), (.unkeyword(.junk), "UNKEYWORD $Junk"),
        (.bcc("a"), "BCC \"a\""), (.cc("a b"), "CC \"a b\""), (.from(""), "FROM \"\""),
        (.to("\"\\"), "TO \"\\\"\\\\\""), (.subject("NIL"), "SUBJECT \"NIL\""),
        (.body("a\r\nb"), "BODY {4}|↑a|b"), (.text("x"), "TEXT \"x\""),
        (.header("Message-ID", "<a@b>"), "HEADER Message-ID \"<a@b>\""),
        (.before(day), "BEFORE 1-Feb-1994"), (.on(day), "ON 1-Feb-1994"),
        (.since(day), "SINCE 1-Feb-1994"), (.sentBefore(day), "SENTBEFORE 1-Feb-1994"),
        (.sentOn(day), "SENTON 1-Feb-1994"), (.sentSince(day), "SENTSINCE 1-Feb-1994"),
        (.savedBefore(day), "SAVEDBEFORE 1-Feb-1994"), (.savedOn(day), "SAVEDON 1-Feb-1994"),
        (.savedSince(day), "SAVEDSINCE 1-Feb-1994"), (.saveDateSupported, "SAVEDATESUPPORTED"),
        (.older(seconds: 60), "OLDER 60"), (.younger(seconds: 1), "YOUNGER 1"),
        (.larger(0), "LARGER 0"), (.smaller(1 << 40), "SMALLER 1099511627776"),
        (.modSeq(ModSequence(620)!), "MODSEQ 620"),
        (
            .modSeq(ModSequence(620)!, of: ModSequenceEntry(.draft)),
            "MODSEQ \"/flags/\\\\Draft\" all 620"
        ),
        (
            .modSeq(ModSequence(1)!, of: ModSequenceEntry(.junk, .own)),
            "MODSEQ \"/flags/$Junk\" priv 1"
        ), (.emailID(ObjectID("M6d99ac3275bb4e")), "EMAILID M6d99ac3275bb4e"),
        (.threadID(ObjectID("T64b478a75b7ea9")), "THREADID T64b478a75b7ea9"),
        (.filter("on-the-road"), "FILTER on-the-road"),
        (.gmailRaw("has:attachment in:unread"), "X-GM-RAW \"has:attachment in:unread\""),
        (.gmailLabel(try! .init("a b")), "X-GM-LABELS \"a b\""),
        (.gmailLabel(GmailLabel(wire: "\\Sent".utf8, isUTF8: false)), "X-GM-LABELS \\Sent"),
        (.gmailMessageID(.max), "X-GM-MSGID 18446744073709551615"),
        (.gmailThreadID(12), "X-GM-THRID 12"), (.raw("X-FOO (\"a\" b)"), "X-FOO (\"a\" b)"),
    ]

    @Test("are written as the RFCs have them")
    func criteria() throws {
        for (criterion, text) in Self.criteria {
            let search = IMAP.Search<SequenceNumber>(SearchKey(criterion), form: .plain)
            #expect(try Wire.text(search) == "SEARCH " + text)
        }
    }

    static let a = SearchKey.from("a")
    static let b = SearchKey.seen
    static let c = SearchKey.draft

    @Test(
        "are written with no more parentheses than they need",
        arguments: [
            (.and([a, b]), "FROM \"a\" SEEN"), (.or([a, b]), "OR FROM \"a\" SEEN"),
            (.or([a, b, c]), "OR OR FROM \"a\" SEEN DRAFT"), (.not(a), "NOT FROM \"a\""),
            (.or([a, b, c, a]), "OR OR FROM \"a\" SEEN OR DRAFT FROM \"a\""),
            (.not(.and([a, b])), "NOT (FROM \"a\" SEEN)"),
            (.not(.or([a, b])), "NOT OR FROM \"a\" SEEN"),
            (.or([.and([a, b]), c]), "OR (FROM \"a\" SEEN) DRAFT"),
            (.and([.or([a, b]), c]), "OR FROM \"a\" SEEN DRAFT"),
            (.fuzzy(.and([a, b])), "FUZZY (FROM \"a\" SEEN)"),
            (.and([.fuzzy(a), b]), "FUZZY FROM \"a\" SEEN"),
            // What is shortened:
            (.and([]), "ALL"), (.or([]), "NOT ALL"), (.not(.not(a)), "FROM \"a\""),
            (.not(.not(.not(a))), "NOT FROM \"a\""), (.and([a]), "FROM \"a\""),
            (.and([.and([a, .and([b])]), c]), "FROM \"a\" SEEN DRAFT"),
            (.or([a, .or([b, .or([c])])]), "OR OR FROM \"a\" SEEN DRAFT"),
            (.and([a, .all]), "FROM \"a\""), (.or([a, .all]), "ALL"),
            (.and([a, .or([])]), "NOT ALL"), (.or([a, .not(.all)]), "FROM \"a\""),
            (.not(.and([])), "NOT ALL"), (.not(.or([])), "ALL"), (.and([.or([])]), "NOT ALL"),
        ] as [(SearchKey, String)])
    func structure(key: SearchKey, text: String) throws {
        let search = IMAP.Search<UID>(key, form: .plain)
        #expect(try Wire.text(search) == "UID SEARCH " + text)
        #expect(key.optimized.optimized == key.optimized)
    }

    private static func random(
        _ depth: Int, _ generator: inout SeededGenerator
    ) -> SearchKey {
        let leaves: [SearchKey] = [.seen, .draft, .flagged, .answered, .all]
        if depth == 0 { return leaves.randomElement(using: &generator)! }
        let count = Int.random(in: 0...3, using: &generator)
        switch Int.random(in: 0...4, using: &generator) {
        case 0: return .not(random(depth - 1, &generator))
        case 1: return .and((0..<count).map { _ in random(depth - 1, &generator) })
        case 2: return .or((0..<count).map { _ in random(depth - 1, &generator) })
        case 3: return .fuzzy(random(depth - 1, &generator))
        default: return leaves.randomElement(using: &generator)!
        }
    }

    @Test("mean the same when they are shortened", arguments: 0..<300 as Range<UInt64>)
    func law(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let key = Self.random(6, &generator)
        let short = key.optimized
        // An OR of nothing takes two words.
        let nothings = key.nodes.count { $0 == .or(0) }
        #expect(short.nodes.count <= key.nodes.count + nothings)
        for truths in 0..<16 {
            func value(_ key: SearchKey) -> Bool {
                key.evaluate {
                    switch $0 {
                    case .seen: truths & 1 > 0
                    case .draft: truths & 2 > 0
                    case .flagged: truths & 4 > 0
                    case .answered: truths & 8 > 0
                    default: true
                    }
                }
            }
            #expect(value(key) == value(short))
        }
    }

    @Test(
        "of 100,000 levels are no trouble, and are refused only where a server would have trouble")
    func depth() throws {
        var nodes: [SearchKey.Node] = []
        for level in 0..<100_000 { nodes.append(level % 2 == 0 ? .and(2) : .or(2)) }
        nodes.append(.criterion(.seen))
        for _ in 0..<100_000 { nodes.append(.criterion(.draft)) }
        let deep = SearchKey(nodes: nodes)
        #expect(deep.evaluate { $0 == .draft } == true)
        #expect(deep.optimized.nodes.count == nodes.count)
        #expect(Wire.complaint(IMAP.Search<UID>(deep)) == "invalidInput")
        let nots = SearchKey(
            nodes: Array(repeating: .not, count: 99_999) + [.criterion(.seen)])
        #expect(try Wire.text(IMAP.Search<UID>(nots, form: .plain)) == "UID SEARCH NOT SEEN")
        let chain = SearchKey(
            nodes: Array(repeating: .or(2), count: 99_999).flatMap { [$0, .criterion(.seen)] }
                + [.criterion(.draft)])
        #expect(chain.optimized.nodes.first == .or(100_000))
    }

    @Test("of many alternatives nest as little as can be")
    func balanced() throws {
        let key = SearchKey.or((1...1_000).map { .uid([UID($0)!]) })
        let text = try Wire.text(IMAP.Search<UID>(key, form: .plain))
        var depth = 0
        var open: [Int] = []  // operands that are still to come
        for word in text.split(separator: " ").dropFirst(2) where word == "OR" || word == "UID" {
            if word == "OR" {
                open.append(2)
            } else {
                while let last = open.popLast() {
                    if last > 1 {
                        open.append(last - 1)
                        break
                    }
                }
            }
            depth = max(depth, open.count)
        }
        #expect(open.isEmpty && depth == 10)
        // A nesting that is just deep enough.
        var nested = SearchKey.seen
        for level in 0..<SearchKey.depthLimit {
            nested = level % 2 == 0 ? .and([nested, .draft]) : .not(nested)
        }
        #expect(try Wire.text(IMAP.Search<UID>(nested)).contains("SEEN"))
        nested = .not(.and([.not(.and([nested, .flagged])), .draft]))
        #expect(Wire.complaint(IMAP.Search<UID>(nested)) == "invalidInput")
    }

    @Test("in other charsets than ASCII say so, unless UTF-8 was agreed on")
    func charset() throws {
        let key = SearchKey.and([.subject("Gr\u{FC}n"), .from("a")])
        let search = IMAP.Search<UID>(key, form: .plain)
        #expect(
            try Wire.text(search)
                == "UID SEARCH CHARSET UTF-8 SUBJECT {5}|↑Gr\u{FC}n FROM \"a\"")
        #expect(
            try Wire.text(search, literals: .plus)
                == "UID SEARCH CHARSET UTF-8 SUBJECT {5+}|Gr\u{FC}n FROM \"a\"")
        #expect(
            try Wire.text(search, enabled: [.utf8Accept])
                == "UID SEARCH SUBJECT \"Gr\u{FC}n\" FROM \"a\"")
        let unlabelled = IMAP.Search<UID>(key, charset: .unlabelled, form: .plain)
        #expect(try Wire.text(unlabelled) == "UID SEARCH SUBJECT {5}|↑Gr\u{FC}n FROM \"a\"")
        let latin1 = IMAP.Search<UID>(key, charset: .named("ISO-8859-1"), form: .plain)
        #expect(
            try Wire.octets(latin1)
                == Array("UID SEARCH CHARSET ISO-8859-1 SUBJECT {4+}\r\nGr".utf8) + [0xFC]
                + Array("n FROM \"a\"".utf8))
        for (text, name) in [
            ("\u{20AC}", "ISO-8859-1"), ("\u{FC}", "US-ASCII"), ("\u{FC}", "KOI8-R"),
            ("\u{FC}", "utf-16"), ("\u{FC}", "no such"), ("\u{FC}", "A\r\nX"),
        ] {
            let search = IMAP.Search<UID>(.text(text), charset: .named(name))
            #expect(Wire.complaint(search) == "invalidInput")
        }
    }

    @Test("are tried once more where a server does not know the charset")
    func retry() {
        func error(_ charsets: [String]) -> IMAPError {
            IMAPError(kind: .refused(ResponseText(code: .badCharset(charsets))))
        }
        let german = SearchKey.subject("Gr\u{FC}n")
        let russian = SearchKey.subject("\u{43C}\u{438}\u{440}")
        let automatic = SearchCharset.automatic
        #expect(automatic.retry(after: error(["US-ASCII"]), for: german) == .unlabelled)
        #expect(automatic.retry(after: error([]), for: german) == .unlabelled)
        #expect(
            automatic.retry(after: error(["US-ASCII", "KOI8-R"]), for: russian)
                == .named("KOI8-R"))
        #expect(automatic.retry(after: error(["KOI8-R"]), for: german) == .unlabelled)
        #expect(automatic.retry(after: error(["UTF-8"]), for: german) == .unlabelled)
        #expect(automatic.retry(after: error(["a b", ""]), for: german) == .unlabelled)
        #expect(SearchCharset.unlabelled.retry(after: error([]), for: german) == nil)
        #expect(SearchCharset.named("KOI8-R").retry(after: error([]), for: russian) == nil)
        let other = IMAPError(kind: .refused(ResponseText("no")))
        #expect(automatic.retry(after: other, for: german) == nil)
    }

    @Test("have days that exist")
    func dates() {
        #expect(CalendarDate(year: 2024, month: 2, day: 29)?.description == "29-Feb-2024")
        #expect(CalendarDate(year: 7, month: 12, day: 31)?.description == "31-Dec-0007")
        for (year, month, day) in [
            (2023, 2, 29), (2023, 0, 1), (2023, 13, 1), (0, 1, 1), (10_000, 1, 1), (2023, 1, 0),
            (2023, 4, 31), (.min, 1, 1), (2023, 1, .max),
        ] {
            #expect(CalendarDate(year: year, month: month, day: day) == nil)
        }
        #expect(Self.day < CalendarDate(year: 1994, month: 2, day: 2)!)
    }
}
