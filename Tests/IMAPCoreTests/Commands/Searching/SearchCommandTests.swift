import Testing

@testable import MartletIMAPCore

@Suite("Commands that search")
struct SearchCommandTests {
    static let key = SearchKey.unseen

    static let forms = [
        Sample(IMAP.Search<UID>(key), "UID SEARCH RETURN (ALL) UNSEEN"),
        Sample(IMAP.Search<UID>(key, form: .plain), "UID SEARCH UNSEEN"),
        Sample(IMAP.Search<UID>(key, returning: SearchReturn()), "UID SEARCH RETURN () UNSEEN"),
        Sample(
            IMAP.Search<SequenceNumber>(
                key, returning: SearchReturn([.min, .max, .count, .save])),
            "SEARCH RETURN (MIN MAX COUNT SAVE) UNSEEN"),
        Sample(
            IMAP.Search<UID>(
                key,
                returning: SearchReturn(
                    [.update, .context, .relevancy], partial: try! .init(-1, through: -100))),
            "UID SEARCH RETURN (UPDATE CONTEXT RELEVANCY PARTIAL -1:-100) UNSEEN"),
        Sample(
            IMAP.Sort<UID>(by: [.reverse(.arrival), .init(.subject)], key),
            "UID SORT RETURN (ALL) (REVERSE ARRIVAL SUBJECT) UTF-8 UNSEEN"),
        Sample(
            IMAP.Sort<SequenceNumber>(
                by: SortCriterion.Field.allCases.map { SortCriterion($0) }, form: .plain),
            "SORT (ARRIVAL CC DATE FROM SIZE SUBJECT TO DISPLAYFROM DISPLAYTO RELEVANCY) UTF-8 ALL"
        ),
        Sample(
            IMAP.Sort<UID>(by: [.init(.date)], charset: .named("US-ASCII"), form: .plain),
            "UID SORT (DATE) US-ASCII ALL"),
        Sample(IMAP.Thread<UID>(.references, key), "UID THREAD REFERENCES UTF-8 UNSEEN"),
        Sample(
            IMAP.Thread<SequenceNumber>(.orderedSubject), "THREAD ORDEREDSUBJECT UTF-8 ALL"),
        Sample(IMAP.MultiSearch(in: nil, key), "ESEARCH RETURN (ALL) UNSEEN"),
        Sample(
            IMAP.MultiSearch(
                in: [
                    .selected, .inboxes, .personal, .subscribed, .subtree([.of("a")]),
                    .subtreeOne([.of("b"), .of("c d")]), .mailboxes([.inbox]),
                ], .subject("\u{FC}"), returning: .count),
            "ESEARCH IN (SELECTED INBOXES PERSONAL SUBSCRIBED SUBTREE a SUBTREE-ONE (b \"c d\") "
                + "MAILBOXES INBOX) RETURN (COUNT) CHARSET UTF-8 SUBJECT {2}|↑\u{FC}"),
        Sample(IMAP.CancelUpdate(["M1", "M22"]), "CANCELUPDATE \"M1\" \"M22\""),
    ]

    @Test("are written as the RFCs have them", arguments: forms)
    func encoding(form: Sample) throws {
        #expect(try Wire.text(form.command) == form.testDescription)
        #expect(form.testDescription.hasPrefix(form.command.name + " "))
    }

