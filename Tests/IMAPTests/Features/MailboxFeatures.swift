import MartletIMAP
import MartletTestSupport
import Testing

extension Feature {
    private static let twoLists = "* LIST () \"/\" INBOX\n* LIST () \"/\" Work\nTAG OK"

    static let mailboxes: [Feature] = [
        Feature(
            "SPECIAL-USE", offers: "LIST-EXTENDED SPECIAL-USE",
            [
                "LIST":
                    "* LIST () \"/\" INBOX\n* LIST (\\Sent) \"/\" Out\n* LIST () \"/\" Sent\nTAG OK"
            ],
            says: ["LIST \"\" * RETURN (SUBSCRIBED CHILDREN SPECIAL-USE)"]
        ) { imap in
            let found = try await imap.mailboxes()
            #expect(found.map(\.specialUse) == [nil, .sent, nil])
        },
        Feature(
            "SPECIAL-USE: guessed by name without it",
            ["LIST": "* LIST () \".\" INBOX\n* LIST () \".\" INBOX.Gesendet\nTAG OK"]
        ) { imap in
            let found = try await imap.mailboxes()
            #expect(found.map(\.specialUse) == [nil, .sent])
        },
        Feature(
            "CREATE-SPECIAL-USE", offers: "CREATE-SPECIAL-USE",
            says: ["CREATE Out (USE (\\Sent))"]
        ) { try await $0.create(MailboxName("Out"), uses: [.sent]) },
        Feature("CREATE-SPECIAL-USE: left out without it", says: ["CREATE Out"]) {
            try await $0.create(MailboxName("Out"), uses: [.sent])
        },
        Feature(
            "XLIST (old Gmail, old Exchange)", offers: "XLIST",
            ["XLIST": "* XLIST (\\Inbox) \"/\" INBOX\n* XLIST (\\Spam) \"/\" Bad\nTAG OK"]
        ) {
            let found = try await $0.mailboxes()
            #expect(found.map(\.specialUse) == [nil, .junk])
        },
        Feature(
            "LIST-EXTENDED", offers: "LIST-EXTENDED",
            ["LIST (SUBSCRIBED)": "* LIST (\\Subscribed) \"/\" Work\nTAG OK"],
            says: ["LIST (SUBSCRIBED) \"\" * RETURN (SUBSCRIBED CHILDREN)"]
        ) {
            let found = try await $0.mailboxes(subscribedOnly: true)
            #expect(found.count == 1)
        },
        Feature(
            "LIST-EXTENDED: LSUB without it", ["LSUB": "* LSUB () \"/\" Work\nTAG OK"],
            says: ["LSUB \"\" *"]
        ) {
            let found = try await $0.mailboxes(subscribedOnly: true)
            #expect(found.count == 1)
        },
        Feature(
            "LIST-STATUS", offers: "LIST-EXTENDED LIST-STATUS",
            [
                "LIST":
                    "* LIST () \"/\" INBOX\n* STATUS INBOX (MESSAGES 3)\n* LIST () \"/\" Work\n* STATUS Work (MESSAGES 4)\nTAG OK"
            ],
            says: ["LIST \"\" * RETURN (SUBSCRIBED CHILDREN STATUS (MESSAGES))"]
        ) {
            let listed = try await $0.mailboxes(status: [.messages])
            #expect(listed.map(\.status?.messages) == [3, 4])
        },
        Feature(
            "LIST-STATUS: STATUS of each without it", offers: "LIST-EXTENDED",
            [
                "LIST": twoLists, "STATUS INBOX": "* STATUS INBOX (MESSAGES 3)\nTAG OK",
                "STATUS Work": "* STATUS Work (MESSAGES 4)\nTAG OK",
            ]
        ) {
            let listed = try await $0.mailboxes(status: [.messages])
            #expect(listed.map(\.status?.messages) == [3, 4])
        },
        Feature(
            "LIST-MYRIGHTS / LIST-METADATA",
            offers: "LIST-EXTENDED LIST-MYRIGHTS LIST-METADATA ACL METADATA",
            [
                "LIST":
                    "* LIST () \"/\" Work\n* MYRIGHTS Work lrs\n* METADATA Work (/shared/color #b71c1c)\nTAG OK"
            ],
            says: ["LIST \"\" * RETURN (MYRIGHTS METADATA (/shared/color))"]
        ) {
            let listed = try await $0.run(
                IMAP.List([.all], returning: .init(myRights: true, metadata: ["/shared/color"])))
            #expect(listed.first?.rights == AccessRights("lrs"))
            #expect(listed.first?.metadata.first?.value.octets == Array("#b71c1c".utf8)[...])
        },
        Feature("LIST-MYRIGHTS / LIST-METADATA: not without them", offers: "LIST-EXTENDED") {
            imap in
            await FeatureTests.lacks(Capability("LIST-MYRIGHTS")) {
                _ = try await imap.run(IMAP.List([.all], returning: .init(myRights: true)))
            }
        },
        Feature(
            "NAMESPACE, wrong answers tolerated", offers: "NAMESPACE",
            [
                "NAMESPACE": "* NAMESPACE ((\"\" \"/\")) ((\"~\" \"/\")) NIL\nTAG OK",
                "NAMESPACE": "* NAMESPACE ((\"\" \"/\"))\nTAG OK", "NAMESPACE": "TAG BAD what?",
                "NAMESPACE": "TAG OK",
            ]
        ) { imap in
            let first = try await imap.namespaces()
            #expect(first?.otherUsers.count == 1)
            let second = try await imap.namespaces()
            #expect(second?.personal.count == 1)
            let third = try await imap.namespaces()
            #expect(third == nil)
            let fourth = try await imap.namespaces()
            #expect(fourth == nil)
        },
        Feature("NAMESPACE, wrong answers tolerated: nothing is asked without it") {
            try await $0.connect()
            #expect(try await $0.namespaces() == nil)
        },
        Feature(
            "ID", offers: "ID", ["ID": "* ID (\"name\" \"Test\")\nTAG OK"]
        ) {
            let found = try await $0.serverIdentity()
            #expect(found?["name"] == "Test")
        },
        Feature("ID: nothing is asked without it") {
            let found = try await $0.serverIdentity()
            #expect(found == nil)
        },
        Feature(
            "QUOTA (+ RES-*)", offers: "QUOTA QUOTA=RES-STORAGE",
            [
                "GETQUOTAROOT":
                    "* QUOTAROOT INBOX \"\"\n* QUOTA \"\" (STORAGE 10 9999999999999)\nTAG OK"
            ], says: ["GETQUOTAROOT INBOX"]
        ) {
            let found = try await $0.quota()
            #expect(found.first?.resources.first?.limit == 9_999_999_999_999)
        },
        Feature("QUOTA (+ RES-*): none without it") {
            let found = try await $0.quota()
            #expect(found.isEmpty)
        },
        Feature(
            "ACL", offers: "ACL",
            [
                "GETACL": "* ACL INBOX ann lrs\nTAG OK",
                "MYRIGHTS": "* MYRIGHTS INBOX lrswi\nTAG OK",
            ], says: ["GETACL INBOX", "MYRIGHTS INBOX", "SETACL INBOX bob +lr"]
        ) { imap in
            #expect(try await imap.accessRights(to: .inbox).first?.identifier == "ann")
            #expect(try await imap.ownRights(to: .inbox) == AccessRights("lrswi"))
            try await imap.run(IMAP.SetACL(.inbox, "bob", AccessRights("lr"), .add))
        },
        Feature("ACL: all rights without it") { imap in
            let found = try await imap.ownRights(to: .inbox)
            #expect(found == AccessRights("lrswipkxtea"))
            await FeatureTests.lacks(.acl) { _ = try await imap.accessRights(to: .inbox) }
        },
        Feature(
            "METADATA / ANNOTATEMORE", offers: "METADATA LITERAL+",
            ["GETMETADATA": "* METADATA INBOX (/private/comment \"mine\")\nTAG OK"],
            says: [
                "GETMETADATA INBOX (/private/comment)",
                "SETMETADATA INBOX (/private/comment NIL)",
            ]
        ) { imap in
            let result = try await imap.metadata(["/private/comment"], of: .inbox)
            #expect(result.entries.first?.value.octets == Array("mine".utf8)[...])
            try await imap.setMetadata([.init(name: "/private/comment", value: nil)], of: .inbox)
        },
        Feature("METADATA / ANNOTATEMORE: not without it") { imap in
            await FeatureTests.lacks(.metadata) {
                _ = try await imap.metadata(["/private/comment"], of: .inbox)
            }
        },
        Feature(
            "STATUS=SIZE", offers: "STATUS=SIZE",
            ["STATUS": "* STATUS a (SIZE 5000000000)\nTAG OK"], says: ["STATUS a (SIZE)"]
        ) {
            let found = try await $0.status(of: MailboxName("a"), [.size])
            #expect(found.sizeInOctets == 5_000_000_000)
        },
        Feature(
            "STATUS=SIZE: left out without it",
            ["STATUS": "* STATUS a (MESSAGES 1)\nTAG OK"], says: ["STATUS a (MESSAGES)"]
        ) {
            let found = try await $0.status(of: MailboxName("a"), [.size, .messages])
            #expect(found.messages == 1)
        },
        Feature(
            "STATUS=DELETED", offers: "STATUS=DELETED",
            ["STATUS": "* STATUS a (DELETED 4)\nTAG OK"], says: ["STATUS a (DELETED)"]
        ) {
            let found = try await $0.status(of: MailboxName("a"), [.deleted])
            #expect(found.deleted == 4)
        },
        Feature(
            "OBJECTID (EMAILID, THREADID, MAILBOXID)", offers: "OBJECTID",
            [
                "STATUS": "* STATUS a (MAILBOXID (F1))\nTAG OK",
                "UID FETCH": "* 1 FETCH (UID 4 EMAILID (M1) THREADID NIL)\nTAG OK",
                "SELECT": "* 3 EXISTS\n* OK [MAILBOXID (F2)] i\nTAG OK",
            ]
        ) { imap in
            #expect(
                try await imap.status(of: MailboxName("a"), [.mailboxID]).mailboxID
                    == ObjectID("F1"))
            #expect(try await imap.select(.inbox).mailbox.mailboxID == ObjectID("F2"))
            let row = try await imap.fetch(UIDSet("4"), [.emailID, .threadID]).rows.first
            #expect(row?.items.contains(.threadID(nil)) == true)
        },
        Feature("OBJECTID (EMAILID, THREADID, MAILBOXID): not without it") { imap in
            try await imap.select(.inbox)
            await FeatureTests.lacks(.objectID) {
                _ = try await imap.fetch(UIDSet("4"), [.emailID])
            }
        },
        Feature(
            "Yahoo XYMHIGHESTMODSEQ", offers: "XYMHIGHESTMODSEQ",
            ["STATUS": "* STATUS a (XYMHIGHESTMODSEQ 7)\nTAG OK"],
            says: ["STATUS a (XYMHIGHESTMODSEQ)"]
        ) {
            let status = try await $0.status(of: MailboxName("a"), [.yahooHighestModSeq])
            #expect(status.others.first?.name == "XYMHIGHESTMODSEQ")
        },
        Feature(
            "UNSELECT", offers: "UNSELECT", says: ["UNSELECT", "CLOSE"]
        ) { imap in
            try await imap.select(.inbox)
            try await imap.unselect()
            try await imap.select(.inbox)
            try await imap.unselect(expunging: true)
        },
        Feature("UNSELECT: EXAMINE and CLOSE without it", says: ["EXAMINE INBOX", "CLOSE"]) {
            imap in
            try await imap.select(.inbox)
            try await imap.unselect()
        },
    ]
}
