import MartletBytes
import Testing

@testable import MartletMIME

private let jane = try! MailboxAddress("jane@example.org")
private let bob = try! MailboxAddress("Bob <bob@example.org>")

private func header(_ change: (inout OutgoingMessage) throws -> Void) throws -> ReadMessage {
    var message = OutgoingMessage(from: jane)
    try change(&message)
    return try ReadMessage(try #require(try message.rendered().octetsInMemory))
}

@Suite("Optional fields")
struct OptionalFieldTests {
    @Test("say how the message wants to be treated")
    func handling() throws {
        let read = try header {
            $0.importance = .high
            $0.autoSubmission = .autoReplied
            $0.precedence = .bulk
            $0.readReceiptTo = [bob, jane]
        }
        #expect(read["Importance"] == "high")
        #expect(read["X-Priority"] == "1 (Highest)")
        #expect(read["Auto-Submitted"] == "auto-replied")
        #expect(read["Precedence"] == "bulk")
        #expect(
            read["Disposition-Notification-To"] == "Bob <bob@example.org>, jane@example.org")
        for importance in [Importance.low, .normal, .high] {
            let read = try header { $0.importance = importance }
            #expect(Importance(fieldValue: read["X-Priority"]!) == importance)
            #expect(Importance(fieldValue: read["Importance"]!) == importance)
        }
    }

    @Test("say what it is about and where it comes from")
    func information() throws {
        let read = try header {
            $0.keywords = ["plan", "Größe, Farbe", "a, b", "x y"]
            $0.comments = "Grüße"
            $0.contentLanguage = ["de", "zh-Hant"]
            $0.organization = "Example e.V."
            $0.userAgent = "Martlet/1.0 (Linux)"
        }
        #expect(read.decoded("Keywords") == "plan, Größe, Farbe , \"a, b\", x y")
        #expect(read.decoded("Comments") == "Grüße")
        #expect(read["Content-Language"] == "de, zh-Hant")
        #expect(read["Organization"] == "Example e.V.")
        #expect(read["User-Agent"] == "Martlet/1.0 (Linux)")
    }

    @Test("tell of a mailing list")
    func list() throws {
        let mailto = try ListLink("mailto:list-help@example.org?subject=help")
        let https = try ListLink("https://example.org/list")
        let read = try header {
            $0.list.id = try ListIdentifier("news.example.org", name: "Neues für alle")
            $0.list.help = [mailto]
            $0.list.subscribe = [https, mailto]
            $0.list.post = .forbidden
            $0.list.owner = [mailto]
            $0.list.archive = [https]
            $0.list.unsubscribe = try Unsubscription([mailto])
        }
        #expect(read.decoded("List-ID") == "Neues für alle <news.example.org>")
        #expect(read["List-Help"] == "<mailto:list-help@example.org?subject=help>")
        #expect(
            read["List-Subscribe"]
                == "<https://example.org/list>, <mailto:list-help@example.org?subject=help>")
        #expect(read["List-Post"] == "NO")
        #expect(
            read["List-Owner"] == read["List-Help"] && read["List-Unsubscribe"] == read["List-Help"]
        )
        #expect(read["List-Archive"] == "<https://example.org/list>")
        #expect(read["List-Unsubscribe-Post"] == nil)
        #expect(
            try header { $0.list.id = try ListIdentifier("a.b") }["List-ID"] == "<a.b>")
        #expect(
            try header { $0.list.post = .links([mailto]) }["List-Post"] == read["List-Help"])
    }

    @Test("one click is whole or not at all")
    func oneClick() throws {
        let https = try ListLink("https://example.org/u?id=1")
        let mailto = try ListLink("mailto:u@example.org")
        let read = try header {
            $0.list.unsubscribe = try Unsubscription(oneClick: https, mailto: mailto)
        }
        #expect(read["List-Unsubscribe"] == "<https://example.org/u?id=1>, <mailto:u@example.org>")
        #expect(read["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click")
        let message = Message(
            parsing: Array("List-Unsubscribe: \(read["List-Unsubscribe"]!)\r\n\r\n".utf8))
        let links = ListURIs.parse(message.root.header["List-Unsubscribe"]!.rawValue).value
        let way = OneClickUnsubscribe(
            unsubscribe: links, post: Array(read["List-Unsubscribe-Post"]!.utf8),
            isCoveredBySignature: true)
        #expect(way?.uri == https.uri)
        for link in [
            "http://example.org", "mailto:a@b", "https:", "https://", "https:///x", "https://?x",
        ] {
            #expect(throws: CompositionError.self) {
                try Unsubscription(oneClick: try ListLink(link))
            }
        }
        #expect(throws: CompositionError.self) {
            try Unsubscription(oneClick: https, mailto: https)
        }
        #expect(throws: CompositionError.self) { try Unsubscription([]) }
        let error = #expect(throws: CompositionError.self) {
            try header {
                try $0.extraFields.append("List-Unsubscribe-Post", "List-Unsubscribe=One-Click")
            }
        }
        #expect(error?.kind == .reserved)
    }

    @Test(
        "a link is a URI that stays one where it stands",
        arguments: [
            "", "x", ":", "mailto:", "1a:b", "mailto:a b", "mailto:a>b", "a:b,c", "a:\"", "http:é",
            "a:\r\nBcc: x", "a:" + String(repeating: "x", count: 900),
        ])
    func links(uri: String) {
        #expect(throws: CompositionError.self) { try ListLink(uri) }
    }

    @Test(
        "a list's identifier is words with dots between",
        arguments: ["", "a", "a.", ".a", "a..b", "a b.c", "a@b.c", "é.example", "a.b\r\nx: y"])
    func listIDs(identifier: String) {
        #expect(throws: CompositionError.self) { try ListIdentifier(identifier) }
        #expect(throws: CompositionError.self) { try ListIdentifier("a.b", name: "x\u{7}") }
    }

    @Test(
        "a keyword of a field is a token",
        arguments: ["", "a b", "a;b", "é", "x\r\nBcc: y", "a\u{0}"])
    func tokens(text: String) {
        #expect(throws: CompositionError.self) { try AutoSubmission(text) }
        #expect(throws: CompositionError.self) { try Precedence(text) }
        #expect(throws: CompositionError.self) { try header { $0.contentLanguage = [text] } }
    }

    @Test("cannot be smuggled into", arguments: InjectionTests.evil)
    func injection(evil: String) throws {
        let changes: [(String, (inout OutgoingMessage) throws -> Void)] = [
            ("Keywords", { $0.keywords = ["a", evil] }), ("Comments", { $0.comments = evil }),
            ("Organization", { $0.organization = evil }), ("User-Agent", { $0.userAgent = evil }),
            ("Content-Language", { $0.contentLanguage = [evil] }),
            ("The name of a group", { $0.toGroups = [try MailboxGroup(evil)] }),
            ("List-ID", { $0.list.id = try ListIdentifier("a.b", name: evil) }),
            ("A link", { $0.list.help = [try ListLink("a:" + evil)] }),
            ("Auto-Submitted", { $0.autoSubmission = try AutoSubmission(evil) }),
            ("Calendar", { $0.calendar = try CalendarObject(evil) }),
        ]
        for (field, change) in changes {
            let error = #expect(throws: CompositionError.self) { try header(change) }
            #expect(error?.field == field)
        }
    }

    @Test("cannot come a second time among the extra ones, if they were written")
    func twice() throws {
        let error = #expect(throws: CompositionError.self) {
            try header {
                $0.importance = .low
                try $0.extraFields.append("X-PRIORITY", "1")
            }
        }
        #expect(error?.kind == .reserved)
        #expect(
            try header { try $0.extraFields.append("Importance", "low") }["Importance"] == "low")
    }

    @Test("texts beyond their limit are refused, by field")
    func limits() throws {
        let long = String(repeating: "é", count: MessageHeader.textLimit)
        for change in [
            { $0.comments = long }, { $0.organization = long }, { $0.keywords = [long] },
        ] as [(inout OutgoingMessage) -> Void] {
            let error = #expect(throws: CompositionError.self) { try header(change) }
            #expect(error?.kind == .tooLong(limit: MessageHeader.textLimit))
        }
    }
}

