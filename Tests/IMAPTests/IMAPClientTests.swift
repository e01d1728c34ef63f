import MartletIMAP
import MartletTestSupport
import Synchronization
import Testing

@Suite("IMAP client", .timeLimit(.minutes(1)))
struct IMAPClientTests {
    @Test("connects, logs in, selects, fetches, logs out")
    func plain() async throws {
        let server = ScriptedIMAP { command, peer in
            guard command.words.hasPrefix("UID FETCH") else { return false }
            try await peer.say("* 2 FETCH (UID 20 FLAGS (\\Seen))\r\n\(command.tag) OK\r\n")
            return true
        }
        try await withScriptedIMAP(server) { imap in
            let opened = try await imap.select(.inbox, readOnly: true)
            #expect(
                opened.mailbox.messageCount == 3 && opened.mailbox.uidValidity == UIDValidity(7))
            let result = try await imap.fetch([UID(20)!], [.flags])
            #expect(result.rows.map(\.flags) == [[.seen]])
        }
        #expect(
            server.words == [
                "CAPABILITY", "AUTHENTICATE PLAIN AGFsaWNlAGFsaWNlcHc=", "CAPABILITY",
                "EXAMINE INBOX",
                "UID FETCH 20 (FLAGS)", "LOGOUT",
            ])
    }

    @Test("sends independent commands before the first is answered")
    func pipelining() async throws {
        let asked = Mutex<[String: String]>([:])
        let server = ScriptedIMAP { command, peer in
            guard command.words.hasPrefix("STATUS") else { return false }
            let name = String(command.words.split(separator: " ")[1])
            let tags = asked.withLock { tags in
                tags[name] = command.tag
                return tags
            }
            // Nothing is answered before all have come.
            guard tags.count == 3 else { return true }
            for (index, name) in ["b", "c", "a"].enumerated() {
                try await peer.say(
                    "* STATUS \(name) (MESSAGES \(index + 1))\r\n\(tags[name] ?? "") OK\r\n")
            }
            return true
        }
        try await withScriptedIMAP(server) { imap in
            try await imap.select(.inbox)
            let names = try ["a", "b", "c"].map { try MailboxName($0) }
            let found = try await imap.statuses(of: names, [.messages])
            #expect(Set(found.compactMap { $0?.messages }) == [1, 2, 3])
        }
    }

    @Test("makes a lost connection anew, selects again, and repeats what does no harm")
    func reconnect() async throws {
        let server = ScriptedIMAP { command, peer in
            guard command.words.hasPrefix("UID FETCH") else { return false }
            if command.connection == 1 {
                await peer.close()
                throw PeerGone()
            }
            try await peer.say("* 2 FETCH (UID 20 FLAGS ())\r\n\(command.tag) OK\r\n")
            return true
        }
        try await withScriptedIMAP(server) { imap in
            try await imap.select(.inbox)
            #expect(try await imap.fetch([UID(20)!], [.flags]).rows.count == 1)
        }
        #expect(server.connections == 2)
        #expect(server.words.filter { $0 == "SELECT INBOX" }.count == 2)
    }

    @Test("does not append twice when the answer is lost")
    func appendIsNotRepeated() async throws {
        let server = ScriptedIMAP(capabilities: "IMAP4rev1 LITERAL+ AUTH=PLAIN") { command, peer in
            guard command.words.hasPrefix("APPEND") else { return false }
            await peer.close()
            throw PeerGone()
        }
        try await withScriptedIMAP(server) { imap in
            let error = await failure {
                try await imap.append(OctetArray(Array("a: b\r\n\r\nc".utf8)), to: .inbox)
            }
            #expect(error?.recovery == .giveUp && error?.command == "APPEND")
        }
        #expect(server.words.filter { $0.hasPrefix("APPEND") }.count == 1)
    }

    @Test("says that a mailbox was made anew while the connection was lost")
    func uidValidity() async throws {
        let server = ScriptedIMAP { command, peer in
            if command.connection == 2, command.words.hasPrefix("SELECT") {
                try await peer.say("* 1 EXISTS\r\n* OK [UIDVALIDITY 8] v\r\n\(command.tag) OK\r\n")
                return true
            }
            guard command.words.hasPrefix("UID FETCH"), command.connection == 1 else {
                return false
            }
            await peer.close()
            throw PeerGone()
        }
        try await withScriptedIMAP(server) { imap in
            try await imap.select(.inbox)
            let error = await failure { _ = try await imap.fetch([UID(20)!], [.flags]) }
            guard case .uidValidityChanged(UIDValidity(7), UIDValidity(8))? = error?.kind else {
                Issue.record("\(String(describing: error))")
                return
            }
            try await imap.select(.inbox)
            #expect(await failure { try await imap.noop() } == nil)
        }
    }

    @Test("streams a large part in pieces, and goes on where a lost connection ended")
    func download() async throws {
        let size = 3_000_000
        let server = ScriptedIMAP { command, peer in
            guard command.words.hasPrefix("UID FETCH") else { return false }
            let origin =
                command.words.firstRange(of: "<").map {
                    Int(command.words[$0.upperBound...].prefix { $0.isNumber }) ?? 0
                } ?? 0
            let mark = origin > 0 ? "<\(origin)>" : ""
            try await peer.say("* 1 FETCH (UID 9 BODY[]\(mark) {\(size - origin)}\r\n")
            var octets = [UInt8](repeating: 0, count: size)
            for index in octets.indices {
                octets[index] = UInt8(truncatingIfNeeded: index &* 31 >> 3)
            }
            if command.connection < 3 {
                try await peer.say(Array(octets[origin..<(origin + 700_000)]))
                await peer.close()
                throw PeerGone()
            }
            try await peer.say(Array(octets[origin...]))
            try await peer.say(")\r\n\(command.tag) OK\r\n")
            return true
        }
        try await withScriptedIMAP(server) { imap in
            try await imap.select(.inbox)
            let octets = try await imap.octets(of: UID(9)!)
            #expect(octets.count == size)
            #expect(
                octets.indices.allSatisfy { octets[$0] == UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
            )
        }
        #expect(server.connections == 3)
    }

    @Test(
        "moves by copy and removal where there is no MOVE, and removes nothing that was not copied")
    func moveFallback() async throws {
        let server = ScriptedIMAP(capabilities: "IMAP4rev1 UIDPLUS AUTH=PLAIN") { command, peer in
            guard command.words.hasSuffix("missing") else { return false }
            try await peer.say("\(command.tag) NO [TRYCREATE] no such mailbox\r\n")
            return true
        }
        try await withScriptedIMAP(server) { imap in
            try await imap.select(.inbox)
            try await imap.move(UIDSet("4:5"), to: MailboxName("there"))
            let error = await failure {
                try await imap.move(UIDSet("6"), to: MailboxName("missing"))
            }
            #expect(error?.code == .tryCreate && error?.recovery == .fixInput)
        }
        #expect(
            server.words.filter { $0.hasPrefix("UID") } == [
                "UID COPY 4:5 there", "UID STORE 4:5 +FLAGS.SILENT (\\Deleted)", "UID EXPUNGE 4:5",
                "UID COPY 6 missing",
            ])
    }

    @Test("removes only what was named, also without UIDPLUS")
    func expungeFallback() async throws {
        let server = ScriptedIMAP(capabilities: "IMAP4rev1 AUTH=PLAIN") { command, peer in
            guard command.words.hasPrefix("UID SEARCH") else { return false }
            try await peer.say("* SEARCH 2 4 9\r\n\(command.tag) OK\r\n")
            return true
        }
        try await withScriptedIMAP(server) { imap in
            try await imap.select(.inbox)
            try await imap.expunge(UIDSet("4"))
        }
        #expect(
            server.words.dropFirst(4).dropLast() == [
                "UID SEARCH DELETED", "UID STORE 2,9 -FLAGS.SILENT (\\Deleted)", "EXPUNGE",
                "UID STORE 2,9 +FLAGS.SILENT (\\Deleted)",
            ])
    }

    @Test("watches by IDLE, goes on after another command, and opens a lost connection anew")
    func watch() async throws {
        let idles = Mutex(0)
        let server = ScriptedIMAP { command, peer in
            guard command.words == "IDLE" else { return false }
            let number = idles.withLock { count in
                count += 1
                return count
            }
            try await peer.say("+ idling\r\n* \(number + 3) EXISTS\r\n")
            if number == 2 {
                await peer.close()
                throw PeerGone()
            }
            _ = try await peer.line()
            try await peer.say("\(command.tag) OK\r\n")
            return true
        }
        try await withScriptedIMAP(server) { imap in
            var seen: [String] = []
            for try await element in imap.watch(.inbox) {
                switch element {
                case .opened: seen.append("opened")
                case .event(.exists(let count)): seen.append("\(count)")
                case .event: break
                case .lost: seen.append("lost")
                }
                if seen.last == "4" { try await imap.noop() }
                if seen.last == "6" { break }
            }
            // SELECT's own EXISTS are no events of the watch.
            #expect(seen == ["opened", "4", "5", "lost", "opened", "6"])
        }
    }

    @Test("cancels a command and stays in step")
    func cancellation() async throws {
        let (started, start) = AsyncStream.makeStream(of: Void.self)
        let server = ScriptedIMAP { command, peer in
            guard command.words.hasPrefix("UID FETCH") else { return false }
            start.yield()
            try await Task.sleep(for: .milliseconds(100))
            try await peer.say("* 2 FETCH (UID 20 FLAGS ())\r\n\(command.tag) OK\r\n")
            return true
        }
        try await withScriptedIMAP(server) { imap in
            try await imap.select(.inbox)
            let task = Task { try await imap.fetch([UID(20)!], [.flags]) }
            for await _ in started { break }
            task.cancel()
            await #expect(throws: IMAPError.self) { _ = try await task.value }
            try await imap.noop()
        }
        #expect(server.connections == 1)
    }

}
