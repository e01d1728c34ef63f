import MartletBytes
import MartletSMTP
import MartletTestSupport
import MartletTransport
import Synchronization
import Testing

let alice = try! ReversePath("alice@example.test")
func to(_ addresses: String...) -> DeliveryEnvelope {
    DeliveryEnvelope(reversePath: alice, forwardPaths: addresses.map { try! ForwardPath($0) })
}
let hello = OctetArray(Array("Subject: hello\r\n\r\nHello.\r\n".utf8))

func plainServer(_ port: Int) -> SMTPServer {
    var server = try! SMTPServer(host: "127.0.0.1", port: port, security: .plaintext)
    server.timeouts.greeting = .seconds(20)
    server.timeouts.reply = .seconds(20)
    server.timeouts.endOfData = .seconds(20)
    return server
}

@Suite("SMTPClient", .timeLimit(.minutes(1)))
struct SMTPClientTests {
    @Test("sends a message, with one write for the sender and all recipients")
    func send() async throws {
        let script = ScriptedSMTP()
        try await withScriptedServer(script.serve) { port in
            let report = try await SMTPClient.withConnection(to: plainServer(port)) {
                try await $0.send(hello, envelope: to("bob@example.test", "carol@example.test"))
            }
            #expect(report.allAccepted)
            #expect(report.finalReply?.text == "queued as 1")
        }
        #expect(script.messages == [hello.octets + Array(".\r\n".utf8)])
        #expect(
            script.lines == [
                "EHLO [127.0.0.1]", "MAIL FROM:<alice@example.test> SIZE=26",
                "RCPT TO:<bob@example.test>", "RCPT TO:<carol@example.test>", "DATA", "QUIT",
            ])
    }

    @Test(
        "tells the name of the sending to a server that offers DSN, and to no other",
        arguments: [("250-mx\r\n250 DSN\r\n", " ENVID=order+2B1"), ("250 mx\r\n", "")])
    func envelopeID(ehlo: String, parameter: String) async throws {
        let script = ScriptedSMTP(ehlo: ehlo)
        var envelope = to("bob@example.test")
        envelope.envelopeID = try EnvelopeID("order+1")
        try await withScriptedServer(script.serve) { [envelope] port in
            _ = try await SMTPClient.withConnection(to: plainServer(port)) {
                try await $0.send(hello, envelope: envelope)
            }
        }
        #expect(script.lines.contains("MAIL FROM:<alice@example.test>" + parameter))
    }

    @Test("the password never shows in the log, and is asked for once")
    func log() async throws {
        let script = ScriptedSMTP(ehlo: "250-mx\r\n250 AUTH PLAIN\r\n")
        let lines = Mutex<[String]>([])
        let log = WireLog { line in lines.withLock { $0.append(line) } }
        let asked = Atomic(0)
        try await withScriptedServer(script.serve) { port in
            var server = plainServer(port)
            server.log = log
            server.allowsPlaintextAuthentication = true
            server.credentials = Credentials(user: "alice") {
                asked.add(1, ordering: .relaxed)
                return Secret("wonderland")
            }
            try await SMTPClient.withConnection(to: server) {
                _ = try await $0.send(hello, envelope: to("bob@example.test"))
                _ = try await $0.send(hello, envelope: to("bob@example.test"))
            }
        }
        log.flush()
        let text = lines.withLock { $0.joined(separator: "\n") }
        #expect(text.contains("C: AUTH PLAIN •••"))
        #expect(!text.contains("wonderland"))
        #expect(!text.contains("AGFsaWNlAHdvbmRlcmxhbmQ="))
        #expect(script.lines.contains("AUTH PLAIN AGFsaWNlAHdvbmRlcmxhbmQ="))
        let count = asked.load(ordering: .relaxed)
        #expect(count == 1)
    }

    @Test("a password does not go in the clear unless that is allowed by name")
    func plaintextPassword() async throws {
        let script = ScriptedSMTP(ehlo: "250-mx\r\n250 AUTH PLAIN LOGIN\r\n")
        try await withScriptedServer(script.serve) { port in
            var server = plainServer(port)
            server.credentials = Credentials(user: "alice") { Secret("wonderland") }
            let client = SMTPClient(server)
            let error = await #expect(throws: SMTPError.self) { try await client.connect() }
            guard case .plaintextAuthenticationNotAllowed = error?.kind else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
        #expect(script.lines == ["EHLO [127.0.0.1]"])
    }

    @Test("a port must say how it is protected, unless everybody knows")
    func defaults() throws {
        #expect(try SMTPServer(host: "h", port: 465).security == .implicitTLS)
        #expect(try SMTPServer(host: "h", port: 587).security == .startTLS)
        #expect(try SMTPServer(host: "h", port: 25).security == .startTLS)
        let error = #expect(throws: SMTPError.self) { try SMTPServer(host: "h", port: 2525) }
        #expect(error?.recovery == .fixInput)
        #expect(throws: SMTPError.self) { try SMTPServer(host: "h", port: 0, security: .startTLS) }
    }

    @Test("200 concurrent callers: each message whole, none lost, none doubled")
    func concurrent() async throws {
        let script = ScriptedSMTP()
        try await withScriptedServer(script.serve) { port in
            try await SMTPClient.withConnection(to: plainServer(port)) { client in
                try await withThrowingTaskGroup(of: DeliveryReport.self) { group in
                    for number in 0..<200 {
                        group.addTask {
                            let body = OctetArray(
                                Array("Subject: \(number)\r\n\r\n\(number)\r\n".utf8))
                            return try await client.send(
                                body, envelope: to("u\(number)@example.test"))
                        }
                    }
                    for try await report in group { #expect(report.allAccepted) }
                }
            }
        }
        let expected = Set((0..<200).map { Array("Subject: \($0)\r\n\r\n\($0)\r\n.\r\n".utf8) })
        #expect(script.messages.count == 200)
        #expect(Set(script.messages) == expected)
        let recipients = script.lines.filter { $0.hasPrefix("RCPT") }
        #expect(Set(recipients).count == 200)
        #expect(script.lines.filter { $0.hasPrefix("EHLO") }.count == 1, "one connection for all")
    }

    @Test("one refused recipient does not keep the others from their copy")
    func oneRefused() async throws {
        try await withScriptedServer { peer in
            try await peer.say("220 mx\r\n")
            _ = try await peer.line()
            try await peer.say("250-mx\r\n250 PIPELINING\r\n")
            for reply in [
                "250 ok", "250 ok", "550 5.1.1 no such user", "451 4.3.0 later", "354 go",
            ] {
                _ = try await peer.line()
                try await peer.say(reply + "\r\n")
            }
            _ = try await peer.message()
            try await peer.say("250 2.0.0 queued\r\n")
            _ = await peer.rest()
        } _: { port in
            let client = SMTPClient(plainServer(port))
            let report = try await client.send(
                hello, envelope: to("a@example.test", "b@example.test", "c@example.test"))
            #expect(report.recipients.map(\.isAccepted) == [true, false, false])
            #expect(report.recipients.map(\.isRefusedForGood) == [false, true, false])
            #expect(report.recipients[1].outcome.reply?.enhanced?.description == "5.1.1")
        }
    }

    @Test("all recipients refused: no DATA, and the connection takes the next message")
    func allRefused() async throws {
        let lines = Mutex<[String]>([])
        try await withScriptedServer { peer in
            try await peer.say("220 mx\r\n")
            while true {
                let line = try await peer.line()
                lines.withLock { $0.append(line) }
                switch line.prefix(4) {
                case "RCPT" where line.contains("nobody"):
                    try await peer.say("550 5.1.1 unknown\r\n")
                case "EHLO": try await peer.say("250-mx\r\n250 PIPELINING\r\n")
                case "DATA":
                    try await peer.say("354 go\r\n")
                    _ = try await peer.message()
                    try await peer.say("250 ok\r\n")
                default: try await peer.say("250 ok\r\n")
                }
            }
        } _: { port in
            let client = SMTPClient(plainServer(port))
            let error = await #expect(throws: SMTPError.self) {
                try await client.send(hello, envelope: to("nobody@example.test"))
            }
            guard case .allRecipientsRefused = error?.kind else {
                Issue.record("\(String(describing: error))")
                return
            }
            let report = try await client.send(hello, envelope: to("bob@example.test"))
            #expect(report.allAccepted)
            await client.close()
        }
        let verbs = lines.withLock { $0.map { String($0.prefix(4)) } }
        #expect(verbs == ["EHLO", "MAIL", "RCPT", "RSET", "MAIL", "RCPT", "DATA", "QUIT"])
    }

    @Test("a connection that the server closed while idle is made anew, unseen by the caller")
    func idleClosed() async throws {
        let connections = Atomic(0)
        try await withScriptedServer { peer in
            connections.add(1, ordering: .relaxed)
            let script = ScriptedSMTP(faults: [
                .end: .sayAndClose("250 2.0.0 ok\r\n421 4.4.2 idle\r\n")
            ])
            try await script.serve(peer)
        } _: { port in
            let client = SMTPClient(plainServer(port))
            for _ in 0..<3 {
                let report = try await client.send(hello, envelope: to("bob@example.test"))
                #expect(report.allAccepted)
            }
        }
        let count = connections.load(ordering: .relaxed)
        #expect(count == 3)
    }

    @Test(
        "cancelled while waiting for the last reply: the connection is closed and the doubt is said"
    )
    func cancelled() async throws {
        let script = ScriptedSMTP(faults: [.end: .silence])
        try await withScriptedServer(script.serve) { port in
            let client = SMTPClient(plainServer(port))
            let task = Task { try await client.send(hello, envelope: to("bob@example.test")) }
            try await waitUntil { !script.messages.isEmpty }
            task.cancel()
            let error = await #expect(throws: SMTPError.self) { try await task.value }
            #expect(error?.deliveryIsUncertain == true)
            #expect(await !client.isConnected)
        }
    }

    @Test(
        "cancelled while waiting for its turn: nothing is sent, and the one before it goes through")
    func cancelledInQueue() async throws {
        let release = AsyncStream<Void>.makeStream()
        let lines = Mutex<[String]>([])
        try await withScriptedServer { peer in
            try await peer.say("220 mx\r\n")
            while true {
                let line = try await peer.line()
                lines.withLock { $0.append(line) }
                switch line.prefix(4) {
                case "DATA":
                    try await peer.say("354 go\r\n")
                    _ = try await peer.message()
                    for await _ in release.stream { break }
                    try await peer.say("250 ok\r\n")
                default: try await peer.say("250 ok\r\n")
                }
            }
        } _: { port in
            let client = SMTPClient(plainServer(port))
            let first = Task { try await client.send(hello, envelope: to("first@example.test")) }
            try await waitUntil { lines.withLock { $0.contains("DATA") } }
            let second = Task { try await client.send(hello, envelope: to("second@example.test")) }
            second.cancel()
            await #expect(throws: SMTPError.self) { try await second.value }
            release.continuation.yield()
            let report = try await first.value
            #expect(report.allAccepted)
            await client.close()
        }
        #expect(!lines.withLock { $0.contains { $0.contains("second") } })
    }

    /// Takes three recipients at a time.
    static func threeAtATime(
        _ peer: ScriptedPeer, _ state: RoundState, lastRound: String? = nil
    ) async throws {
        try await peer.say("220 mx\r\n")
        var named = 0
        while true {
            let line = try await peer.line()
            switch line.prefix(4) {
            case "EHLO": try await peer.say("250-mx\r\n250 PIPELINING\r\n")
            case "MAIL":
                named = 0
                state.rounds.withLock { $0.append([]) }
                try await peer.say("250 ok\r\n")
            case "RCPT" where line.contains("nobody"): try await peer.say("550 5.1.1 unknown\r\n")
            case "RCPT":
                named += 1
                if named > 3 {
                    try await peer.say("452 4.5.3 too many recipients\r\n")
                } else {
                    state.rounds.withLock { $0[$0.count - 1].append(line) }
                    try await peer.say("250 ok\r\n")
                }
            case "DATA":
                try await peer.say("354 go\r\n")
                _ = try await peer.message()
                if let lastRound, state.rounds.withLock({ $0.count }) == 2 {
                    if !lastRound.isEmpty { try await peer.say(lastRound) }
                    await peer.close()
                    return
                }
                try await peer.say("250 kept\r\n")
            default: try await peer.say("221 bye\r\n")
            }
        }
    }

    final class RoundState: Sendable {
        let rounds = Mutex<[[String]]>([])
    }

    static let nine = (0..<8).map { "u\($0)@example.test" } + ["nobody@example.test"]

    @Test("more recipients than the server takes at a time go in several transactions, each once")
    func rounds() async throws {
        let state = RoundState()
        try await withScriptedServer { peer in
            try await Self.threeAtATime(peer, state)
        } _: { port in
            let envelope = DeliveryEnvelope(
                reversePath: alice, forwardPaths: try Self.nine.map { try ForwardPath($0) })
            let report = try await SMTPClient.withConnection(to: plainServer(port)) {
                try await $0.send(hello, envelope: envelope)
            }
            #expect(report.recipients.map(\.path) == envelope.forwardPaths)
            #expect(report.accepted.count == 8)
            #expect(report.recipients.last?.isRefusedForGood == true)
        }
        let rounds = state.rounds.withLock { $0 }
        #expect(rounds.map(\.count) == [3, 3, 2])
        #expect(Set(rounds.joined()).count == 8)
    }

    @Test(
        "a later transaction that fails leaves the earlier ones done, and says what is not known",
        arguments: ["", "451 4.3.0 full\r\n"])
    func failedRound(reply: String) async throws {
        let state = RoundState()
        try await withScriptedServer { peer in
            try await Self.threeAtATime(peer, state, lastRound: reply)
        } _: { port in
            let envelope = DeliveryEnvelope(
                reversePath: alice,
                forwardPaths: try Self.nine.prefix(6).map { try ForwardPath($0) })
            let client = SMTPClient(plainServer(port))
            let report = try await client.send(hello, envelope: envelope)
            #expect(report.accepted.count == 3)
            #expect(report.recipients.suffix(3).allSatisfy { $0.isUncertain == reply.isEmpty })
            #expect(report.recipients.suffix(3).allSatisfy { $0.isRefusedForNow != reply.isEmpty })
            await client.close()
        }
    }
}
