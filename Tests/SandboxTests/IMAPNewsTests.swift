import MartletIMAP
import MartletSandbox
import MartletTestSupport
import Testing

@Suite("Sandbox IMAP: logins and news", .timeLimit(.minutes(1)))
struct IMAPNewsTests {
    @Test("an empty line is heard where a challenge waits for an answer")
    func emptyAnswer() async throws {
        try await withSandbox { sandbox in
            let imap = try await IMAPDialogue.open(sandbox, as: nil)
            try await imap.send("x AUTHENTICATE PLAIN\r\n")
            #expect(try await imap.line().hasPrefix("+ "))
            try await imap.send("\r\n")
            #expect(try await imap.line().hasPrefix("x NO"))
            // Elsewhere it is nothing.
            try await imap.send("\r\n")
            #expect(try await imap.run("NOOP") == ["OK Done"])
        }
    }

    @Test("a selected mailbox stays selected under its new name, whoever gave it")
    func rename() async throws {
        try await withSandbox { sandbox in
            let imap = try await IMAPDialogue.open(sandbox)
            let other = try await IMAPDialogue.open(sandbox)
            _ = try await imap.run("CREATE Work")
            try await imap.append(Letters.plain, to: "Work")
            _ = try await imap.run("SELECT Work")
            #expect(try await imap.run("RENAME Work Done") == ["OK Done"])
            #expect(try await imap.run("STORE 1 +FLAGS.SILENT (\\Seen)") == ["OK Done"])
            #expect(try await other.run("RENAME Done Past/Done").last == "OK Done")
            #expect(try await imap.run("FETCH 1 FLAGS").first == "* 1 FETCH (FLAGS (\\Seen))")
            try await other.append(Letters.dots, to: "Past/Done")
            #expect(try await imap.run("NOOP").contains("* 2 EXISTS"))
            #expect(try await other.run("DELETE Past/Done").last?.hasPrefix("OK") == true)
            #expect(try await imap.run("NOOP").first?.hasPrefix("* BYE") == true)
        }
    }

    @Test("the count is told when it grew, not when it shrank")
    func count() async throws {
        try await withSandbox { sandbox in
            try await sandbox.fill()
            let imap = try await IMAPDialogue.open(sandbox)
            _ = try await imap.run("SELECT INBOX")
            _ = try await imap.run("STORE 1,4 +FLAGS.SILENT (\\Deleted)")
            #expect(try await imap.run("EXPUNGE").dropLast() == ["* 1 EXPUNGE", "* 3 EXPUNGE"])
            _ = try await imap.run("STORE 2 +FLAGS.SILENT (\\Deleted)")
            let other = try await IMAPDialogue.open(sandbox)
            try await other.append(Letters.plain)
            #expect(
                try await imap.run("EXPUNGE").dropLast().prefix(2) == ["* 2 EXPUNGE", "* 2 EXISTS"])
        }
    }
}
