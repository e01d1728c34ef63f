import MartletIMAP
import MartletTestSupport
import Synchronization
import Testing

@Suite("Field cases of IMAPClient: the live connection", .timeLimit(.minutes(1)))
struct LiveFieldCaseTests {
    @Test("47: IDLE that is dead is noticed, and another connection made")
    func deadIdle() async throws {
        let server = ScriptedIMAP { command, peer in
            guard command.words == "IDLE" else { return false }
            try await peer.say("+ idling\r\n")
            if command.connection == 1 {
                _ = await peer.rest()
            } else {
                try await peer.say("* 9 EXISTS\r\n")
                _ = try await peer.line()
                try await peer.say("\(command.tag) OK\r\n")
            }
            return true
        }
        try await withScriptedIMAP(server) {
            $0.timeouts.idleRenewal = .milliseconds(100)
            $0.timeouts.reply = .milliseconds(200)
        } _: { imap in
            var isLost = false
            for try await element in imap.watch(.inbox) {
                if case .lost = element { isLost = true }
                if case .event(.exists(9)) = element { break }
            }
            #expect(isLost)
        }
    }

    @Test("47: a server that says that it is still here is not asked, up to the limit of IDLE")
    func stillHere() async throws {
        let server = ScriptedIMAP { command, peer in
            guard command.words == "IDLE" else { return false }
            try await peer.say("+ idling\r\n")
            let speaking = Task {
                while !Task.isCancelled {
                    try await Task.sleep(for: .milliseconds(20))
                    try await peer.say("* OK Still here\r\n")
                }
            }
            defer { speaking.cancel() }
            _ = try await peer.line()
            speaking.cancel()
            _ = await speaking.result
            try await peer.say("* 9 EXISTS\r\n\(command.tag) OK\r\n")
            return true
        }
        let start = ContinuousClock.now
        try await withScriptedIMAP(server) {
            $0.timeouts.idleRenewal = .milliseconds(400)
            $0.timeouts.idleLimit = .milliseconds(1_200)
        } _: { imap in
            for try await element in imap.watch(.inbox) {
                if case .event(.exists(9)) = element { break }
            }
        }
        // Silence alone would have ended it after 400.
        #expect(ContinuousClock.now - start >= .milliseconds(1_200))
        #expect(server.connections == 1)
    }

    @Test(
        "48, 49: a command within a loop over rows goes through, and leaving it early harms nothing",
        arguments: [3, 10_000])
    func loop(count: Int) async throws {
        let body = String(repeating: "x", count: 2_000)
        let server = ScriptedIMAP { command, peer in
            guard command.words.hasPrefix("UID FETCH") else { return false }
            for start in stride(from: 1, through: count, by: 100) {
                let rows = (start..<min(start + 100, count + 1)).map {
                    "* \($0) FETCH (UID \($0) BODY[] {2000}\r\n\(body))\r\n"
                }
                try await peer.say(rows.joined())
            }
            try await peer.say("\(command.tag) OK\r\n")
            return true
        }
        try await withScriptedIMAP(server) { imap in
            try await imap.select(.inbox)
            for try await row in imap.rows(UIDSet.all, [.message]) {
                #expect(row.data(of: .message)?.octets?.count == 2_000)
                try await imap.store(UIDSet("1"), .add([.seen]), isSilent: true)
                break
            }
            try await imap.noop()
            #expect(await imap.isConnected)
        }
        #expect(server.connections == 1)
    }

    @Test("52: commands end IDLE at any moment, hundreds of times")
    func doneRaces() async throws {
        let server = ScriptedIMAP { command, peer in
            guard command.words == "IDLE" else { return false }
            try await peer.say("+ idling\r\n")
            #expect(try await peer.line() == "DONE")
            try await peer.say("\(command.tag) OK\r\n")
            return true
        }
        try await withScriptedIMAP(server) { imap in
            var events = imap.watch(.inbox).makeAsyncIterator()
            _ = try await events.next()
            var random = SeededGenerator(seed: 52)
            for _ in 0..<500 {
                if Bool.random(using: &random) {
                    let pause = Int.random(in: 0...2_000, using: &random)
                    try await Task.sleep(for: .microseconds(pause))
                }
                try await imap.noop()
            }
            _ = events
        }
        #expect(server.connections == 1)
        #expect(server.words.filter { $0 == "NOOP" }.count == 500)
    }

    @Test("53: a server that closes in IDLE without a word costs no command")
    func closedInIdle() async throws {
        let server = ScriptedIMAP { command, peer in
            guard command.words == "IDLE" else { return false }
            try await peer.say("+ idling\r\n")
            guard command.connection > 1 else {
                // DONE has come, and is not answered.
                _ = try await peer.line()
                await peer.close()
                throw PeerGone()
            }
            _ = try await peer.line()
            try await peer.say("\(command.tag) OK\r\n")
            return true
        }
        try await withScriptedIMAP(server) { imap in
            var events = imap.watch(.inbox).makeAsyncIterator()
            _ = try await events.next()
            try await waitUntil { server.words.contains("IDLE") }
            try await imap.noop()
            _ = events
        }
        #expect(server.connections == 2)
        #expect(server.words.filter { $0.hasPrefix("EXAMINE") }.count == 2)
    }

