import MartletTestSupport
import Testing

@testable import MartletIMAPCore

@Suite("Commands for mailboxes")
struct MailboxCommandTests {
    static let known = IMAP.Select.KnownState(
        uidValidity: UIDValidity(67_890_007), modSeq: ModSequence(20_050_715_194_045_000)!,
        uids: .of("41,43:211,214:541"),
        sequenceMatch: .init(numbers: .of("1,3,5"), uids: .of("41,43,45")))

    static let forms = [
        Sample(IMAP.Select(.inbox), "SELECT INBOX"),
        Sample(IMAP.Select(.of("a b"), isReadOnly: true), "EXAMINE \"a b\""),
        Sample(IMAP.Select(.inbox, condStore: true), "SELECT INBOX (CONDSTORE)"),
        Sample(
            IMAP.Select(.inbox, qResync: known),
            "SELECT INBOX (QRESYNC (67890007 20050715194045000 41,43:211,214:541 (1,3,5 41,43,45)))"
        ),
        Sample(
            IMAP.Select(
                .inbox, isReadOnly: true, condStore: true,
                qResync: .init(uidValidity: UIDValidity(1), modSeq: ModSequence(2)!)),
            "EXAMINE INBOX (CONDSTORE QRESYNC (1 2))"),
        Sample(IMAP.Close(), "CLOSE"), Sample(IMAP.Unselect(), "UNSELECT"),
        Sample(IMAP.Create(.of("Entw\u{FC}rfe")), "CREATE Entw&APw-rfe"),
        Sample(
            IMAP.Create(.of("a/"), uses: [.drafts, .sent]), "CREATE a/ (USE (\\Drafts \\Sent))"),
        Sample(IMAP.Delete(.of("a]b")), "DELETE a]b"),
        Sample(IMAP.Rename(.of("a"), to: .of("\"q\\")), "RENAME a \"\\\"q\\\\\""),
        Sample(IMAP.Subscribe(.of("nil")), "SUBSCRIBE \"nil\""),
        Sample(IMAP.Unsubscribe(.of("a%b*")), "UNSUBSCRIBE \"a%b*\""),
        Sample(IMAP.Namespace(), "NAMESPACE"),
        Sample(IMAP.Status(.inbox, [.unseen, .messages]), "STATUS INBOX (MESSAGES UNSEEN)"),
        Sample(
            IMAP.Status(.inbox, Set(StatusItem.allCases)),
            "STATUS INBOX (MESSAGES RECENT UIDNEXT UIDVALIDITY UNSEEN DELETED SIZE DELETED-STORAGE "
                + "HIGHESTMODSEQ MAILBOXID APPENDLIMIT XYMHIGHESTMODSEQ)"),
        Sample(IMAP.List(), "LIST \"\" *"),
        Sample(IMAP.List([.outermost], reference: .of("INBOX.")), "LIST INBOX. %"),
        Sample(IMAP.List([.empty]), "LIST \"\" \"\""),
        Sample(IMAP.List([try! .init("a b%")]), "LIST \"\" \"a b%\""),
        Sample(IMAP.List([try! .init("\u{FC}*")]), "LIST \"\" &APw-*"),
        Sample(
            IMAP.List(selection: [.subscribed, .recursiveMatch, .remote]),
            "LIST (SUBSCRIBED REMOTE RECURSIVEMATCH) \"\" *"),
        Sample(
            IMAP.List(
                [try! .init("INBOX"), try! .init("Archive/%")], selection: .specialUse,
                returning: .init(
                    subscribed: true, children: true, specialUse: true,
                    status: [.unseen, .uidNext], myRights: true,
                    metadata: ["/shared/comment", "/private/x"])),
            "LIST (SPECIAL-USE) \"\" (INBOX Archive/%) RETURN (SUBSCRIBED CHILDREN SPECIAL-USE "
                + "STATUS (UIDNEXT UNSEEN) MYRIGHTS METADATA (/shared/comment /private/x))"),
        Sample(IMAP.ListSubscribed(), "LSUB \"\" *"),
        Sample(IMAP.XList(.outermost, reference: .of("a")), "XLIST a %"),
        Sample(IMAP.Notify(), "NOTIFY NONE"),
        Sample(
            IMAP.Notify(
                [
                    .init(
                        .selected,
                        [.messageNew([.uid, .header]), .messageExpunge, .flagChange]),
                    .init(.inboxes, [.messageNew(), .messageExpunge]),
                    .init(.personal, [.mailboxName, .subscriptionChange]),
                    .init(.subscribed, [.mailboxMetadataChange, .serverMetadataChange]),
                    .init(.subtree([.of("Lists")]), []),
                    .init(
                        .mailboxes([.of("a"), .of("b c")]),
                        [.messageNew(), .messageExpunge, .annotationChange]),
                ], status: true),
            "NOTIFY SET STATUS (SELECTED (MessageNew (UID BODY.PEEK[HEADER]) MessageExpunge FlagChange)) "
                + "(INBOXES (MessageNew MessageExpunge)) (PERSONAL (MailboxName SubscriptionChange)) "
                + "(SUBSCRIBED (MailboxMetadataChange ServerMetadataChange)) (SUBTREE Lists NONE) "
                + "(MAILBOXES (a \"b c\") (MessageNew MessageExpunge AnnotationChange))"),
        Sample(
            IMAP.Notify([.init(.selectedDelayed, [.messageNew(), .messageExpunge])]),
            "NOTIFY SET (SELECTED-DELAYED (MessageNew MessageExpunge))"),
    ]

