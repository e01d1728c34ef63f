import MartletTestSupport
import Testing

@testable import MartletSandbox

@Suite("Magic address", .timeLimit(.minutes(1)))
struct MagicAddressTests {
    @Test(
        "asks for a fault",
        arguments: [
            ("bounce-550@example.test", "RCPT", .reply("550 5.1.1 There is no such mailbox")),
            ("BOUNCE-452@x", "RCPT", .reply("452 4.2.2 The mailbox is full")),
            ("bounce-499", "RCPT", .reply("499 4.0.0 The address asks for it")),
            ("bounce-550+ann-7@x", "RCPT", .reply("550 5.1.1 There is no such mailbox")),
            ("data-554@x", "DOT", .reply("554 5.7.1 Not wanted here")),
            ("slow-10s@x", "RCPT", .delay(.seconds(10))),
            ("slow-300s@x", "RCPT", .delay(.seconds(300))),
            ("slow-data-1s@x", "DOT", .delay(.seconds(1))), ("drop@x", "RCPT", .drop(.now)),
            ("drop-data@x", "DATA", .drop(.afterReading(octets: 1))),
            ("lost-reply@x", "DOT", .drop(.beforeReply)), ("silent@x", "RCPT", .silence(.now)),
            ("greylist@x", "RCPT", .reply("450 4.7.1 Greylisted: try again")),
            ("quota@x", "RCPT", .reply("552 5.2.2 The mailbox is full")),
        ] as [(String, String, Sandbox.Fault.Action)])
    func kinds(address: String, moment: String, action: Sandbox.Fault.Action) throws {
        let magic = try #require(MagicAddress(address))
        #expect(magic.moment == moment)
        #expect(magic.action == action)
        #expect(throws: Never.self) { try Sandbox.Fault(action, at: moment).validate() }
    }

    @Test(
        "is none where it asks for nothing that there is",
        arguments: [
            "", "@", "bob@x", "bounce@x", "bounce-@x", "bounce-999@x", "bounce-250@x",
            "bounce-55@x", "bounce-5500@x", "bounce--550@x", "bounce-5５0@x", "bounce-+50@x",
            "bounce-550-x@x", "data-200@x", "slow@x", "slow-s@x", "slow-0s@x", "slow-301s@x",
            "slow-10@x", "slow-10m@x", "slow--1s@x", "slow-99999999999999s@x", "slow-data@x",
            "slow-data-s@x", "data-slow-1s@x", "drops@x", "drop-all@x", "+drop@x", "quota-1@x",
            "x+bounce-550@x", "bounce-550 @x", "\u{0}",
        ])
    func garbage(address: String) { #expect(MagicAddress(address) == nil) }

    @Test("of any octets is read without harm")
    func random() {
        var random = SeededGenerator(seed: 6)
        let words = ["bounce", "-", "550", "slow", "s", "@", "+", "data", "9", "drop", "\u{FC}"]
        for _ in 0..<2_000 {
            let address = (0..<Int.random(in: 0...6, using: &random)).map { _ in
                words.randomElement(using: &random)!
            }.joined()
            if let magic = MagicAddress(address) {
                #expect(throws: Never.self) {
                    try Sandbox.Fault(magic.action, at: magic.moment).validate()
                }
            }
        }
    }

    private func begin(_ smtp: WireDialogue, to recipients: String...) async throws {
        _ = try await smtp.run("MAIL FROM:<ann@example.com>")
        for recipient in recipients {
            #expect(try await smtp.run("RCPT TO:<\(recipient)@example.test>").hasPrefix("250"))
        }
        #expect(try await smtp.run("DATA").hasPrefix("354"))
    }

    private let letter = "Subject: hello\r\n\r\ntext\r\n."

