import Testing

@testable import MartletIMAPCore

@Suite("Answers about mailboxes")
struct MailboxCollectorTests {
    @Test("join numbers, rights and annotations to their mailboxes, in either order")
    func list() throws {
        let command = IMAP.List(
            returning: .init(status: [.unseen], myRights: true, metadata: ["/shared/comment"]))
        let (mailboxes, unclaimed) = try Wire.output(
            command,
            [
                "* STATUS b (UNSEEN 2)",
                #"* LIST (\HasNoChildren) "/" INBOX"#, "* STATUS inbox (UNSEEN 3)",
                "* MYRIGHTS INBOX lrs", #"* METADATA INBOX (/shared/comment "x")"#,
                #"* LIST () "/" b"#, #"* LIST (\NonExistent) "/" c"#, "* STATUS d (UNSEEN 9)",
                #"* LSUB () "/" e"#, "* 3 EXISTS", "A1 OK done",
            ])
        #expect(mailboxes.map(\.entry.name) == [.inbox, .of("b"), .of("c")])
        #expect(mailboxes.map(\.status?.unseen) == [3, 2, nil])
        #expect(mailboxes[0].rights?.letters == "lrs")
        #expect(mailboxes[0].metadata.map(\.name) == ["/shared/comment"])
        // What came before its entry, or without one, may be news; so are the others'.
        #expect(unclaimed == 4)
    }

    @Test("of a plain list leave the numbers of mailboxes to others")
    func plainList() throws {
        let (mailboxes, unclaimed) = try Wire.output(
            IMAP.List(), [#"* LIST () "." a"#, "* STATUS a (UNSEEN 1)", "A1 OK"])
        #expect(mailboxes.count == 1 && unclaimed == 1)
    }

    @Test("tell each list its own kind")
    func otherLists() throws {
        let lines = [
            #"* LIST () "/" a"#, #"* LSUB () "/" b"#, #"* XLIST (\Inbox) "/" c"#, "A1 OK",
        ]
        #expect(try Wire.output(IMAP.ListSubscribed(), lines).output.map(\.name.text) == ["b"])
        #expect(try Wire.output(IMAP.XList(), lines).output.map(\.name.text) == ["c"])
    }

    @Test("are of the mailbox that was asked for, however its name is written")
    func status() throws {
        let name = MailboxName.of("Entw\u{FC}rfe")
        let (status, unclaimed) = try Wire.output(
            IMAP.Status(name, [.messages]),
            [
                "* STATUS other (MESSAGES 1)", "* STATUS \"Entw\u{FC}rfe\" (MESSAGES 2)",
                "* STATUS Entw&APw-rfe (MESSAGES 3)", "A1 OK",
            ])
        #expect(status.messages == 2 && unclaimed == 2)
    }

    @Test(
        "that do not come are missed",
        arguments: Sample.list([
            IMAP.Status(.inbox, [.messages]), IMAP.Namespace(), IMAP.GetACL(.inbox),
            IMAP.ListRights(.inbox, "a"), IMAP.MyRights(.inbox), IMAP.GetJMAPAccess(),
        ]))
    func missing(sample: Sample) {
        func check<Command: IMAPCommand>(_ command: Command) {
            do {
                _ = try Wire.output(command, ["A1 OK done"])
                Issue.record("nothing was missed")
            } catch let error as IMAPError {
                #expect(error.recovery == .reconnect)
                #expect("\(error)".contains("left out"))
            } catch {
                Issue.record(error)
            }
        }
        check(sample.command)
    }

    @Test("to NAMESPACE are kept")
    func namespace() throws {
        let (answer, _) = try Wire.output(
            IMAP.Namespace(), [#"* NAMESPACE (("" "/")) NIL (("Shared." "."))"#, "A1 OK"])
        #expect(answer.personal.count == 1 && answer.shared.first?.prefix.text == "Shared.")
    }

    @Test("tell what was made")
    func create() throws {
        let made = try Wire.output(
            IMAP.Create(.of("a")),
            [#"* LIST () "/" "b" ("OLDNAME" ("a"))"#, "A1 OK [MAILBOXID (F1)] done"])
        #expect(made.output == .init(mailbox: .of("b"), mailboxID: ObjectID("F1")))
        #expect(made.unclaimed == 1)
        #expect(try Wire.output(IMAP.Create(.of("a")), ["A1 OK"]).output.mailbox == .of("a"))
    }

    @Test("to QRESYNC tell what has changed, and are not believed when they are absurd")
    func resync() throws {
        let select = IMAP.Select(.inbox, qResync: MailboxCommandTests.known)
        let (result, unclaimed) = try Wire.output(
            select,
            [
                "* 3 EXISTS", "* OK [UIDVALIDITY 67890007] v", "* VANISHED (EARLIER) 41,43:116",
                "* 49 FETCH (UID 117 FLAGS (\\Seen) MODSEQ (9))", "* VANISHED (EARLIER) 300,1:*",
                "A1 OK [READ-WRITE] done",
            ])
        #expect(result.vanished.description == "41,43:116,300" && result.isVanishedIncredible)
        #expect(result.rows.map(\.uid) == [UID(117)])
        #expect(unclaimed == 2)
        let plain = try Wire.output(
            IMAP.Select(.inbox), ["* VANISHED (EARLIER) 41", "* 1 FETCH (FLAGS ())", "A1 OK"])
        #expect(plain.unclaimed == 2 && plain.output == .init())
    }

    @Test("to NOTIFY are the numbers that were asked for at once")
    func notify() throws {
        let group = IMAP.Notify.Group(.inboxes, [.messageNew(), .messageExpunge])
        let lines = ["* STATUS a (MESSAGES 1)", "* STATUS b (MESSAGES 2)", "A1 OK"]
        let (entries, _) = try Wire.output(IMAP.Notify([group], status: true), lines)
        #expect(entries.map(\.mailbox.text) == ["a", "b"])
        #expect(try Wire.output(IMAP.Notify([group]), lines).unclaimed == 2)
    }

    @Test("are kept up to a limit, and then there is an error")
    func limit() throws {
        var budget = GatheringBudget(limit: 10)
        let taken = [6, 4, 0, 1, 0].map { budget.take($0) }
        #expect(taken == [true, true, true, false, false])
        #expect(throws: IMAPError.self) { try budget.check() }
        var huge = GatheringBudget(limit: 10)
        let isTaken = huge.take(.max)
        #expect(!isTaken)
    }
}
