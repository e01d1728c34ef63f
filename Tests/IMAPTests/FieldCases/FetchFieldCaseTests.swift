import MartletIMAP
import MartletTestSupport
import Synchronization
import Testing

/// What the server says is written whole, and octet by octet.
@Suite("Field cases of IMAPClient: answers", .timeLimit(.minutes(1)))
struct FetchFieldCaseTests {
    static let pieces = [Int.max, 1]

    /// A server that gives the first of these to the first `verb`, and so on; `TAG` stands for the tag.
    static func server(
        _ verb: String, capabilities: String? = nil, piece: Int, _ answers: String...
    ) -> ScriptedIMAP {
        let count = Mutex(0)
        return ScriptedIMAP(
            capabilities: capabilities ?? "IMAP4rev1 UIDPLUS SASL-IR AUTH=PLAIN", inPiecesOf: piece
        ) { command, peer in
            guard command.words.hasPrefix(verb) else { return false }
            let number = count.withLock { count in
                count += 1
                return count
            }
            let answer = answers[min(number, answers.count) - 1]
            try await peer.say(
                answer.replacing("TAG", with: command.tag).replacing("\n", with: "\r\n") + "\r\n")
            return true
        }
    }

    @Test("1: one damaged structure of five costs itself alone", arguments: pieces)
    func damaged(piece: Int) async throws {
        let rows = (1...5).map { number in
            "* \(number) FETCH (UID \(number) BODYSTRUCTURE "
                + (number == 3 ? "(((\"x\" {y)" : "(\"text\" \"plain\" NIL NIL NIL \"7bit\" 5 1)")
                + ")"
        }
        let server = Self.server(
            "UID FETCH", piece: piece, (rows + ["TAG OK"]).joined(separator: "\n"))
        try await withScriptedIMAP(server) { imap in
            try await imap.select(.inbox)
            let result = try await imap.fetch(UIDSet("1:5"), [.bodyStructure])
            #expect(result.rows.filter { $0.bodyStructure != nil }.count == 4)
            #expect(result.rows.count + result.damaged.count == 5 && result.missing == [])
        }
    }

    @Test("7: a literal that is cut short costs its own row, once patience ends", arguments: pieces)
    func shortLiteral(piece: Int) async throws {
        let server = Self.server(
            "UID FETCH", piece: piece,
            "* 1 FETCH (UID 1 BODY[] {900}\n" + String(repeating: "x", count: 598)
                + "\n)\n* 2 FETCH (UID 2 BODY[] {3}\nabc)\nTAG OK")
        try await withScriptedIMAP(server) {
            $0.timeouts.reply = .milliseconds(300)
        } _: { imap in
            try await imap.select(.inbox)
            let result = try await imap.fetch(UIDSet("1:2"), [.message])
            #expect(result.rows.last?.uid == UID(2))
            #expect(result.rows.last?.data(of: .message)?.octets.map(Array.init) == [97, 98, 99])
        }
        #expect(server.connections == 1)
    }

    @Test("19: OK without data is asked for once more, then told as missing", arguments: pieces)
    func noData(piece: Int) async throws {
        let late = Self.server(
            "UID FETCH", piece: piece, "TAG OK FETCH completed.",
            "* 1 FETCH (UID 1 FLAGS ())\nTAG OK")
        try await withScriptedIMAP(late) { imap in
            try await imap.select(.inbox)
            let result = try await imap.fetch(UIDSet("1"), [.flags])
            #expect(result.rows.count == 1 && result.missing == [])
        }
        let never = Self.server("UID FETCH", piece: piece, "TAG OK FETCH completed.")
        try await withScriptedIMAP(never) { imap in
            try await imap.select(.inbox)
            let result = try await imap.fetch(UIDSet("1"), [.flags])
            #expect(result.rows.isEmpty && result.missing == UIDSet("1"))
            #expect(result.vanished.isEmpty)
        }
    }

    @Test("20: a row without UID is known by its number", arguments: pieces)
    func withoutUID(piece: Int) async throws {
        let server = Self.server(
            "UID FETCH", piece: piece,
            "* 1 FETCH (UID 10 FLAGS ())\n* 3 FETCH (UID 30 FLAGS ())\nTAG OK",
            "* 3 FETCH (FLAGS (\\Seen))\nTAG OK")
        try await withScriptedIMAP(server) { imap in
            try await imap.select(.inbox)
            _ = try await imap.fetch(UIDSet("10,30"), [.flags])
            let result = try await imap.fetch(UIDSet("30"), [.flags])
            #expect(result.rows.map(\.uid) == [UID(30)] && result.missing == [])
        }
    }

    @Test("24: SEARCH answers what asked for the count alone", arguments: pieces)
    func plainSearch(piece: Int) async throws {
        let server = Self.server(
            "UID SEARCH", capabilities: "IMAP4rev1 ESEARCH AUTH=PLAIN", piece: piece,
            "* SEARCH 3 1 2\nTAG OK")
        try await withScriptedIMAP(server) { imap in
            try await imap.select(.inbox)
            #expect(try await imap.search(.all, returning: SearchReturn([.count])).count == 3)
        }
    }