    @Test("is heeded at RCPT; others of the same message are taken")
    func recipients() async throws {
        try await withSandbox { sandbox in
            let smtp = try await WireDialogue.mailTransfer(sandbox.smtpPort)
            _ = try await smtp.run("MAIL FROM:<ann@example.com>")
            func recipient(_ name: String) async throws -> String {
                try await smtp.run("RCPT TO:<\(name)@example.test>")
            }
            #expect(try await recipient("bounce-550").hasPrefix("550 5.1.1"))
            #expect(try await recipient("quota").hasPrefix("552 5.2.2"))
            for name in ["greylist", "greylist+2"] {
                #expect(try await recipient(name).hasPrefix("450 4.7.1"))
                #expect(try await recipient(name).hasPrefix("250"))
                #expect(try await recipient(name).hasPrefix("450 4.7.1"))
            }
            #expect(try await recipient("bob").hasPrefix("250"))
            let strike = await sandbox.nextStrike()
            #expect(strike?.id == nil)
            #expect(strike?.fault.name == "bounce-550@example.test")
            #expect(try await recipient("drop") == "(closed)")
        }
    }

    @Test("is heeded once the message is whole")
    func data() async throws {
        try await withSandbox { sandbox in
            let smtp = try await WireDialogue.mailTransfer(sandbox.smtpPort)
            try await begin(smtp, to: "bob", "data-554")
            #expect(try await smtp.run(letter).hasPrefix("554 5.7.1"))
            #expect(await sandbox.messages.isEmpty)
            try await begin(smtp, to: "bob", "lost-reply")
            #expect(try await smtp.run(letter) == "(closed)")
            #expect(await sandbox.messages.count == 1)
            let next = try await WireDialogue.mailTransfer(sandbox.smtpPort)
            try await begin(next, to: "drop-data")
            try await next.say("Subject: x")
            #expect(try await next.line() == "(closed)")
            #expect(await sandbox.messages.count == 1)
        }
    }

    @Test("makes replies late")
    func slow() async throws {
        try await withSandbox { sandbox in
            let smtp = try await WireDialogue.mailTransfer(sandbox.smtpPort)
            _ = try await smtp.run("MAIL FROM:<ann@example.com>")
            let start = ContinuousClock.now
            #expect(try await smtp.run("RCPT TO:<slow-1s@example.test>").hasPrefix("250"))
            #expect(ContinuousClock.now - start >= .seconds(1))
            await smtp.close()
        }
    }

    @Test("does not hold up a sandbox that stops")
    func stop() async throws {
        let sandbox = try await Sandbox.start(.freePorts)
        let smtp = try await WireDialogue.mailTransfer(sandbox.smtpPort)
        _ = try await smtp.run("MAIL FROM:<ann@example.com>")
        try await smtp.say("RCPT TO:<slow-300s@example.test>")
        _ = await sandbox.nextStrike()
        await sandbox.stop()
        #expect(try await smtp.line().hasPrefix("421 4.3.2"))
    }

    @Test("is heeded by LMTP for each recipient")
    func lmtp() async throws {
        try await withSandbox { sandbox in
            let lmtp = try await WireDialogue.mailTransfer(sandbox.ports.lmtp, "LHLO c")
            try await begin(lmtp, to: "data-452", "bob")
            #expect(try await lmtp.run(letter).hasPrefix("452 4.2.2"))
            #expect(try await lmtp.line().hasPrefix("250"))
            #expect(await sandbox.messages(of: "bob@example.test").count == 1)
            #expect(await sandbox.messages(of: "data-452@example.test").isEmpty)
            await lmtp.close()
        }
    }

    @Test("is one like any other where nobody wants it")
    func off() async throws {
        try await withSandbox({ $0.heedsMagicAddresses = false }) { sandbox in
            let smtp = try await WireDialogue.mailTransfer(sandbox.smtpPort)
            try await begin(smtp, to: "bounce-550", "drop", "drop-data", "data-554")
            #expect(try await smtp.run(letter).hasPrefix("250"))
            await smtp.close()
        }
    }
}

@Suite("Wildcard")
struct WildcardTests {
    @Test(
        "matches by asterisks, without case",
        arguments: [
            ("", "", true), ("", "a", false), ("*", "", true), ("*", "abc", true),
            ("a*", "ABC", true), ("*c", "abc", true), ("*b*", "abc", true), ("a*c", "abcbc", true),
            ("a*d", "abc", false), ("abc", "abcd", false), ("a**c", "ac", true),
            ("*@example.org", "bob@example.org.evil", false), ("?", "a", false),
            ("*a*a*a*b", String(repeating: "a", count: 10_000), false),
        ])
    func table(pattern: String, text: String, matches: Bool) {
        #expect(Wildcard(pattern).matches(text) == matches)
    }
}
