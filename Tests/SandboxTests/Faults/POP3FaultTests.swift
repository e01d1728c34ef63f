import MartletSandbox
import Testing

private typealias Fault = Sandbox.Fault

@Suite("Faults of POP3", .timeLimit(.minutes(1)))
struct POP3FaultTests {
    private func withFaults(
        _ faults: Fault..., body: (Sandbox) async throws -> Void
    ) async throws {
        try await withSandbox({ $0.faults = faults }) { sandbox in
            try await sandbox.append(Array("Subject: hello\r\n\r\n0123456789\r\n".utf8), of: "bob")
            try await body(sandbox)
        }
    }

    private func open(_ sandbox: Sandbox) async throws -> WireDialogue {
        let pop3 = try await WireDialogue.open(sandbox.ports.pop3)
        _ = try await pop3.line()
        #expect(try await pop3.run("USER bob").hasPrefix("+OK"))
        #expect(try await pop3.run("PASS x").hasPrefix("+OK"))
        return pop3
    }

    @Test("a greeting can be a no")
    func greeting() async throws {
        try await withFaults(Fault(.reply("-ERR [SYS/TEMP] Later"), at: "greeting")) { sandbox in
            let pop3 = try await WireDialogue.open(sandbox.ports.pop3)
            #expect(try await pop3.line() == "-ERR [SYS/TEMP] Later")
            #expect(try await pop3.line() == "(closed)")
        }
    }

    @Test(
        "a login that is right is refused with a code",
        arguments: ["-ERR [IN-USE] Locked", "-ERR [LOGIN-DELAY] Wait"])
    func login(reply: String) async throws {
        try await withFaults(
            Fault(.reply(reply), at: "login", user: "bob@example.test", times: 1)
        ) { sandbox in
            let pop3 = try await WireDialogue.open(sandbox.ports.pop3)
            _ = try await pop3.line()
            _ = try await pop3.run("USER bob")
            #expect(try await pop3.run("PASS x") == reply)
            _ = try await pop3.run("USER bob")
            #expect(try await pop3.run("PASS x").hasPrefix("+OK"))
            await pop3.close()
        }
    }

    @Test("commands are refused, and a message ends before its end")
    func cut() async throws {
        try await withFaults(
            Fault(.reply("-ERR Not now"), at: "RETR", times: 1), Fault(.cut(octets: 8))
        ) { sandbox in
            let pop3 = try await open(sandbox)
            #expect(try await pop3.run("RETR 1") == "-ERR Not now")
            #expect(try await pop3.run("RETR 1") == "+OK 30 octets")
            #expect(try await pop3.lines() == ["Subject: hello", "", "0123"])
            _ = try await pop3.run("TOP 1 10")
            #expect(try await pop3.lines() == ["Subject: hello", "", "0123456789"])
            await pop3.close()
        }
    }

    @Test("CAPA lies")
    func capabilities() async throws {
        try await withFaults(Fault(.capabilities(add: ["XODD"], remove: ["UIDL"]), of: .pop3)) {
            sandbox in
            let pop3 = try await open(sandbox)
            _ = try await pop3.run("CAPA")
            let lines = try await pop3.lines()
            #expect(lines.contains("TOP") && lines.contains("XODD") && !lines.contains("UIDL"))
            #expect(try await pop3.run("UIDL 1").hasPrefix("+OK"))
            await pop3.close()
        }
    }

    @Test("unique-ids are all new after a login")
    func renewal() async throws {
        try await withFaults(Fault(.renewUIDs, at: "login", of: .pop3, after: 1, times: 1)) {
            sandbox in
            var ids: [String] = []
            for _ in 0..<3 {
                let pop3 = try await open(sandbox)
                ids.append(try await pop3.run("UIDL 1"))
                _ = try await pop3.run("QUIT")
            }
            #expect(ids[0] != ids[1])
            #expect(ids[1] == ids[2])
        }
    }

    @Test("what is deleted stays when its UIDs are renewed before QUIT")
    func renewedMeanwhile() async throws {
        try await withFaults(Fault(.renewUIDs, at: "SELECT")) { sandbox in
            let pop3 = try await open(sandbox)
            #expect(try await pop3.run("DELE 1").hasPrefix("+OK"))
            let imap = try await IMAPDialogue.open(sandbox, as: "bob")
            _ = try await imap.run("SELECT INBOX")
            #expect(try await pop3.run("QUIT").hasPrefix("+OK"))
            #expect(await sandbox.mailbox(of: "bob")?.messages.count == 1)
            await imap.close()
        }
    }

    @Test("QUIT deletes, and its reply is lost")
    func lostReply() async throws {
        try await withFaults(Fault(.drop(.beforeReply), at: "QUIT")) { sandbox in
            let pop3 = try await open(sandbox)
            _ = try await pop3.run("DELE 1")
            #expect(try await pop3.run("QUIT") == "(closed)")
            #expect(await sandbox.mailbox(of: "bob")?.messages.isEmpty == true)
        }
    }
}
