import MartletBytes
import MartletSMTP
import MartletSandbox
import MartletTestSupport
import Testing

@Suite("Sandbox IMAP", .timeLimit(.minutes(3)))
struct IMAPServiceTests {
    private static let letter = "From: ann@example.com\r\nSubject: hello\r\n\r\ntext\r\n"

    private func append(
        _ imap: IMAPDialogue, _ mailbox: String = "INBOX", _ flags: String = "()",
        _ message: String = letter
    ) async throws -> String? {
        try await imap.run("APPEND \(mailbox) \(flags) {\(message.utf8.count)+}\r\n\(message)").last
    }

    @Test("greets, and offers more once somebody is logged in")
    func offers() async throws {
        try await withSandbox { sandbox in
            let imap = try await IMAPDialogue.open(sandbox, as: nil)
            let before = try await imap.run("CAPABILITY")
            #expect(before.first?.contains("STARTTLS") == true)
            #expect(before.first?.contains("AUTH=PLAIN") == true)
            #expect(before.first?.contains("IDLE") == false)
            #expect(try await imap.run("SELECT INBOX").last?.hasPrefix("BAD") == true)
            let login = try await imap.run("AUTHENTICATE PLAIN AGFsaWNlAHNlY3JldA==")
            #expect(
                login.last?.hasPrefix("OK [CAPABILITY IMAP4rev2 IMAP4rev1") == true, "\(login)")
            for word in [
                "UIDPLUS", "MOVE", "IDLE", "CONDSTORE", "QRESYNC", "SPECIAL-USE", "LIST-EXTENDED",
                "LIST-STATUS", "NAMESPACE", "ID", "ESEARCH", "SORT", "THREAD=REFERENCES",
                "LITERAL+",
                "COMPRESS=DEFLATE", "QUOTA", "METADATA", "OBJECTID", "PREVIEW", "UTF8=ACCEPT",
                "UNSELECT", "BINARY", "PARTIAL", "APPENDLIMIT=",
            ] {
                #expect(login.last?.contains(word) == true, "\(word)")
            }
            #expect(try await imap.run("LOGOUT").first?.hasPrefix("* BYE") == true)
            #expect(try await imap.line() == "(closed)")
        }
    }

    @Test("what SMTP brings is in the INBOX of each recipient, aliases and all")
    func delivery() async throws {
        try await withSandbox({
            $0.aliases = ["team": ["alice", "bob@example.test"]]
        }) { sandbox in
            let envelope = DeliveryEnvelope(
                reversePath: try ReversePath("ann@example.com"),
                forwardPaths: try ["alice+news@example.test", "team@example.test"].map {
                    try ForwardPath($0)
                })
            try await SMTPClient.withConnection(to: sandbox.server(.plaintext)) {
                _ = try await $0.send(OctetArray(Array(Self.letter.utf8)), envelope: envelope)
            }
            for user in ["alice", "bob"] {
                let imap = try await IMAPDialogue.open(sandbox, as: user)
                #expect(
                    try await imap.run("STATUS INBOX (MESSAGES)").first
                        == "* STATUS INBOX (MESSAGES 1)")
                _ = try await imap.run("EXAMINE INBOX")
                let row = try await imap.run("FETCH 1 BODY[]").first
                #expect(row == "* 1 FETCH (BODY[] {\(Self.letter.utf8.count)}\r\n\(Self.letter))")
                await imap.close()
            }
            #expect(await sandbox.messages.count == 1)
        }
    }

    @Test("messages are put in, read, flagged, copied, moved and removed, each with its numbers")
    func messages() async throws {
        try await withSandbox { sandbox in
            let imap = try await IMAPDialogue.open(sandbox)
            let appended = try await append(imap)
            #expect(appended?.contains("[APPENDUID ") == true && appended?.contains(" 1]") == true)
            _ = try await append(imap, "INBOX", "(\\Seen $Work)")
            #expect(try await append(imap, "Nowhere")?.hasPrefix("NO [TRYCREATE]") == true)
            let selected = try await imap.run("SELECT INBOX")
            #expect(selected.contains("* 2 EXISTS"))
            #expect(selected.contains { $0.hasPrefix("* FLAGS (") && $0.contains("$Work") })
            #expect(selected.contains { $0.hasPrefix("* OK [UIDNEXT 3]") })
            #expect(selected.contains { $0.hasPrefix("* OK [UNSEEN 1]") })
            #expect(selected.last?.hasPrefix("OK [READ-WRITE]") == true)
            #expect(
                try await imap.run("FETCH 1:* (UID FLAGS RFC822.SIZE)").dropLast() == [
                    "* 1 FETCH (UID 1 FLAGS () RFC822.SIZE 47)",
                    "* 2 FETCH (UID 2 FLAGS (\\Seen $Work) RFC822.SIZE 47)",
                ])
            #expect(try await imap.run("FETCH 3 FLAGS").last?.hasPrefix("BAD") == true)
            #expect(try await imap.run("UID FETCH 9 FLAGS").count == 1)
            let read = try await imap.run("UID FETCH 1 BODY[TEXT]")
            #expect(read.first?.contains("FLAGS (\\Seen)") == true)
            #expect(
                try await imap.run("STORE 1 +FLAGS (\\Flagged)").first
                    == "* 1 FETCH (UID 1 FLAGS (\\Seen \\Flagged))")
            #expect(try await imap.run("STORE 1 -FLAGS.SILENT (\\Flagged)").count == 1)
            let copied = try await imap.run("COPY 1:2 Archive").last
            #expect(copied?.contains("[COPYUID ") == true && copied?.contains(" 1:2 1:2]") == true)
            let moved = try await imap.run("UID MOVE 1 Trash")
            #expect(moved.first?.hasPrefix("* OK [COPYUID") == true)
            #expect(moved.dropFirst().first == "* 1 EXPUNGE")
            _ = try await imap.run("STORE 1 +FLAGS.SILENT (\\Deleted)")
            #expect(try await imap.run("EXPUNGE").first == "* 1 EXPUNGE")
            #expect(
                try await imap.run("STATUS Archive (MESSAGES UIDNEXT)").first
                    == "* STATUS Archive (MESSAGES 2 UIDNEXT 3)")
        }
    }

    @Test("mailboxes are made, listed, renamed, subscribed and removed")
    func mailboxes() async throws {
        try await withSandbox { sandbox in
            let imap = try await IMAPDialogue.open(sandbox)
            #expect(
                try await imap.run("CREATE Work/2026/").last?.hasPrefix("OK [MAILBOXID (") == true)
            #expect(try await imap.run("CREATE Work").last?.hasPrefix("NO [ALREADYEXISTS]") == true)
            for name in ["a//b", "../x", "Work/..", "\"\""] {
                #expect(
                    try await imap.run("CREATE \(name)").last?.hasPrefix("OK") == false, "\(name)")
            }
            #expect(
                try await imap.run("LIST \"\" %").dropLast().map { String($0.suffix(8)) }.contains(
                    "\"/\" Work"))
            #expect(
                try await imap.run("LIST \"\" (\"Work/%\") RETURN (STATUS (MESSAGES))").dropLast()
                    == [
                        "* LIST (\\HasNoChildren) \"/\" Work/2026",
                        "* STATUS Work/2026 (MESSAGES 0)",
                    ])
            #expect(
                try await imap.run("LIST (SPECIAL-USE) \"\" *").dropLast().map {
                    String($0.split(separator: " ").last ?? "")
                } == ["Archive", "Drafts", "Junk", "Sent", "Trash"])
            #expect(try await imap.run("DELETE Work").last?.hasPrefix("NO [HASCHILDREN]") == true)
            #expect(try await imap.run("RENAME Work Arbeit").last?.hasPrefix("OK") == true)
            #expect(
                try await imap.run("LIST \"\" Arbeit/*").first?.hasSuffix("Arbeit/2026") == true)
            _ = try await imap.run("SUBSCRIBE Arbeit/2026")
            #expect(try await imap.run("LSUB \"\" Arbeit*").first == "* LSUB () \"/\" Arbeit/2026")
            #expect(try await imap.run("DELETE Arbeit/2026").last?.hasPrefix("OK") == true)
            #expect(try await imap.run("DELETE INBOX").last?.hasPrefix("NO [CANNOT]") == true)
            #expect(try await imap.run("LIST \"\" \"\"").first == "* LIST (\\Noselect) \"/\" \"\"")
            #expect(try await imap.run("NAMESPACE").first == "* NAMESPACE ((\"\" \"/\")) NIL NIL")
        }
    }

    @Test("one client hears at once what another does, while it idles and at its next command")
    func news() async throws {
        try await withSandbox { sandbox in
            let watching = try await IMAPDialogue.open(sandbox)
            let working = try await IMAPDialogue.open(sandbox)
            _ = try await append(working)
            _ = try await append(working)
            _ = try await watching.run("SELECT INBOX")
            _ = try await working.run("SELECT INBOX")
            try await watching.send("i IDLE\r\n")
            #expect(try await watching.line() == "+ idling")
            _ = try await working.run("STORE 2 +FLAGS (\\Flagged)")
            #expect(try await watching.line() == "* 2 FETCH (UID 2 FLAGS (\\Flagged))")
            _ = try await append(working)
            #expect(try await watching.line() == "* 3 EXISTS")
            _ = try await working.run("STORE 1 +FLAGS.SILENT (\\Deleted)")
            #expect(try await watching.line() == "* 1 FETCH (UID 1 FLAGS (\\Deleted))")
            _ = try await working.run("EXPUNGE")
            #expect(try await watching.line() == "* 1 EXPUNGE")
            try await watching.send("DONE\r\n")
            #expect(try await watching.rest(of: "i") == ["OK Done"])
            // Numbers stay while a client may think of messages by them.
            _ = try await working.run("STORE 1 +FLAGS.SILENT (\\Deleted)")
            _ = try await working.run("EXPUNGE")
            let fetched = try await watching.run("FETCH 1:2 UID")
            #expect(!fetched.contains { $0.contains("EXPUNGE") })
            #expect(fetched.contains("* 2 FETCH (UID 3)"))
            #expect(try await watching.run("NOOP").first == "* 1 EXPUNGE")
        }
    }

    @Test("a client that was away is told what it missed")
    func resync() async throws {
        try await withSandbox { sandbox in
            let imap = try await IMAPDialogue.open(sandbox)
            for _ in 1...4 { _ = try await append(imap) }
            #expect(try await imap.run("ENABLE QRESYNC").first == "* ENABLED QRESYNC")
            let first = try await imap.run("SELECT INBOX")
            let validity = try #require(first.joined().firstMatch(of: #/UIDVALIDITY ([0-9]+)/#)?.1)
            let modSeq = try #require(first.joined().firstMatch(of: #/HIGHESTMODSEQ ([0-9]+)/#)?.1)
            let other = try await IMAPDialogue.open(sandbox)
            _ = try await other.run("SELECT INBOX")
            _ = try await other.run("STORE 2 +FLAGS (\\Deleted)")
            _ = try await other.run("EXPUNGE")
            _ = try await other.run("UID STORE 4 +FLAGS (\\Flagged)")
            let again = try await imap.run("SELECT INBOX (QRESYNC (\(validity) \(modSeq)))")
            #expect(again.contains("* VANISHED (EARLIER) 2"))
            #expect(again.contains { $0.hasPrefix("* 3 FETCH (UID 4 FLAGS (\\Flagged) MODSEQ (") })
            #expect(!again.contains { $0.hasPrefix("* 1 FETCH") })
            let changed = try await imap.run(
                "UID FETCH 1:* FLAGS (CHANGEDSINCE \(modSeq) VANISHED)")
            #expect(changed.first == "* VANISHED (EARLIER) 2")
            let late = try await imap.run("UID STORE 4 (UNCHANGEDSINCE \(modSeq)) +FLAGS (\\Seen)")
            #expect(late.last?.hasPrefix("OK [MODIFIED 4]") == true)
        }
    }

    @Test("searches, sorts and threads, and keeps what was found")
    func searches() async throws {
        try await withSandbox { sandbox in
            let imap = try await IMAPDialogue.open(sandbox)
            for (number, subject) in ["b", "a", "Re: b"].enumerated() {
                let message =
                    "Subject: \(subject)\r\nMessage-ID: <\(number)@x>\r\n"
                    + (number == 2 ? "In-Reply-To: <0@x>\r\n" : "") + "\r\nbody \(number)\r\n"
                _ = try await append(imap, "INBOX", "()", message)
            }
            _ = try await imap.run("SELECT INBOX")
            #expect(try await imap.run("SEARCH SUBJECT B").first == "* SEARCH 1 3")
            #expect(
                try await imap.run("SEARCH RETURN (MIN COUNT) ALL").first?.hasSuffix(
                    "MIN 1 COUNT 3") == true)
            #expect(
                try await imap.run("UID SEARCH RETURN (PARTIAL 1:2) ALL").first?.hasSuffix(
                    "UID PARTIAL (1:2 1:2)") == true)
            #expect(try await imap.run("SORT (SUBJECT) UTF-8 ALL").first == "* SORT 2 1 3")
            #expect(
                try await imap.run("THREAD REFERENCES UTF-8 ALL").first == "* THREAD (1 3)(2)")
            _ = try await imap.run("SEARCH RETURN (SAVE) SUBJECT b")
            #expect(
                try await imap.run("FETCH $ UID").dropLast()
                    == ["* 1 FETCH (UID 1)", "* 3 FETCH (UID 3)"])
        }
    }

    @Test("annotations, quota and names that last")
    func extensions() async throws {
        try await withSandbox { sandbox in
            let imap = try await IMAPDialogue.open(sandbox)
            #expect(
                try await imap.run("SETMETADATA INBOX (/private/comment \"mine\")").last?.hasPrefix(
                    "OK")
                    == true)
            let found = try await imap.run("GETMETADATA INBOX /private/comment").first
            #expect(found?.hasPrefix("* METADATA INBOX (/private/comment ") == true)
            #expect(found?.contains("mine") == true)
            #expect(try await imap.run("GETQUOTAROOT INBOX").first == "* QUOTAROOT INBOX \"\"")
            _ = try await append(imap)
            _ = try await imap.run("SELECT INBOX")
            let row = try await imap.run(
                "FETCH 1 (EMAILID THREADID PREVIEW SAVEDATE BINARY.SIZE[1])")
            #expect(row.first?.contains("EMAILID (M") == true)
            #expect(row.first?.contains("PREVIEW \"text\"") == true)
            _ = try await imap.run("COPY 1 Archive")
            _ = try await imap.run("SELECT Archive")
            let copy = try await imap.run("FETCH 1 EMAILID")
            let id = try #require(row.first?.firstMatch(of: #/EMAILID \((M[0-9a-f]+)\)/#)?.1)
            #expect(copy.first == "* 1 FETCH (EMAILID (\(id)))")
        }
    }
}

