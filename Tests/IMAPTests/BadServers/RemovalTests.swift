import MartletIMAP
import MartletTestSupport
import Testing

@Suite("Removal where it could hit others", .timeLimit(.minutes(1)))
struct RemovalTests {
    private static let old = "IMAP4rev1 AUTH=PLAIN"

    @Test(
        "does not EXPUNGE where nobody knows what is marked",
        arguments: ["", "* SEARCH\r\n", "* SEARCH 5 6 7,8 x\r\n", "* SEARCH 6 7\r\n"])
    func unknownMarks(answer: String) async throws {
        let server = ScriptedIMAP(capabilities: Self.old) { command, peer in
            guard command.words.hasPrefix("UID SEARCH") else { return false }
            try await peer.say(answer + "\(command.tag) OK\r\n")
            return true
        }
        try await withScriptedIMAP(server) { imap in
            try await imap.select(.inbox)
            let error = await failure { try await imap.move(UIDSet("5"), to: MailboxName("x")) }
            guard case .missingResponse? = error?.kind else {
                Issue.record("\(String(describing: error))")
                return
            }
            // Nothing that was named is marked: nothing is to be removed.
            try await imap.expunge(UIDSet("5"))
        }
        #expect(!server.words.contains("EXPUNGE"))
    }

    @Test("puts marks of others back when the caller is cancelled in between")
    func cancelled() async throws {
        let (expunging, expunge) = AsyncStream.makeStream(of: Void.self)
        let server = ScriptedIMAP(capabilities: Self.old) { command, peer in
            if command.words.hasPrefix("UID SEARCH") {
                try await peer.say("* SEARCH 5 6 7\r\n\(command.tag) OK\r\n")
                return true
            }
            guard command.words == "EXPUNGE" else { return false }
            expunge.yield()
            try await Task.sleep(for: .milliseconds(100))
            try await peer.say("\(command.tag) OK\r\n")
            return true
        }
        try await withScriptedIMAP(server) { imap in
            try await imap.select(.inbox)
            let task = Task { try await imap.move(UIDSet("5"), to: MailboxName("x")) }
            for await _ in expunging { break }
            task.cancel()
            _ = await task.result
        }
        #expect(server.words.contains("UID STORE 6:7 +FLAGS.SILENT (\\Deleted)"))
    }

    @Test("a call of several commands ends where another mailbox is selected in between")
    func anotherMailbox() async throws {
        let (copying, copy) = AsyncStream.makeStream(of: Void.self)
        let server = ScriptedIMAP(capabilities: "IMAP4rev1 UIDPLUS AUTH=PLAIN") { command, peer in
            guard command.words.hasPrefix("UID COPY") else { return false }
            copy.yield()
            try await Task.sleep(for: .milliseconds(100))
            try await peer.say("\(command.tag) OK\r\n")
            return true
        }
        try await withScriptedIMAP(server) { imap in
            try await imap.select(MailboxName("A"))
            let moving = Task { try await imap.move(UIDSet("5"), to: MailboxName("X")) }
            for await _ in copying { break }
            try await imap.select(MailboxName("B"))
            let error = await failure { _ = try await moving.value }
            guard case .outOfOrder? = error?.kind else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
        #expect(!server.words.contains { $0.hasPrefix("UID STORE") || $0.hasPrefix("UID EXPUNGE") })
    }

    @Test("nothing is done in a mailbox whose selection was cancelled")
    func cancelledSelection() async throws {
        let (selecting, select) = AsyncStream.makeStream(of: Void.self)
        let server = ScriptedIMAP { command, peer in
            guard command.words == "SELECT B" else { return false }
            select.yield()
            try await Task.sleep(for: .milliseconds(100))
            try await peer.say("* 3 EXISTS\r\n\(command.tag) OK [READ-WRITE]\r\n")
            return true
        }
        try await withScriptedIMAP(server) { imap in
            try await imap.select(MailboxName("A"))
            let task = Task { try await imap.select(MailboxName("B")) }
            for await _ in selecting { break }
            task.cancel()
            _ = await task.result
            let error = await failure { try await imap.store(UIDSet("5"), .add([.deleted])) }
            guard case .outOfOrder? = error?.kind else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
        #expect(!server.words.contains { $0.hasPrefix("UID STORE") })
    }

    @Test("believes no COPYUID for more messages than were named")
    func hugeMap() async throws {
        let server = ScriptedIMAP { command, peer in
            guard command.words.hasPrefix("UID MOVE") else { return false }
            try await peer.say(
                "\(command.tag) OK [COPYUID 1 1:4294967295 1:4294967295] done\r\n")
            return true
        }
        try await withScriptedIMAP(server) { imap in
            try await imap.select(.inbox)
            let results = try await imap.move(UIDSet("5"), to: MailboxName("x"))
            #expect(results.count == 1 && results[0].uids == nil)
        }
    }

    @Test("a message is not there because a server says so before it was sent")
    func earlySuccess() async throws {
        let server = ScriptedIMAP { command, peer in
            guard command.words.hasPrefix("APPEND") else { return false }
            try await peer.say("\(command.tag) OK [APPENDUID 1 7] done\r\n")
            return true
        }
        try await withScriptedIMAP(server) { imap in
            let error = await failure {
                try await imap.append(OctetArray(Array("a: b\r\n\r\nc".utf8)), to: .inbox)
            }
            guard case .protocolViolation? = error?.kind else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(error?.mayHaveBeenDone == false)
        }
    }

    @Test("a message whose answer is lost may be there, and the error says so")
    func lostAnswer() async throws {
        let server = ScriptedIMAP { command, peer in
            guard command.words.hasPrefix("APPEND") else { return false }
            try await peer.say("+ go on\r\n")
            // the message, and the line end behind it
            for _ in 0..<3 { _ = try await peer.line() }
            await peer.close()
            throw PeerGone()
        }
        try await withScriptedIMAP(server) { imap in
            let error = await failure {
                try await imap.append(OctetArray(Array("a: b\r\n\r\nc".utf8)), to: .inbox)
            }
            #expect(error?.mayHaveBeenDone == true && error?.recovery == .giveUp)
            #expect(error?.description.contains("Message-ID") == true)
        }
    }
}
