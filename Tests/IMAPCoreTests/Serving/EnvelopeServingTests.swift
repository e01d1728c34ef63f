import MartletBytes
import MartletMIME
import MartletTestSupport
import Testing

@testable import MartletIMAPCore

@Suite("Served envelopes")
struct EnvelopeServingTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var value: String
        var addresses: String
        var testDescription: String { value }

        init(_ value: String, _ addresses: String) {
            self.value = value
            self.addresses = addresses
        }
    }

    static let addressCases = [
        Case("a@example.com", #"((NIL NIL "a" "example.com"))"#),
        Case("A B <a@example.com>", #"(("A B" NIL "a" "example.com"))"#),
        Case(
            "\"B, A\" <a@example.com>,b@example.org",
            #"(("B, A" NIL "a" "example.com")(NIL NIL "b" "example.org"))"#),
        Case(
            #""Q \"x\"" <"q p"@example.com>"#,
            #"(("Q \"x\"" NIL "q p" "example.com"))"#),
        Case(
            "=?utf-8?Q?J=C3=B6rg?= <j@example.com>",
            #"(("=?utf-8?Q?J=C3=B6rg?=" NIL "j" "example.com"))"#),
        Case("Jörg <j@example.com>", #"(({5}|Jörg NIL "j" "example.com"))"#),
        Case(
            "<@r1.test,@r2.test:a@example.com>", #"((NIL "@r1.test,@r2.test" "a" "example.com"))"#),
        Case("a@example.com (A Name)", #"(("A Name" NIL "a" "example.com"))"#),
        Case("(c) A (d) B <a@example.com> (e)", #"(("A B" NIL "a" "example.com"))"#),
        Case(
            "G: c@example.com, D <d@example.org>;",
            #"((NIL NIL "G" NIL)(NIL NIL "c" "example.com")("D" NIL "d" "example.org")(NIL NIL NIL NIL))"#
        ),
        Case(
            "undisclosed-recipients:;",
            #"((NIL NIL "undisclosed-recipients" NIL)(NIL NIL NIL NIL))"#),
        Case(
            "G: a@example.com", #"((NIL NIL "G" NIL)(NIL NIL "a" "example.com")(NIL NIL NIL NIL))"#),
        Case(
            "x:y:a@b.test;",
            #"((NIL NIL "x" NIL)(NIL NIL NIL NIL)(NIL NIL "y" NIL)(NIL NIL "a" "b.test")(NIL NIL NIL NIL))"#
        ),
        Case("a@[192.0.2.1]", #"((NIL NIL "a" "[192.0.2.1]"))"#),
        Case("<a@[IPv6:2001:db8::1]>", #"((NIL NIL "a" "[IPv6:2001:db8::1]"))"#),
        Case("a . b @ example . com", #"((NIL NIL "a.b" "example.com"))"#),
        Case("A B a@example.com", #"(("A B" NIL "a" "example.com"))"#),
        Case("<a@example.com> A B", #"(("A B" NIL "a" "example.com"))"#),
        Case(
            "<a@example.com> <b@example.com>",
            #"((NIL NIL "a" "example.com")(NIL NIL "b" "example.com"))"#),
        Case(
            "A <a@example.com> B <b@example.com>",
            #"(("A" NIL "a" "example.com")("B" NIL "b" "example.com"))"#),
        Case("a@b@example.com", #"((NIL NIL "a@b" "example.com"))"#),
        Case("mailto:a@example.com", #"((NIL NIL "a" "example.com"))"#),
        Case("<mailto:a@example.com>", #"((NIL NIL "a" "example.com"))"#),
        Case("plain", #"((NIL NIL "plain" ".MISSING-HOST-NAME."))"#),
        Case("two words", #"(("two words" NIL "" ".MISSING-HOST-NAME."))"#),
        Case("Team <>", #"(("Team" NIL "" ".MISSING-HOST-NAME."))"#),
        Case("<>", "NIL"),
        Case(",,;,", "NIL"),
        Case("@example.com", #"((NIL NIL "" "example.com"))"#),
        Case(
            "a@, b@example.com",
            #"((NIL NIL "a" ".MISSING-HOST-NAME.")(NIL NIL "b" "example.com"))"#),
        Case(
            "<broken, b@example.com",
            #"((NIL NIL "broken" ".MISSING-HOST-NAME.")(NIL NIL "b" "example.com"))"#),
        Case(
            "A\n <a@example.com>,\n\tB <b@example.com>",
            #"(("A" NIL "a" "example.com")("B" NIL "b" "example.com"))"#),
        Case("\"A\n B\" <a@example.com>", #"(("A B" NIL "a" "example.com"))"#),
    ]

    @Test("addresses stand as RFC 9051 has them", arguments: addressCases)
    func addresses(_ sample: Case) {
        var message = ServedMessage(Samples.octets("To: \(sample.value)\n\n"))
        let wire = Samples.wire(.envelope(.value(MessageEnvelope(of: message.header()))))
        #expect(wire == "(NIL NIL NIL NIL NIL \(sample.addresses) NIL NIL NIL NIL)")
    }

    @Test("Sender and Reply-To are From's where they name nobody")
    func defaults() {
        var message = ServedMessage(
            Samples.octets("Reply-To: \nFrom: a@example.com\nSender: b@example.com\n\n"))
        let envelope = MessageEnvelope(of: message.header())
        #expect(envelope.replyTo == envelope.from)
        #expect(envelope.sender.map(\.mailbox) == [Array("b".utf8)])
        #expect(envelope.from.map(\.mailbox) == [Array("a".utf8)])
    }

    @Test("texts are unfolded and stay as they stood; the first field of a name counts")
    func texts() {
        var message = ServedMessage(
            Samples.octets(
                """
                Subject: =?utf-8?Q?caf=C3=A9?=
                 is \tfolded\u{20}
                Subject: another
                Date: \n Mon, 30 Nov 2026 10:00:00 +0000
                Message-ID:
                 <x@example.com>
                in-reply-to: <a@b> (why) <c@d>
                From: a@example.com
                From: b@example.com

                """))
        #expect(
            Samples.wire(.envelope(.value(MessageEnvelope(of: message.header()))))
                == """
                ("Mon, 30 Nov 2026 10:00:00 +0000" "=?utf-8?Q?caf=C3=A9?= is \tfolded" \
                ((NIL NIL "a" "example.com")(NIL NIL "b" "example.com")) \
                ((NIL NIL "a" "example.com")(NIL NIL "b" "example.com")) \
                ((NIL NIL "a" "example.com")(NIL NIL "b" "example.com")) \
                NIL NIL NIL "<a@b> (why) <c@d>" "<x@example.com>")
                """)
    }

    @Test("an empty field is an empty text, a missing one is NIL")
    func emptyFields() {
        var message = ServedMessage(Samples.octets("Subject:\n\n"))
        #expect(
            Samples.wire(.envelope(.value(MessageEnvelope(of: message.header()))))
                == #"(NIL "" NIL NIL NIL NIL NIL NIL NIL NIL)"#)
    }

    @Test("what no line can hold does not get into it")
    func controls() {
        var message = ServedMessage(
            Array("Subject: a\0b\rc\u{1}d\r\nTo: \"x\0y\rz\" <a\0b@example.com>\r\n\r\n".utf8))
        let item = FetchItem.envelope(.value(MessageEnvelope(of: message.header())))
        #expect(Samples.read(item) == item)
        #expect(!Samples.wire(item).contains("\0"))
        #expect(!Samples.wire(item).contains("~{"))
    }

    @Test(
        "time is linear in what is never closed",
        arguments: ["(", "\"", "<", "[", "@[", "a:", "<@a:", "\\"])
    func hostile(_ sign: String) {
        let value = String(repeating: sign, count: 200_000)
        var message = ServedMessage(Samples.octets("To: \(value)\n\n"))
        let clock = ContinuousClock()
        let time = clock.measure { _ = MessageEnvelope(of: message.header()) }
        #expect(time < .seconds(5))
    }

    @Test("no more addresses than the limit are read of a field")
    func limit() {
        let value = Array(repeating: "a@b", count: 12_000).joined(separator: ",\n ")
        var message = ServedMessage(Samples.octets("To: \(value)\n\n"))
        let count = MessageEnvelope(of: message.header()).to.count
        #expect(count == EnvelopeAddressReader.countLimit)
    }
}
