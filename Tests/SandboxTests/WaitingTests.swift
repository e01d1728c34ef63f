import MartletMIME
import MartletSMTP
import MartletSandbox
import MartletTestSupport
import Testing

@Suite("Waiting for mail", .timeLimit(.minutes(1)))
struct WaitingTests {
    private func send(
        _ sandbox: Sandbox, _ subject: String, to recipient: String = "bob@example.test"
    ) async throws {
        let letter = "From: ann@example.com\r\nSubject: \(subject)\r\n\r\ntext\r\n"
        let envelope = DeliveryEnvelope(
            reversePath: try ReversePath("ann@example.com"),
            forwardPaths: [try ForwardPath(recipient)])
        try await SMTPClient.withConnection(to: sandbox.server(.plaintext)) {
            _ = try await $0.send(OctetArray(Array(letter.utf8)), envelope: envelope)
        }
    }

    @Test("a message that has come is there at once, and is parsed")
    func before() async throws {
        try await withSandbox { sandbox in
            try await send(sandbox, "one")
            try await send(sandbox, "two")
            let mail = try await sandbox.waitForMessage(to: "Bob", within: .zero)
            #expect(mail.message.subject == "one")
            let next = try await sandbox.waitForMessage(after: mail.id, within: .zero)
            #expect(next.message.subject == "two")
            #expect(next.message.from.mailboxes.first?.addrSpec == "ann@example.com")
        }
    }

    @Test("a message that comes later wakes who waits for it, and no other does")
    func later() async throws {
        try await withSandbox { sandbox in
            async let found = sandbox.waitForMessage(to: "carol@example.test", within: .seconds(20))
            {
                $0.message.subject == "right"
            }
            try await send(sandbox, "wrong", to: "carol@example.test")
            try await send(sandbox, "right")
            try await send(sandbox, "right", to: "Carol@example.test")
            #expect(try await found.id == 3)
        }
    }

    @Test("so many messages come in their order")
    func several() async throws {
        try await withSandbox { sandbox in
            try await send(sandbox, "1")
            async let found = sandbox.waitForMessages(count: 3, within: .seconds(20)) {
                $0.message.subject != "2"
            }
            for subject in ["2", "3", "4", "5"] { try await send(sandbox, subject) }
            #expect(try await found.map(\.message.subject) == ["1", "3", "4"])
        }
    }

    @Test("when time is up, the error tells what came instead")
    func timeout() async throws {
        try await withSandbox { sandbox in
            let silent = await #expect(throws: SandboxError.self) {
                try await sandbox.waitForMessage(within: .milliseconds(50))
            }
            #expect(silent?.kind == .timedOut)
            #expect(silent?.description.hasSuffix("Nothing came at all.") == true)
            try await send(sandbox, "hello")
            let error = await #expect(throws: SandboxError.self) {
                try await sandbox.waitForMessages(count: 2, to: "bob", within: .milliseconds(50))
            }
            #expect(
                error?.description
                    == "1 of 2 such messages came within 0.05 seconds. What did: "
                    + "1 from <ann@example.com> to <bob@example.test> \"hello\".")
            for number in 0..<20 { try await send(sandbox, "\(number)") }
            let long = await #expect(throws: SandboxError.self) {
                try await sandbox.waitForMessage(to: "eve", within: .milliseconds(50))
            }
            #expect(long?.description.hasSuffix("; 11 before.") == true)
        }
    }

    @Test("who is cancelled waits no longer")
    func cancellation() async throws {
        try await withSandbox { sandbox in
            let task = Task { try await sandbox.waitForMessage(within: .seconds(1_000)) }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
        }
    }

    @Test("who waits hears that the sandbox stops")
    func stop() async throws {
        let sandbox = try await Sandbox.start(.freePorts)
        let task = Task { try await sandbox.waitForMessage(within: .seconds(1_000)) }
        await sandbox.stop()
        let error = await #expect(throws: SandboxError.self) { try await task.value }
        #expect(error?.kind == .stopped)
    }

    @Test("a message is in its mailbox when it is told of, kept in a folder too")
    func kept() async throws {
        let folder = try TemporaryFolder("waiting")
        defer { folder.remove() }
        try await withSandbox({ $0.mailFolder = folder.path }) { sandbox in
            for count in 1...5 {
                async let found = sandbox.waitForMessage(after: count - 1, within: .seconds(20))
                try await send(sandbox, "hello")
                #expect(try await found.id == count)
                #expect(await sandbox.mailbox(of: "bob")?.messages.count == count)
            }
        }
    }
}

