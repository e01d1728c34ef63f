import MartletIMAP
import MartletMIME
import MartletTestSupport
import Testing

extension Feature {
    static let message = OctetArray(Array("a: b\r\n".utf8))

    static let base: [Feature] = [
        Feature(
            "folder info on SELECT: UIDNEXT, UIDVALIDITY, counts, modseq, permanent flags",
            offers: "CONDSTORE",
            [
                "SELECT":
                    "* 17 EXISTS\n* 2 RECENT\n* FLAGS (\\Seen $x)\n* OK [UNSEEN 8] u\n* OK [UIDVALIDITY 9] v\n* OK [UIDNEXT 40] n\n* OK [PERMANENTFLAGS (\\Seen \\*)] f\n* OK [HIGHESTMODSEQ 715] m\nTAG OK [READ-WRITE]"
            ]
        ) { imap in
            let mailbox = try await imap.select(.inbox).mailbox
            #expect(mailbox.messageCount == 17 && mailbox.recentCount == 2)
            #expect(mailbox.uidValidity == UIDValidity(9) && mailbox.uidNext == UID(40))
            #expect(mailbox.highestModSeq == ModSequence(715))
            #expect(mailbox.permanentFlags == [.seen, .anyKeyword] && !mailbox.isReadOnly)
            #expect(mailbox.firstUnseen == SequenceNumber(8))
        },
        Feature(
            "folder STATUS",
            ["STATUS": "* STATUS Work (MESSAGES 7 UNSEEN 2 UIDNEXT 9 UIDVALIDITY 1)\nTAG OK"],
            says: ["STATUS Work (MESSAGES UIDNEXT UIDVALIDITY UNSEEN)"]
        ) { imap in
            let status = try await imap.status(of: MailboxName("Work"))
            #expect(status.counts == [7, 2])
        },
        Feature(
            "list all / subscribed folders",
            [
                "LIST": "* LIST () \"/\" INBOX\n* LIST () \"/\" Work\nTAG OK",
                "LSUB": "* LSUB () \"/\" Work\nTAG OK",
            ]
        ) { imap in
            let all = try await imap.mailboxes()
            #expect(all.map(\.entry.name.text) == ["INBOX", "Work"])
            #expect(all.map { $0.entry.attributes.contains(.subscribed) } == [false, true])
            let subscribed = try await imap.mailboxes(subscribedOnly: true)
            #expect(subscribed.map(\.entry.name.text) == ["Work"])
        },
        Feature(
            "create, rename, delete folder", says: ["CREATE a", "RENAME a b", "DELETE b"]
        ) { imap in
            try await imap.create(MailboxName("a"))
            try await imap.rename(MailboxName("a"), to: MailboxName("b"))
            try await imap.delete(MailboxName("b"))
        },
        Feature("subscribe / unsubscribe", says: ["SUBSCRIBE a", "UNSUBSCRIBE a"]) { imap in
            try await imap.subscribe(MailboxName("a"))
            try await imap.unsubscribe(MailboxName("a"))
        },
        Feature(
            "expunge, UID EXPUNGE", offers: "UIDPLUS", says: ["EXPUNGE", "UID EXPUNGE 4"]
        ) { imap in
            try await imap.select(.inbox)
            try await imap.expunge()
            try await imap.expunge(UIDSet("4"))
        },
        Feature(
            "append with flags (+ date)", offers: "LITERAL+ UIDPLUS",
            ["APPEND": "TAG OK [APPENDUID 7 12] done"],
            says: ["APPEND Sent (\\Seen) \"30-Nov-2026 03:22:55 +0100\" {6+}|"]
        ) { imap in
            let date = MailDate.parse(Array("Mon, 30 Nov 2026 03:22:55 +0100".utf8)).value
            let result = try await imap.append(
                message, to: MailboxName("Sent"), flags: [.seen], date: date)
            #expect(result.uids == [UID(12)!] && result.uidValidity == UIDValidity(7))
        },
        Feature(
            "copy messages, with UID map", offers: "UIDPLUS",
            ["UID COPY": "TAG OK [COPYUID 7 4,6 21:22] done"], says: ["UID COPY 4,6 Work"]
        ) { imap in
            try await imap.select(.inbox)
            let map = try await imap.copy(UIDSet("4,6"), to: MailboxName("Work")).first?.uids
            #expect(map?[UID(6)!] == UID(22))
        },
        Feature(
            "store flags add / remove / set, silent form",
            says: [
                "UID STORE 4 +FLAGS (\\Seen)", "UID STORE 4 -FLAGS (\\Seen)",
                "UID STORE 4 FLAGS (\\Flagged)", "UID STORE 4 +FLAGS.SILENT (\\Seen)",
            ]
        ) { imap in
            try await imap.select(.inbox)
            try await imap.store(UIDSet("4"), .add([.seen]))
            try await imap.store(UIDSet("4"), .remove([.seen]))
            try await imap.store(UIDSet("4"), .replace([.flagged]))
            try await imap.store(UIDSet("4"), .add([.seen]), isSilent: true)
        },
        Feature(
            "keywords ($Forwarded, $MDNSent, $Junk, user tags)",
            says: ["UID STORE 4 +FLAGS ($Forwarded $MDNSent $Junk mine)"]
        ) { imap in
            try await imap.select(.inbox)
            try await imap.store(
                UIDSet("4"), .add([.forwarded, .mdnSent, .junk, MessageFlag("mine")!]))
        },
        Feature(
            "store Gmail labels", offers: "X-GM-EXT-1",
            ["UID STORE": "* 1 FETCH (UID 4 X-GM-LABELS (\\Important \"x y\"))\nTAG OK"],
            says: ["UID STORE 4 +X-GM-LABELS (\"x y\")"]
        ) { imap in
            try await imap.select(.inbox)
            let result = try await imap.store(UIDSet("4"), .labels(.add, [GmailLabel("x y")]))
            #expect(result.rows.count == 1)
        },
        Feature("store Gmail labels: not at other servers") { imap in
            try await imap.select(.inbox)
            await FeatureTests.lacks(.gmail) {
                try await imap.store(UIDSet("4"), .labels(.add, [GmailLabel("x")]))
            }
        },
        Feature(
            "fetch by UID with a chosen set of items",
            ["UID FETCH": "* 1 FETCH (UID 4 FLAGS () RFC822.SIZE 12)\nTAG OK"],
            says: ["UID FETCH 4 (FLAGS RFC822.SIZE)"]
        ) { imap in
            try await imap.select(.inbox)
            let row = try await imap.fetch(UIDSet("4"), [.flags, .size]).rows.first
            #expect(row?.sizeInOctets == 12 && row?.flags == [])
        },
        Feature(
            "fetch by sequence number with a chosen set",
            ["FETCH": "* 2 FETCH (FLAGS (\\Seen))\nTAG OK"], says: ["FETCH 2 (FLAGS)"]
        ) { imap in
            try await imap.select(.inbox)
            let rows = try await imap.fetch(SequenceSet(SequenceNumber(2)!), [.flags]).rows
            #expect(rows.map(\.flags) == [[.seen]])
        },
        Feature(
            "fetch one part by part id and encoding",
            ["UID FETCH": "* 1 FETCH (UID 4 BODY[2] {8}\naGVsbG8=)\nTAG OK"],
            says: ["UID FETCH 4 (BODY.PEEK[2])"]
        ) { imap in
            try await imap.select(.inbox)
            let body = try await imap.body(of: UID(4)!, PartNumber("2")!, encoding: "base64")
            #expect(body == Array("hello".utf8))
        },
        Feature(
            "fetch a part straight to a file, in ranges",
            ["UID FETCH": "* 1 FETCH (UID 4 BODY[1]<3> {3}\ndef)\nTAG OK"],
            says: ["UID FETCH 4 (BODY.PEEK[1]<3.4294967295>)"]
        ) { imap in
            try await imap.select(.inbox)
            var file: [UInt8] = Array("abc".utf8)
            let section = MessageSection(PartNumber("1")!)
            let count = try await imap.download(section, of: UID(4)!, from: 3) { file += $0 }
            #expect(count == 3 && file == Array("abcdef".utf8))
        },
        Feature(
            "custom raw command", ["XFOO": "* XFOO bar\nTAG OK"], says: ["XFOO \"a b\" 7"]
        ) { imap in
            let responses = try await imap.run(IMAP.RawCommand("XFOO \"a b\" 7"))
            #expect(responses.responses.count == 1)
        },
        Feature(
            "disconnect / logout / BYE kept apart from an error",
            ["NOOP": "* BYE maintenance\nTAG OK"]
        ) { imap in
            // A BYE that nobody asked for is told with its words; that of LOGOUT, at the end, is none.
            try await imap.noop()
            let error = await failure { try await imap.select(.inbox) }
            #expect(error == nil)
        },
        Feature(
            "modified UTF-7 both ways, including wrong input",
            [
                "LIST":
                    "* LIST () \"/\" &U,BTFw-\n* LIST () \"/\" \"&broken\"\n* LIST () \"/\" INBOX\nTAG OK"
            ]
        ) { imap in
            let names = try await imap.mailboxes().map(\.entry.name)
            #expect(names.map(\.text) == ["\u{53F0}\u{5317}", "&broken", "INBOX"])
            try await imap.delete(names[1])
            try await imap.create(MailboxName("\u{53F0}\u{5317}"))
        },
        Feature(
            "descending or `*` ranges normalised",
            says: ["UID STORE 3:7 +FLAGS.SILENT (\\Seen)", "UID STORE 5:* +FLAGS.SILENT (\\Seen)"]
        ) { imap in
            try await imap.select(.inbox)
            let descending = UIDSet(UID(7)!, through: UID(3)!)
            try await imap.store(descending, .add([.seen]), isSilent: true)
            try await imap.store(UIDSet("*:5"), .add([.seen]), isSilent: true)
        },
        Feature(
            "tolerance for broken BODYSTRUCTURE / ENVELOPE, per message",
            [
                "UID FETCH":
                    "* 1 FETCH (UID 1 ENVELOPE ((x BODYSTRUCTURE (\"text\" \"plain\" NIL NIL NIL \"7bit\" 5 1))\n* 2 FETCH (UID 2 ENVELOPE (NIL \"s\" NIL NIL NIL NIL NIL NIL NIL NIL) BODYSTRUCTURE ((()\"mixed\"))\nTAG OK"
            ]
        ) { imap in
            try await imap.select(.inbox)
            let result = try await imap.fetch(UIDSet("1:2"), [.envelope, .bodyStructure])
            #expect(result.rows.count + result.damaged.count == 2)
            #expect(result.missing == [])
        },
    ]
}