@Suite("Groups of recipients")
struct MailboxGroupTests {
    @Test("stand behind the mailboxes, and their members are recipients")
    func written() throws {
        var message = OutgoingMessage(from: jane, to: [bob])
        message.toGroups = [
            try MailboxGroup("Friends", members: [jane, bob]), try MailboxGroup("A, B"),
            try MailboxGroup("Größe", members: [jane]), try MailboxGroup("Ä"),
        ]
        message.ccGroups = [try MailboxGroup("undisclosed-recipients")]
        #expect(message.recipients.map(\.addrSpec) == ["bob@example.org", "jane@example.org"])
        let read = try ReadMessage(try #require(try message.rendered().octetsInMemory))
        #expect(
            read.decoded("To")
                == "Bob <bob@example.org>, Friends: jane@example.org, Bob <bob@example.org>;, "
                + "\"A, B\":;, Größe : jane@example.org;, Ä :;")
        #expect(read["Cc"] == "undisclosed-recipients:;")
        let groups = Message(parsing: try #require(try message.rendered().octetsInMemory)).root.to
        #expect(groups.entries.count == 5 && groups.invalidEntries.isEmpty)
    }

    @Test("an address in one that needs SMTPUTF8 or A-labels gets them like any other")
    func international() throws {
        var message = OutgoingMessage(from: jane)
        message.toGroups = [
            try MailboxGroup("x", members: [try MailboxAddress("j@bücher.example")])
        ]
        let options = RenderingOptions(domainToASCII: { _ in "xn--bcher-kva.example" })
        let read = try ReadMessage(try #require(try message.rendered(options).octetsInMemory))
        #expect(read["To"] == "x: j@xn--bcher-kva.example;")
        message.ccGroups = [
            try MailboxGroup("y", members: [try MailboxAddress("jürgen@example.org")])
        ]
        let error = #expect(throws: CompositionError.self) { try message.rendered(options) }
        #expect(error?.kind == .needsSMTPUTF8 && error?.field == "Cc")
        #expect(throws: CompositionError.self) { try MailboxGroup("") }
    }
}

@Suite("EnvelopeID")
struct EnvelopeIDTests {
    @Test(
        "is xtext", arguments: [("a", "a"), ("a+b=c d", "a+2Bb+3Dc+20d"), ("x@y.org", "x@y.org")])
    func xtext(text: String, encoded: String) throws {
        #expect(try EnvelopeID(text).xtext == encoded)
    }

    @Test("is refused where it cannot be written", arguments: ["", "é", "a\r\nb", "a\u{7F}"])
    func refused(text: String) {
        #expect(throws: CompositionError.self) { try EnvelopeID(text) }
        #expect(throws: CompositionError.self) {
            try EnvelopeID(String(repeating: "x", count: 101))
        }
        #expect(throws: CompositionError.self) { try EnvelopeID(String(repeating: "+", count: 34)) }
    }

    @Test("of a message is its name, or one of its own that fits")
    func ofMessage() throws {
        #expect(EnvelopeID(try MessageID("a@b")).text == "a@b")
        let long = (1...9).map {
            try! MessageID(String(repeating: "+", count: 40) + "\($0)@example.org")
        }
        let ids = long.map { EnvelopeID($0) }
        #expect(Set(ids).count == 9)
        for id in ids { #expect(id.xtext.utf8.count <= 100) }
        #expect(ids[0] == EnvelopeID(long[0]))
    }
}

@Suite("CalendarObject")
struct CalendarObjectTests {
    @Test("has the method of its object and no other")
    func method() throws {
        func part(_ lines: String) throws -> CalendarObject {
            try CalendarObject("BEGIN:VCALENDAR\n\(lines)END:VCALENDAR\n")
        }
        #expect(try part("VERSION:2.0\nmethod:cancel\n").method == "CANCEL")
        #expect(try part("VERSION:2.0\n").method == nil)
        #expect(try part("BEGIN:VEVENT\nMETHOD:REPLY\nEND:VEVENT\n").method == nil)
        #expect(throws: CompositionError.self) { try part("METHOD:a b\n") }
        #expect(throws: CompositionError.self) { try part("METHOD:\n") }
        #expect(throws: CompositionError.self) { try CalendarObject("") }
        #expect(throws: CompositionError.self) { try CalendarObject("BEGIN:VEVENT") }
    }
}
