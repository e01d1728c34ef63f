import MartletIMAP
import MartletTestSupport
import Synchronization
import Testing

@Suite("Watching an account", .timeLimit(.minutes(1)))
struct AccountWatchTests {
    /// What happened, in short words.
    static func word(_ element: AccountWatch.Element) -> String {
        switch element {
        case .opened(let numbers):
            "opened "
                + numbers.map { "\($0.key) \($0.value.messages ?? 0)" }.sorted().joined(
                    separator: ", ")
        case .numbers(let name, let status): "\(name) \(status.messages ?? 0)"
        case .event(let name, .exists(let count)): "\(name) exists \(count)"
        case .event(let name, _): "\(name) other"
        case .mailbox(let entry):
            entry.oldName.map { "\($0) is \(entry.name)" }
                ?? (entry.attributes.contains(.nonExistent)
                    ? "gone \(entry.name)" : "new \(entry.name)")
        case .lost: "lost"
        }
    }

    /// Watches until something has happened, and gives all that did.
    static func watch(_ imap: IMAPClient, until last: String) async throws -> [String] {
        var words: [String] = []
        for try await element in imap.watchAccount() {
            words.append(word(element))
            if words.last == last { break }
        }
        return words
    }

    /// A server with NOTIFY that says `news` in its first IDLE.
    static func notifying(
        _ news: [String], refusing refused: @escaping @Sendable (String) -> Bool = { _ in false }
    ) -> ScriptedIMAP {
        let idles = Mutex(0)
        return ScriptedIMAP(capabilities: "IMAP4rev1 NOTIFY IDLE LIST-EXTENDED AUTH=PLAIN") {
            command, peer in
            if command.words.hasPrefix("NOTIFY") {
                if refused(command.words) {
                    try await peer.say("\(command.tag) NO [BADEVENT (MessageNew)] less, please\r\n")
                } else {
                    try await peer.say(
                        "* STATUS Work (MESSAGES 3 UIDNEXT 9 UIDVALIDITY 1)\r\n\(command.tag) OK\r\n"
                    )
                }
                return true
            }
            guard command.words == "IDLE" else { return false }
            let number = idles.withLock { count in
                count += 1
                return count
            }
            try await peer.say("+ idling\r\n")
            // The first ends at once, since NOTIFY comes.
            if number == 2 { for line in news { try await peer.say(line + "\r\n") } }
            _ = try await peer.line()
            try await peer.say("\(command.tag) OK\r\n")
            return true
        }
    }