    @Test("are put the old way where the server knows no other")
    func fallback() throws {
        for returning in [SearchReturn.all, .count, SearchReturn([.min, .max])] {
            #expect(
                try Wire.text(IMAP.Search<UID>(Self.key, returning: returning), Wire.basic)
                    == "UID SEARCH UNSEEN")
        }
        let sort = Wire.capabilities("IMAP4rev1 SORT ESEARCH")
        #expect(
            try Wire.text(IMAP.Sort<UID>(by: [.init(.date)], returning: .count), sort)
                == "UID SORT (DATE) UTF-8 ALL")
    }

    @Test("keep sequence numbers, or need them")
    func order() {
        let numbers = SearchKey.numbers(.of("1"))
        #expect(IMAP.Search<UID>(.seen).order == [])
        #expect(IMAP.Search<UID>(.and([.seen, numbers])).order == .usesSequenceNumbers)
        #expect(
            IMAP.Search<SequenceNumber>(.seen).order
                == [.usesSequenceNumbers, .keepsSequenceNumbers])
        #expect(IMAP.Thread<UID>(.references, numbers).order == .usesSequenceNumbers)
    }

    static let basicSearch = Wire.capabilities("IMAP4rev1 ESEARCH SORT ESORT")

    @Test(
        "are refused where the server lacks what they need",
        arguments: Sample.list(
            [
                IMAP.Search<UID>(key, returning: SearchReturn(.save)),
                IMAP.Search<UID>(key, returning: SearchReturn(.update)),
                IMAP.Search<UID>(key, returning: SearchReturn(.context)),
                IMAP.Search<UID>(key, returning: SearchReturn(.relevancy)),
                IMAP.Search<UID>(key, returning: SearchReturn(partial: try! .first(1))),
                IMAP.Sort<UID>(by: [.init(.displayFrom)]), IMAP.Sort<UID>(by: [.init(.displayTo)]),
                IMAP.Sort<UID>(by: [.init(.relevancy)]), IMAP.Thread<UID>(.refs),
                IMAP.MultiSearch(in: nil, key), IMAP.CancelUpdate(["M1"]),
                IMAP.Search<UID>(.fuzzy(.text("a"))),
            ]
                + SearchKeyTests.criteria.map(\.0).filter { $0.capability != nil }.map {
                    IMAP.Search<UID>(SearchKey($0))
                }))
    func unsupported(sample: Sample) {
        #expect(Wire.complaint(sample.command, Self.basicSearch) == "unsupported")
    }

    @Test("that are named in the plain form cannot ask for more than numbers")
    func plainForm() {
        let search = IMAP.Search<UID>(
            Self.key, returning: SearchReturn(.save), form: .plain)
        #expect(Wire.complaint(search) == "invalidInput")
        let extended = IMAP.Search<UID>(Self.key, form: .extended)
        #expect(Wire.complaint(extended, Wire.basic) == "unsupported")
    }

    static let smuggled = "a\r\nX DELETE INBOX"

    @Test(
        "are refused where what was passed cannot be sent",
        arguments: Sample.list(
            [
                IMAP.Sort<UID>(by: []),
                IMAP.Sort<UID>(by: Array(repeating: .init(.date), count: 33)),
                IMAP.MultiSearch(in: [], key), IMAP.MultiSearch(in: [.selectedDelayed], key),
                IMAP.MultiSearch(in: [.subtree([])], key), IMAP.CancelUpdate([]),
                IMAP.CancelUpdate([smuggled]), IMAP.CancelUpdate([""]),
                IMAP.CancelUpdate(["a+b"]),
                IMAP.CancelUpdate(Array(repeating: "a", count: 1_001)),
                IMAP.Sort<UID>(by: [.init(.date)], charset: .named(smuggled)),
            ]
                + ([
                    .numbers(SequenceSet()), .uid(UIDSet()), .keyword(.seen),
                    .keyword(MessageFlag(wire: "a b".utf8)),
                    .unkeyword(MessageFlag(wire: smuggled.utf8)),
                    .bcc("a\0"), .text("\0"), .gmailRaw("a\0b"), .header("", "a"),
                    .header(smuggled, "a"), .header("A", "\0"), .header("A b", ""),
                    .header("\u{FC}", ""), .older(seconds: 0), .younger(seconds: 0),
                    .larger(.max), .smaller(1 << 63),
                    .modSeq(ModSequence(1)!, of: .init(MessageFlag(wire: smuggled.utf8))),
                    .emailID(ObjectID("")), .emailID(ObjectID(smuggled)),
                    .threadID(ObjectID("a b")), .filter("a\"b"), .filter(smuggled), .filter(""),
                    .gmailLabel(GmailLabel(wire: [], isUTF8: false)), .raw(smuggled), .raw("a)"),
                    .raw("{3}"), .raw(""),
                ] as [SearchCriterion]).map { IMAP.Search<UID>(SearchKey($0)) }))
    func invalid(sample: Sample) {
        #expect(Wire.complaint(sample.command) == "invalidInput")
    }

    @Test("send line ends in texts only where they cannot end the command")
    func lineEnds() throws {
        let search = IMAP.Search<UID>(.subject(Self.smuggled), form: .plain)
        #expect(
            try Wire.text(search) == "UID SEARCH SUBJECT {17}|↑a|X DELETE INBOX")
        let label = IMAP.Search<UID>(
            SearchKey(.gmailLabel(GmailLabel(wire: Self.smuggled.utf8, isUTF8: false))),
            form: .plain)
        #expect(
            try Wire.text(label) == "UID SEARCH X-GM-LABELS {17}|↑a|X DELETE INBOX")
    }
}
