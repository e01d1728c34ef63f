import MartletIMAP
import MartletTestSupport
import MartletTransport
import Synchronization
import Testing

@Suite("Field cases of IMAPClient: logging in", .timeLimit(.minutes(1)))
struct LoginFieldCaseTests {
    static let pieces = [Int.max, 1]

    @Test(
        "35: \"authenticated but not connected\" is no wrong password, whenever it is said",
        arguments: ["AUTHENTICATE", "SELECT"])
    func notConnected(verb: String) async throws {
        let server = ScriptedIMAP { command, peer in
            guard command.words.hasPrefix(verb) else { return false }
            try await peer.say(
                "\(command.tag) NO User is authenticated but not connected.\r\n")
            return true
        }
        try await withScriptedIMAP(server) { imap in
            let error = await failure { try await imap.select(.inbox) }
            #expect(error?.recovery == .giveUp)
            #expect(error?.description.contains("switched off for this account") == true)
        }
        #expect(server.words.filter { $0.hasPrefix(verb) }.count == 1)
    }

    @Test("39: what comes in one segment with the answer to STARTTLS ends the connection")
    func injection() async throws {
        let server = ScriptedIMAP(capabilities: "IMAP4rev1 STARTTLS AUTH=PLAIN") { command, peer in
            guard command.words == "STARTTLS" else { return false }
            try await peer.say(
                "\(command.tag) OK begin\r\n* CAPABILITY IMAP4rev1 AUTH=PLAIN\r\nM3 OK in\r\n")
            return true
        }
        try await withScriptedIMAP(server) {
            $0.security = .startTLS
        } _: { imap in
            let error = await failure { try await imap.connect() }
            guard case .injectedPlaintext? = error?.kind else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
        #expect(!server.words.contains { $0.hasPrefix("AUTHENTICATE") || $0.hasPrefix("LOGIN") })
    }

    @Test("40: a plain greeting on a port for TLS is told as such")
    func plainGreeting() async throws {
        try await withScriptedIMAP(ScriptedIMAP()) {
            $0.security = .implicitTLS
        } _: { imap in
            let error = await failure { try await imap.connect() }
            #expect(error?.description.contains("does not speak TLS on this port") == true)
            #expect(error?.description.contains("* OK ready") == true)
        }
    }

    @Test("40: a TLS record on a plain port is told as such")
    func tlsRecord() async throws {
        try await withScriptedServer { peer in
            try await peer.say([0x15, 3, 3, 0, 2, 2, 40])
            _ = await peer.rest()
        } _: { port in
            let error = await failure { try await IMAPClient(plainServer(port)).connect() }
            #expect(
                error?.description.contains("speaks TLS on this port from the first octet") == true)
        }
    }

    @Test("40: a port for TLS that waits in silence is guessed at when time is up")
    func silence() async throws {
        try await withScriptedServer { peer in
            _ = await peer.rest()
        } _: { port in
            var server = try plainServer(port)
            server.timeouts.greeting = .milliseconds(100)
            let error = await failure { try await IMAPClient(server).connect() }
            guard case .timeout? = error?.kind else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(error?.description.contains("for TLS from the start") == true)
        }
    }

    @Test(
        "44: doubled spaces and bare plus signs among the capabilities cost none", arguments: pieces
    )
    func capabilities(piece: Int) async throws {
        let server = ScriptedIMAP(
            capabilities: "IMAP4rev1  SASL-IR + AUTH=PLAIN  LITERAL+ +", inPiecesOf: piece)
        try await withScriptedIMAP(server) { imap in
            try await imap.connect()
            let capabilities = await imap.capabilities
            #expect(capabilities.has(.literalPlus) && capabilities.has(.saslIR))
        }
        #expect(server.words.contains { $0.hasPrefix("AUTHENTICATE PLAIN AGF") })
    }

    @Test(
        "45: a CAPABILITY that comes by itself behind the login is not asked for", arguments: pieces
    )
    func loneCapability(piece: Int) async throws {
        let server = ScriptedIMAP(inPiecesOf: piece) { command, peer in
            guard command.words.hasPrefix("AUTHENTICATE") else { return false }
            try await peer.say("* CAPABILITY IMAP4rev1 MOVE\r\n\(command.tag) OK in\r\n")
            return true
        }
        try await withScriptedIMAP(server) { imap in
            try await imap.connect()
            #expect(await imap.capabilities.has(.move))
        }
        #expect(server.words.filter { $0 == "CAPABILITY" }.count == 1)
    }

    @Test(
        "SASL-IR that is offered and refused is left out, on the same connection", arguments: pieces
    )
    func initialResponse(piece: Int) async throws {
        let server = ScriptedIMAP(inPiecesOf: piece) { command, peer in
            guard command.words.hasPrefix("AUTHENTICATE") else { return false }
            guard command.words == "AUTHENTICATE PLAIN" else {
                try await peer.say("\(command.tag) BAD too many arguments\r\n")
                return true
            }
            try await peer.say("+ \r\n")
            #expect(try await peer.line() == "AGFsaWNlAGFsaWNlcHc=")
            try await peer.say("\(command.tag) OK in\r\n")
            return true
        }
        try await withScriptedIMAP(server) { imap in
            try await imap.connect()
            #expect(await !imap.capabilities.has(.saslIR))
        }
        #expect(server.connections == 1)
        #expect(
            server.words.filter { $0.hasPrefix("AUTHENTICATE") } == [
                "AUTHENTICATE PLAIN AGFsaWNlAGFsaWNlcHc=", "AUTHENTICATE PLAIN",
            ])
    }

    @Test("a password that BAD refuses by its code is not sent twice")
    func badPassword() async throws {
        let server = ScriptedIMAP { command, peer in
            guard command.words.hasPrefix("AUTHENTICATE") else { return false }
            try await peer.say("\(command.tag) BAD [AUTHENTICATIONFAILED] wrong\r\n")
            return true
        }
        try await withScriptedIMAP(server) { imap in
            #expect(await failure { try await imap.connect() } != nil)
        }
        #expect(server.words.filter { $0.hasPrefix("AUTHENTICATE") }.count == 1)
    }

    @Test(
        "60: a fourth connection that is refused makes the budget smaller, and work goes on",
        arguments: ["* BYE Too many connections", "NO [LIMIT] Too many simultaneous connections"])
    func budget(refusal: String) async throws {
        let (open, loggedIn) = (Notes(), Notes())
        let script = ScriptedIMAP { command, peer in
            guard command.words.hasPrefix("AUTHENTICATE"), !refusal.hasPrefix("*") else {
                return false
            }
            // Those that are let in stay.
            guard loggedIn.enter() > 3 else { return false }
            loggedIn.leave()
            try await peer.say("\(command.tag) \(refusal)\r\n")
            return true
        }
        try await withScriptedServer { peer in
            let number = open.enter()
            defer { open.leave() }
            if number > 3, refusal.hasPrefix("*") { return try await peer.say(refusal + "\r\n") }
            try await script.serve(peer)
        } _: { port in
            let account = IMAPAccount(try plainServer(port), connections: 6)
            let together = Notes()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<12 {
                    group.addTask {
                        try await account.withClient { imap in
                            together.enter()
                            for _ in 0..<20 { try await imap.noop() }
                            together.leave()
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(await account.budget.limit == 3)
            #expect(together.most <= 3)
            await account.close()
        }
    }
}
