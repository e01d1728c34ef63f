import MartletBytes
import MartletSASL
import MartletSMTPCore
import Testing

@Suite("Transcripts")
struct TranscriptTests {
    /// What a session came to, in the words of `! expect:`.
    struct Outcome: Equatable {
        var words: String
        var sentence = ""
        var refused: [String] = []
    }

    @Test("exist")
    func exist() { #expect(Transcript.all.count >= 25) }

    @Test(
        "are replayed whole, one octet at a time, and cut at every octet", arguments: Transcript.all
    )
    func replay(_ transcript: Transcript) throws {
        let cuts: [ReplayedServer.Cut] =
            [.never, .everywhere] + (1..<transcript.longestBlock).map { .after($0) }
        for cut in cuts {
            let outcome = try Self.run(transcript, cut: cut)
            #expect(outcome.words == transcript.value("expect"), "\(cut)")
            if let sentence = transcript.value("sentence") { #expect(outcome.sentence == sentence) }
            #expect(outcome.refused == transcript.values("refused"), "\(cut)")
        }
    }

    /// A whole session as a shell does it: open, secure, log in, send, quit.
    static func run(_ transcript: Transcript, cut: ReplayedServer.Cut) throws -> Outcome {
        var server = ReplayedServer(transcript, cut: cut)
        var outcome: Outcome
        do {
            try open(&server, transcript)
            let report = try send(&server, transcript)
            outcome = Outcome(words: "delivered")
            outcome.refused = report.refused.map { "\($0.path) \($0.outcome.reply?.code ?? 0)" }
        } catch let error as SMTPError {
            outcome = Outcome(words: words(error), sentence: error.description)
        }
        if !server.session.isOver {
            // Some servers close without their 221.
            do { try server.run(Quit()) } catch let error as SMTPError where error.stage == .quit {}
        }
        guard server.isAtEnd else {
            throw ReplayedServer.Mismatch(expected: "the end", found: "more")
        }
        return outcome
    }

    private static func words(_ error: SMTPError) -> String {
        let kind = "\(error.kind)".prefix { $0 != "(" }
        let recovery = "\(error.recovery)".prefix { $0 != "(" }
        return "\(kind) \(error.stage) \(recovery)"
    }

    private static func open(_ server: inout ReplayedServer, _ transcript: Transcript) throws {
        _ = try Greeting().interpret(server.reply())
        let name = try EHLOName("client.example.test")
        var capabilities: SMTPCapabilities
        do {
            capabilities = try server.run(EHLO(name))
        } catch let error as SMTPError where EHLO.isUnknown(error) {
            capabilities = try server.run(HELO(name))
        }
        if transcript.value("security") == "starttls" {
            guard capabilities.has(.startTLS) else {
                throw SMTPError(kind: .tlsRequiredButNotOffered, stage: .startTLS)
            }
            try server.run(StartTLS())
            try server.handshake()
            capabilities = try server.run(EHLO(name))
        }
        guard let login = transcript.value("login")?.split(separator: " ").map(String.init) else {
            return
        }
        var mechanism: any SASLMechanism =
            login[0] == "PLAIN"
            ? try PLAIN(user: login[1], password: Secret(login[2]))
            : try LOGIN(user: login[1], password: Secret(login[2]))
        var step = try server.run(
            Auth(mechanism: mechanism.name, initialResponse: mechanism.initialResponse()))
        while case .challenge(let challenge) = step {
            step = try server.run(AuthResponse(try mechanism.respond(to: challenge)))
        }
    }

    private static func send(
        _ server: inout ReplayedServer, _ transcript: Transcript
    ) throws -> DeliveryReport {
        let body = Array(
            (transcript.value("body") ?? "").replacing("\\r", with: "\r").replacing(
                "\\n", with: "\n"
            )
            .utf8)
        let envelope = DeliveryEnvelope(
            reversePath: try ReversePath(transcript.value("from") ?? ""),
            forwardPaths: try transcript.values("to").map { try ForwardPath($0) })
        var transaction = try MailTransaction(
            envelope, .init(sizeInOctets: body.count), capabilities: server.session.capabilities)
        try transaction.start(on: &server.session, into: &server.output)
        while true {
            let reply: SMTPReply
            do {
                reply = try server.reply()
            } catch let error as SMTPError {
                throw transaction.cause(of: error)
            }
            switch try transaction.receive(reply, on: &server.session, into: &server.output) {
            case .awaitReply: continue
            case .sendBody:
                var stuffer = DotStuffer()
                stuffer.append(body, to: &server.output.octets)
                try transaction.bodyEnds(on: &server.session, into: &server.output)
                stuffer.finish(into: &server.output.octets)
            case .finished(let report): return report
            }
        }
    }
}