@Suite("Sandbox IMAP and bad clients", .timeLimit(.minutes(3)))
struct IMAPHostilityTests {
    @Test(
        "commands out of their state, without end or without sense cost no more than an answer",
        arguments: [
            "FETCH 1 FLAGS", "IDLE", "APPEND INBOX {3+}\r\nabc", "BOGUS", "UID", "UID BOGUS 1", "",
            "LIST", "SELECT \"unfinished", "STORE 0 FLAGS ()", "SEARCH ((((", "COMPRESS DEFLATE",
            "AUTHENTICATE BOGUS", "ENABLE", "UNSELECT",
        ])
    func outOfState(command: String) async throws {
        try await withSandbox { sandbox in
            let imap = try await IMAPDialogue.open(sandbox, as: nil)
            try await imap.send("x \(command)\r\n")
            let answer = try await imap.line()
            #expect(answer.contains("BAD") || answer.contains("NO"), "\(answer)")
            #expect(try await imap.run("NOOP").last == "OK Done")
        }
    }

    @Test("a line of 10 MB is refused by its tag, and the next one is heard")
    func longLine() async throws {
        try await withSandbox { sandbox in
            let imap = try await IMAPDialogue.open(sandbox)
            try await imap.send("x NOOP " + String(repeating: "a", count: 10_000_000) + "\r\n")
            #expect(try await imap.line().hasPrefix("x BAD"))
            #expect(try await imap.run("NOOP").last == "OK Done")
        }
    }

