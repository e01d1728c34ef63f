import MartletBytes
import MartletSMTPCore
import Testing

@Suite("Client session")
struct SMTPSessionTests {
    @Test("matches replies to commands in order, and keeps what EHLO says")
    func order() throws {
        var it = Dialogue()
        let greeting = try it.server("220 mx ESMTP")
        #expect(greeting.map(\.code) == [220])
        #expect(try it.client(EHLO(EHLOName("[192.0.2.1]"))) == "EHLO [192.0.2.1]\r\n")
        try it.server(
            "250-mx\r\n250-SIZE 1000\r\n250-AUTH=LOGIN\r\n250-auth PLAIN LOGIN\r\n250 PIPELINING")
        #expect(it.session.capabilities.serverName == "mx")
        #expect(it.session.capabilities.maximumSizeInOctets == 1000)
        #expect(it.session.capabilities.authenticationMechanisms == ["LOGIN", "PLAIN"])
        #expect(it.session.isIdle)
    }

    @Test("writes nothing before the greeting, and nothing out of order")
    func outOfOrder() throws {
        var it = Dialogue()
        let early = error { _ = try it.client(Noop()) }
        guard case .outOfOrder = early?.kind else {
            Issue.record("\(String(describing: early))")
            return
        }
        #expect(it.output.octets.isEmpty)
        it = try Dialogue(offering: [])
        _ = try it.client(MailFrom(.null))
        #expect(error { _ = try it.client(RcptTo(ForwardPath("a@example.org"))) } != nil)
        it = try Dialogue(offering: ["PIPELINING"])
        _ = try it.client(MailFrom(.null))
        _ = try it.client(RcptTo(ForwardPath("a@example.org")))
        #expect(error { _ = try it.client(DataCommand()) } != nil)
        #expect(error { _ = try it.client(EndOfData()) } != nil)
        #expect(it.output.octets.isEmpty)
    }

    @Test("forgets at TLS what was said before")
    func startTLS() throws {
        var it = try Dialogue(offering: ["STARTTLS", "SIZE 5"])
        _ = try it.client(StartTLS())
        #expect(try it.server("220 go").map(\.code) == [220])
        #expect(error { _ = try it.client(Noop()) } != nil)
        try it.session.tlsStarted()
        #expect(it.session.isEncrypted)
        #expect(it.session.capabilities == SMTPCapabilities())
        #expect(error { _ = try it.client(StartTLS()) } != nil)
    }

    @Test("closes when plain octets follow the reply to STARTTLS", arguments: [true, false])
    func injection(inOneSegment: Bool) throws {
        var it = try Dialogue(offering: ["STARTTLS"])
        _ = try it.client(StartTLS())
        let thrown = error {
            if inOneSegment {
                _ = try it.server("220 go\r\n250 AUTH PLAIN")
            } else {
                try it.server("220 go")
                it.session.receive(octets("2"))
                try it.session.tlsStarted()
            }
        }
        guard case .injectedPlaintext = thrown?.kind else {
            Issue.record("\(String(describing: thrown))")
            return
        }
        #expect(it.session.isOver)
        #expect(thrown?.recovery == .giveUp)
    }

    @Test("does not even tell the reply to STARTTLS when plain octets came with it")
    func injectionBeforeReply() throws {
        var it = try Dialogue(offering: ["STARTTLS"])
        _ = try it.client(StartTLS())
        it.session.receive(octets("220 go\r\n2"))
        #expect(error { _ = try it.session.nextReply() } != nil)
    }

    @Test("goes on in the clear when STARTTLS is refused")
    func startTLSRefused() throws {
        var it = try Dialogue(offering: ["STARTTLS"])
        _ = try it.client(StartTLS())
        let reply = try #require(try it.server("454 4.7.0 TLS not available").first)
        let thrown = error { try StartTLS().interpret(reply) }
        #expect(thrown?.recovery == .retry(after: nil))
        #expect(try it.client(Noop()) == "NOOP\r\n")
    }

    @Test("takes 421 as the end at any time, and says the server's words")
    func serviceClosing() throws {
        var it = try Dialogue(offering: [])
        let idle = error { try it.server("421 4.4.2 idle timeout") }
        #expect(idle?.reply?.text == "idle timeout")
        #expect(idle?.recovery == .reconnect)
        #expect(error { _ = try it.client(Noop()) }?.reply?.code == 421)
        it = try Dialogue(offering: [])
        _ = try it.client(MailFrom(.null))
        let busy = error { try it.server("421 too busy") }
        #expect(busy?.stage == .mailFrom)
        #expect(busy?.recovery == .retry(after: nil))
    }

    @Test("does not believe a reply that nothing asked for")
    func unsolicited() throws {
        var it = try Dialogue(offering: [])
        let thrown = error { try it.server("250 here you are") }
        guard case .protocolViolation = thrown?.kind else {
            Issue.record("\(String(describing: thrown))")
            return
        }
        #expect(it.session.isOver)
    }

    @Test("says what it was doing when the connection ends")
    func closed() throws {
        var it = Dialogue()
        #expect(it.session.peerClosed()?.stage == .greeting)
        it = try Dialogue(offering: [])
        _ = try it.client(MailFrom(.null))
        #expect(it.session.peerClosed()?.stage == .mailFrom)
        it = try Dialogue(offering: [])
        #expect(it.session.peerClosed()?.stage == .idle)
        it = try Dialogue(offering: [])
        _ = try it.client(Quit())
        #expect(it.session.peerClosed() == nil)
    }

    @Test("refuses a server that takes no mail")
    func greeting554() {
        var it = Dialogue()
        let thrown = error { try it.server("554 no SMTP service here") }
        #expect(thrown?.stage == .greeting)
        #expect(thrown?.recovery == .giveUp)
        #expect(
            thrown?.description == "the server closed the connection: 554 \"no SMTP service here\"."
        )
    }

    @Test("logs in by challenge and keeps secrets out of the log")
    func login() throws {
        var it = try Dialogue(offering: ["AUTH LOGIN"])
        _ = try it.client(Auth(mechanism: "LOGIN"))
        let prompt = try #require(try it.server("334 VXNlcm5hbWU6").first)
        #expect(try Auth(mechanism: "LOGIN").interpret(prompt) == .challenge(octets("Username:")))
        #expect(error { _ = try it.client(Noop()) } != nil)
        let response = AuthResponse(Secret("alice"))
        try it.session.submit(response, into: &it.output)
        #expect(String(decoding: it.output.redacted, as: UTF8.self) == "•••\r\n")
        #expect(it.takeOutput() == "YWxpY2U=\r\n")
        let done = try #require(try it.server("235 2.7.0 ok").first)
        #expect(try response.interpret(done) == .succeeded)
        #expect(it.session.isIdle)
    }
}
