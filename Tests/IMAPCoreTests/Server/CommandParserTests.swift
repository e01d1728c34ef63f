import MartletBytes
import MartletTestSupport
import Testing

@testable import MartletIMAPCore

@Suite("Commands that a server reads")
struct CommandParserTests {
    private static func parse(
        _ octets: [UInt8], isUTF8: Bool = false, literals: [any OctetSource] = []
    ) throws(CommandProblem) -> ReceivedCommand {
        try CommandParser(isUTF8: isUTF8).parse(
            ResponseFrame(octets: octets[...]), literals: literals)
    }

    /// Reads a line in which `|` stands for a line end.
    private static func parse(_ text: String) throws(CommandProblem) -> ReceivedCommand {
        try parse(Array(("A1 " + text.replacing("|", with: "\r\n")).utf8))
    }

    static let sessionForms = [
        Sample(IMAP.CapabilityCommand(), "CAPABILITY"), Sample(IMAP.Noop(), "NOOP"),
        Sample(IMAP.Logout(), "LOGOUT"), Sample(IMAP.StartTLS(), "STARTTLS"),
        Sample(IMAP.Idle(), "IDLE"), Sample(IMAP.Check(), "CHECK"),
        Sample(IMAP.Login(user: "a b", password: Secret("p\"w")), "LOGIN"),
        Sample(IMAP.Login(user: "\u{FC}", password: Secret("\u{20AC}")), "LOGIN"),
        Sample(try! IMAP.Authenticate(mechanism: "PLAIN"), "AUTHENTICATE"),
        Sample(
            try! IMAP.Authenticate(mechanism: "SCRAM-SHA-256", initialResponse: Secret("biws")),
            "AUTHENTICATE"),
        Sample(
            try! IMAP.Authenticate(mechanism: "EXTERNAL", initialResponse: Secret("=")),
            "AUTHENTICATE"),
        Sample(IMAP.Enable([.qResync, .utf8Accept]), "ENABLE"),
        Sample(IMAP.Identify(), "ID NIL"),
        Sample(
            IMAP.Identify(
                IDParameters([.init(name: "name", value: "x"), .init(name: "v", value: nil)])),
            "ID"),
        Sample(
            IMAP.Append(
                [
                    AppendMessage(
                        MessageCommandTests.octets, flags: [.seen, .forwarded],
                        date: MessageCommandTests.date),
                    AppendMessage(.binary(OctetArray([0, 1])), date: MessageCommandTests.early),
                    AppendMessage(
                        .pieces([
                            .url("/a;UID=1"), .text(MessageCommandTests.octets),
                            .text(OctetArray([0x21])),
                        ])),
                ], to: .of("a b")), "APPEND"),
        Sample(
            IMAP.Replace(UID(4)!, with: MessageCommandTests.message, in: .of("Drafts")),
            "UID REPLACE"),
        Sample(
            IMAP.Replace(SequenceNumber(4)!, with: MessageCommandTests.message, in: .inbox),
            "REPLACE"),
    ]

    static let forms =
        sessionForms + MailboxCommandTests.forms + MessageCommandTests.forms
        + SearchCommandTests.forms + AccessCommandTests.forms
        + SearchKeyTests.criteria.map { Sample(IMAP.Search<UID>(SearchKey($0.0)), $0.1) }

    @Test("are those that a client wrote", arguments: forms)
    func law(form: Sample) throws {
        // What stands as it is need not be known.
        guard !form.testDescription.contains("X-FOO") else { return }
        for enabled in [[], [.utf8Accept]] as [Set<Capability>] {
            for literals in [LiteralSupport.plus, .synchronizing] {
                let enabled = enabled.union([.qResync])
                let octets = try Wire.octets(form.command, enabled: enabled, literals: literals)
                let parsed = try Self.parse(
                    Array("A1 ".utf8) + octets, isUTF8: enabled.contains(.utf8Accept))
                #expect(parsed.tag == "A1")
                let again = try Wire.octets(
                    parsed.command.command, enabled: enabled, literals: literals)
                #expect(again == octets)
                #expect(parsed.command.command.name == form.command.name)
            }
        }
    }

