import MartletBytes
import MartletMIME
import MartletSMTP
import MartletSandbox
import MartletTestSupport
import MartletTransport
import Testing

/// A sandbox on any free ports, for the time of `body`.
func withSandbox(
    _ change: (inout Sandbox.Configuration) -> Void = { _ in },
    _ body: (Sandbox) async throws -> Void
) async throws {
    var configuration = Sandbox.Configuration.freePorts
    change(&configuration)
    let sandbox = try await Sandbox.start(configuration)
    do {
        try await body(sandbox)
        await sandbox.stop()
    } catch {
        await sandbox.stop()
        throw error
    }
}

extension Sandbox {
    /// How to send to it.
    func server(_ security: ConnectionSecurity, user: String? = nil, password: String = "any")
        -> SMTPServer
    {
        var server = try! SMTPServer(
            host: "localhost", port: security == .implicitTLS ? smtpsPort : smtpPort,
            security: security)
        server.tls.trust = .certificateAuthorities(pem: certificateAuthorityPEM)
        server.allowsPlaintextAuthentication = security == .plaintext
        if let user { server.credentials = Credentials(user: user) { Secret(password) } }
        return server
    }
}

@Suite("Sandbox", .timeLimit(.minutes(1)))
struct SandboxTests {
    @Test(
        "keeps what was sent, octet for octet, whatever the protection",
        arguments: ConnectionSecurity.allCases)
    func keeps(security: ConnectionSecurity) async throws {
        try await withSandbox { sandbox in
            let octets = Array("From: a@example.test\r\n\r\n.dot\r\n..two\r\n\u{FC}8-bit\r\n".utf8)
            let envelope = DeliveryEnvelope(
                reversePath: try ReversePath("alice@example.test"),
                forwardPaths: [
                    try ForwardPath("Bob@example.test"), try ForwardPath("carol@example.org"),
                ])
            let report = try await SMTPClient.withConnection(
                to: sandbox.server(security, user: "alice")
            ) {
                try await $0.send(OctetArray(octets), envelope: envelope)
            }
            #expect(report.allAccepted)
            let mail = await sandbox.messages(of: "bob@EXAMPLE.test")
            #expect(mail.map(\.octets) == [octets])
            #expect(mail.first?.envelope == envelope)
            #expect(mail.first?.user == "alice@example.test")
            #expect((mail.first?.tlsVersion == nil) == (security == .plaintext))
            #expect(await sandbox.messages(of: "carol@example.org").count == 1)
            #expect(await sandbox.messages(of: "dave@example.test").isEmpty)
        }
    }

