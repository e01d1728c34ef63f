import MartletBytes
import MartletPOP3Core
import MartletSASL
import Testing

@Suite("Transcripts of POP3")
struct TranscriptTests {
    @Test("exist")
    func exist() { #expect(Transcript.all.count >= 20) }

    @Test(
        "are replayed whole, one octet at a time, and cut at every octet", arguments: Transcript.all
    )
    func replay(_ transcript: Transcript) throws {
        let cuts: [ReplayedServer.Cut] =
            [.never, .everywhere] + (1..<max(1, transcript.longestBlock)).map { .after($0) }
        for cut in cuts {
            let outcome = try Self.run(transcript, cut: cut)
            #expect(outcome.words == transcript.value("expect"), "\(cut)")
            #expect(outcome.results == transcript.values("result"), "\(cut)")
            if let sentence = transcript.value("sentence") { #expect(outcome.sentence == sentence) }
        }
    }

    /// What a session came to, in the words of `! expect:` and `! result:`.
    struct Outcome: Equatable {
        var words = "done"
        var sentence = ""
        var results: [String] = []
    }

    /// A whole session as a shell does it: open, secure, log in, do, quit.
    static func run(_ transcript: Transcript, cut: ReplayedServer.Cut) throws -> Outcome {
        var server = ReplayedServer(transcript, cut: cut)
        var outcome = Outcome()
        do {
            let greeting = POP3Greeting(try server.reply())
            try open(&server, transcript)
            try logIn(&server, transcript, greeting)
            for work in transcript.values("do") {
                outcome.results.append(try result(of: work, &server))
            }
        } catch let error as POP3Error {
            outcome.words = words(error)
            outcome.sentence = error.description
        }
        if !server.session.isOver {
            do throws(POP3Error) {
                try POP3.Quit().interpret(quit(&server))
            } catch {
                outcome.words = words(error)
                outcome.sentence = error.description
            }
        }
        guard server.isAtEnd else {
            throw ReplayedServer.Mismatch(expected: "the end", found: "more")
        }
        return outcome
    }

    private static func quit(_ server: inout ReplayedServer) throws(POP3Error) -> POP3Reply {
        do {
            try server.submit(POP3.Quit())
            return try server.reply()
        } catch let error as POP3Error {
            // Some servers close without a word.
            if server.session.peerClosed() == nil { return .ok() }
            throw error
        } catch {
            throw POP3Error(kind: .outOfOrder("\(error)"))
        }
    }

    private static func words(_ error: POP3Error) -> String {
        let kind = "\(error.kind)".prefix { $0 != "(" }
        let recovery = "\(error.recovery)".prefix { $0 != "(" }
        return "\(kind) \(error.command ?? "idle") \(recovery)"
    }

    private static func open(_ server: inout ReplayedServer, _ transcript: Transcript) throws {
        guard transcript.value("capa") != "none" else { return }
        func learn() throws {
            do {
                _ = try server.run(POP3.Capa())
            } catch let error as POP3Error {
                guard case .refused = error.kind else { throw error }
            }
        }
        try learn()
        guard transcript.value("security") == "stls" else { return }
        guard server.session.capabilities.has(.stls) else {
            throw POP3Error(kind: .tlsRequiredButNotOffered, command: "STLS")
        }
        try server.run(POP3.Stls())
        try server.handshake()
        try learn()
    }

    private static func logIn(
        _ server: inout ReplayedServer, _ transcript: Transcript, _ greeting: POP3Greeting
    ) throws {
        guard let login = transcript.value("login")?.split(separator: " ").map(String.init) else {
            return
        }
        let (user, password) = (login[1], Secret(login[2]))
        var mechanism: any SASLMechanism
        switch login[0] {
        case "USER":
            try server.run(POP3.User(user))
            return try server.run(POP3.Pass(password))
        case "APOP":
            let timestamp = try #require(greeting.timestamp)
            return try server.run(
                POP3.Apop(user: user, password: password, timestamp: timestamp))
        case "LOGIN": mechanism = try LOGIN(user: user, password: password)
        case "CRAM-MD5": mechanism = try CRAMMD5(user: user, password: password)
        default: mechanism = try PLAIN(user: user, password: password)
        }
        let first = transcript.value("initial") == "none" ? nil : try mechanism.initialResponse()
        var step = try server.run(POP3.Auth(mechanism: mechanism.name, initialResponse: first))
        while case .challenge(let challenge) = step {
            step = try server.run(POP3.AuthResponse(try mechanism.respond(to: challenge)))
        }
        try mechanism.finish(nil)
    }

    private static func result(of work: String, _ server: inout ReplayedServer) throws -> String {
        do {
            let words = work.split(separator: " ").map(String.init)
            let number = words.count > 1 ? Int(words[1]) ?? 0 : 0
            switch words[0] {
            case "stat":
                let status = try server.run(POP3.Stat())
                return "\(status.messageCount) \(status.sizeInOctets.map(String.init) ?? "nil")"
            case "list": return text(try server.run(POP3.List()))
            case "uidl": return text(try server.run(POP3.Uidl()))
            case "messages":
                try server.submit(POP3.List())
                try server.submit(POP3.Uidl())
                let sizes = try POP3.List().interpret(server.reply())
                let identities = try POP3.Uidl().interpret(server.reply())
                return text(MaildropMessage.merge(sizes: sizes, identities: identities))
            case "retr":
                try server.run(POP3.Retr(number))
                return try escaped(server.message())
            case "top":
                try server.run(POP3.Top(number, bodyLines: Int(words[2]) ?? 0))
                return try escaped(server.message())
            case "dele": try server.run(POP3.Dele(number))
            case "rset": try server.run(POP3.Rset())
            case "utf8": try server.run(POP3.Utf8())
            case "lang":
                return try server.run(POP3.Languages()).map { "\($0.tag)=\($0.name)" }
                    .joined(separator: " ")
            default: try server.run(POP3.Noop())
            }
            return "ok"
        } catch let error as POP3Error where !error.endsConnection {
            return words(error)
        }
    }

    private static func text(_ messages: [MaildropMessage]) -> String {
        messages.map { message in
            [
                "\(message.number)", message.sizeInOctets.map(String.init) ?? "-",
                message.uniqueID?.text ?? "-",
            ].joined(separator: ":")
        }.joined(separator: " ")
    }

    private static func escaped(_ message: [UInt8]) -> String {
        let shown = message.flatMap { octet in
            switch octet {
            case ASCII.cr: Array("\\r".utf8)
            case ASCII.lf: Array("\\n".utf8)
            default: [octet]
            }
        }
        return String(decoding: shown, as: UTF8.self)
    }
}