    @Test("with NOTIFY hears of all mailboxes over one connection")
    func notify() async throws {
        let server = Self.notifying([
            "* STATUS Work (MESSAGES 4 UIDNEXT 10)", "* STATUS Work (MESSAGES 4 UIDNEXT 10)",
            "* LIST () \"/\" New", "* LIST () \"/\" Play (\"OLDNAME\" (Work))",
            "* LIST (\\NonExistent) \"/\" New", "* STATUS Play (MESSAGES 5)", "* 4 EXISTS",
        ])
        try await withScriptedIMAP(server) { imap in
            let words = try await Self.watch(imap, until: "INBOX exists 4")
            #expect(
                words == [
                    "opened INBOX 3, Work 3", "Work 4", "new New", "Work is Play", "gone New",
                    "Play 5", "INBOX exists 4",
                ])
        }
        #expect(server.connections == 1)
        #expect(
            server.words.filter { $0.hasPrefix("NOTIFY") } == [
                "NOTIFY SET STATUS (SELECTED-DELAYED (MessageNew MessageExpunge FlagChange)) "
                    + "(PERSONAL (MessageNew MessageExpunge FlagChange MailboxName SubscriptionChange))"
            ])
    }

    @Test("asks once more where the server gives up telling, and compares all numbers")
    func overflow() async throws {
        let server = Self.notifying(["* OK [NOTIFICATIONOVERFLOW] too much happens"])
        try await withScriptedIMAP(server) { imap in
            var opened = 0
            for try await element in imap.watchAccount() {
                if case .opened(let numbers) = element {
                    opened += 1
                    #expect(numbers.count == 2)
                }
                if opened == 2 { break }
            }
        }
        #expect(server.words.filter { $0.hasPrefix("NOTIFY") }.count == 2)
        #expect(server.connections == 1)
    }

    @Test("asks for all numbers now and then, since a server that tells misses something")
    func recount() async throws {
        let asked = Mutex(0)
        let server = ScriptedIMAP(capabilities: "IMAP4rev1 NOTIFY IDLE AUTH=PLAIN") {
            command, peer in
            guard command.words.hasPrefix("NOTIFY") else { return false }
            let round = asked.withLock { count in
                count += 1
                return count
            }
            // Of the message in Work, of New, and of the end of Old nothing was told.
            let names =
                round == 1
                ? ["Work (MESSAGES 3)", "Old (MESSAGES 1)"]
                : ["Work (MESSAGES 4)", "New (MESSAGES 0)"]
            try await peer.say(
                names.map { "* STATUS \($0)\r\n" }.joined() + "\(command.tag) OK\r\n")
            return true
        }
        try await withScriptedIMAP(server) {
            $0.timeouts.recount = .milliseconds(50)
        } _: { imap in
            let words = try await Self.watch(imap, until: "gone Old")
            #expect(words.first == "opened INBOX 3, Old 1, Work 3")
            #expect(
                Set(words.dropFirst()) == ["Work 4", "new New", "New 0", "gone Old"], "\(words)")
        }
        #expect(server.connections == 1)
    }

    @Test("asks for less where the server does not tell all")
    func lessEvents() async throws {
        let server = Self.notifying(["* STATUS Work (MESSAGES 4)"]) { $0.contains("FlagChange") }
        try await withScriptedIMAP(server) { imap in
            let words = try await Self.watch(imap, until: "Work 4")
            #expect(words == ["opened INBOX 3, Work 3", "Work 4"])
        }
        #expect(
            server.words.last { $0.hasPrefix("NOTIFY") }
                == "NOTIFY SET STATUS (SELECTED-DELAYED (MessageNew MessageExpunge)) (PERSONAL (MessageNew MessageExpunge))"
        )
    }

    @Test(
        "without NOTIFY, or where that is refused, hears of one by IDLE and asks for the others",
        arguments: ["", "NOTIFY", "LIST-EXTENDED LIST-STATUS"])
    func polling(offered: String) async throws {
        let polls = Mutex(0)
        let server = ScriptedIMAP(capabilities: "IMAP4rev1 IDLE AUTH=PLAIN " + offered) {
            command, peer in
            let words = command.words
            if words.hasPrefix("NOTIFY") {
                try await peer.say("\(command.tag) NO too expensive\r\n")
            } else if words == "IDLE" {
                try await peer.say("+ idling\r\n")
                if polls.withLock({ $0 }) == 2 { try await peer.say("* 4 EXISTS\r\n") }
                _ = try await peer.line()
                try await peer.say("\(command.tag) OK\r\n")
            } else if words.hasPrefix("LIST") {
                let poll = polls.withLock { count in
                    count += 1
                    return count
                }
                // In the second round there is a message more in Work, and New; in the third Old is gone.
                let names =
                    ["INBOX", "Work"] + (poll > 1 ? ["New"] : []) + (poll < 3 ? ["Old"] : [])
                var lines = names.map { "* LIST () \"/\" \($0)\r\n" }
                if words.contains("STATUS") {
                    lines += names.map {
                        "* STATUS \($0) (MESSAGES \($0 == "Work" ? poll : 7))\r\n"
                    }
                }
                try await peer.say(lines.joined() + "\(command.tag) OK\r\n")
            } else if words.hasPrefix("STATUS") {
                let name = words.split(separator: " ")[1]
                let count = name == "Work" ? polls.withLock { $0 } : 7
                try await peer.say("* STATUS \(name) (MESSAGES \(count))\r\n\(command.tag) OK\r\n")
            } else {
                return false
            }
            return true
        }
        try await withScriptedIMAP(server) {
            $0.timeouts.polling = .milliseconds(50)
        } _: { imap in
            var words: [String] = []
            for try await element in imap.watchAccount() {
                words.append(Self.word(element))
                if words.contains("gone Old"), words.contains("INBOX exists 4") { break }
            }
            #expect(words.first == "opened INBOX 3, Old 7, Work 1")
            for word in ["Work 2", "new New", "New 7", "Work 3"] {
                #expect(words.contains(word), "\(words)")
            }
            #expect(!words.contains("INBOX 7"))
        }
        #expect(server.connections == 1)
    }

    @Test("opens a lost connection anew, and tells all numbers again")
    func lost() async throws {
        let server = ScriptedIMAP(capabilities: "IMAP4rev1 NOTIFY IDLE AUTH=PLAIN") {
            command, peer in
            if command.words.hasPrefix("NOTIFY") {
                try await peer.say(
                    "* STATUS Work (MESSAGES \(command.connection))\r\n\(command.tag) OK\r\n")
                if command.connection == 1 {
                    await peer.close()
                    throw PeerGone()
                }
                return true
            }
            return false
        }
        try await withScriptedIMAP(server) { imap in
            let words = try await Self.watch(imap, until: "opened INBOX 3, Work 2")
            #expect(words == ["opened INBOX 3, Work 1", "lost", "opened INBOX 3, Work 2"])
        }
    }

    @Test("ends with its task, and by an error that no new connection mends")
    func ends() async throws {
        try await withScriptedIMAP(ScriptedIMAP()) { imap in
            let task = Task { for try await _ in imap.watchAccount() {} }
            try await Task.sleep(for: .milliseconds(20))
            task.cancel()
            _ = await task.result
            try await imap.noop()
        }
        let server = ScriptedIMAP { command, peer in
            guard command.words.hasPrefix("AUTHENTICATE") else { return false }
            try await peer.say("\(command.tag) NO [AUTHENTICATIONFAILED] no\r\n")
            return true
        }
        try await withScriptedIMAP(server) { imap in
            let error = await failure { for try await _ in imap.watchAccount() {} }
            #expect(error?.recovery == .authenticate)
        }
    }
}
