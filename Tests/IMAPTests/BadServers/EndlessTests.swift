import MartletIMAP
import MartletTestSupport
import Testing

@Suite("Servers that do not come to an end", .timeLimit(.minutes(1)))
struct EndlessTests {
    @Test("a cancelled caller does not wait for a server that says nothing")
    func cancelledOpening() async throws {
        let (connecting, connect) = AsyncStream.makeStream(of: Void.self)
        try await withScriptedServer({ peer in
            connect.yield()
            _ = try? await peer.line()
        }) { port in
            let imap = IMAPClient(try plainServer(port))
            let first = Task { try await imap.noop() }
            let second = Task { try await imap.noop() }
            for await _ in connecting { break }
            let start = ContinuousClock.now
            for task in [first, second] {
                task.cancel()
                let error = await failure { try await task.value }
                guard case .cancelled? = error?.kind else {
                    Issue.record("\(String(describing: error))")
                    return
                }
            }
            #expect(ContinuousClock.now - start < .seconds(10))
            await imap.close()
        }
    }

    @Test("a greeting that comes by the drop runs out of time as a whole")
    func slowGreeting() async throws {
        try await withScriptedServer({ peer in
            while true {
                try await peer.say("*")
                try await Task.sleep(for: .milliseconds(20))
            }
        }) { port in
            var server = try plainServer(port)
            server.timeouts.opening = .milliseconds(500)
            let imap = IMAPClient(server)
            let error = await failure { try await imap.connect() }
            guard case .timeout? = error?.kind else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
    }

    @Test("a goodbye without end is not waited for")
    func slowGoodbye() async throws {
        let server = ScriptedIMAP { command, peer in
            guard command.words == "LOGOUT" else { return false }
            while true {
                try await peer.say("* OK wait\r\n")
                try await Task.sleep(for: .milliseconds(50))
            }
        }
        let start = ContinuousClock.now
        try await withScriptedIMAP(server) {
            $0.timeouts.logout = .milliseconds(500)
        } _: {
            try await $0.connect()
        }
        #expect(ContinuousClock.now - start < .seconds(20))
    }

    @Test("rows beyond what is kept end the connection, and not only the command")
    func endlessRows() async throws {
        let server = ScriptedIMAP { command, peer in
            guard command.words.hasPrefix("UID FETCH") else { return false }
            while true {
                let row = "* 1 FETCH (UID 1 FLAGS (\(String(repeating: "k ", count: 500))k))\r\n"
                try await peer.say(row)
            }
        }
        try await withScriptedIMAP(server) { imap in
            try await imap.select(.inbox)
            var command = IMAP.Fetch(UIDSet("1:*"), [.flags])
            command.memoryLimitInOctets = 1 << 20
            let fetch = command
            let error = await failure { _ = try await imap.run(fetch) }
            guard case .tooLarge(1_048_576)? = error?.kind else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
    }

    @Test(
        "an IDLE that is refused or ended at once is not asked for again and again",
        arguments: ["refused", "ended"])
    func idleLoop(how: String) async throws {
        let server = ScriptedIMAP { command, peer in
            guard command.words == "IDLE" else { return false }
            try await peer.say(
                how == "refused"
                    ? "\(command.tag) BAD no\r\n" : "+ idling\r\n\(command.tag) OK done\r\n")
            return true
        }
        try await withScriptedIMAP(server) {
            $0.timeouts.polling = .milliseconds(300)
        } _: { imap in
            let watching = Task { for try await _ in imap.watch(.inbox) {} }
            try await Task.sleep(for: .milliseconds(1_500))
            watching.cancel()
            _ = await watching.result
        }
        let idles = server.words.count { $0 == "IDLE" }
        #expect(how == "refused" ? idles == 1 : (1...3).contains(idles))
        // It is asked in the other way instead.
        if how == "refused" { #expect(server.words.contains("NOOP")) }
    }

    @Test("an IDLE that is never answered shows that the connection is dead")
    func unansweredIdle() async throws {
        let server = ScriptedIMAP { command, peer in
            guard command.words == "IDLE" else { return false }
            return true
        }
        try await withScriptedIMAP(server) {
            $0.timeouts.reply = .milliseconds(300)
        } _: { imap in
            for try await element in imap.watch(.inbox) {
                guard case .lost(let error, _) = element else { continue }
                guard case .timeout = error.kind else {
                    Issue.record("\(error)")
                    return
                }
                break
            }
        }
    }

    @Test("a server that tells something and closes is asked again with longer and longer pauses")
    func shortLives() async throws {
        let server = ScriptedIMAP { command, peer in
            guard command.words == "IDLE" else { return false }
            try await peer.say("+ idling\r\n* 4 EXISTS\r\n")
            await peer.close()
            throw PeerGone()
        }
        try await withScriptedIMAP(server) { imap in
            var pauses: [Duration] = []
            for try await element in imap.watch(.inbox) {
                guard case .lost(_, let pause) = element else { continue }
                pauses.append(pause)
                if pauses.count == 2 { break }
            }
            #expect(pauses == [.zero, .seconds(2)])
        }
    }
}
