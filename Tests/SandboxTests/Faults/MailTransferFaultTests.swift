import MartletSandbox
import Testing

private typealias Fault = Sandbox.Fault

@Suite("Faults of SMTP and LMTP", .timeLimit(.minutes(1)))
struct MailTransferFaultTests {
    private func withFaults(
        _ faults: Fault..., body: (Sandbox, WireDialogue) async throws -> Void
    ) async throws {
        try await withSandbox({ $0.faults = faults }) { sandbox in
            let dialogue = try await WireDialogue.mailTransfer(sandbox.smtpPort)
            try await body(sandbox, dialogue)
            await dialogue.close()
        }
    }

    private func begin(_ smtp: WireDialogue, to recipients: String...) async throws -> [String] {
        var replies = [try await smtp.run("MAIL FROM:<ann@example.com>")]
        for recipient in recipients {
            replies.append(try await smtp.run("RCPT TO:<\(recipient)>"))
        }
        replies.append(try await smtp.run("DATA"))
        return replies.map { String($0.prefix(9)) }
    }

    private let letter = "Subject: hello\r\n\r\ntext\r\n."

    @Test("a recipient is refused as often as asked for, and then taken; who watches hears of it")
    func greylisting() async throws {
        try await withFaults(
            Fault(
                .reply("450 4.7.1 Greylisted"), at: "rcpt", recipient: "*@example.org", times: 1,
                name: "grey")
        ) { sandbox, smtp in
            _ = try await smtp.run("MAIL FROM:<a@example.com>")
            #expect(try await smtp.run("RCPT TO:<bob@example.net>").hasPrefix("250"))
            #expect(try await smtp.run("RCPT TO:<Bob@Example.org>") == "450 4.7.1 Greylisted")
            #expect(try await smtp.run("RCPT TO:<Bob@Example.org>").hasPrefix("250"))
            #expect(sandbox.faults.map(\.strikes) == [1])
            let strike = await sandbox.nextStrike()
            #expect(strike?.id == 1)
            #expect(strike?.fault.name == "grey")
            #expect(strike?.command == "RCPT")
            #expect(strike?.protocol == .smtp)
            #expect(strike?.client.hasPrefix("127.0.0.1") == true)
        }
    }

    @Test("421 comes in the middle, and ends the connection")
    func closing() async throws {
        try await withFaults(Fault(.reply("421 4.3.2 Going down"), after: 3)) { _, smtp in
            // EHLO was the first.
            let replies = [
                try await smtp.run("NOOP"), try await smtp.run("NOOP"), try await smtp.run("NOOP"),
            ]
            #expect(replies == ["250 2.0.0 Ok", "250 2.0.0 Ok", "421 4.3.2 Going down"])
            #expect(try await smtp.line() == "(closed)")
        }
    }

    @Test(
        "a greeting can be a no, or another yes",
        arguments: ["421 4.7.0 Too many connections", "554 No mail here", "220 odd"])
    func greeting(reply: String) async throws {
        try await withSandbox({ $0.faults = [Fault(.reply(reply), at: "greeting")] }) { sandbox in
            let smtp = try await WireDialogue.open(sandbox.smtpPort)
            #expect(try await smtp.line() == reply)
            if reply.hasPrefix("220") {
                #expect(try await smtp.run("EHLO c").hasPrefix("250"))
            } else {
                #expect(try await smtp.line() == "(closed)")
            }
            await smtp.close()
        }
    }

    @Test("a login that is right is refused, a wrong one as always")
    func login() async throws {
        try await withSandbox({
            $0.faults = [Fault(.reply("454 4.7.0 Try later"), at: "login", user: "bob")]
        }) { sandbox in
            let smtp = try await WireDialogue.mailTransfer(sandbox.smtpPort)
            // bob, x; then alice, x
            #expect(try await smtp.run("AUTH PLAIN AGJvYgB4") == "454 4.7.0 Try later")
            #expect(try await smtp.run("AUTH PLAIN AGFsaWNlAHg=").hasPrefix("235"))
            await smtp.close()
        }
    }

    @Test("a reply is late, and those before it are not")
    func delay() async throws {
        try await withFaults(Fault(.delay(.milliseconds(500)), at: "RSET")) { _, smtp in
            let start = ContinuousClock.now
            try await smtp.say("NOOP\r\nRSET")
            _ = try await smtp.line()
            #expect(ContinuousClock.now - start < .milliseconds(400))
            _ = try await smtp.line()
            #expect(ContinuousClock.now - start >= .milliseconds(500))
        }
    }

    @Test("the connection is dropped before a command is done")
    func drop() async throws {
        try await withFaults(Fault(.drop(.now), at: "RSET")) { _, smtp in
            try await smtp.say("NOOP\r\nRSET")
            #expect(try await smtp.line().hasPrefix("250"))
            #expect(try await smtp.line() == "(closed)")
        }
    }

    @Test("the message is kept, but the reply to its dot is lost", arguments: [true, false])
    func lostReply(drops: Bool) async throws {
        try await withFaults(
            Fault(drops ? .drop(.beforeReply) : .silence(.beforeReply), at: "dot")
        ) { sandbox, smtp in
            #expect(try await begin(smtp, to: "bob@example.test").last?.hasPrefix("354") == true)
            try await smtp.say(letter)
            if drops {
                #expect(try await smtp.line() == "(closed)")
            } else {
                _ = try await sandbox.waitForMessage()
                try await smtp.say("NOOP")
                #expect(await smtp.hearsNothing())
            }
            #expect(await sandbox.messages.count == 1)
        }
    }

