import MartletBytes
import MartletSMTP
import MartletTestSupport
import MartletTransport
import Testing

@Suite("Faulty servers", .timeLimit(.minutes(2)))
struct FaultTests {
    /// Sends one message; the error, if there was one.
    static func attempt(
        _ port: Int, silentAt stage: ScriptedSMTP.Stage? = nil
    ) async -> (report: DeliveryReport?, error: SMTPError?) {
        var server = plainServer(port)
        if stage == .greeting { server.timeouts.greeting = .milliseconds(200) }
        if [.ehlo, .mail, .rcpt, .data].contains(stage) {
            server.timeouts.reply = .milliseconds(800)
        }
        if stage == .end { server.timeouts.endOfData = .milliseconds(200) }
        let client = SMTPClient(server)
        do throws(SMTPError) {
            let report = try await client.send(hello, envelope: to("bob@example.test"))
            await client.close()
            return (report, nil)
        } catch {
            await client.close()
            return (nil, error)
        }
    }

    static let stages = ScriptedSMTP.Stage.allCases.filter { $0 != .auth && $0 != .quit }

    @Test(
        "closed at a stage: an error, and doubt only after the message was out",
        arguments: Self.stages)
    func closed(stage: ScriptedSMTP.Stage) async throws {
        try await withScriptedServer(ScriptedSMTP(faults: [stage: .close]).serve) { port in
            let (report, error) = await Self.attempt(port)
            #expect(report == nil)
            #expect(error?.deliveryIsUncertain == (stage == .end))
            #expect(
                error?.recovery
                    == (stage == .end
                        ? .giveUp : stage == .greeting ? .retry(after: nil) : .reconnect))
            #expect(error?.description.contains("127.0.0.1") == true)
        }
    }

    @Test("421 at a stage: the server's words, and try later", arguments: Self.stages)
    func serviceClosing(stage: ScriptedSMTP.Stage) async throws {
        let fault = ScriptedSMTP.Fault.sayAndClose("421 4.3.2 shutting down\r\n")
        try await withScriptedServer(ScriptedSMTP(faults: [stage: fault]).serve) { port in
            let (report, error) = await Self.attempt(port)
            #expect(report == nil)
            #expect(error?.reply?.code == 421)
            #expect(error?.recovery == .retry(after: nil))
            #expect(
                error?.deliveryIsUncertain == false,
                "421 in place of 250 says that it was not taken")
            #expect(error?.description.contains("shutting down") == true)
        }
    }

    @Test("silence at a stage ends with the time given", arguments: Self.stages)
    func silence(stage: ScriptedSMTP.Stage) async throws {
        try await withScriptedServer(ScriptedSMTP(faults: [stage: .silence]).serve) { port in
            let (report, error) = await Self.attempt(port, silentAt: stage)
            #expect(report == nil)
            guard case .timeout = error?.kind else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(error?.deliveryIsUncertain == (stage == .end))
        }
    }

    static let nonsense = [
        "HTTP/1.1 400 Bad Request\r\n\r\n", "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}\u{0}\r\n", "\r\n",
        "250\r\r\n999 what\r\n",
        "25 short\r\n", "250-one\r\n251 two\r\n", "١٢٣ digits\r\n",
    ]

    @Test(
        "garbage at a stage is a broken protocol, never a success", arguments: Self.stages,
        Self.nonsense)
    func garbage(stage: ScriptedSMTP.Stage, text: String) async throws {
        try await withScriptedServer(ScriptedSMTP(faults: [stage: .sayAndClose(text)]).serve) {
            port in
            let (report, error) = await Self.attempt(port)
            #expect(report == nil)
            #expect(error != nil)
        }
    }

    @Test("a line without end is given up after a bounded number of octets", arguments: Self.stages)
    func endlessLine(stage: ScriptedSMTP.Stage) async throws {
        try await withScriptedServer(ScriptedSMTP(faults: [stage: .endless("x")]).serve) { port in
            let (report, error) = await Self.attempt(port)
            #expect(report == nil)
            #expect(error?.endsConnection == true)
        }
    }

    @Test("a reply without end is given up after a bounded number of lines", arguments: Self.stages)
    func endlessReply(stage: ScriptedSMTP.Stage) async throws {
        let fault = ScriptedSMTP.Fault.endless("250-and on\r\n")
        try await withScriptedServer(ScriptedSMTP(faults: [stage: fault]).serve) { port in
            let (report, error) = await Self.attempt(port)
            #expect(report == nil)
            guard case .protocolViolation = error?.kind else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
    }

    @Test("a reply line of 10 MB is given up")
    func hugeLine() async throws {
        let line = "250 " + String(repeating: "a", count: 10_000_000) + "\r\n"
        try await withScriptedServer(ScriptedSMTP(faults: [.ehlo: .say(line)]).serve) { port in
            let (_, error) = await Self.attempt(port)
            guard case .protocolViolation = error?.kind else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
    }

    @Test(
        "the server's words cut at every octet: an error until the last reply is whole, then success"
    )
    func cutEverywhere() async throws {
        let script = ScriptedSMTP()
        let order: [ScriptedSMTP.Stage] = [.greeting, .ehlo, .mail, .rcpt, .data, .end]
        let total = order.reduce(0) { $0 + (script.answers[$1]?.utf8.count ?? 0) }
        for cut in 0...total {
            let listener = try await Listener.listen(
                at: #require(SocketAddress(numeric: "127.0.0.1", port: 0)))
            async let served: Void = {
                guard let channel = await listener.accept() else { return }
                let peer = ScriptedPeer(channel, cutAfter: cut == total ? .max : cut)
                if cut == 0 { await channel.close() } else { try? await script.serve(peer) }
                await channel.close()
            }()
            let (report, error) = await Self.attempt(listener.address.port)
            await served
            await listener.close()
            // The last line feed is the server's last octet: without its CR LF a reply is not whole.
            #expect((report != nil) == (cut == total), "cut after \(cut) octets")
            #expect((error == nil) == (cut == total), "cut after \(cut) octets")
        }
    }

    @Test("a server that refuses in the middle of a long message is heard")
    func refusedInTheMiddle() async throws {
        try await withScriptedServer { peer in
            try await peer.say("220 mx\r\n")
            for reply in ["250 mx", "250 ok", "250 ok", "354 go"] {
                _ = try await peer.line()
                try await peer.say(reply + "\r\n")
            }
            _ = try await peer.line()
            try await peer.say("552 5.3.4 too much\r\n")
            await peer.close()
        } _: { port in
            let client = SMTPClient(plainServer(port))
            let big = OctetArray(
                Array(repeatElement(Array("0123456789\r\n".utf8), count: 2_000_000).joined()))
            let error = await #expect(throws: SMTPError.self) {
                try await client.send(big, envelope: to("bob@example.test"))
            }
            #expect(error?.reply?.code == 552)
            #expect(error?.recovery == .fixInput)
            #expect(error?.deliveryIsUncertain == false)
        }
    }

    @Test(
        "a message found too large at its end is the caller's to mend, whatever the code",
        arguments: [
            "552 too much", "552 5.3.4 too much", "554 5.3.4 too much", "550 5.2.3 too much",
        ])
    func tooLargeAtEnd(reply: String) async throws {
        let script = ScriptedSMTP(faults: [.end: .say(reply + "\r\n")])
        try await withScriptedServer(script.serve) { port in
            let client = SMTPClient(plainServer(port))
            let error = await #expect(throws: SMTPError.self) {
                try await client.send(hello, envelope: to("bob@example.test"))
            }
            #expect(error?.recovery == .fixInput)
            #expect(error?.description.hasSuffix("The message is too large.") == true)
            #expect(await client.isConnected, "the next message may be smaller")
            await client.close()
        }
    }

    /// A source that promises more than it has.
    struct Shrinking: OctetSource {
        struct Gone: Error, CustomStringConvertible {
            var description: String { "the file shrank" }
        }
        struct Reader: OctetReader {
            var left = 3
            var throwsAtEnd: Bool
            mutating func read(atMost limit: Int) async throws -> [UInt8] {
                left -= 1
                if left < 0, throwsAtEnd { throw Gone() }
                return left < 0 ? [] : Array("half a message\r\n".utf8)
            }
        }
        var sizeInOctets: Int { 1_000 }
        var throwsAtEnd: Bool
        func makeReader() -> any OctetReader { Reader(throwsAtEnd: throwsAtEnd) }
    }

    @Test("a message that cannot be read to its end is not sent", arguments: [true, false])
    func shrinks(throwsAtEnd: Bool) async throws {
        let script = ScriptedSMTP()
        try await withScriptedServer(script.serve) { port in
            let client = SMTPClient(plainServer(port))
            let error = await #expect(throws: SMTPError.self) {
                try await client.send(
                    Shrinking(throwsAtEnd: throwsAtEnd), envelope: to("bob@example.test"))
            }
            guard case .unreadableMessage = error?.kind else {
                Issue.record("\(String(describing: error))")
                return
            }
            let report = try await client.send(hello, envelope: to("bob@example.test"))
            #expect(report.allAccepted)
            await client.close()
        }
        #expect(script.messages.count == 1, "half a message is none")
    }

    @Test(
        "replies that nothing asked for are not taken for answers",
        arguments: ["250 extra\r\n", "250 ex"])
    func earlyReply(text: String) async throws {
        let fault = ScriptedSMTP.Fault.say("220 mx\r\n" + text)
        let script = ScriptedSMTP(faults: [.greeting: fault])
        try await withScriptedServer(script.serve) { port in
            let (report, error) = await Self.attempt(port)
            #expect(report == nil)
            guard case .protocolViolation = error?.kind else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
        #expect(script.lines.isEmpty)
    }

    @Test("a last reply that is broken leaves the doubt, and the sentence says so")
    func brokenLastReply() async throws {
        let line = "250 " + String(repeating: "A", count: 9_000) + "\r\n"
        try await withScriptedServer(ScriptedSMTP(faults: [.end: .say(line)]).serve) { port in
            let (_, error) = await Self.attempt(port)
            #expect(error?.deliveryIsUncertain == true)
            #expect(error?.description.contains("may have been taken") == true)
        }
    }

    @Test("a reply that comes in drops is given up in the end")
    func drops() async throws {
        try await withScriptedServer { peer in
            while true {
                try await peer.say("2")
                try await Task.sleep(for: .milliseconds(20))
            }
        } _: { port in
            var server = plainServer(port)
            server.timeouts.greeting = .milliseconds(400)
            let start = ContinuousClock.now
            let error = await #expect(throws: SMTPError.self) {
                try await SMTPClient(server).connect()
            }
            guard case .timeout = error?.kind else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(
                ContinuousClock.now - start >= .milliseconds(400), "drops are progress, for a while"
            )
        }
    }
}
