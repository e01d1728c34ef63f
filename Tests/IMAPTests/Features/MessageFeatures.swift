import MartletIMAP
import MartletMIME
import MartletTestSupport
import Testing

extension Feature {
    private static func row(_ items: String) -> KeyValuePairs<String, String> {
        ["UID FETCH": "* 1 FETCH (UID 4 \(items))\nTAG OK"]
    }

    static let messages: [Feature] = [
        Feature(
            "UIDPLUS (APPENDUID, COPYUID)", offers: "UIDPLUS LITERAL+",
            [
                "APPEND": "TAG OK [APPENDUID 7 12] done",
                "UID COPY": "TAG OK [COPYUID 7 4 21] done",
            ]
        ) { imap in
            #expect(try await imap.append(message, to: .inbox).uids == [UID(12)!])
            try await imap.select(.inbox)
            #expect(try await imap.copy(UIDSet("4"), to: .inbox).first?.uids?[UID(4)!] == UID(21))
        },
        Feature(
            "UIDPLUS (APPENDUID, COPYUID): others keep their marks without it", offers: "LITERAL+",
            ["UID SEARCH": "* SEARCH 4 9\nTAG OK"],
            says: [
                "APPEND INBOX {6+}|", "UID SEARCH DELETED",
                "UID STORE 9 -FLAGS.SILENT (\\Deleted)", "EXPUNGE",
                "UID STORE 9 +FLAGS.SILENT (\\Deleted)",
            ]
        ) { imap in
            #expect(try await imap.append(message, to: .inbox).uids.isEmpty)
            try await imap.select(.inbox)
            try await imap.expunge(UIDSet("4"))
        },
        Feature(
            "MOVE, with COPY+STORE+UID EXPUNGE fallback: with MOVE", offers: "MOVE",
            ["UID MOVE": "* OK [COPYUID 7 4 21] moved\n* 1 EXPUNGE\nTAG OK"], says: ["UID MOVE 4 a"]
        ) { imap in
            try await imap.select(.inbox)
            let moved = try await imap.move(UIDSet("4"), to: MailboxName("a"))
            #expect(moved.first?.uids?[UID(4)!] == UID(21))
        },
        Feature(
            "MOVE, with COPY+STORE+UID EXPUNGE fallback: without", offers: "UIDPLUS",
            says: ["UID COPY 4 a", "UID STORE 4 +FLAGS.SILENT (\\Deleted)", "UID EXPUNGE 4"]
        ) { imap in
            try await imap.select(.inbox)
            try await imap.move(UIDSet("4"), to: MailboxName("a"))
        },
        Feature(
            "CONDSTORE", offers: "CONDSTORE",
            [
                "UID FETCH": "* 1 FETCH (UID 4 MODSEQ (9) FLAGS ())\nTAG OK",
                "UID STORE": "TAG OK [MODIFIED 5] some",
            ],
            says: [
                "UID FETCH 1:* (FLAGS) (CHANGEDSINCE 7)",
                "UID STORE 4:5 (UNCHANGEDSINCE 9) +FLAGS (\\Seen)",
            ]
        ) { imap in
            try await imap.select(.inbox)
            let changed = try await imap.fetch(
                UIDSet.all, [.flags], changedSince: ModSequence(7)!)
            #expect(changed.rows.first?.modSeq == ModSequence(9))
            let result = try await imap.store(
                UIDSet("4:5"), .add([.seen]), unchangedSince: ModSequence(9)!)
            #expect(result.modified == UIDSet("5"))
        },
        Feature("CONDSTORE: not without it") { imap in
            try await imap.select(.inbox)
            await FeatureTests.lacks(.condStore) {
                _ = try await imap.fetch(UIDSet.all, [.flags], changedSince: ModSequence(7)!)
            }
        },
        Feature(
            "QRESYNC", offers: "QRESYNC ENABLE",
            [
                "ENABLE": "* ENABLED QRESYNC\nTAG OK",
                "SELECT":
                    "* 3 EXISTS\n* OK [UIDVALIDITY 7] v\n* OK [HIGHESTMODSEQ 20] m\n* VANISHED (EARLIER) 4\n* 2 FETCH (UID 5 FLAGS (\\Seen) MODSEQ (15))\nTAG OK",
            ],
            says: ["ENABLE QRESYNC"]
        ) { imap in
            try await imap.enable([.qResync])
            let changes = try await imap.select(
                .inbox, known: .init(uidValidity: UIDValidity(7), modSeq: ModSequence(10)!)
            ).changes
            #expect(changes.vanished == UIDSet("4") && changes.rows.first?.uid == UID(5))
        },
        Feature(
            "VANISHED sanity check, per-server opt-out", offers: "QRESYNC ENABLE",
            [
                "ENABLE": "* ENABLED QRESYNC\nTAG OK",
                "SELECT":
                    "* 3 EXISTS\n* OK [UIDVALIDITY 7] v\n* OK [HIGHESTMODSEQ 20] m\n* VANISHED (EARLIER) 1:*\nTAG OK",
            ]
        ) { imap in
            try await imap.enable([.qResync])
            let changes = try await imap.select(
                .inbox, known: .init(uidValidity: UIDValidity(7), modSeq: ModSequence(10)!)
            ).changes
            #expect(changes.vanished.isEmpty && changes.isVanishedIncredible)
        },
        Feature(
            "VANISHED sanity check, per-server opt-out: iCloud is not believed",
            offers: "QRESYNC ENABLE XAPPLEPUSHSERVICE"
        ) { imap in
            try await imap.enable([.qResync])
            #expect(await !imap.capabilities.has(.qResync))
        },
        Feature(
            "LITERAL+ / LITERAL-: LITERAL+", offers: "LITERAL+", says: ["APPEND a {6+}|"]
        ) { try await $0.append(message, to: MailboxName("a")) },
        Feature(
            "LITERAL+ / LITERAL-: LITERAL-, for small ones", offers: "LITERAL-",
            says: ["APPEND a {6+}|", "APPEND a {5000}|"]
        ) { imap in
            try await imap.append(message, to: MailboxName("a"))
            try await imap.append(
                OctetArray([UInt8](repeating: 0x61, count: 5_000)), to: MailboxName("a"))
        },
        Feature(
            "LITERAL+ / LITERAL-: what is large waits, so that a refusal costs nothing",
            offers: "LITERAL+", says: ["APPEND a {70000}|"]
        ) { imap in
            try await imap.append(
                OctetArray([UInt8](repeating: 0x61, count: 70_000)), to: MailboxName("a"))
        },
        Feature(
            "LITERAL+ / LITERAL-: the synchronising form without them", says: ["APPEND a {6}|"]
        ) { try await $0.append(message, to: MailboxName("a")) },
        Feature(
            "BINARY (FETCH, APPEND)", offers: "BINARY LITERAL+", row("BINARY[1] ~{3}\n\0\u{1}b"),
            says: ["UID FETCH 4 (BINARY.PEEK[1])", "APPEND a ~{6+}|"]
        ) { imap in
            try await imap.select(.inbox)
            #expect(try await imap.body(of: UID(4)!, PartNumber("1")!) == [0, 1, 0x62])
            try await imap.append([AppendMessage(.binary(message))], to: MailboxName("a"))
        },
        Feature(
            "BINARY (FETCH, APPEND): decoded here without it",
            [
                "UID FETCH 4 (BODYSTRUCTURE)":
                    "* 1 FETCH (UID 4 BODYSTRUCTURE (\"text\" \"plain\" NIL NIL NIL \"base64\" 8 1))\nTAG OK",
                "UID FETCH 4 (BODY.PEEK[1])": "* 1 FETCH (UID 4 BODY[1] {8}\naGVsbG8=)\nTAG OK",
            ]
        ) { imap in
            try await imap.select(.inbox)
            #expect(
                try await imap.body(of: UID(4)!, PartNumber("1")!) == Array("hello".utf8))
        },
        Feature(
            "BINARY (FETCH, APPEND): decoded here where the server cannot", offers: "BINARY",
            [
                "UID FETCH 4 (BINARY.PEEK[1])": "TAG NO [UNKNOWN-CTE] what?",
                "UID FETCH 4 (BODY.PEEK[1])": "* 1 FETCH (UID 4 BODY[1] {8}\naGVsbG8=)\nTAG OK",
            ]
        ) { imap in
            try await imap.select(.inbox)
            let body = try await imap.body(of: UID(4)!, PartNumber("1")!, encoding: "base64")
            #expect(body == Array("hello".utf8))
        },
        Feature(
            "UTF8=ACCEPT / ONLY", offers: "ENABLE UTF8=ACCEPT",
            ["ENABLE": "* ENABLED UTF8=ACCEPT\nTAG OK"],
            says: ["ENABLE UTF8=ACCEPT", "CREATE \"\u{FC}ber\""]
        ) { imap in
            #expect(try await imap.enable([.utf8Accept]).contains(.utf8Accept))
            try await imap.create(MailboxName("\u{FC}ber"))
        },
        Feature(
            "UTF8=ACCEPT / ONLY: modified UTF-7 without it", says: ["CREATE &APw-ber"]
        ) { imap in
            #expect(try await imap.enable([.utf8Accept]).isEmpty)
            try await imap.create(MailboxName("\u{FC}ber"))
        },
        Feature("APPENDLIMIT", offers: "APPENDLIMIT=5") { imap in
            let error = await failure { try await imap.append(message, to: .inbox) }
            #expect(error?.recovery == .fixInput)
            #expect(error?.description.contains("takes up to 5") == true)
        },
        Feature(
            "APPENDLIMIT: of the mailbox alone", offers: "APPENDLIMIT",
            ["STATUS": "* STATUS a (APPENDLIMIT 5)\nTAG OK"], says: ["STATUS a (APPENDLIMIT)"]
        ) { imap in
            let error = await failure { try await imap.append(message, to: MailboxName("a")) }
            #expect(error?.recovery == .fixInput)
        },
        Feature(
            "MULTIAPPEND", offers: "MULTIAPPEND LITERAL+ UIDPLUS",
            ["APPEND": "TAG OK [APPENDUID 7 12:13] done"],
            says: ["APPEND a {6+}| (\\Seen) {6+}|"]
        ) { imap in
            let result = try await imap.append(
                [AppendMessage(message), AppendMessage(message, flags: [.seen])],
                to: MailboxName("a"))
            #expect(result.uids == [UID(12)!, UID(13)!])
        },
        Feature(
            "MULTIAPPEND: one by one without it", offers: "LITERAL+",
            says: ["APPEND a {6+}|", "APPEND a (\\Seen) {6+}|"]
        ) { imap in
            try await imap.append(
                [AppendMessage(message), AppendMessage(message, flags: [.seen])],
                to: MailboxName("a"))
        },
        Feature(
            "CATENATE", offers: "CATENATE LITERAL+",
            says: ["APPEND a CATENATE (URL \"/a/;UID=20/;SECTION=HEADER\" TEXT {6+}|)"]
        ) { imap in
            try await imap.append(
                [
                    AppendMessage(
                        .pieces([.url("/a/;UID=20/;SECTION=HEADER"), .text(message)]))
                ], to: MailboxName("a"))
        },
        Feature("CATENATE: not without it") { imap in
            await FeatureTests.lacks(.catenate) {
                try await imap.append([AppendMessage(.pieces([.text(message)]))], to: .inbox)
            }
        },
        Feature(
            "REPLACE (RFC 8508)", offers: "REPLACE LITERAL+ UIDPLUS",
            ["UID REPLACE": "* OK [APPENDUID 7 12] new\n* 1 EXPUNGE\nTAG OK"],
            says: ["UID REPLACE 4 Drafts (\\Draft) {6+}|"]
        ) { imap in
            try await imap.select(.inbox)
            let result = try await imap.replace(
                UID(4)!, with: AppendMessage(message, flags: [.draft]), in: MailboxName("Drafts"))
            #expect(result.uids == [UID(12)!])
        },
        Feature(
            "REPLACE (RFC 8508): APPEND, STORE and EXPUNGE without it",
            offers: "LITERAL+ UIDPLUS",
            says: [
                "APPEND Drafts {6+}|", "UID STORE 4 +FLAGS.SILENT (\\Deleted)", "UID EXPUNGE 4",
            ]
        ) { imap in
            try await imap.select(.inbox)
            try await imap.replace(
                UID(4)!, with: AppendMessage(message), in: MailboxName("Drafts"))
        },
        Feature(
            "PREVIEW", offers: "PREVIEW", row("PREVIEW \"Hello\""),
            says: ["UID FETCH 4 (PREVIEW (LAZY))"]
        ) { imap in
            try await imap.select(.inbox)
            let row = try await imap.fetch(UIDSet("4"), [.preview(isLazy: true)]).rows.first
            #expect(row?.items.contains(.preview("Hello")) == true)
        },
        Feature("PREVIEW: not without it") { imap in
            try await imap.select(.inbox)
            await FeatureTests.lacks(.preview) {
                _ = try await imap.fetch(UIDSet("4"), [.preview()])
            }
        },
        Feature(
            "SAVEDATE", offers: "SAVEDATE", row("SAVEDATE \"30-Nov-2026 03:22:55 +0100\""),
            says: ["UID FETCH 4 (SAVEDATE)"]
        ) { imap in
            try await imap.select(.inbox)
            let row = try await imap.fetch(UIDSet("4"), [.saveDate]).rows.first
            #expect(row?.hasDamage == false && row?.items.count == 2)
        },
        Feature(
            "X-GM-EXT-1 (labels, msgid, thrid, raw search)", offers: "X-GM-EXT-1",
            [
                "UID FETCH":
                    "* 1 FETCH (UID 4 X-GM-MSGID 1278455344230334865 X-GM-THRID 1266894439832287888 X-GM-LABELS (\\Inbox foo))\nTAG OK",
                "UID SEARCH": "* SEARCH 4\nTAG OK",
            ],
            says: [
                "UID FETCH 4 (X-GM-MSGID X-GM-THRID X-GM-LABELS)",
                "UID SEARCH X-GM-RAW \"has:attachment\"",
            ]
        ) { imap in
            try await imap.select(.inbox)
            let row = try await imap.fetch(
                UIDSet("4"), [.gmailMessageID, .gmailThreadID, .gmailLabels]
            ).rows.first
            #expect(row?.items.contains(.gmailMessageID(1_278_455_344_230_334_865)) == true)
            #expect(try await imap.search(.gmailRaw("has:attachment")).count == 1)
        },
        Feature(
            "URLAUTH", offers: "URLAUTH",
            ["GENURLAUTH": "* GENURLAUTH \"imap://x/;urlauth=a:internal:9\"\nTAG OK"]
        ) { imap in
            let urls = try await imap.run(
                IMAP.GenerateURLs([.init("imap://x/INBOX/;uid=20;urlauth=anonymous")]))
            #expect(urls.count == 1)
        },
    ]
}
