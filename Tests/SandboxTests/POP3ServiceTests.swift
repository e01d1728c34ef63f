import MartletBytes
import MartletSandbox
import MartletTestSupport
import Testing

@Suite("Sandbox POP3", .timeLimit(.minutes(1)))
struct POP3ServiceTests {
    private func open(_ sandbox: Sandbox, as user: String = "alice") async throws -> LineDialogue {
        let pop = try await LineDialogue(sandbox.ports.pop3)
        #expect(try await pop.ask("USER \(user)") == "+OK Send PASS")
        #expect(try await pop.ask("PASS secret").hasPrefix("+OK"))
        return pop
    }

    @Test("a whole session: it counts, lists, gives, marks, unmarks and removes")
    func session() async throws {
        try await withSandbox { sandbox in
            try await sandbox.fill()
            let pop = try await open(sandbox)
            let sizes = Letters.all.map(\.count)
            #expect(try await pop.ask("STAT") == "+OK 4 \(sizes.reduce(0, +))")
            #expect(
                try await pop.askForLines("LIST").dropFirst()
                    == sizes.enumerated().map { "\($0 + 1) \($1)" }[...])
            #expect(try await pop.ask("LIST 2") == "+OK 2 \(sizes[1])")
            let ids = try await pop.askForLines("UIDL").dropFirst().map {
                String($0.split(separator: " ")[1])
            }
            #expect(Set(ids).count == 4)
            #expect(try await pop.ask("UIDL 3") == "+OK 3 \(ids[2])")
            // Dots are doubled on the wire.
            let dots = try await pop.askForLines("RETR 2")
            #expect(dots.suffix(4) == ["..", "...", "..end", ".. "])
            let top = try await pop.askForLines("TOP 2 1")
            #expect(top.last == ".." && top.contains("Subject: dots") && !top.contains("..end"))
            #expect(try await pop.askForLines("TOP 2 0").last == "")
            #expect(try await pop.ask("DELE 2").hasPrefix("+OK"))
            for command in ["RETR 2", "DELE 2", "LIST 2", "UIDL 2", "TOP 2 0", "RETR 9", "DELE 0"] {
                #expect(try await pop.ask(command).hasPrefix("-ERR"), "\(command)")
            }
            #expect(try await pop.ask("STAT") == "+OK 3 \(sizes.reduce(0, +) - sizes[1])")
            #expect(try await pop.askForLines("UIDL").count == 4)
            #expect(try await pop.ask("RSET").hasPrefix("+OK"))
            #expect(try await pop.ask("STAT").hasPrefix("+OK 4 "))
            #expect(try await pop.ask("NOOP").hasPrefix("+OK"))
            _ = try await pop.ask("DELE 1")
            _ = try await pop.ask("DELE 4")
            // Nothing is gone before QUIT.
            #expect(try await sandbox.letters().count == 4)
            #expect(try await pop.ask("QUIT").hasPrefix("+OK"))
            #expect(try await pop.line() == "(closed)")
            #expect(try await sandbox.letters().map(\.uid) == [2, 3])
            let again = try await open(sandbox)
            #expect(
                try await again.askForLines("UIDL").dropFirst() == ["1 \(ids[1])", "2 \(ids[2])"])
        }
    }

    @Test("a connection that drops deletes nothing, and lets the next one in")
    func drop() async throws {
        try await withSandbox { sandbox in
            try await sandbox.fill()
            let pop = try await open(sandbox)
            _ = try await pop.ask("DELE 1")
            await pop.close()
            try await waitUntil {
                guard let next = try? await open(sandbox) else { return false }
                let status = try? await next.ask("STAT")
                await next.close()
                return status?.hasPrefix("+OK 4 ") == true
            }
            #expect(try await sandbox.letters().count == 4)
        }
    }

    @Test("a maildrop is one session's at a time; IMAP and delivery go on beside it")
    func lock() async throws {
        try await withSandbox { sandbox in
            try await sandbox.fill()
            let pop = try await open(sandbox)
            let second = try await LineDialogue(sandbox.ports.pop3)
            _ = try await second.ask("USER alice")
            #expect(try await second.ask("PASS secret").hasPrefix("-ERR [IN-USE]"))
            _ = try await second.ask("USER bob")
            #expect(try await second.ask("PASS secret").hasPrefix("+OK"))
            // What happens meanwhile is no part of the session.
            let imap = try await IMAPDialogue.open(sandbox)
            try await imap.append(Letters.plain)
            _ = try await imap.run("SELECT INBOX")
            _ = try await imap.run("UID STORE 1 +FLAGS.SILENT (\\Deleted)")
            _ = try await imap.run("EXPUNGE")
            #expect(try await pop.ask("STAT").hasPrefix("+OK 4 "))
            #expect(try await pop.askForLines("RETR 1").last == "Hello.")
            #expect(try await pop.askForLines("RETR 4").count > 5)
            #expect(try await pop.ask("QUIT").hasPrefix("+OK"))
            let third = try await open(sandbox)
            #expect(try await third.ask("STAT").hasPrefix("+OK 4 "))
        }
    }

    @Test("nothing but a login is heard before it")
    func order() async throws {
        try await withSandbox { sandbox in
            let pop = try await LineDialogue(sandbox.ports.pop3)
            for command in ["STAT", "LIST", "RETR 1", "PASS secret", "BOGUS", ""] {
                #expect(try await pop.ask(command).hasPrefix("-ERR"), "\(command)")
            }
            #expect(try await pop.askForLines("CAPA").contains("STLS"))
            #expect(try await pop.ask("QUIT").hasPrefix("+OK"))
        }
    }
}
