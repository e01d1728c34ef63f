import MartletSandbox
import Testing

private typealias Fault = Sandbox.Fault

@Suite("Faults of IMAP", .timeLimit(.minutes(1)))
struct IMAPFaultTests {
    private static let letter = "Subject: hello\r\n\r\n0123456789\r\n"

    private func withFaults(
        _ faults: Fault..., body: (Sandbox) async throws -> Void
    ) async throws {
        try await withSandbox({ $0.faults = faults }) { sandbox in
            for _ in 0..<2 { try await sandbox.append(Array(Self.letter.utf8), of: "alice") }
            try await body(sandbox)
        }
    }

    @Test("commands are refused with codes, those by UID as well, and others are not")
    func refusal() async throws {
        try await withFaults(
            Fault(.reply("NO [THROTTLED] Slow down"), at: "FETCH", user: "alice", times: 2),
            Fault(.reply("NO [OVERQUOTA] Full"), at: "APPEND", mailbox: "Sent*"),
            Fault(.reply("BAD What?"), at: "UID SEARCH")
        ) { sandbox in
            let imap = try await IMAPDialogue.open(sandbox)
            _ = try await imap.run("SELECT INBOX")
            #expect(try await imap.run("FETCH 1 FLAGS") == ["NO [THROTTLED] Slow down"])
            #expect(try await imap.run("UID FETCH 1 FLAGS") == ["NO [THROTTLED] Slow down"])
            #expect(try await imap.run("UID FETCH 1 FLAGS").last?.hasPrefix("OK") == true)
            #expect(try await imap.run("UID SEARCH ALL") == ["BAD What?"])
            #expect(try await imap.run("SEARCH ALL").last?.hasPrefix("OK") == true)
            #expect(try await imap.run("APPEND Sent {3+}\r\nabc") == ["NO [OVERQUOTA] Full"])
            #expect(
                try await imap.run("APPEND Drafts {3+}\r\nabc").last?.hasPrefix("OK") == true)
            await imap.close()
        }
    }

    @Test("BYE ends the connection")
    func bye() async throws {
        try await withFaults(Fault(.reply("BYE [UNAVAILABLE] Back soon"), at: "NOOP")) { sandbox in
            let imap = try await IMAPDialogue.open(sandbox)
            try await imap.send("x NOOP\r\n")
            #expect(try await imap.line() == "* BYE [UNAVAILABLE] Back soon")
            #expect(try await imap.line() == "(closed)")
        }
    }

    @Test("a greeting can be BYE, or say nothing of capabilities")
    func greeting() async throws {
        try await withFaults(
            Fault(.reply("BYE Too many connections"), at: "greeting", times: 1),
            Fault(.reply("OK Hello"), at: "greeting", of: .imap)
        ) { sandbox in
            let imap = try await WireDialogue.open(sandbox.ports.imap)
            #expect(try await imap.line() == "* BYE Too many connections")
            #expect(try await imap.line() == "(closed)")
            let next = try await WireDialogue.open(sandbox.ports.imap)
            #expect(try await next.line() == "* OK Hello")
            await next.close()
        }
    }

    @Test("PREAUTH logs in")
    func preauthenticated() async throws {
        try await withFaults(Fault(.preauthenticate(user: "alice"))) { sandbox in
            let wire = try await WireDialogue.open(sandbox.ports.imap)
            #expect(try await wire.line().hasPrefix("* PREAUTH [CAPABILITY IMAP4rev2"))
            try await wire.say("x STATUS INBOX (MESSAGES)")
            #expect(try await wire.line() == "* STATUS INBOX (MESSAGES 2)")
            await wire.close()
        }
    }

    @Test("a login that is right is refused, by LOGIN and AUTHENTICATE")
    func login() async throws {
        try await withFaults(Fault(.reply("NO [UNAVAILABLE] Later"), at: "login", times: 2)) {
            sandbox in
            let imap = try await IMAPDialogue.open(sandbox, as: nil)
            #expect(try await imap.run("LOGIN alice x") == ["NO [UNAVAILABLE] Later"])
            #expect(
                try await imap.run("AUTHENTICATE PLAIN AGFsaWNlAHg=") == ["NO [UNAVAILABLE] Later"])
            #expect(try await imap.run("SELECT INBOX").last?.hasPrefix("BAD") == true)
            #expect(try await imap.run("LOGIN alice x").last?.hasPrefix("OK") == true)
            await imap.close()
        }
    }

    @Test("capabilities lie wherever they are told, and nothing else changes")
    func capabilities() async throws {
        try await withFaults(
            Fault(.capabilities(add: ["XODD"], remove: ["idle", "AUTH", "THREAD=REFS"]))
        ) { sandbox in
            let wire = try await WireDialogue.open(sandbox.ports.imap)
            let greeting = try await wire.line()
            #expect(greeting.contains(" XODD]"))
            #expect(!greeting.contains("AUTH="))
            try await wire.say("x LOGIN alice x")
            let login = try await wire.line()
            #expect(login.contains(" XODD]") && login.contains("THREAD=REFERENCES"))
            #expect(!login.contains(" IDLE") && !login.contains("THREAD=REFS"))
            try await wire.say("y CAPABILITY")
            #expect(try await wire.line().hasSuffix(" XODD"))
            _ = try await wire.line()
            try await wire.say("z IDLE")
            #expect(try await wire.line().hasPrefix("+"))
            await wire.close()
        }
    }

    @Test("a literal is announced in full and cut, in each response")
    func cut() async throws {
        try await withFaults(Fault(.cut(octets: 6), at: "UID FETCH", times: 1)) { sandbox in
            let wire = try await WireDialogue.open(sandbox.ports.imap)
            _ = try await wire.line()
            try await wire.say("a LOGIN alice x\r\nb SELECT INBOX")
            while try await !wire.line().hasPrefix("b ") {}
            try await wire.say("c UID FETCH 1:2 (BODY.PEEK[TEXT] FLAGS)")
            for number in 1...2 {
                #expect(
                    try await wire.line() == "* \(number) FETCH (UID \(number) BODY[TEXT] {12}")
                #expect(try await wire.line() == "012345 FLAGS ())")
            }
            #expect(try await wire.line().hasPrefix("c OK"))
            try await wire.say("d UID FETCH 1 BODY.PEEK[TEXT]")
            _ = try await wire.line()
            #expect(try await wire.line() == "0123456789")
            await wire.close()
        }
    }

    @Test("the connection ends within a literal")
    func dropWithinLiteral() async throws {
        let start = "* 1 FETCH (BODY[] {\(Self.letter.utf8.count)}\r\nSub"
        try await withFaults(
            Fault(.drop(.afterWriting(octets: start.utf8.count)), at: "FETCH")
        ) { sandbox in
            let wire = try await WireDialogue.open(sandbox.ports.imap)
            _ = try await wire.line()
            try await wire.say("a LOGIN alice x\r\nb SELECT INBOX")
            while try await !wire.line().hasPrefix("b ") {}
            try await wire.say("c FETCH 1 BODY.PEEK[]")
            #expect(try await wire.octetsToEnd() == Array(start.utf8))
        }
    }

    @Test("silence keeps the connection, and whatever comes is not done")
    func silence() async throws {
        try await withFaults(Fault(.silence(.now), at: "STATUS")) { sandbox in
            let wire = try await WireDialogue.open(sandbox.ports.imap)
            _ = try await wire.line()
            try await wire.say("a LOGIN alice x")
            _ = try await wire.line()
            try await wire.say("b STATUS INBOX (MESSAGES)\r\nc CREATE New")
            try await wire.say("d CREATE Newer")
            #expect(await wire.hearsNothing())
            #expect(await sandbox.mailboxes(of: "alice").count == 6)
            await wire.close()
        }
    }

    @Test(
        "UIDs are renewed before a mailbox is selected; who has it selected is told before changing anything"
    )
    func renewal() async throws {
        try await withFaults(
            Fault(.renewUIDs, at: "SELECT", mailbox: "INBOX", after: 1, times: 1)
        ) { sandbox in
            try await sandbox.append(Array(Self.letter.utf8), of: "alice")
            let first = try await IMAPDialogue.open(sandbox)
            let before = try await first.run("SELECT INBOX")
            _ = try await first.run("STORE 1 +FLAGS.SILENT (\\Deleted)")
            _ = try await first.run("EXPUNGE")
            let validity = await sandbox.mailbox(of: "alice")?.uidValidity

            let second = try await IMAPDialogue.open(sandbox)
            let after = try await second.run("SELECT INBOX")
            let now = try #require(await sandbox.mailbox(of: "alice"))
            #expect(now.uidValidity != validity)
            #expect(now.messages.map(\.uid.rawValue) == [1, 2])
            #expect(after.contains { $0.contains("[UIDVALIDITY \(now.uidValidity)]") })
            #expect(!before.contains { $0.contains("[UIDVALIDITY \(now.uidValidity)]") })

            try await first.send("x UID STORE 2 +FLAGS (\\Deleted)\r\n")
            #expect(try await first.line().hasPrefix("* BYE"))
            #expect(await sandbox.mailbox(of: "alice")?.messages.map(\.flags) == [[], []])
            await second.close()
        }
    }
}