    @Test(
        "a message is refused, or lost, once it is whole", arguments: ["554 5.7.1 Spam", "250 Ok"])
    func dot(reply: String) async throws {
        try await withFaults(
            Fault(.reply(reply), at: "DOT", recipient: "b*@example.test", times: 1)
        ) { sandbox, smtp in
            for expected in [reply, "250 2.0.0 kept as 1"] {
                _ = try await begin(smtp, to: "ann@example.test", "bob@example.test")
                #expect(try await smtp.run(letter) == expected)
            }
            #expect(await sandbox.messages.count == 1)
        }
    }

    @Test("the connection is dropped after some octets of the message; nothing of it stays")
    func dropWithinData() async throws {
        try await withFaults(Fault(.drop(.afterReading(octets: 5_000)), at: "DATA")) {
            sandbox, smtp in
            _ = try await begin(smtp, to: "bob@example.test")
            try await smtp.say(String(repeating: "x", count: 4_000))
            #expect(await smtp.hearsNothing())
            try? await smtp.say(String(repeating: "x", count: 1_000))
            #expect(try await smtp.line() == "(closed)")
            #expect(await sandbox.messages.isEmpty)
        }
    }

    @Test("the connection ends, or falls silent, after some octets", arguments: [true, false])
    func afterWriting(drops: Bool) async throws {
        let moment = Fault.Moment.afterWriting(octets: 8)
        try await withFaults(Fault(drops ? .drop(moment) : .silence(moment), at: "VRFY")) {
            _, smtp in
            try await smtp.say("NOOP\r\nVRFY bob")
            #expect(try await smtp.line().hasPrefix("250"))
            if drops {
                #expect(try await smtp.octetsToEnd() == Array("252 2.5.".utf8))
            } else {
                #expect(try await smtp.octets(8) == Array("252 2.5.".utf8))
                #expect(await smtp.hearsNothing())
            }
        }
    }

    @Test("a client that hears nothing can say what it likes")
    func silence() async throws {
        try await withSandbox({
            $0.faults = [Fault(.silence(.now), at: "MAIL")]
            $0.silenceLimit = .milliseconds(600)
        }) { sandbox in
            let smtp = try await WireDialogue.mailTransfer(sandbox.smtpPort)
            try await smtp.say("MAIL FROM:<>")
            #expect(await smtp.hearsNothing())
            try await smtp.say(String(repeating: "NOOP\r\n", count: 10_000))
            // Until the sandbox has enough of it, too.
            #expect(try await smtp.octetsToEnd().isEmpty)
        }
    }

    @Test("octets come as slowly as asked for")
    func throttle() async throws {
        try await withFaults(Fault(.throttle(octetsPerSecond: 100), at: "NOOP")) { _, smtp in
            let start = ContinuousClock.now
            let count = try await smtp.run("NOOP").utf8.count + 2
            // The first ten octets come at once.
            #expect(ContinuousClock.now - start >= .milliseconds((count - 1) / 10 * 100))
        }
    }

    @Test("EHLO lies, and nothing else changes")
    func capabilities() async throws {
        try await withSandbox({
            $0.faults = [Fault(.capabilities(add: ["BDAT"], remove: ["auth", "SIZE"]))]
        }) { sandbox in
            let smtp = try await WireDialogue.open(sandbox.smtpPort)
            _ = try await smtp.line()
            try await smtp.say("EHLO c")
            let lines = try await smtp.reply().map { $0.dropFirst(4) }
            #expect(lines.contains("STARTTLS"))
            #expect(lines.last == "BDAT")
            #expect(!lines.contains { $0.hasPrefix("AUTH") || $0.hasPrefix("SIZE") })
            #expect(try await smtp.run("AUTH PLAIN AGJvYgB4").hasPrefix("235"))
            #expect(sandbox.faults[0].strikes == 1)
            await smtp.close()
        }
    }

    @Test("LMTP answers for each recipient, and those who are refused get nothing")
    func lmtp() async throws {
        try await withSandbox({
            $0.faults = [Fault(.reply("452 4.2.2 Full"), at: "dot", of: .lmtp, recipient: "bob")]
        }) { sandbox in
            let lmtp = try await WireDialogue.mailTransfer(sandbox.ports.lmtp, "LHLO c")
            _ = try await begin(
                lmtp, to: "ann@example.test", "bob@example.test", "eve@example.test")
            #expect(try await lmtp.run(letter).hasPrefix("250"))
            #expect(try await lmtp.line() == "452 4.2.2 Full")
            #expect(try await lmtp.line().hasPrefix("250"))
            #expect(await sandbox.mailbox(of: "ann")?.messages.count == 1)
            #expect(await sandbox.mailbox(of: "bob")?.messages.isEmpty == true)
            #expect(await sandbox.mailbox(of: "eve")?.messages.count == 1)

            _ = try await begin(lmtp, to: "bob@example.test")
            #expect(try await lmtp.run(letter) == "452 4.2.2 Full")
            #expect(await sandbox.messages.count == 1)
            await lmtp.close()
        }
    }
}
