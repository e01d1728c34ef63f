import MartletBytes
import MartletSMTPCore
import Testing

@Suite("Mail transaction")
struct MailTransactionTests {
    static func envelope(_ recipients: String...) throws -> DeliveryEnvelope {
        DeliveryEnvelope(
            reversePath: try ReversePath("a@example.org"),
            forwardPaths: try recipients.map { try ForwardPath($0) })
    }

    /// Feeds replies and collects what is written after each of them.
    struct Run {
        var it: Dialogue
        var transaction: MailTransaction
        var report: DeliveryReport?

        init(_ it: Dialogue, _ envelope: DeliveryEnvelope) throws {
            self.it = it
            transaction = try MailTransaction(
                envelope, .init(sizeInOctets: 3), capabilities: it.session.capabilities)
        }

        mutating func start() throws -> String {
            try transaction.start(on: &it.session, into: &it.output)
            return it.takeOutput()
        }

        mutating func server(_ lines: String) throws -> String {
            for reply in try it.server(lines) {
                switch try transaction.receive(reply, on: &it.session, into: &it.output) {
                case .awaitReply: break
                case .sendBody:
                    var stuffer = DotStuffer()
                    stuffer.append(octets("x\r\n"), to: &it.output.octets)
                    try transaction.bodyEnds(on: &it.session, into: &it.output)
                    stuffer.finish(into: &it.output.octets)
                case .finished(let report): self.report = report
                }
            }
            return it.takeOutput()
        }
    }

