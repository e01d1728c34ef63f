import MartletBytes
import MartletIMAPCore
import MartletMIME
import MartletTestSupport
import Testing

@Suite("Message envelope")
struct MessageEnvelopeTests {
    private func envelope(_ name: String) throws -> MessageEnvelope {
        let octets = try FuzzSeeds.octets(name, of: "IMAPEnvelope")
        let wire = Array("* 1 FETCH (ENVELOPE ".utf8) + octets + Array(" UID 9)".utf8)
        guard case .fetch(let fetch) = ResponseParser().parse(wire) else {
            throw EndlessCommand(limit: 0)
        }
        #expect(fetch.uid == UID(9) && !fetch.hasDamage)
        return try #require(fetch.envelope)
    }

    @Test("is decoded when it is asked for")
    func usual() throws {
        let envelope = try envelope("usual")
        #expect(envelope.subject == "Grüße")
        #expect(envelope.date?.text == "Mon, 30 Nov 2026 03:22:55 +0100")
        #expect(envelope.messageID?.text == "b@example.org")
        #expect(envelope.inReplyTo.map(\.text) == ["a@example.org"])
        #expect(AddressList(envelope.from).description == "Jane Doe <jane@example.org>")
        #expect(
            AddressList(envelope.to).mailboxes.map(\.addrSpec) == [
                "bob@example.com", "carol@example.net",
            ])
        #expect(envelope.cc.isEmpty && envelope.bcc.isEmpty)
    }

    @Test("has groups")
    func groups() throws {
        let list = AddressList(try envelope("group").to)
        #expect(list.entries.count == 2)
        guard case .group("team", let members)? = list.entries.first else {
            Issue.record("no group")
            return
        }
        #expect(members.count == 2 && list.mailboxes.count == 3)
        #expect(
            AddressList(try envelope("undisclosed").to).entries
                == [.group(name: "undisclosed-recipients", members: [])])
    }

    @Test(
        "has no hosts where servers write a placeholder",
        arguments: ["exchange-missing-host", "dovecot-missing-domain"])
    func placeholders(name: String) throws {
        let envelope = try envelope(name)
        #expect(envelope.from.filter(\.hasPlaceholderHost).count == envelope.from.count)
        #expect(AddressList(envelope.from).mailboxes.isEmpty)
        #expect(AddressList(envelope.from).invalidEntries.count == 1)
    }

    @Test("keeps octets that are no text", arguments: ["qq-raw-gbk"])
    func raw(name: String) throws {
        let envelope = try envelope(name)
        #expect(envelope.subjectOctets == [0xB1, 0xA8, 0xB8, 0xE6])
        #expect(envelope.from.first?.name == [0xD5, 0xC5, 0xC8, 0xFD])
        #expect(AddressList(envelope.from).mailboxes.map(\.addrSpec) == ["zhang@example.com"])
    }

    @Test("may have literals, quotes within quotes, too few and too many fields")
    func odd() throws {
        #expect(try envelope("literals").subject == "say \"hello\"!")
        #expect(try envelope("literals").from.first?.name == Array("Ja\r\nn".utf8))
        #expect(try envelope("short").from.count == 1)
        #expect(try envelope("long").messageID?.text == "e@example.org")
        #expect(try envelope("empty-lists").to.isEmpty)
        #expect(try envelope("nil-in-list").from.count == 1)
        #expect(try envelope("three-in-address").from.first?.mailbox == Array("jane".utf8))
        #expect(try envelope("route").from.first?.route == Array("@relay.example.net".utf8))
    }

    @Test(
        "has a sender of its own where that is not the author alone",
        arguments: [
            "((NIL NIL \"a\" \"example.org\"))", "((NIL NIL \"b\" \"example.org\"))",
            "((NIL NIL \"a\" \"example.org\")(NIL NIL \"b\" \"example.org\"))",
            "(({3}\r\n)() NIL \"a\" \"example.org\"))", "(NIL)", "()", "NIL",
        ])
    func senders(sender: String) throws {
        let author = "((NIL NIL \"a\" \"example.org\"))"
        func parsed(_ from: String, _ sender: String) throws -> MessageEnvelope {
            let fields = "NIL NIL \(from) \(sender) \(sender) NIL NIL NIL NIL NIL"
            let wire = "* 1 FETCH (ENVELOPE (\(fields)))"
            guard case .fetch(let row) = ResponseParser().parse(Array(wire.utf8)) else {
                throw EndlessCommand(limit: 0)
            }
            return try #require(row.envelope)
        }
        let alone = try parsed("NIL", sender)
        for from in [author, sender] {
            let envelope = try parsed(from, sender)
            #expect(envelope.sender == alone.sender && envelope.replyTo == alone.replyTo)
        }
        #expect(try parsed(author, sender).from.count == 1)
    }

    @Test("in which a quote within quotes looks like an end is damaged, and costs no other item")
    func innerQuotes() throws {
        let octets = try FuzzSeeds.octets("inner-quotes", of: "IMAPEnvelope")
        let wire = Array("* 1 FETCH (ENVELOPE ".utf8) + octets + Array(" UID 9)".utf8)
        guard case .fetch(let fetch) = ResponseParser().parse(wire) else { return }
        guard case .envelope(.damaged)? = fetch.items.first else {
            Issue.record("\(fetch.items)")
            return
        }
        #expect(fetch.uid == UID(9))
    }

    @Test("nested 100,000 deep is damaged, and costs no other item", .timeLimit(.minutes(1)))
    func depth() {
        let open = String(repeating: "(", count: 100_000)
        let text = "* 1 FETCH (ENVELOPE \(open)\(open.map { _ in ")" }.joined()) UID 9)"
        guard case .fetch(let fetch) = ResponseParser().parse(Array(text.utf8)) else {
            Issue.record("no FETCH")
            return
        }
        #expect(fetch.hasDamage && fetch.uid == UID(9))
    }
}
