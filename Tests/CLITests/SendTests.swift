import MartletBytes
import MartletSandbox
import MartletSMTP
import MartletTestSupport
import Testing

@Suite("martlet send")
struct SendTests {
    @Test("delivers a text and a file over STARTTLS, and says nothing in a pipe")
    func delivers() async throws {
        try await SandboxHouse.open { house in
            let file = try house.write([UInt8](0...255), "größe.bin")
            let result = try await Martlet.run(
                send(house.startTLS) + ["--subject", "Übersicht", "--attach", file],
                input: "Grüße\n.\nEnde\n")
            #expect(result.status == 0)
            #expect(result.output == "")
            #expect(result.errors == "")
            let message = try #require(await house.sandbox.messages(of: "bob").first)
            #expect(message.tlsVersion != nil)
            #expect(message.text.contains("Subject: =?UTF-8?Q?=C3=9Cbersicht?=\r\n"))
            #expect(message.text.contains("filename*=utf-8''gr%C3%B6%C3%9Fe.bin"))
            #expect(message.text.contains(Base64.encode([UInt8](0...255)).prefix(60).text))
            #expect(message.text.contains("Date: ") && message.text.contains("Message-ID: <"))
        }
    }

    @Test("takes the text from a file, and HTML beside it")
    func files() async throws {
        try await SandboxHouse.open { house in
            let text = try house.write("plain words\n", "body.txt")
            let html = try house.write("<p>rich words</p>\n", "body.html")
            let both = try await Martlet.run(send(house.implicitTLS) + ["--html", html, text])
            // Standard input is neither needed nor waited for.
            let alone = try await Martlet.run(send(house.implicitTLS) + ["--html", html])
            #expect(both.status == 0 && alone.status == 0)
            let messages = await house.sandbox.messages(of: "bob")
            #expect(messages[0].text.contains("multipart/alternative"))
            #expect(messages[0].text.contains("plain words"))
            #expect(messages[0].text.contains("rich words"))
            #expect(!messages[1].text.contains("text/plain"))
            #expect(messages[1].text.contains("rich words"))
        }
    }

    @Test("gives To, Cc and Bcc their copies, and Bcc no trace")
    func recipients() async throws {
        try await SandboxHouse.open { house in
            let words = send(house.startTLS, to: ["Bob <bob@example.test>, c@example.test"])
            let result = try await Martlet.run(
                words + ["--cc", "dora@example.test", "--bcc", "eve@example.test"])
            #expect(result.status == 0)
            let message = try #require(await house.sandbox.messages.first)
            #expect(
                message.envelope.forwardPaths.map(\.description) == [
                    "bob@example.test", "c@example.test", "dora@example.test", "eve@example.test",
                ])
            #expect(message.text.contains("To: Bob <bob@example.test>, c@example.test\r\n"))
            #expect(message.text.contains("Cc: dora@example.test\r\n"))
            #expect(!message.text.contains("eve") && !message.text.lowercased().contains("bcc:"))
        }
    }

    @Test(
        "sends failure notices where it is told",
        arguments: [
            ([], "alice@example.test"), (["<>"], "<>"),
            (["bounces@example.test"], "bounces@example.test"),
        ]
            as [([String], String)])
    func envelopeFrom(value: [String], expected: String) async throws {
        try await SandboxHouse.open { house in
            let option = value.flatMap { ["--envelope-from", $0] }
            #expect(try await Martlet.run(send(house.startTLS) + option).status == 0)
            let message = try #require(await house.sandbox.messages.first)
            #expect(message.envelope.reversePath.description == expected)
            #expect(message.text.contains("From: alice@example.test\r\n"))
        }
    }

    @Test("sends international domains as A-labels")
    func domains() async throws {
        try await SandboxHouse.open { house in
            let result = try await Martlet.run(send(house.startTLS, to: ["bob@bücher.example"]))
            #expect(result.status == 0)
            let message = try #require(await house.sandbox.messages.first)
            #expect(message.envelope.forwardPaths[0].description == "bob@xn--bcher-kva.example")
        }
    }

    private static let raw = """
        From: Author <author@example.test>
        To: one@example.test,
         "Two, second" <two@example.test>
        Cc: three@example.test
        Bcc: four@example.test,
         five@example.test
        Subject: ready

        .dot and text

        """

    @Test("sends a ready message to those it names, without Bcc and else octet for octet")
    func rawRecipients() async throws {
        try await SandboxHouse.open { house in
            let result = try await Martlet.run(
                ["send"] + house.startTLS + ["--raw", "--read-recipients"], input: Self.raw)
            #expect(result.status == 0)
            let message = try #require(await house.sandbox.messages.first)
            #expect(message.envelope.reversePath.description == "author@example.test")
            #expect(
                message.envelope.forwardPaths.map(\.localPart) == [
                    "one", "two", "three", "four", "five",
                ])
            let expected = Self.raw.replacing(
                "Bcc: four@example.test,\n five@example.test\n", with: "")
            #expect(message.text == expected.replacing("\n", with: "\r\n"))
        }
    }

    @Test("sends a ready message from a file to whom it is told")
    func rawTo() async throws {
        try await SandboxHouse.open { house in
            let file = try house.write(Self.raw, "message.eml")
            let result = try await Martlet.run(
                ["send"] + house.implicitTLS + ["--raw", "--to", "x@example.test", file])
            #expect(result.status == 0)
            let message = try #require(await house.sandbox.messages.first)
            #expect(message.envelope.forwardPaths.map(\.description) == ["x@example.test"])
        }
    }

    @Test("prints what became of each recipient as JSON")
    func json() async throws {
        try await SandboxHouse.open { house in
            let words = send(house.startTLS, to: ["bob@example.test", "c@example.test"])
            let result = try await Martlet.run(words + ["--json"])
            #expect(result.errors == "")
            try expectGolden(stable(result.output), "send-accepted.json")
        }
    }

    @Test("writes a log that shows no secret and no message")
    func wireLog() async throws {
        try await SandboxHouse.open { house in
            let result = try await Martlet.run(
                send(house.startTLS) + ["--log-wire", "--user", "alice", "--password-env", "PW"],
                input: "the body of it", environment: ["PW": "hunter2"])
            #expect(result.status == 0)
            #expect(result.errors.contains("C: MAIL FROM:<alice@example.test>"))
            #expect(result.errors.contains("C: AUTH PLAIN •••"))
            for secret in ["hunter2", "AGFsaWNl", "body of it"] {
                #expect(!result.errors.contains(secret))
            }
        }
    }
}

extension Sequence<UInt8> {
    fileprivate var text: String { String(decoding: Array(self), as: UTF8.self) }
}

extension ForwardPath {
    fileprivate var localPart: String { mailbox.localPart }
}