    @Test("29: names with & go out and come back as they are", arguments: pieces)
    func ampersands(piece: Int) async throws {
        let server = Self.server(
            "LIST", piece: piece,
            "* LIST () \"/\" INBOX\n* LIST () \"/\" \"&\"\n* LIST () \"/\" &-\n* LIST () \"/\" &BB4-&BBI-\nTAG OK"
        )
        try await withScriptedIMAP(server) { imap in
            let listed = try await imap.mailboxes()
            #expect(listed.map(\.entry.name.text) == ["INBOX", "&", "&", "\u{41E}\u{412}"])
            for mailbox in listed { _ = try await imap.select(mailbox.entry.name) }
        }
        #expect(
            server.words.filter { $0.hasPrefix("SELECT") } == [
                "SELECT INBOX", "SELECT &", "SELECT &-", "SELECT &BB4-&BBI-",
            ])
    }

    @Test("31: brackets in a name cost nothing of QUOTAROOT", arguments: pieces)
    func brackets(piece: Int) async throws {
        let server = Self.server(
            "GETQUOTAROOT", capabilities: "IMAP4rev1 QUOTA AUTH=PLAIN", piece: piece,
            "* QUOTAROOT [Gmail]/x \"\"\n* QUOTA \"\" (STORAGE 10 15728640)\nTAG OK")
        try await withScriptedIMAP(server) { imap in
            let quota = try await imap.quota(of: MailboxName("[Gmail]/x"))
            #expect(quota.first?.resources.first?.limit == 15_728_640)
        }
    }

    @Test("32: INBOX that LIST leaves out is there all the same", arguments: pieces)
    func withoutInbox(piece: Int) async throws {
        let server = Self.server(
            "LIST", piece: piece, "* LIST (\\HasNoChildren) \".\" Sent Items\nTAG OK", "TAG OK")
        try await withScriptedIMAP(server) { imap in
            let found = try await imap.mailboxes()
            #expect(found.map(\.entry.name.text) == ["INBOX", "Sent Items"])
        }
    }

    @Test("32: everything inside of INBOX is what the server has", arguments: pieces)
    func prefix(piece: Int) async throws {
        let server = Self.server(
            "NAMESPACE", capabilities: "IMAP4rev1 NAMESPACE AUTH=PLAIN", piece: piece,
            "* NAMESPACE ((\"INBOX.\" \".\")) NIL NIL\nTAG OK")
        try await withScriptedIMAP(server) { imap in
            let found = try await imap.namespaces()
            #expect(found?.personal.first?.prefix.text == "INBOX.")
        }
    }

    @Test("32: BAD to NAMESPACE means that the server does not say", arguments: pieces)
    func refusedNamespace(piece: Int) async throws {
        let server = Self.server(
            "NAMESPACE", capabilities: "IMAP4rev1 NAMESPACE AUTH=PLAIN", piece: piece,
            "TAG BAD Command not supported")
        try await withScriptedIMAP(server) { imap in
            #expect(try await imap.namespaces() == nil)
            try await imap.noop()
        }
    }

    @Test("33: BADCHARSET gets one more search, in what the server knows", arguments: pieces)
    func charset(piece: Int) async throws {
        let script = ScriptedIMAP(inPiecesOf: piece) { command, peer in
            guard command.words.hasPrefix("UID SEARCH") else { return false }
            guard command.words.contains("KOI8-R") else {
                if command.words.contains("{") {
                    try await peer.say("+ go\r\n")
                    _ = try await peer.line()
                }
                try await peer.say("\(command.tag) NO [BADCHARSET (US-ASCII KOI8-R)] no\r\n")
                return true
            }
            try await peer.say("+ go\r\n")
            _ = try await peer.line()
            try await peer.say("* SEARCH 4\r\n\(command.tag) OK\r\n")
            return true
        }
        try await withScriptedIMAP(script) { imap in
            try await imap.select(.inbox)
            let found = try await imap.search(.subject("\u{43F}\u{440}\u{438}"))
            #expect(found.numbers == UIDSet("4"))
        }
        let searches = script.words.filter { $0.hasPrefix("UID SEARCH") }
        #expect(
            searches == [
                "UID SEARCH CHARSET UTF-8 SUBJECT {6}", "UID SEARCH CHARSET KOI8-R SUBJECT {3}",
            ])
    }

    @Test("33: a search that is refused in all charsets is refused once, not for ever")
    func charsetNever() async throws {
        let script = ScriptedIMAP { command, peer in
            guard command.words.hasPrefix("UID SEARCH") else { return false }
            try await peer.say("\(command.tag) NO [BADCHARSET (US-ASCII)] no\r\n")
            return true
        }
        try await withScriptedIMAP(script) { imap in
            try await imap.select(.inbox)
            let error = await failure { _ = try await imap.search(.subject("\u{FC}")) }
            #expect(error?.code == .badCharset(["US-ASCII"]) && error?.recovery == .fixInput)
            try await imap.noop()
        }
        #expect(script.words.filter { $0.hasPrefix("UID SEARCH") }.count == 2)
    }

    @Test("73: what a range's answer leaves out is asked for once more", arguments: pieces)
    func leftOut(piece: Int) async throws {
        let rows = (1...100).filter { $0 % 40 != 3 }.map { "* \($0) FETCH (UID \($0) FLAGS ())\n" }
        let server = Self.server(
            "UID FETCH", piece: piece, rows.joined() + "TAG OK",
            "* 3 FETCH (UID 3 FLAGS ())\n* 43 FETCH (UID 43 FLAGS ())\nTAG OK")
        try await withScriptedIMAP(server) { imap in
            try await imap.select(.inbox)
            let result = try await imap.fetch(UIDSet("1:100"), [.flags])
            #expect(result.rows.count == 99 && result.missing == UIDSet("83"))
        }
        #expect(server.words.contains("UID FETCH 3,43,83 (FLAGS)"))
    }

    @Test("75: a message without octets is asked for once more", arguments: pieces)
    func emptyBody(piece: Int) async throws {
        let full = "* 1 FETCH (UID 1 BODY[] {4}\na: b)\nTAG OK"
        for empty in [
            "* 1 FETCH (UID 1 BODY[] \"\")\nTAG OK", "* 1 FETCH (UID 1 BODY[] NIL)\nTAG OK",
        ] {
            let server = Self.server("UID FETCH", piece: piece, empty, full, empty, full)
            try await withScriptedIMAP(server) { imap in
                try await imap.select(.inbox)
                let result = try await imap.fetch(UIDSet("1"), [.message])
                #expect(result.rows.count == 1 && result.missing == [])
                #expect(
                    result.rows.first?.data(of: .message)?.octets.map(Array.init)
                        == Array("a: b".utf8))
                #expect(try await imap.octets(of: UID(1)!) == Array("a: b".utf8))
            }
        }
        // Twice is believed.
        let server = Self.server("UID FETCH", piece: piece, "* 1 FETCH (UID 1 BODY[] \"\")\nTAG OK")
        try await withScriptedIMAP(server) { imap in
            try await imap.select(.inbox)
            #expect(try await imap.octets(of: UID(1)!) == [])
            #expect(try await imap.fetch(UIDSet("1"), [.message]).rows.count == 1)
        }
    }

    @Test("76: numbers beyond the last message are not asked for, since QQ refuses all then")
    func beyondTheEnd() async throws {
        let server = Self.server("FETCH", piece: .max, "* 3 FETCH (FLAGS ())\nTAG OK")
        try await withScriptedIMAP(server) { imap in
            try await imap.select(.inbox)
            let result = try await imap.fetch(
                SequenceSet(SequenceNumber(3)!, through: .init(20)!), [.flags])
            #expect(result.rows.count == 1)
            #expect(result.missing == SequenceSet(SequenceNumber(4)!, through: .init(20)!))
            let none = try await imap.fetch(
                SequenceSet(SequenceNumber(11)!, through: .init(20)!), [.flags])
            #expect(none.rows.isEmpty && none.missing?.count == 10)
        }
        #expect(server.words.filter { $0.hasPrefix("FETCH") } == ["FETCH 3 (FLAGS)"])
    }

    @Test("65, 84: 20,000 scattered UIDs go out in lines of less than 8,000 octets")
    func scattered() async throws {
        let server = ScriptedIMAP { command, peer in
            guard command.words.hasPrefix("UID") else { return false }
            let isShort = command.words.utf8.count + command.tag.utf8.count + 3 <= 8_000
            try await peer.say("\(command.tag) \(isShort ? "OK" : "BAD too long")\r\n")
            return true
        }
        let uids = UIDSet((0..<20_000).map { UID(UInt32($0 * 3 + 1_000_000))! })
        try await withScriptedIMAP(server) { imap in
            try await imap.select(.inbox)
            try await imap.store(uids, .add([.seen]), isSilent: true)
            try await imap.copy(uids, to: .inbox)
            try await imap.expunge(uids)
            let result = try await imap.fetch(uids, [.flags])
            #expect(result.missing == uids)
        }
        for verb in ["UID STORE", "UID COPY", "UID EXPUNGE", "UID FETCH"] {
            let sets = server.words.filter { $0.hasPrefix(verb) }.compactMap {
                UIDSet(String($0.split(separator: " ")[2]))
            }
            #expect(sets.count > 10)
            #expect(sets.reduce(UIDSet()) { $0.union($1) } == uids, "\(verb)")
        }
    }
}
