import MartletBytes
import MartletMIME
import Testing

@testable import MartletIMAPCore

@Suite("Commands for messages")
struct MessageCommandTests {
    static let uids = UIDSet.of("17,20:25")
    static let numbers = SequenceSet.of("2:4")
    static let part = PartNumber([2, 1])

    static let forms = [
        Sample(IMAP.Fetch(numbers, [.flags]), "FETCH 2:4 (FLAGS)"),
        Sample(
            IMAP.Fetch(
                UIDSet.all,
                [
                    .uid, .flags, .internalDate, .size, .envelope, .bodyStructure, .body, .modSeq,
                    .emailID, .threadID, .preview(), .preview(isLazy: true), .saveDate,
                    .gmailMessageID, .gmailThreadID, .gmailLabels, .rfc822(.header),
                ]),
            "UID FETCH 1:* (UID FLAGS INTERNALDATE RFC822.SIZE ENVELOPE BODYSTRUCTURE BODY MODSEQ "
                + "EMAILID THREADID PREVIEW PREVIEW (LAZY) SAVEDATE X-GM-MSGID X-GM-THRID X-GM-LABELS "
                + "RFC822.HEADER)"),
        Sample(
            IMAP.Fetch(
                uids,
                [
                    .message, .header, .headerFields(["Subject", "X-\"Odd"]),
                    .section(MessageSection(part, .headerFieldsNot(["Received"]))),
                    .section(MessageSection(part, .mime)),
                    .section(MessageSection(part), peek: false),
                    .section(.text, range: OctetRange(from: 0, count: 4_096)),
                    .binary(part, range: OctetRange(from: 1 << 40, count: 1)),
                    .binary(.message, peek: false), .binarySize(part), .raw("X-FOO (\"a)\" b)"),
                ]),
            "UID FETCH 17,20:25 (BODY.PEEK[] BODY.PEEK[HEADER] BODY.PEEK[HEADER.FIELDS (Subject "
                + "\"X-\\\"Odd\")] BODY.PEEK[2.1.HEADER.FIELDS.NOT (Received)] BODY.PEEK[2.1.MIME] "
                + "BODY[2.1] BODY.PEEK[TEXT]<0.4096> BINARY.PEEK[2.1]<1099511627776.1> BINARY[] "
                + "BINARY.SIZE[2.1] X-FOO (\"a)\" b))"),
        Sample(
            IMAP.Fetch(
                uids, [.flags], changedSince: ModSequence(12), vanished: true,
                partial: try! .last(100)),
            "UID FETCH 17,20:25 (FLAGS) (CHANGEDSINCE 12 VANISHED PARTIAL -1:-100)"),
        Sample(
            IMAP.Fetch(UIDSet.all, [.uid], partial: try! .first(10)),
            "UID FETCH 1:* (UID) (PARTIAL 1:10)"),
        Sample(
            IMAP.Fetch(MessageSelection<SequenceNumber>.searchResult, [.uid]), "FETCH $ (UID)"),
        Sample(
            IMAP.FetchStream(IMAP.Fetch(uids, [.message])), "UID FETCH 17,20:25 (BODY.PEEK[])"),
        Sample(IMAP.Store(numbers, .add([.seen])), "STORE 2:4 +FLAGS (\\Seen)"),
        Sample(
            IMAP.Store(
                uids, .remove([.flagged, .forwarded]), isSilent: true,
                unchangedSince: ModSequence(7)),
            "UID STORE 17,20:25 (UNCHANGEDSINCE 7) -FLAGS.SILENT (\\Flagged $Forwarded)"),
        Sample(IMAP.Store(uids, .replace([])), "UID STORE 17,20:25 FLAGS ()"),
        Sample(
            IMAP.Store(
                uids,
                .labels(
                    .add,
                    [
                        GmailLabel(wire: "\\Inbox".utf8, isUTF8: false), try! .init("a b"),
                        try! .init("\u{FC}"), try! .init("plain"),
                    ])),
            "UID STORE 17,20:25 +X-GM-LABELS (\\Inbox \"a b\" &APw- plain)"),
        Sample(
            IMAP.Store(uids, .labels(.replace, []), isSilent: true),
            "UID STORE 17,20:25 X-GM-LABELS.SILENT ()"),
        Sample(IMAP.Copy(numbers, to: .of("a b")), "COPY 2:4 \"a b\""),
        Sample(IMAP.Copy(uids, to: .inbox), "UID COPY 17,20:25 INBOX"),
        Sample(IMAP.Move(numbers, to: .inbox), "MOVE 2:4 INBOX"),
        Sample(
            IMAP.Move(MessageSelection<UID>.searchResult, to: .of("x")), "UID MOVE $ x"),
        Sample(IMAP.Expunge(), "EXPUNGE"),
        Sample(IMAP.UIDExpunge(uids), "UID EXPUNGE 17,20:25"),
    ]