    @Test("a composed message arrives as composed")
    func composed() async throws {
        try await withSandbox { sandbox in
            var message = try OutgoingMessage(
                from: "Alice <alice@example.test>", to: ["Bob <bob@example.test>"],
                bcc: ["secret@example.test"], subject: "Grüße aus Zürich 🐦",
                text: "Hallo Bob,\n.punkt\n")
            let octets = [UInt8]((0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
            message.attachments = [Attachment(name: "Übersicht.bin", content: OctetArray(octets))]
            let report = try await SMTPClient.withConnection(
                to: sandbox.server(.startTLS, user: "alice")
            ) {
                try await $0.send(message)
            }
            #expect(report.allAccepted)
            let received = try #require(await sandbox.messages(of: "secret@example.test").first)
            let text = String(decoding: received.octets, as: UTF8.self)
            #expect(!text.lowercased().contains("bcc"))
            #expect(!text.contains("secret@example.test"))
            #expect(text.contains("Date: "))
            #expect(text.contains("Message-ID: <"))
            #expect(received.envelope.forwardPaths.count == 2)
        }
    }

    @Test("any password is right, unless users are given")
    func passwords() async throws {
        try await withSandbox({ $0.users = ["alice": Secret("wonderland")] }) { sandbox in
            for (user, password, isRight) in [
                ("alice", "wonderland", true), ("alice@example.test", "wonderland", true),
                ("ALICE", "wonderland", true), ("alice", "wrong", false),
                ("bob", "wonderland", false),
            ] {
                let client = SMTPClient(
                    sandbox.server(.implicitTLS, user: user, password: password))
                do throws(SMTPError) {
                    try await client.connect()
                    #expect(isRight, "\(user) \(password)")
                } catch {
                    #expect(!isRight, "\(user) \(password)")
                    #expect(error.recovery == .authenticate)
                    #expect(error.reply?.code == 535)
                }
                await client.close()
            }
        }
    }

    @Test("the oldest mail goes when memory is full, and the sandbox says so")
    func memory() async throws {
        try await withSandbox({ $0.memoryLimitInOctets = 100_000 }) { sandbox in
            let body = OctetArray([UInt8](repeating: 0x61, count: 900) + [13, 10])
            let line = OctetArray(Array(repeatElement(body.octets, count: 33).joined()))
            let envelope = DeliveryEnvelope(
                reversePath: .null, forwardPaths: [try ForwardPath("bob@example.test")])
            try await SMTPClient.withConnection(to: sandbox.server(.plaintext)) { client in
                for _ in 0..<10 { try await client.send(line, envelope: envelope) }
            }
            let kept = await sandbox.messages.map(\.id)
            #expect(kept == [8, 9, 10])
            var dropped = 0
            var messages = 0
            for await event in sandbox.events {
                if case .dropped(let count) = event { dropped += count }
                if case .message = event { messages += 1 }
                if messages == 10, dropped == 7 { break }
            }
            #expect(dropped == 7)
        }
    }

    @Test("a message over the limit is refused, and the next one goes through")
    func tooLarge() async throws {
        try await withSandbox({ $0.messageLimitInOctets = 10_000 }) { sandbox in
            let envelope = DeliveryEnvelope(
                reversePath: .null, forwardPaths: [try ForwardPath("bob@example.test")])
            try await SMTPClient.withConnection(to: sandbox.server(.plaintext)) { client in
                let error = await #expect(throws: SMTPError.self) {
                    try await client.send(
                        OctetArray([UInt8](repeating: 0x61, count: 10_001)), envelope: envelope)
                }
                #expect(error?.recovery == .fixInput)
                let report = try await client.send(OctetArray([0x61, 13, 10]), envelope: envelope)
                #expect(report.allAccepted)
            }
        }
    }

    @Test("stopping tells a client that is connected, and ends")
    func stop() async throws {
        let configuration = Sandbox.Configuration.freePorts
        let sandbox = try await Sandbox.start(configuration)
        let client = SMTPClient(sandbox.server(.plaintext))
        try await client.connect()
        await sandbox.stop()
        let error = await #expect(throws: SMTPError.self) { try await client.run(Noop()) }
        #expect(error != nil)
    }

    @Test("a port that is taken is named")
    func taken() async throws {
        try await withSandbox { first in
            var configuration = Sandbox.Configuration.freePorts
            configuration.smtpPort = first.smtpPort
            let error = await #expect(throws: TransportError.self) {
                try await Sandbox.start(configuration)
            }
            #expect(error?.kind == .addressInUse)
            #expect(error?.description.contains("\(first.smtpPort)") == true)
        }
    }

    @Test("connections over the limit are sent away with a word")
    func connectionLimit() async throws {
        try await withSandbox({ $0.connectionLimit = 2 }) { sandbox in
            let first = SMTPClient(sandbox.server(.plaintext))
            let second = SMTPClient(sandbox.server(.startTLS))
            try await first.connect()
            try await second.connect()
            let error = await #expect(throws: SMTPError.self) {
                try await SMTPClient(sandbox.server(.plaintext)).connect()
            }
            #expect(error?.reply?.code == 421)
            await first.close()
            await second.close()
        }
    }

    @Test("a line without end ends the connection")
    func endlessLine() async throws {
        try await withSandbox { sandbox in
            let channel = try await ByteChannel.connect(to: "127.0.0.1", port: sandbox.smtpPort)
            _ = try await channel.read(within: .seconds(20))
            let piece = [UInt8](repeating: 0x78, count: 64 * 1024)
            var heard: [UInt8] = []
            // 4 MiB at most: it has to give up before.
            for _ in 0..<64 {
                do { try await channel.write(piece, within: .seconds(20)) } catch { break }
            }
            while let octets = try? await channel.read(within: .seconds(20)), !octets.isEmpty {
                heard += octets
            }
            #expect(String(decoding: heard, as: UTF8.self).hasPrefix("421 4.5.2"))
            await channel.close()
        }
    }
}