    @Test("55: a bare + lets a message go", arguments: [Int.max, 1])
    func bareContinuation(piece: Int) async throws {
        let server = ScriptedIMAP(inPiecesOf: piece) { command, peer in
            guard command.words.hasPrefix("APPEND") else { return false }
            try await peer.say("+\r\n")
            #expect(try await peer.octets(through: "\r\n") == Array("a: b\r\n".utf8))
            _ = try await peer.line()
            try await peer.say("\(command.tag) OK [APPENDUID 7 44] done\r\n")
            return true
        }
        try await withScriptedIMAP(server) { imap in
            let result = try await imap.append(OctetArray(Array("a: b\r\n".utf8)), to: .inbox)
            #expect(result.uids == [UID(44)!])
        }
    }

    @Test("56: the words of BYE are told, though the end follows at once", arguments: [Int.max, 1])
    func bye(piece: Int) async throws {
        let server = ScriptedIMAP(inPiecesOf: piece) { command, peer in
            guard command.words.hasPrefix("SELECT") else { return false }
            try await peer.say("* BYE disconnected for inactivity\r\n")
            await peer.close()
            throw PeerGone()
        }
        try await withScriptedIMAP(server) { imap in
            let error = await failure { try await imap.select(.inbox) }
            #expect(error?.text?.words == "disconnected for inactivity")
            #expect(error?.description.contains("disconnected for inactivity") == true)
        }
    }

    @Test("57: what is lost behind STORE is sent on the next connection, and answers stay in place")
    func lostExpunge() async throws {
        let server = ScriptedIMAP(capabilities: "IMAP4rev1 UIDPLUS AUTH=PLAIN") { command, peer in
            guard command.connection == 1, command.words.hasPrefix("UID STORE") else {
                return false
            }
            try await peer.say("\(command.tag) OK\r\n")
            await peer.close()
            throw PeerGone()
        }
        try await withScriptedIMAP(server) { imap in
            try await imap.select(.inbox)
            try await imap.move(UIDSet("4"), to: MailboxName("there"))
            #expect(try await imap.search(.all).numbers == [])
        }
        let second = server.commands.filter { $0.connection == 2 }.map(\.words)
        #expect(
            second.suffix(4) == ["SELECT INBOX", "UID EXPUNGE 4", "UID SEARCH ALL", "LOGOUT"])
        #expect(server.words.filter { $0.hasPrefix("UID COPY") }.count == 1)
    }

    @Test("59: a connection that breaks in IDLE, as when the network changes, is made anew")
    func brokenInIdle() async throws {
        let isDone = Mutex(false)
        let server = ScriptedIMAP { command, peer in
            guard command.words == "IDLE" else { return false }
            try await peer.say("+ idling\r\n")
            guard command.connection > 1 else {
                // DONE comes and is not read: what follows is a reset, not an end.
                try await waitUntil { isDone.withLock { $0 } }
                try await Task.sleep(for: .milliseconds(20))
                await peer.close()
                throw PeerGone()
            }
            try await peer.say("* 8 EXISTS\r\n")
            _ = try await peer.line()
            try await peer.say("\(command.tag) OK\r\n")
            return true
        }
        try await withScriptedIMAP(server) { imap in
            let events = imap.watch(.inbox)
            let watching = Task {
                var losses: [IMAPError] = []
                for try await element in events {
                    if case .lost(let error, _) = element { losses.append(error) }
                    if case .event(.exists(8)) = element { break }
                }
                return losses
            }
            try await waitUntil { server.words.contains("IDLE") }
            let command = Task { try await imap.noop() }
            isDone.withLock { $0 = true }
            try await command.value
            let losses = try await watching.value
            #expect(losses.count == 1 && losses.first?.recovery == .reconnect)
        }
        #expect(server.connections == 2)
    }

    @Test("59: a connection that is asked for on purpose and gives no answer is made anew")
    func networkChange() async throws {
        let server = ScriptedIMAP { command, peer in
            guard command.words == "IDLE" else { return false }
            try await peer.say("+ idling\r\n")
            guard command.connection > 1 else {
                _ = await peer.rest()
                return true
            }
            try await peer.say("* 8 EXISTS\r\n")
            _ = try await peer.line()
            try await peer.say("\(command.tag) OK\r\n")
            return true
        }
        try await withScriptedIMAP(server) {
            $0.timeouts.probe = .milliseconds(100)
        } _: { imap in
            var events = imap.watch(.inbox).makeAsyncIterator()
            _ = try await events.next()
            try await waitUntil { server.words.contains("IDLE") }
            #expect(await !imap.checkConnection())
            while let element = try await events.next() {
                if case .event(.exists(8)) = element { break }
            }
            #expect(await imap.checkConnection())
        }
        #expect(server.connections == 2)
    }

    @Test("61: FETCH before its EXISTS is news of a message", arguments: [Int.max, 1])
    func fetchFirst(piece: Int) async throws {
        let server = ScriptedIMAP(inPiecesOf: piece) { command, peer in
            guard command.words == "NOOP" else { return false }
            try await peer.say(
                "* 5 FETCH (UID 50 FLAGS (\\Recent))\r\n* 5 EXISTS\r\n\(command.tag) OK\r\n")
            return true
        }
        try await withScriptedIMAP(server) { imap in
            try await imap.select(.inbox)
            var events = try await imap.events().makeAsyncIterator()
            try await imap.noop()
            guard case .changed(let row)? = try await events.next(),
                case .exists(5)? = try await events.next()
            else {
                Issue.record("other events")
                return
            }
            #expect(row.uid == UID(50))
            #expect(await imap.mailbox?.messageCount == 5)
        }
    }
}