@Suite("Mailboxes in tests", .timeLimit(.minutes(1)))
struct MailboxTests {
    private static let letter = Array("Subject: hello\r\n\r\ntext\r\n".utf8)

    @Test("a message is put into a mailbox, which is made where it is missing; clients are told")
    func append() async throws {
        try await withSandbox { sandbox in
            let imap = try await IMAPDialogue.open(sandbox, as: "bob")
            _ = try await imap.run("SELECT INBOX")
            let date = MailDate(secondsSinceEpoch: 1_700_000_000, offsetInMinutes: 0)
            let uid = try await sandbox.append(
                Self.letter, of: "bob", flags: [.flagged], date: date)
            #expect(uid.rawValue == 1)
            #expect(try await imap.run("NOOP").first == "* 1 EXISTS")
            #expect(
                try await imap.run("FETCH 1 (FLAGS INTERNALDATE)").first
                    == "* 1 FETCH (FLAGS (\\Flagged) INTERNALDATE \"14-Nov-2023 22:13:20 +0000\")")
            try await sandbox.append(Self.letter, to: "Work/2024", of: "bob@example.test")
            #expect(
                await sandbox.mailboxes(of: "bob").map(\.name) == [
                    "INBOX", "Archive", "Drafts", "Junk", "Sent", "Trash", "Work", "Work/2024",
                ])
            let error = await #expect(throws: SandboxError.self) {
                try await sandbox.append(Self.letter, to: "a/../b", of: "bob")
            }
            #expect(error?.kind == .mailbox)
            await imap.close()
        }
    }

    @Test("what a client does to a message shows, at once or in time")
    func flags() async throws {
        try await withSandbox { sandbox in
            try await sandbox.append(Self.letter, of: "bob")
            #expect(await sandbox.mailbox(of: "bob")?.messages.first?.isSeen == false)
            async let seen = sandbox.waitForMailbox(of: "bob", within: .seconds(20)) {
                $0.messages.first?.isSeen == true
            }
            let imap = try await IMAPDialogue.open(sandbox, as: "bob")
            _ = try await imap.run("SELECT INBOX")
            _ = try await imap.run("FETCH 1 BODY[]")
            #expect(try await seen.messages.first?.flags == [.seen])
            #expect(await sandbox.mailbox(of: "bob")?.messages.first?.message.subject == "hello")
            let error = await #expect(throws: SandboxError.self) {
                try await sandbox.waitForMailbox(of: "bob", within: .milliseconds(50)) {
                    $0.messages.isEmpty
                }
            }
            #expect(error?.description.hasSuffix("It has 1 messages: 1 (\\Seen).") == true)
            await imap.close()
        }
    }

    @Test("all is as at the start after a reset, and clients are told")
    func reset() async throws {
        try await withSandbox { sandbox in
            try await sandbox.append(Self.letter, of: "bob", flags: [MessageFlag("$Work")!])
            try await sandbox.append(Self.letter, of: "bob")
            let plain = try await IMAPDialogue.open(sandbox, as: "bob")
            _ = try await plain.run("CREATE Work/2024")
            _ = try await plain.run("DELETE Trash")
            _ = try await plain.run("UNSUBSCRIBE Sent")
            _ = try await plain.run("SETMETADATA \"\" (/private/comment x)")
            _ = try await plain.run("SELECT INBOX")
            try await plain.send("x IDLE\r\n")
            #expect(try await plain.line().hasPrefix("+"))
            let resyncing = try await IMAPDialogue.open(sandbox, as: "bob")
            _ = try await resyncing.run("ENABLE QRESYNC")
            _ = try await resyncing.run("SELECT INBOX")
            let other = try await IMAPDialogue.open(sandbox, as: "bob")
            _ = try await other.run("SELECT Work/2024")

            await sandbox.reset()

            #expect(try await plain.line() == "* 1 EXPUNGE")
            #expect(try await plain.line() == "* 1 EXPUNGE")
            #expect(try await resyncing.run("NOOP").first == "* VANISHED 1:2")
            try await other.send("x NOOP\r\n")
            #expect(try await other.line().hasPrefix("* BYE"))
            let boxes = await sandbox.mailboxes(of: "bob")
            #expect(boxes.map(\.name) == ["INBOX", "Archive", "Drafts", "Junk", "Sent", "Trash"])
            #expect(boxes.allSatisfy { $0.messages.isEmpty && $0.isSubscribed })
            #expect(boxes.last?.uses == [.trash])
            #expect(try await sandbox.append(Self.letter, of: "bob").rawValue == 3)
            let again = try await resyncing.run("SELECT INBOX")
            #expect(!again.contains { $0.contains("$Work") })
            await plain.close()
            await resyncing.close()
        }
    }
}