    @Test("are written as the RFCs have them", arguments: forms)
    func encoding(form: Sample) throws {
        #expect(try Wire.text(form.command, enabled: [.qResync]) == form.testDescription)
        #expect(
            form.testDescription.hasPrefix(form.command.name + " ")
                || form.command.name == "EXPUNGE")
    }

    @Test("may run beside others as their numbers allow")
    func order() {
        let keeping: CommandOrder = [.usesSequenceNumbers, .keepsSequenceNumbers]
        #expect(IMAP.Fetch(Self.numbers, []).order == keeping)
        #expect(IMAP.Store(Self.numbers, .add([])).order == keeping)
        #expect(IMAP.Copy(Self.numbers, to: .inbox).order == .usesSequenceNumbers)
        #expect(IMAP.Move(Self.numbers, to: .inbox).order == .usesSequenceNumbers)
        #expect(IMAP.Fetch(Self.uids, []).order == [])
        #expect(IMAP.Move(Self.uids, to: .inbox).order == [])
    }

    @Test(
        "are refused where the server lacks what they need",
        arguments: Sample.list([
            IMAP.Fetch(uids, [.modSeq]), IMAP.Fetch(uids, [.emailID]),
            IMAP.Fetch(uids, [.threadID]), IMAP.Fetch(uids, [.preview()]),
            IMAP.Fetch(uids, [.saveDate]), IMAP.Fetch(uids, [.gmailLabels]),
            IMAP.Fetch(uids, [.gmailMessageID]), IMAP.Fetch(uids, [.gmailThreadID]),
            IMAP.Fetch(uids, [.binary(part)]), IMAP.Fetch(uids, [.binarySize(part)]),
            IMAP.Fetch(uids, [.flags], changedSince: ModSequence(1)),
            IMAP.Fetch(uids, [.flags], partial: try! .first(1)),
            IMAP.Fetch(MessageSelection<UID>.searchResult, [.flags]),
            IMAP.Store(uids, .add([.seen]), unchangedSince: ModSequence(1)),
            IMAP.Store(uids, .labels(.add, [try! .init("a")])), IMAP.Move(uids, to: .inbox),
            IMAP.UIDExpunge(uids),
            IMAP.Append([message, message], to: .inbox),
            IMAP.Append(AppendMessage(.binary(octets)), to: .inbox),
            IMAP.Append(AppendMessage(.utf8(octets)), to: .inbox),
            IMAP.Append(AppendMessage(.pieces([.text(octets)])), to: .inbox),
            IMAP.Replace(UID(1)!, with: message, in: .inbox),
        ]))
    func unsupported(sample: Sample) {
        #expect(Wire.complaint(sample.command, Wire.basic) == "unsupported")
    }

    @Test(
        "are refused where what was passed cannot be sent",
        arguments: Sample.list([
            IMAP.Fetch(UIDSet(), [.flags]), IMAP.Fetch(uids, []),
            IMAP.Fetch(uids, [.headerFields([])]), IMAP.Fetch(uids, [.headerFields([""])]),
            IMAP.Fetch(uids, [.headerFields(["Subject\r\nX"])]),
            IMAP.Fetch(uids, [.headerFields(["Sub ject"])]),
            IMAP.Fetch(uids, [.headerFields(["\u{FC}"])]),
            IMAP.Fetch(uids, [.headerFields(["a:"])]),
            IMAP.Fetch(uids, [.headerFields([String(repeating: "a", count: 5_000)])]),
            IMAP.Fetch(uids, [.section(MessageSection(.message, .mime))]),
            IMAP.Fetch(uids, [.section(MessageSection(PartNumber([0])))]),
            IMAP.Fetch(
                uids, [.section(MessageSection(PartNumber(Array(repeating: 1, count: 101))))]),
            IMAP.Fetch(uids, [.section(.text, range: OctetRange(from: 0, count: 0))]),
            IMAP.Fetch(uids, [.section(.text, range: OctetRange(from: .max, count: 1))]),
            IMAP.Fetch(uids, [.raw("")]), IMAP.Fetch(uids, [.raw("A\r\nX NOOP")]),
            IMAP.Fetch(uids, [.raw("A {3}")]), IMAP.Fetch(uids, [.raw("A)")]),
            IMAP.Fetch(uids, [.raw("(A")]), IMAP.Fetch(uids, [.raw("\"A")]),
            IMAP.Fetch(uids, [.raw("\"A\\\"")]), IMAP.Fetch(uids, [.raw("A\u{FC}")]),
            IMAP.Fetch(uids, [.flags], vanished: true),
            IMAP.Fetch(numbers, [.flags], changedSince: ModSequence(1), vanished: true),
            IMAP.Fetch(numbers, [.flags], partial: try! .first(1)),
            IMAP.Store(UIDSet(), .add([.seen])), IMAP.Store(uids, .add([])),
            IMAP.Store(uids, .remove([])), IMAP.Store(uids, .add([.recent])),
            IMAP.Store(uids, .add([.anyKeyword])),
            IMAP.Store(uids, .add([MessageFlag(wire: "a b".utf8)])),
            IMAP.Store(uids, .add([MessageFlag(wire: "a)\r\nX NOOP".utf8)])),
            IMAP.Store(uids, .add([MessageFlag(wire: "".utf8)])),
            IMAP.Store(uids, .labels(.add, [])),
            IMAP.Store(uids, .labels(.add, [GmailLabel(wire: [], isUTF8: false)])),
            IMAP.Store(uids, .labels(.add, [GmailLabel(wire: [0x61, 0], isUTF8: false)])),
            IMAP.Copy(SequenceSet(), to: .inbox), IMAP.Move(UIDSet(), to: .inbox),
            IMAP.UIDExpunge(UIDSet()), IMAP.Append([], to: .inbox),
            IMAP.Append(AppendMessage(OctetArray([])), to: .inbox),
            IMAP.Append(AppendMessage(octets, flags: [.recent]), to: .inbox),
            IMAP.Append(AppendMessage(.pieces([])), to: .inbox),
            IMAP.Append(AppendMessage(.pieces([.url("a b")])), to: .inbox),
            IMAP.Append(AppendMessage(.pieces([.url("a\r\nX NOOP")])), to: .inbox),
            IMAP.Append(
                AppendMessage(.pieces(Array(repeating: .url("/a"), count: 1_001))), to: .inbox),
            IMAP.Append(message, to: .inbox, limitInOctets: 4),
            IMAP.Append(Array(repeating: message, count: 10_001), to: .inbox),
        ]))
    func invalid(sample: Sample) {
        #expect(Wire.complaint(sample.command, enabled: [.qResync]) == "invalidInput")
    }

    @Test("ask for VANISHED only when QRESYNC was enabled")
    func vanishedWithoutResync() {
        let fetch = IMAP.Fetch(Self.uids, [.flags], changedSince: ModSequence(1), vanished: true)
        #expect(Wire.complaint(fetch) == "outOfOrder")
    }

    @Test("name no sequence numbers where those are switched off")
    func uidOnly() {
        for command in [
            IMAP.Fetch(Self.numbers, [.flags]), IMAP.Store(Self.numbers, .add([.seen])),
            IMAP.Copy(Self.numbers, to: .inbox), IMAP.Move(Self.numbers, to: .inbox),
            IMAP.Search<SequenceNumber>(.all),
        ] as [any IMAPCommand] {
            #expect(Wire.complaint(command, enabled: [.uidOnly]) == "outOfOrder")
        }
    }

    @Test("have parts of results that make sense")
    func partialRanges() throws {
        #expect(try PartialRange(100, through: 1).description == "100:1")
        for (first, last) in [(0, 1), (1, 0), (-1, 1), (1, -1), (1, 1 << 32), (.min, -1)] {
            #expect(throws: IMAPError.self) {
                try PartialRange(Int64(first), through: Int64(last))
            }
        }
        for count in [0, -1, Int64.min] {
            #expect(throws: IMAPError.self) { try PartialRange.last(count) }
            #expect(throws: IMAPError.self) { try PartialRange.first(count) }
        }
    }

    // MARK: APPEND

    static let octets = OctetArray(Array("A: b\r\n\r\nc".utf8))
    static let message = AppendMessage(octets)
    /// 17 Jul 1996, 02:44:25 -0700, and a day of one digit.
    static let date = MailDate(secondsSinceEpoch: 837_596_665, offsetInMinutes: -420)
    static let early = MailDate(secondsSinceEpoch: 86_400 * 2, offsetInMinutes: 90)

    @Test("put messages into mailboxes, in every way that literals can be sent")
    func append() throws {
        let append = IMAP.Append(
            AppendMessage(Self.octets, flags: [.seen, .draft], date: Self.date), to: .of("a b"))
        let head = "APPEND \"a b\" (\\Seen \\Draft) \"17-Jul-1996 02:44:25 -0700\" "
        #expect(try Wire.text(append) == head + "{9}|↑A: b||c")
        #expect(try Wire.text(append, literals: .minus) == head + "{9+}|A: b||c")
        #expect(try Wire.text(append, literals: .plus) == head + "{9+}|A: b||c")
        let large = IMAP.Append(AppendMessage(Zeros(sizeInOctets: 5_000)), to: .inbox)
        #expect(try Wire.text(large, literals: .minus) == "APPEND INBOX {5000}|↑<5000>")
        #expect(try Wire.text(large, literals: .plus) == "APPEND INBOX {5000+}|<5000>")
        #expect(Self.early.internalDateText == " 3-Jan-1970 01:30:00 +0130")
    }

    @Test("put in several messages, binary ones, and pieces of others")
    func appendForms() throws {
        let several = IMAP.Append(
            [Self.message, AppendMessage(Self.octets, flags: [.seen])], to: .inbox)
        #expect(
            try Wire.text(several) == "APPEND INBOX {9}|↑A: b||c (\\Seen) {9}|↑A: b||c")
        let binary = IMAP.Append(AppendMessage(.binary(OctetArray([0x61, 0]))), to: .inbox)
        #expect(try Wire.text(binary) == "APPEND INBOX ~{2}|↑a␀")
        let pieces = IMAP.Append(
            AppendMessage(
                .pieces([
                    .url("/Drafts;UIDVALIDITY=1/;UID=3;SECTION=2"), .text(Self.octets),
                    .text(OctetArray([0x21])),
                ])), to: .inbox)
        #expect(
            try Wire.text(pieces, literals: .plus)
                == "APPEND INBOX CATENATE (URL \"/Drafts;UIDVALIDITY=1/;UID=3;SECTION=2\" "
                + "TEXT {9+}|A: b||c TEXT {1+}|!)")
    }

    @Test("put in headers of UTF-8 in the form that was agreed on")
    func appendUTF8() throws {
        let append = IMAP.Append(AppendMessage(.utf8(Self.octets)), to: .inbox)
        #expect(
            try Wire.text(append, enabled: [.utf8Accept])
                == "APPEND INBOX UTF8 (~{9}|↑A: b||c)")
        #expect(try Wire.text(append, enabled: [.imap4rev2]) == "APPEND INBOX {9}|↑A: b||c")
        #expect(Wire.complaint(append, Wire.capabilities("UTF8=ACCEPT")) == "outOfOrder")
    }

    @Test("are not begun with a message that the server will not take")
    func appendLimit() throws {
        let append = IMAP.Append(Self.message, to: .inbox)
        #expect(Wire.complaint(append, Wire.capabilities("APPENDLIMIT=8")) == "invalidInput")
        #expect(Wire.complaint(append, Wire.capabilities("APPENDLIMIT=9")).hasPrefix("sent"))
        let pieces = IMAP.Append(
            AppendMessage(.pieces([.text(Self.octets), .url("/a"), .text(Self.octets)])),
            to: .inbox, limitInOctets: 17)
        #expect(Wire.complaint(pieces) == "invalidInput")
    }

    @Test("replace a message")
    func replace() throws {
        let replace = IMAP.Replace(
            UID(4)!, with: AppendMessage(Self.octets, flags: [.draft]), in: .of("Drafts"))
        #expect(
            try Wire.text(replace) == "UID REPLACE 4 Drafts (\\Draft) {9}|↑A: b||c")
        let byNumber = IMAP.Replace(SequenceNumber(4)!, with: Self.message, in: .inbox)
        #expect(try Wire.text(byNumber, literals: .plus) == "REPLACE 4 INBOX {9+}|A: b||c")
    }
}

/// Octets that are nowhere.
struct Zeros: OctetSource {
    let sizeInOctets: Int
    func makeReader() throws -> any OctetReader { throw CancellationError() }
}
