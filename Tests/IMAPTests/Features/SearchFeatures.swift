import MartletIMAP
import MartletTestSupport
import Testing

extension Feature {
    private static func found(_ text: String) -> KeyValuePairs<String, String> {
        ["UID SEARCH": "* \(text)\nTAG OK", "UID SORT": "* \(text)\nTAG OK"]
    }

    static let searches: [Feature] = [
        Feature(
            "search by kind (from, subject, …)", found("SEARCH 4 7"),
            says: [
                "UID SEARCH FROM \"ann\"", "UID SEARCH SUBJECT \"x\"", "UID SEARCH UNSEEN",
                "UID SEARCH LARGER 5000000000",
            ]
        ) { imap in
            try await imap.select(.inbox)
            #expect(try await imap.search(.from("ann")).numbers == UIDSet("4,7"))
            for key: SearchKey in [.subject("x"), .unseen, .larger(5_000_000_000)] {
                #expect(try await imap.search(key).count == 2)
            }
        },
        Feature(
            "search by expression tree", found("SEARCH 4"),
            says: ["UID SEARCH OR FROM \"a\" NOT SUBJECT \"b\""]
        ) { imap in
            try await imap.select(.inbox)
            let key = SearchKey.or([.from("a"), .not(.subject("b"))])
            #expect(try await imap.search(key).count == 1)
        },
        Feature(
            "ESEARCH", offers: "ESEARCH", found("ESEARCH (TAG \"TAG\") UID MIN 4 COUNT 2"),
            says: ["UID SEARCH RETURN (MIN COUNT) UNSEEN"]
        ) { imap in
            try await imap.select(.inbox)
            let result = try await imap.search(.unseen, returning: SearchReturn([.min, .count]))
            #expect(result.minimum == UID(4) && result.count == 2)
        },
        Feature(
            "ESEARCH: counted here without it", found("SEARCH 9 4 5"),
            says: ["UID SEARCH UNSEEN"]
        ) { imap in
            try await imap.select(.inbox)
            let result = try await imap.search(.unseen, returning: SearchReturn([.min, .count]))
            #expect(result.minimum == UID(4) && result.count == 3)
        },
        Feature(
            "SEARCHRES ($)", offers: "ESEARCH SEARCHRES",
            [
                "UID SEARCH": "* ESEARCH (TAG \"TAG\") UID\nTAG OK",
                "UID FETCH": "* 1 FETCH (UID 4 FLAGS ())\nTAG OK",
            ],
            says: ["UID SEARCH RETURN (SAVE) UNSEEN", "UID FETCH $ (FLAGS)"]
        ) { imap in
            try await imap.select(.inbox)
            _ = try await imap.search(.unseen, returning: SearchReturn([.save]))
            let result = try await imap.run(IMAP.Fetch<UID>(.searchResult, [.flags]))
            #expect(result.rows.count == 1)
        },
        Feature("SEARCHRES ($): not without it", offers: "ESEARCH") { imap in
            try await imap.select(.inbox)
            await FeatureTests.lacks(.searchRes) {
                _ = try await imap.search(.unseen, returning: SearchReturn([.save]))
            }
        },
        Feature(
            "CONTEXT=SEARCH / ESORT", offers: "ESEARCH CONTEXT=SEARCH SORT ESORT",
            [
                "UID SEARCH": "* ESEARCH (TAG \"TAG\") UID ALL 4:5\nTAG OK",
                "NOOP": "* ESEARCH (TAG \"TAG\") UID ADDTO (0 7)\nTAG OK",
                "UID SORT": "* ESEARCH (TAG \"TAG\") UID COUNT 2 ALL 5,4\nTAG OK",
            ]
        ) { imap in
            try await imap.select(.inbox)
            var events = try await imap.events().makeAsyncIterator()
            let result = try await imap.search(.unseen, returning: SearchReturn([.all, .update]))
            #expect(result.numbers == UIDSet("4:5"))
            try await imap.noop()
            guard case .search(let update)? = try await events.next() else {
                Issue.record("no update")
                return
            }
            #expect(update.updates.count == 1)
            try await imap.run(IMAP.CancelUpdate([result.tag ?? ""]))
            let sorted = try await imap.run(
                IMAP.Sort<UID>(by: [SortCriterion(.date)], returning: SearchReturn([.count, .all])))
            #expect(sorted.count == 2 && Array(sorted.numbers) == [UID(5)!, UID(4)!])
        },
        Feature("CONTEXT=SEARCH / ESORT: not without it", offers: "ESEARCH") { imap in
            try await imap.select(.inbox)
            await FeatureTests.lacks(.contextSearch) {
                _ = try await imap.search(.unseen, returning: SearchReturn([.update]))
            }
        },
        Feature(
            "SORT, SORT=DISPLAY", offers: "SORT SORT=DISPLAY", found("SORT 5 4 9"),
            says: ["UID SORT (REVERSE DATE DISPLAYFROM) UTF-8 ALL"]
        ) { imap in
            try await imap.select(.inbox)
            let sorted = try await imap.sort(by: [.reverse(.date), SortCriterion(.displayFrom)])
            #expect(Array(sorted.numbers).map(\.rawValue) == [5, 4, 9])
        },
        Feature("SORT, SORT=DISPLAY: not without them", offers: "SORT") { imap in
            try await imap.select(.inbox)
            await FeatureTests.lacks(.sortDisplay) {
                _ = try await imap.sort(by: [SortCriterion(.displayFrom)])
            }
        },
        Feature(
            "THREAD (ORDEREDSUBJECT, REFERENCES, REFS)",
            offers: "THREAD=ORDEREDSUBJECT THREAD=REFERENCES THREAD=REFS",
            ["UID THREAD": "* THREAD (2)(3 6 (4 23)(44 7 96))\nTAG OK"],
            says: [
                "UID THREAD ORDEREDSUBJECT UTF-8 ALL", "UID THREAD REFERENCES UTF-8 ALL",
                "UID THREAD REFS UTF-8 ALL",
            ]
        ) { imap in
            try await imap.select(.inbox)
            for algorithm: ThreadAlgorithm in [.orderedSubject, .references, .refs] {
                #expect(try await imap.threads(by: algorithm).count == 8)
            }
        },
        Feature("THREAD (ORDEREDSUBJECT, REFERENCES, REFS): not without it") { imap in
            try await imap.select(.inbox)
            await FeatureTests.lacks(Capability("THREAD=REFERENCES")) {
                _ = try await imap.threads()
            }
        },
        Feature(
            "WITHIN (OLDER / YOUNGER)", offers: "WITHIN", found("SEARCH 4"),
            says: ["UID SEARCH YOUNGER 3600", "UID SEARCH OLDER 60"]
        ) { imap in
            try await imap.select(.inbox)
            _ = try await imap.search(.younger(seconds: 3_600))
            _ = try await imap.search(.older(seconds: 60))
        },
        Feature("WITHIN (OLDER / YOUNGER): not without it") { imap in
            try await imap.select(.inbox)
            await FeatureTests.lacks(.within) { _ = try await imap.search(.older(seconds: 60)) }
        },
        Feature(
            "FUZZY search, FILTERS", offers: "SEARCH=FUZZY FILTERS", found("SEARCH 4"),
            says: ["UID SEARCH FUZZY SUBJECT \"x\"", "UID SEARCH FILTER mine"]
        ) { imap in
            try await imap.select(.inbox)
            _ = try await imap.search(.fuzzy(.subject("x")))
            _ = try await imap.search(SearchKey(.filter("mine")))
        },
        Feature("FUZZY search, FILTERS: not without them") { imap in
            try await imap.select(.inbox)
            await FeatureTests.lacks(.filters) {
                _ = try await imap.search(SearchKey(.filter("mine")))
            }
        },
        Feature(
            "MULTISEARCH", offers: "MULTISEARCH ESEARCH",
            [
                "ESEARCH":
                    "* ESEARCH (TAG \"TAG\" MAILBOX folder1 UIDVALIDITY 1) UID ALL 4001,4003\n* ESEARCH (TAG \"TAG\" MAILBOX folder2 UIDVALIDITY 2) UID ALL 7\nTAG OK"
            ],
            says: ["ESEARCH IN (PERSONAL) RETURN (ALL) UNSEEN"]
        ) { imap in
            let found = try await imap.run(IMAP.MultiSearch(in: [.personal], .unseen))
            #expect(found.map(\.mailbox?.text) == ["folder1", "folder2"])
            #expect(found.first?.uids == UIDSet("4001,4003"))
        },
        Feature("MULTISEARCH: not without it", offers: "ESEARCH") { imap in
            await FeatureTests.lacks(.multiSearch) {
                _ = try await imap.run(IMAP.MultiSearch(in: [.personal], .unseen))
            }
        },
        Feature(
            "PARTIAL (RFC 9394)", offers: "PARTIAL ESEARCH",
            [
                "UID SEARCH":
                    "* ESEARCH (TAG \"TAG\") UID PARTIAL (-1:-100 200:250,252:300)\nTAG OK",
                "UID FETCH": "* 9 FETCH (UID 300 FLAGS ())\nTAG OK",
            ],
            says: [
                "UID SEARCH RETURN (PARTIAL -1:-100) UNDELETED",
                "UID FETCH 1:* (FLAGS) (PARTIAL -1:-30)",
            ]
        ) { imap in
            try await imap.select(.inbox)
            let result = try await imap.search(
                .undeleted, returning: SearchReturn(partial: try .last(100)))
            #expect(result.partial?.numbers?.count == 100)
            let rows = try await imap.run(
                IMAP.Fetch(UIDSet.all, [.flags], partial: try .last(30))
            ).rows
            #expect(rows.count == 1)
        },
        Feature("PARTIAL (RFC 9394): not without it", offers: "ESEARCH") { imap in
            try await imap.select(.inbox)
            await FeatureTests.lacks(.partial) {
                _ = try await imap.search(
                    .undeleted, returning: SearchReturn(partial: try .last(100)))
            }
        },
        Feature(
            "UIDONLY (RFC 9586)", offers: "UIDONLY ENABLE",
            [
                "ENABLE": "* ENABLED UIDONLY\nTAG OK",
                "UID FETCH": "* 25996 UIDFETCH (FLAGS (\\Seen))\nTAG OK",
                "UID STORE": "* 25996 UIDFETCH (FLAGS (\\Flagged))\nTAG OK",
                "UID EXPUNGE": "* VANISHED 25996\nTAG OK",
            ],
            says: [
                "ENABLE UIDONLY", "UID FETCH 25996 (FLAGS)", "UID STORE 25996 +FLAGS (\\Flagged)",
            ]
        ) { imap in
            try await imap.enable([.uidOnly])
            try await imap.select(.inbox)
            let result = try await imap.fetch(UIDSet("25996"), [.flags])
            #expect(result.rows.first?.flags == [.seen] && result.missing == [])
            let stored = try await imap.store(UIDSet("25996"), .add([.flagged]))
            #expect(stored.rows.first?.uid == UID(25_996))
            // Numbers are switched off: a command with some is not sent.
            let error = await failure {
                _ = try await imap.fetch(SequenceSet(SequenceNumber(1)!), [.flags])
            }
            guard case .outOfOrder? = error?.kind else {
                Issue.record("\(String(describing: error))")
                return
            }
        },
        Feature(
            "MESSAGELIMIT (RFC 9738)", offers: "MESSAGELIMIT=2 UIDPLUS",
            [
                "UID FETCH 1:* ":
                    "* 8 FETCH (UID 8 FLAGS ())\n* 7 FETCH (UID 7 FLAGS ())\nTAG OK [MESSAGELIMIT 2 7] not all",
                "UID FETCH 1:6 ": "* 5 FETCH (UID 5 FLAGS ())\nTAG OK",
            ],
            says: [
                "UID FETCH 1:* (FLAGS)", "UID FETCH 1:6 (FLAGS)", "UID FETCH 1:2 (FLAGS)",
                "UID FETCH 3:4 (FLAGS)", "UID FETCH 6 (FLAGS)", "UID STORE 1:2 +FLAGS (\\Seen)",
                "UID STORE 3 +FLAGS (\\Seen)",
            ]
        ) { imap in
            try await imap.select(.inbox)
            let result = try await imap.fetch(UIDSet.all, [.flags])
            #expect(result.rows.compactMap(\.uid?.rawValue) == [8, 7, 5])
            try await imap.store(UIDSet("1:3"), .add([.seen]))
        },
        Feature(
            "INPROGRESS (RFC 9585)", offers: "INPROGRESS",
            [
                "UID SEARCH":
                    "* OK [INPROGRESS (\"TAG\" 454 1000)] working\n* OK [INPROGRESS] still\n* SEARCH 4\nTAG OK"
            ]
        ) { imap in
            try await imap.select(.inbox)
            var events = try await imap.events().makeAsyncIterator()
            #expect(try await imap.search(.text("x")).count == 1)
            guard case .progress(let first)? = try await events.next(),
                case .progress(let second)? = try await events.next()
            else {
                Issue.record("no progress")
                return
            }
            #expect(first.progress == 454 && first.goal == 1_000 && second.progress == nil)
        },
        Feature(
            "UIDBATCHES, JMAPACCESS", offers: "JMAPACCESS",
            ["GETJMAPACCESS": "* JMAPACCESS \"https://example.com/jmap\"\nTAG OK"],
            says: ["GETJMAPACCESS"]
        ) {
            let found = try await $0.run(IMAP.GetJMAPAccess())
            #expect(found == "https://example.com/jmap")
        },
        Feature("UIDBATCHES, JMAPACCESS: not without it") { imap in
            await FeatureTests.lacks(.jmapAccess) { _ = try await imap.run(IMAP.GetJMAPAccess()) }
        },
    ]
}