    @Test("names sender and recipients in one batch where the server allows it, but never DATA")
    func pipelined() throws {
        var run = try Run(
            Dialogue(offering: ["PIPELINING", "SIZE"]),
            Self.envelope("b@example.org", "c@example.org"))
        #expect(
            try run.start()
                == "MAIL FROM:<a@example.org> SIZE=3\r\nRCPT TO:<b@example.org>\r\nRCPT TO:<c@example.org>\r\n"
        )
        #expect(try run.server("250 ok\r\n250 ok") == "")
        #expect(try run.server("550 5.1.1 no such user") == "DATA\r\n")
        #expect(try run.server("354 go") == "x\r\n.\r\n")
        #expect(try run.server("250 2.0.0 queued as 7") == "")
        let report = try #require(run.report)
        #expect(!report.allAccepted)
        #expect(report.accepted.map(\.path.description) == ["b@example.org"])
        #expect(report.refused.map(\.path.description) == ["c@example.org"])
        #expect(report.refused[0].isRefusedForGood)
        #expect(report.finalReply?.text == "queued as 7")
        #expect(run.it.session.isIdle)
    }

    @Test("goes one by one where the server does not")
    func oneByOne() throws {
        var run = try Run(Dialogue(offering: []), Self.envelope("b@example.org", "c@example.org"))
        #expect(try run.start() == "MAIL FROM:<a@example.org>\r\n")
        #expect(try run.server("250 ok") == "RCPT TO:<b@example.org>\r\n")
        #expect(try run.server("450 later") == "RCPT TO:<c@example.org>\r\n")
        #expect(try run.server("250 ok") == "DATA\r\n")
        #expect(try run.server("354 go") == "x\r\n.\r\n")
        #expect(try run.server("250 ok") == "")
        #expect(run.report?.recipients.map(\.isRefusedForNow) == [true, false])
    }

    @Test("sends nothing when every recipient is refused, and leaves the session ready")
    func allRefused() throws {
        var run = try Run(Dialogue(offering: ["PIPELINING"]), Self.envelope("b@example.org"))
        _ = try run.start()
        #expect(try run.server("250 ok\r\n550 5.1.1 no such user") == "RSET\r\n")
        let thrown = error { _ = try run.server("250 ok") }
        guard case .allRecipientsRefused(let report) = thrown?.kind else {
            Issue.record("\(String(describing: thrown))")
            return
        }
        #expect(report.finalReply == nil)
        #expect(report.accepted.isEmpty)
        #expect(thrown?.recovery == .fixInput)
        #expect(
            thrown?.description
                == "the server refused b@example.org: 550 5.1.1 \"no such user\". Check the address."
        )
        #expect(run.it.session.isIdle)
    }

    @Test("tells the refusal, not that the connection ended after it")
    func closedAfterRefusal() throws {
        var run = try Run(Dialogue(offering: []), Self.envelope("b@example.org"))
        _ = try run.start()
        _ = try run.server("250 ok")
        _ = try run.server("550 no")
        let closed = run.it.session.peerClosed()
        let failure = try #require(closed)
        guard case .allRecipientsRefused = run.transaction.cause(of: failure).kind else {
            Issue.record("\(failure)")
            return
        }
    }

    @Test("passes over the recipients' replies when the sender is refused")
    func senderRefused() throws {
        var run = try Run(
            Dialogue(offering: ["PIPELINING"]), Self.envelope("b@example.org", "c@example.org"))
        _ = try run.start()
        #expect(try run.server("550 5.7.1 not you\r\n503 no") == "")
        let thrown = error { _ = try run.server("503 no") }
        #expect(thrown?.stage == .mailFrom)
        #expect(thrown?.reply?.text == "not you")
        #expect(run.it.session.isIdle)
    }

    @Test("resets when DATA is refused")
    func dataRefused() throws {
        var run = try Run(Dialogue(offering: []), Self.envelope("b@example.org"))
        _ = try run.start()
        _ = try run.server("250 ok")
        _ = try run.server("250 ok")
        #expect(try run.server("451 later") == "RSET\r\n")
        let thrown = error { _ = try run.server("250 ok") }
        #expect(thrown?.stage == .data)
        #expect(thrown?.recovery == .retry(after: nil))
    }

    @Test("reports a server that cuts the message short, and a loss it cannot decide")
    func endings() throws {
        var run = try Run(Dialogue(offering: []), Self.envelope("b@example.org"))
        _ = try run.start()
        _ = try run.server("250 ok")
        _ = try run.server("250 ok")
        _ = try run.server("354 go")
        let lost = run.it.session.peerClosed()
        #expect(lost?.stage == .endOfData)
        #expect(lost?.deliveryIsUncertain == true)
        #expect(lost?.recovery == .giveUp)
        run = try Run(Dialogue(offering: []), Self.envelope("b@example.org"))
        _ = try run.start()
        _ = try run.server("250 ok")
        _ = try run.server("250 ok")
        let reply = try #require(try run.it.server("354 go").first)
        _ = try run.transaction.receive(reply, on: &run.it.session, into: &run.it.output)
        let cut = error { try run.it.server("552 5.3.4 too big") }
        #expect(cut?.stage == .body)
        #expect(cut?.reply?.text == "too big")
        #expect(cut?.endsConnection == true)
        #expect(cut?.recovery == .fixInput)
    }

    @Test("is refused before a byte is written when the server cannot take it")
    func capabilities() throws {
        let it = try Dialogue(offering: ["SIZE 10"])
        let plain = try Self.envelope("b@example.org")
        func attempt(_ envelope: DeliveryEnvelope, _ content: MailTransaction.Content) -> SMTPError?
        {
            error {
                _ = try MailTransaction(envelope, content, capabilities: it.session.capabilities)
            }
        }
        guard case .messageTooLarge(11, 10) = attempt(plain, .init(sizeInOctets: 11))?.kind,
            case .needs8BitMIME = attempt(plain, .init(sizeInOctets: 1, is8Bit: true))?.kind,
            case .needsSMTPUTF8("ü@example.org") =
                attempt(try Self.envelope("ü@example.org"), .init(sizeInOctets: 1))?.kind,
            case .invalidInput = attempt(try Self.envelope(), .init(sizeInOctets: 1))?.kind
        else {
            Issue.record("not refused as expected")
            return
        }
        #expect(attempt(plain, .init(sizeInOctets: 10)) == nil)
    }

    @Test(
        "an address that needs SMTPUTF8 keeps its place in the report and is not named to the server"
    )
    func unreachable() throws {
        var it = try Dialogue(offering: ["PIPELINING"])
        let envelope = try Self.envelope("ü@example.org", "b@example.org", "ä@example.org")
        var output = SMTPEncoder()
        var transaction = try MailTransaction(
            envelope, .init(sizeInOctets: 1), capabilities: it.session.capabilities)
        try transaction.start(on: &it.session, into: &output)
        #expect(!output.octets.contains { $0 >= 0x80 })
        output.removeAll()
        var report: DeliveryReport?
        it.session.receive(Array("250 ok\r\n250 ok\r\n".utf8))
        while let reply = try it.session.nextReply() {
            _ = try transaction.receive(reply, on: &it.session, into: &output)
        }
        it.session.receive(Array("354 go\r\n".utf8))
        _ = try transaction.receive(
            try #require(try it.session.nextReply()), on: &it.session, into: &output)
        try transaction.bodyEnds(on: &it.session, into: &output)
        it.session.receive(Array("250 kept\r\n".utf8))
        if case .finished(let finished) = try transaction.receive(
            try #require(try it.session.nextReply()), on: &it.session, into: &output)
        {
            report = finished
        }
        #expect(report?.recipients.map(\.path) == envelope.forwardPaths)
        #expect(report?.recipients.map(\.isAccepted) == [false, true, false])
        #expect(report?.recipients[0].outcome == .needsSMTPUTF8)
        #expect(report?.recipients[0].isRefusedForGood == true)
    }
}