    @Test("hold any search, as short as it can be", arguments: 0..<200 as Range<UInt64>)
    func searchLaw(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        func key(_ depth: Int) -> SearchKey {
            let count = Int.random(in: 0...4, using: &generator)
            switch Int.random(in: 0...(depth == 0 ? 0 : 4), using: &generator) {
            case 1: return .not(key(depth - 1))
            case 2: return .fuzzy(key(depth - 1))
            case 3: return .and((0..<count).map { _ in key(depth - 1) })
            case 4: return .or((0..<count).map { _ in key(depth - 1) })
            default:
                let known = SearchKeyTests.criteria.dropLast()
                return SearchKey(known.randomElement(using: &generator)!.0)
            }
        }
        let search = IMAP.Search<UID>(key(7))
        let octets = try Wire.octets(search)
        guard case .uidSearch(let parsed) = try Self.parse(Array("A1 ".utf8) + octets).command
        else {
            Issue.record("another command")
            return
        }
        #expect(parsed.key == search.key.optimized)
    }

    @Test(
        "are taken as clients write them",
        arguments: [
            ("noop", "NOOP"), ("Uid Fetch 1:* flags", "UID FETCH 1:* (FLAGS)"),
            ("FETCH 1 ALL", "FETCH 1 (FLAGS INTERNALDATE RFC822.SIZE ENVELOPE)"),
            ("FETCH 1 fast", "FETCH 1 (FLAGS INTERNALDATE RFC822.SIZE)"),
            ("FETCH 1 FULL", "FETCH 1 (FLAGS INTERNALDATE RFC822.SIZE ENVELOPE BODY)"),
            ("FETCH 3:1,7 body[header]", "FETCH 1:3,7 (BODY[HEADER])"),
            (
                "FETCH 1 (BODY.PEEK[1.2.header.fields (\"Subject\" DATE)]<0.10>)",
                "FETCH 1 (BODY.PEEK[1.2.HEADER.FIELDS (Subject DATE)]<0.10>)"
            ), ("FETCH 1 (PREVIEW UID)", "FETCH 1 (PREVIEW UID)"),
            ("FETCH 1 PREVIEW (LAZY)", "FETCH 1 (PREVIEW (LAZY))"),
            ("STORE 1 +FLAGS \\Seen $a", "STORE 1 +FLAGS (\\Seen $a)"),
            ("STORE 1 flags.silent ()", "STORE 1 FLAGS.SILENT ()"),
            ("SELECT \"inbox\"", "SELECT INBOX"), ("SELECT {5}|INBOX", "SELECT INBOX"),
            ("SELECT  INBOX ", "SELECT INBOX"), ("LIST \"\" \"*\"", "LIST \"\" *"),
            ("LIST () \"\" (* %) RETURN ()", "LIST \"\" (* %)"),
            (
                "LIST (subscribed) a b return (status (messages))",
                "LIST (SUBSCRIBED) a b RETURN (STATUS (MESSAGES))"
            ),
            ("STATUS \"x\" ( messages  unseen )", "STATUS x (MESSAGES UNSEEN)"),
            ("SEARCH SINCE \"1-feb-1994\" 1:3", "SEARCH SINCE 1-Feb-1994 1:3"),
            (
                "SEARCH CHARSET US-ASCII (OR (SEEN) (DRAFT FLAGGED))",
                "SEARCH CHARSET US-ASCII OR SEEN (DRAFT FLAGGED)"
            ),
            ("SEARCH from bob header x \"\"", "SEARCH FROM \"bob\" HEADER x \"\""),
            ("SEARCH UID $", "SEARCH $"), ("SEARCH RETURN () ALL", "SEARCH RETURN () ALL"),
            ("SORT (reverse date) UTF-8 ALL ", "SORT (REVERSE DATE) UTF-8 ALL"),
            ("thread references utf-8 all", "THREAD REFERENCES UTF-8 ALL"),
            ("LOGIN bob pass]word", "LOGIN \"bob\" \"pass]word\""),
            ("AUTHENTICATE plain ", "AUTHENTICATE PLAIN"),
            (
                "APPEND x (\\Seen) \"7-Jul-1996 02:44:25 -0700\" {1}|a",
                "APPEND x (\\Seen) \" 7-Jul-1996 02:44:25 -0700\" {1+}|a"
            ),
            ("GETMETADATA \"\" /shared/a", "GETMETADATA \"\" (/shared/a)"),
            ("GETQUOTA {0}|", "GETQUOTA \"\""), ("LANGUAGE", "LANGUAGE"),
            ("SETACL x y +lr", "SETACL x y +lr"), ("RESETKEY", "RESETKEY"),
            ("EXAMINE x (condstore)", "EXAMINE x (CONDSTORE)"),
            (
                "NOTIFY SET (selected (messagenew messageexpunge))",
                "NOTIFY SET (SELECTED (MessageNew MessageExpunge))"
            ),
        ])
    func tolerated(line: String, meaning: String) throws {
        let parsed = try Self.parse(line)
        #expect(
            try Wire.text(parsed.command.command, enabled: [.qResync], literals: .plus) == meaning)
    }

    @Test(
        "are refused with BAD and a place where they make no sense",
        arguments: [
            "", "UID", "UID NOOP", "XFOO", "NOOP x", "LOGIN a", "LOGIN a b c", "LOGIN \"a b",
            "SELECT", "SELECT \"\"", "SELECT \"a\u{7F}\"", "SELECT x (FOO)",
            "SELECT x (QRESYNC (1))",
            "SELECT x (QRESYNC (0 1))", "SELECT x (QRESYNC (1 1 1:*))",
            "SELECT x (QRESYNC (1 1 1 (1:2 1)))", "FETCH", "FETCH 0 FLAGS", "FETCH 1", "FETCH 1 ()",
            "FETCH a FLAGS", "FETCH 1 FOO", "FETCH 1 (FLAGS", "FETCH 1 BODY[", "FETCH 1 BODY[0]",
            "FETCH 1 BODY[1.]", "FETCH 1 BODY[MIME]", "FETCH 1 BODY[1TEXT]", "FETCH 1 BODY[]<0>",
            "FETCH 1 BODY[]<0.0>", "FETCH 1 BODY[HEADER.FIELDS ()]",
            "FETCH 1 BODY[HEADER.FIELDS (a:)]", "FETCH 1 FLAGS (VANISHED)",
            "UID FETCH 1 FLAGS (VANISHED)", "UID FETCH 1 FLAGS (PARTIAL 1:-1)",
            "FETCH 1 PREVIEW (SLOW)", "STORE 1 FLAGS", "STORE 1 FOO (a)", "STORE 1 FLAGS (a b",
            "STORE 1 FLAGS (\\*)", "COPY 1", "MOVE 1 ", "APPEND x", "APPEND x {3}|a",
            "APPEND x (\\Seen)", "APPEND x \"yesterday\" {1}|a", "APPEND x \"foo\"",
            "APPEND x CATENATE ()", "APPEND x CATENATE (URL \"a b\")", "SEARCH", "SEARCH FOO",
            "SEARCH FROM", "SEARCH (SEEN", "SEARCH ()", "SEARCH OR SEEN", "SEARCH NOT",
            "SEARCH SEEN)", "SEARCH SINCE 30-Feb-2020", "SEARCH SINCE 1-Foo-2020",
            "SEARCH KEYWORD \\Seen", "SEARCH OLDER 0", "SEARCH LARGER -1",
            "SEARCH MODSEQ \"x\" all 1",
            "SEARCH RETURN (FOO) ALL", "SEARCH SEENDRAFT", "SEARCH 1:3SEEN", "SORT () UTF-8 ALL",
            "SORT (FOO) UTF-8 ALL", "SORT (DATE) UTF-8", "THREAD REFERENCES", "ESEARCH IN () ALL",
            "ESEARCH IN (SELECTED-DELAYED) ALL", "CANCELUPDATE", "NOTIFY", "NOTIFY SET",
            "NOTIFY SET (SELECTED)", "LIST", "LIST a", "LIST \"\" ()", "LIST (FOO) \"\" *",
            "STATUS x", "STATUS x ()", "STATUS x (FOO)", "CREATE x (USE (Drafts))",
            "RENAME a", "ID", "ID (\"a\")", "ENABLE", "COMPRESS LZMA", "AUTHENTICATE PLAIN !!",
            "SETQUOTA \"\" (STORAGE)", "SETACL x y LR", "GETMETADATA x a", "SETMETADATA x ()",
            "GENURLAUTH \"a\"", "URLFETCH", "URLFETCH (\"a\" FOO)",
            "SEARCH MODSEQ 9223372036854775808", "FETCH 4294967296 FLAGS",
        ])
    func refused(line: String) {
        let problem = #expect(throws: CommandProblem.self) { try Self.parse(line) }
        #expect(problem?.condition == .bad && problem?.tag == "A1")
        #expect(problem?.text.octets.allSatisfy { !$0.isControl } == true)
    }

    @Test("are refused with NO and a code where they make sense")
    func refusedWithCode() {
        let charset = #expect(throws: CommandProblem.self) {
            try Self.parse("SEARCH CHARSET KLINGON TEXT a")
        }
        #expect(charset?.condition == .no)
        #expect(charset?.text.code == .badCharset(["US-ASCII", "UTF-8"]))
        let event = #expect(throws: CommandProblem.self) {
            try Self.parse("NOTIFY SET (PERSONAL (FooBar))")
        }
        guard case .badEvent? = event?.text.code else {
            Issue.record("\(String(describing: event))")
            return
        }
        let empty = #expect(throws: CommandProblem.self) { try Self.parse("APPEND x {0}|") }
        #expect(empty?.condition == .no)
    }

    @Test("begin with a tag", arguments: ["", " NOOP", "+ NOOP", "(a NOOP", "\u{FC} NOOP"])
    func tags(line: String) {
        let problem = #expect(throws: CommandProblem.self) { try Self.parse(Array(line.utf8)) }
        #expect(problem?.tag == nil && problem?.condition == .bad)
        let long = String(repeating: "a", count: CommandParser.tagLimitInOctets)
        #expect(throws: Never.self) { try Self.parse(Array("\(long) NOOP".utf8)) }
        #expect(throws: CommandProblem.self) { try Self.parse(Array("\(long)a NOOP".utf8)) }
    }

    @Test("have text in the charset that they name")
    func charsets() throws {
        func text(_ octets: [UInt8], _ head: String, isUTF8: Bool = false) throws -> String? {
            let command = Array("A1 SEARCH \(head)TEXT {\(octets.count)}\r\n".utf8) + octets
            guard case .search(let search) = try Self.parse(command, isUTF8: isUTF8).command else {
                return nil
            }
            return search.key.criteria.first { _ in true }?.soughtText
        }
        #expect(try text([0x66, 0xFC], "CHARSET ISO-8859-1 ") == "f\u{FC}")
        #expect(try text([0xC1], "CHARSET koi8-r ") == "\u{430}")
        #expect(try text(Array("f\u{FC}".utf8), "CHARSET UTF-8 ") == "f\u{FC}")
        #expect(try text(Array("f\u{FC}".utf8), "") == "f\u{FC}")
        for head in ["", "CHARSET UTF-8 ", "CHARSET us-ascii "] {
            #expect(throws: CommandProblem.self) { try text([0xFC], head) }
            #expect(throws: CommandProblem.self) { try text([0x61, 0], head) }
        }
        // In quotes, UTF-8 is for those who agreed on it.
        let quoted = Array("A1 SEARCH TEXT \"\u{FC}\"".utf8)
        #expect(throws: Never.self) { try Self.parse(quoted, isUTF8: true) }
    }

    @Test("take literals that were handed on from wherever they are")
    func detached() throws {
        var limits = CommandLimits()
        limits.detachedLiteralInOctets = 10
        var framer = CommandFramer(limits: limits)
        let octets = "A7 APPEND x (\\Seen) {20+}\r\n01234567890123456789 {12}\r\nabcdefghijkl\r\n"
        framer.append(Array(octets.utf8))
        var sources: [any OctetSource] = []
        var current: [UInt8] = []
        var heads: [CommandHead] = []
        while let piece = try framer.next() {
            switch piece {
            case .literalOctets(let octets): current += octets
            case .literalEnds:
                sources.append(OctetArray(current))
                current = []
            case .continuationDue(let head, _): heads.append(try CommandParser().parseHead(head))
            case .command(let frame):
                let parsed = try CommandParser().parse(frame, literals: sources)
                guard case .append(let append) = parsed.command else { return }
                #expect(append.messages.map(\.knownSizeInOctets) == [20, 12])
                #expect(throws: CommandProblem.self) { try CommandParser().parse(frame) }
            default: break
            }
        }
        #expect(sources.count == 2 && current.isEmpty)
        #expect(heads == [CommandHead(tag: "A7", name: "APPEND", mailbox: .of("x"))])
    }

    @Test("can be told by their start")
    func heads() throws {
        func head(_ line: String) throws(CommandProblem) -> CommandHead {
            try CommandParser().parseHead(ResponseFrame(octets: Array(line.utf8)[...]))
        }
        #expect(try head("a uid replace 4 x {9}\r\n") == .init(tag: "a", name: "UID REPLACE"))
        #expect(try head("a APPEND {3}\r\n") == .init(tag: "a", name: "APPEND"))
        #expect(
            try head("a APPEND \"a b\" {3}\r\n")
                == .init(tag: "a", name: "APPEND", mailbox: .of("a b")))
        for line in ["a FOO {3}\r\n", "a UID FOO {3}\r\n", "{3}\r\n", "a"] {
            #expect(throws: CommandProblem.self) { try head(line) }
        }
    }

    // MARK: Hostile input

    @Test("that nest too deep are refused, and none costs a stack")
    func depth() {
        for opening in ["(", "NOT ", "OR SEEN ", "FUZZY ", "(SEEN ", "OR "] {
            let line = "SEARCH " + String(repeating: opening, count: 100_000) + "SEEN"
            let problem = #expect(throws: CommandProblem.self) { try Self.parse(line) }
            #expect(problem?.text.words.contains("nest deeper") == true)
        }
        let fits =
            "SEARCH " + String(repeating: "NOT (", count: 50) + "SEEN"
            + String(repeating: ")", count: 50)
        #expect(throws: Never.self) { try Self.parse(fits) }
    }

    @Test("that are too long are refused, and what is only long takes time that grows with it")
    func lengths() throws {
        let many = String(repeating: "FLAGS ", count: 100_000)
        #expect(throws: CommandProblem.self) { try Self.parse("FETCH 1 (\(many))") }
        #expect(throws: CommandProblem.self) {
            try Self.parse("STORE 1 FLAGS " + String(repeating: "a ", count: 100_000))
        }
        let keys = "SEARCH" + String(repeating: " SEEN", count: 100_000)
        #expect(throws: Never.self) { try Self.parse(keys) }
        let numbers = stride(from: 200_000, to: 0, by: -2).map(String.init).joined(separator: ",")
        guard case .uidFetch(let fetch) = try Self.parse("UID FETCH \(numbers) FLAGS").command
        else {
            return
        }
        #expect(fetch.messages.closedSet?.count == 100_000)
        #expect(throws: CommandProblem.self) {
            try Self.parse("FETCH 1 BODY[\(String(repeating: "1.", count: 101))1]")
        }
    }

    @Test("of any octets are a command or a problem", arguments: 0..<300 as Range<UInt64>)
    func garbage(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let form = Self.forms.randomElement(using: &generator)!
        var octets = Array("A1 ".utf8) + (try Wire.octets(form.command, enabled: [.qResync]))
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
            let place = Int.random(in: 0..<octets.count, using: &generator)
            switch Int.random(in: 0...3, using: &generator) {
            case 0: octets[place] = UInt8.random(in: 0...255, using: &generator)
            case 1: octets.remove(at: place)
            case 2: octets.insert(octets.randomElement(using: &generator)!, at: place)
            default: octets.removeSubrange(place...)
            }
            if octets.isEmpty { octets = [0x20] }
        }
        guard let parsed = try? Self.parse(octets) else { return }
        // What was understood can be written, or is what no client may send; written, it is understood the same way.
        guard let written = try? Wire.octets(parsed.command.command, enabled: [.qResync]) else {
            return
        }
        let again = try Self.parse(Array("A1 ".utf8) + written)
        #expect(try Wire.octets(again.command.command, enabled: [.qResync]) == written)
    }
}