    @Test("are written as the RFCs have them", arguments: forms)
    func encoding(form: Sample) throws {
        #expect(try Wire.text(form.command, enabled: [.qResync]) == form.testDescription)
        #expect(form.testDescription.hasPrefix(form.command.name))
    }

    @Test("name mailboxes in UTF-8 where that was agreed on")
    func utf8() throws {
        let name = MailboxName.of("Entw\u{FC}rfe")
        #expect(
            try Wire.text(IMAP.Delete(name), enabled: [.utf8Accept])
                == "DELETE \"Entw\u{FC}rfe\"")
        #expect(
            try Wire.text(IMAP.List([.init("\u{FC}*")]), enabled: [.imap4rev2])
                == "LIST \"\" \"\u{FC}*\"")
        // A name that a server wrote wrong goes back as it came.
        let latin1 = MailboxName(wire: [0x61, 0xFC], isUTF8: false)
        #expect(try Wire.octets(IMAP.Delete(latin1)) == Array("DELETE {2+}\r\na".utf8) + [0xFC])
    }

    @Test(
        "are refused where the server lacks what they need",
        arguments: Sample.list([
            IMAP.Unselect(), IMAP.Namespace(), IMAP.XList(), IMAP.Notify(),
            IMAP.Select(.inbox, condStore: true), IMAP.Select(.inbox, qResync: known),
            IMAP.Create(.inbox, uses: [.drafts]), IMAP.List([.all, .outermost]),
            IMAP.List(selection: .subscribed), IMAP.List(returning: .init(children: true)),
            IMAP.Status(.inbox, [.size]), IMAP.Status(.inbox, [.deleted]),
            IMAP.Status(.inbox, [.highestModSeq]), IMAP.Status(.inbox, [.mailboxID]),
            IMAP.Status(.inbox, [.appendLimit]), IMAP.Status(.inbox, [.yahooHighestModSeq]),
        ]))
    func unsupported(sample: Sample) {
        #expect(Wire.complaint(sample.command, Wire.basic) == "unsupported")
    }

    @Test("need each extension that they use")
    func partlyUnsupported() {
        let extended = Wire.capabilities("IMAP4rev1 LIST-EXTENDED")
        for returning in [
            IMAP.List.Returning(specialUse: true), .init(status: [.messages]),
            .init(myRights: true), .init(metadata: ["/a"]),
        ] {
            #expect(Wire.complaint(IMAP.List(returning: returning), extended) == "unsupported")
        }
        #expect(Wire.complaint(IMAP.List(selection: .specialUse), extended) == "unsupported")
        let resync = Wire.capabilities("IMAP4rev1 QRESYNC")
        #expect(
            Wire.complaint(IMAP.Select(.inbox, qResync: Self.known), resync) == "outOfOrder")
        // RFC 9208 has DELETED, too.
        #expect(
            Wire.complaint(
                IMAP.Status(.inbox, [.deleted]),
                Wire.capabilities("IMAP4rev1 QUOTA QUOTA=RES-MESSAGE"))
                == "sent: STATUS INBOX (DELETED)")
        // The QUOTA of RFC 2087 has neither.
        for item in [StatusItem.deleted, .deletedStorage] {
            let complaint = Wire.complaint(
                IMAP.Status(.inbox, [item]), Wire.capabilities("IMAP4rev1 QUOTA"))
            #expect(complaint == "unsupported")
        }
    }

    static let one = ModSequence(1)!

    @Test(
        "are refused where what was passed cannot be sent",
        arguments: Sample.list([
            IMAP.Create(.inbox, uses: [MailboxAttribute("Drafts")]),
            IMAP.Create(.inbox, uses: [MailboxAttribute("\\Dra fts")]),
            IMAP.Create(.inbox, uses: [MailboxAttribute("\\A))\r\nX DELETE INBOX")]),
            IMAP.Create(.inbox, uses: [MailboxAttribute("\\")]),
            IMAP.List([]), IMAP.List(Array(repeating: .all, count: 1_001)),
            IMAP.List(selection: .recursiveMatch),
            IMAP.List(selection: [.recursiveMatch, .remote]),
            IMAP.List(returning: .init(metadata: ["comment"])),
            IMAP.List(returning: .init(metadata: ["/a\r\nX NOOP"])), IMAP.Status(.inbox, []),
            IMAP.Select(.inbox, qResync: .init(uidValidity: UIDValidity(0), modSeq: one)),
            IMAP.Select(
                .inbox, qResync: .init(uidValidity: UIDValidity(1), modSeq: ModSequence(0)!)),
            IMAP.Select(
                .inbox, qResync: .init(uidValidity: UIDValidity(1), modSeq: one, uids: .all)),
            IMAP.Select(
                .inbox, qResync: .init(uidValidity: UIDValidity(1), modSeq: one, uids: [])),
            IMAP.Select(
                .inbox,
                qResync: .init(
                    uidValidity: UIDValidity(1), modSeq: one,
                    sequenceMatch: .init(numbers: .of("1:2"), uids: .of("1")))),
            IMAP.Notify([], status: true), IMAP.Notify([.init(.inboxes, [.flagChange])]),
            IMAP.Notify([.init(.inboxes, [.messageNew()])]),
            IMAP.Notify([.init(.inboxes, [.messageNew([.uid]), .messageExpunge])]),
            IMAP.Notify([.init(.selected, [.mailboxName])]),
            IMAP.Notify([.init(.selected, []), .init(.selectedDelayed, [])]),
            IMAP.Notify([.init(.subtree([]), [])]),
            IMAP.Notify([.init(.subtreeOne([.inbox]), [])]),
            IMAP.Notify([.init(.inboxes, [.mailboxName, .mailboxName])]),
            IMAP.Notify(Array(repeating: .init(.inboxes, []), count: 1_001)),
        ]))
    func invalid(sample: Sample) {
        #expect(Wire.complaint(sample.command, enabled: [.qResync]) == "invalidInput")
    }

    @Test("cannot be made of patterns that carry a second command")
    func patterns() {
        for text in ["a\r\nX DELETE INBOX", "a\nb", "a\u{0}b"] {
            #expect(throws: IMAPError.self) { try MailboxPattern(text) }
        }
    }
}