    @Test("literals are not welcome before they come: too large, for nobody, for no mailbox")
    func literals() async throws {
        try await withSandbox({ $0.messageLimitInOctets = 100_000 }) { sandbox in
            let stranger = try await IMAPDialogue.open(sandbox, as: nil)
            #expect(try await stranger.run("APPEND INBOX {99999}").last?.hasPrefix("NO") == true)
            let imap = try await IMAPDialogue.open(sandbox)
            #expect(
                try await imap.run("APPEND INBOX {100001}").last?.hasPrefix("NO [TOOBIG]") == true)
            #expect(
                try await imap.run("APPEND Nowhere {70000}").last?.hasPrefix("NO [TRYCREATE]")
                    == true)
            #expect(try await imap.run("APPEND INBOX {4294967296}").last?.hasPrefix("OK") == false)
            // One that is announced and never comes holds nothing back.
            try await imap.send("y APPEND INBOX {90000}\r\n")
            #expect(try await imap.line() == "+ OK")
            await imap.close()
            let next = try await IMAPDialogue.open(sandbox)
            #expect(
                try await next.run("STATUS INBOX (MESSAGES)").first == "* STATUS INBOX (MESSAGES 0)"
            )
        }
    }

    @Test("what is said before TLS counts for nothing after it")
    func startTLS() async throws {
        try await withSandbox { sandbox in
            let imap = try await IMAPDialogue.open(sandbox, as: nil)
            try await imap.send("x STARTTLS\r\ny LOGIN alice secret\r\n")
            #expect(try await imap.line() == "x OK Begin")
            // The handshake fails on plain text; no answer to y. It fails at once where there is enough to see that.
            try await imap.send(String(repeating: "z NOOP\r\n", count: 100))
            let rest = try? await imap.line()
            #expect(rest?.contains("y ") != true)
        }
    }
}
