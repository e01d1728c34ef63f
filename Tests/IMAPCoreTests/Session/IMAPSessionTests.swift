import MartletBytes
import Testing

@testable import MartletIMAPCore

@Suite("IMAP session")
struct IMAPSessionTests {
    // MARK: Greeting

    @Test("takes greetings")
    func greetings() {
        var talk = Talk()
        talk.submit(IMAP.Noop())
        #expect(talk.written() == "")
        talk.server("* OK [CAPABILITY IMAP4rev1 IDLE] ready")
        #expect(talk.events == ["greeting OK"])
        #expect(talk.session.capabilities.has(.idle) && talk.session.capabilitiesAreCurrent)
        #expect(talk.session.state == .notAuthenticated)
        #expect(talk.written() == "M1 NOOP|")
        var known = Talk()
        known.server("* PREAUTH hello")
        #expect(known.session.state == .authenticated)
    }

    @Test(
        "refuses what is no greeting",
        arguments: [
            "220 mx.example.org ESMTP", "+OK POP3", "HTTP/1.1 400 Bad", "* 3 EXISTS", "A1 OK x",
        ])
    func noGreeting(line: String) {
        var talk = Talk()
        talk.server(line)
        guard case .protocolViolation? = talk.error?.kind else {
            Issue.record("\(String(describing: talk.error))")
            return
        }
    }

    @Test("tells a server's words when it greets with BYE")
    func greetedWithBye() {
        var talk = Talk()
        talk.server("* BYE too many connections")
        #expect(talk.error?.text?.words == "too many connections")
        #expect(talk.error?.recovery == .retry(after: nil))
    }

    // MARK: Order

    @Test("sends what cannot be mistaken at once, and numbers only behind what keeps them")
    func pipelining() {
        var talk = Talk.selected()
        talk.submit(Words.byUID)
        talk.submit(Words.byUID)
        #expect(talk.written() == "M2 UID FETCH 1 FLAGS|M3 UID FETCH 1 FLAGS|")
        talk.submit(Words.byNumber)
        talk.submit(Words.byNumber)
        talk.submit(Words.byUID)
        #expect(talk.written() == "")
        talk.server("M3 OK", "M2 OK")
        // What expunges may follow a command with numbers: the server has read that before.
        #expect(talk.written() == "M4 FETCH 1 FLAGS|M5 FETCH 1 FLAGS|M6 UID FETCH 1 FLAGS|")
        talk.server("M4 OK", "M5 NO", "M6 BAD")
        #expect(talk.events == ["#2 OK", "#1 OK", "#3 OK", "#4 NO", "#5 BAD"])
        #expect(!talk.session.isBusy)
    }

    @Test("lets nothing run beside what must be alone")
    func exclusive() throws {
        var talk = Talk.selected()
        talk.submit(Words.byUID)
        talk.submit(SelectOnly(mailbox: .inbox))
        talk.submit(Words.byUID)
        #expect(talk.written() == "M2 UID FETCH 1 FLAGS|")
        talk.server("M2 OK")
        #expect(talk.written() == "M3 SELECT INBOX|")
        talk.server("* 9 EXISTS", "M3 OK")
        #expect(talk.written() == "M4 UID FETCH 1 FLAGS|")
        #expect(talk.session.mailbox?.name == .inbox && talk.session.mailbox?.messageCount == 9)
    }

    @Test("has no mailbox after a SELECT that failed, and says so to what needs one")
    func failedSelect() {
        var talk = Talk.selected()
        talk.submit(SelectOnly(mailbox: .inbox))
        talk.submit(Words.byUID)
        talk.server("M2 NO [NONEXISTENT] none")
        #expect(talk.session.state == .authenticated)
        #expect(talk.events == ["#1 NO", "#2 failed outOfOrder"])
    }

    @Test("has a limit of commands under way")
    func pipelineLimit() {
        var talk = Talk.selected()
        for _ in 0..<200 { talk.submit(IMAP.Noop()) }
        #expect(talk.written().split(separator: "|").count == IMAPSession.pipelineLimit)
        talk.server("M2 OK", "M3 OK")
        #expect(talk.written() == "M66 NOOP|M67 NOOP|")
    }

    @Test("needs a login first")
    func order() {
        var talk = Talk()
        talk.server("* OK hi")
        talk.submit(Words.byUID)
        #expect(talk.events.last == "#0 failed outOfOrder")
        #expect(talk.written() == "")
    }

    // MARK: Literals

    @Test("waits for + before a literal, and goes on with what follows")
    func literal() {
        var talk = Talk.selected()
        talk.submit(Words(name: "X", literal: Array("abc".utf8)))
        talk.submit(IMAP.Noop())
        #expect(talk.written() == "M2 X {3}|")
        talk.server("* 4 EXISTS", "+ go on")
        #expect(talk.written() == "abc|M3 NOOP|")
        talk.server("M2 OK", "M3 OK")
        #expect(talk.events == ["exists 4", "#1 OK", "#2 OK"])
    }

    @Test("drops a literal that was refused, and writes what comes after it")
    func refusedLiteral() {
        var talk = Talk.selected()
        talk.submit(Words(name: "X", literal: Array("abc".utf8)))
        talk.submit(IMAP.Noop())
        #expect(talk.written() == "M2 X {3}|")
        talk.server("M2 NO [TOOBIG] no")
        #expect(talk.events == ["#1 NO"])
        #expect(talk.written() == "M3 NOOP|")
    }

    @Test("does not wait where the server takes literals at once, and forgives a + all the same")
    func literalPlus() {
        var talk = Talk.selected("IMAP4rev1 LITERAL+")
        talk.submit(Words(name: "X", literal: Array("abc".utf8)))
        #expect(talk.written() == "M2 X {3+}|abc|")
        talk.server("+ OK", "M2 OK")
        #expect(talk.events == ["other", "#1 OK"])
        var small = Talk.selected("IMAP4rev1 LITERAL-")
        small.submit(Words(name: "X", literal: Array(repeating: 0x61, count: 4096)))
        small.submit(Words(name: "X", literal: Array(repeating: 0x61, count: 4097)))
        #expect(small.written().hasSuffix("|M3 X {4097}|"))
    }

    @Test("takes a bare + from Proton's bridge")
    func bareContinuation() {
        var talk = Talk.selected()
        talk.submit(Words(name: "X", literal: Array("abc".utf8)))
        _ = talk.written()
        talk.server("+")
        #expect(talk.written() == "abc|")
    }

    // MARK: IDLE

    @Test(
        "tells what happens in IDLE, and ends it for the next command", arguments: [1, 7, Int.max])
    func idle(step: Int) {
        var talk = Talk.selected(step: step)
        talk.submit(IMAP.Idle())
        #expect(talk.written() == "M2 IDLE|")
        talk.server("* 4 EXISTS", "+ idling", "* 5 EXISTS", "* OK Still here")
        #expect(talk.events == ["exists 4", "#1 idling", "exists 5", "other"])
        #expect(talk.session.isIdling)
        talk.submit(IMAP.Noop())
        #expect(talk.written() == "DONE|")
        talk.server("M2 OK done")
        #expect(talk.written() == "M3 NOOP|")
    }

    @Test("sends DONE only once the server has said +")
    func doneRacing() {
        var talk = Talk.selected()
        talk.submit(IMAP.Idle())
        #expect(talk.written() == "M2 IDLE|")
        talk.session.endIdle()
        talk.session.endIdle()
        #expect(talk.written() == "")
        talk.server("+ idling")
        #expect(talk.written() == "DONE|")
        talk.session.endIdle()
        #expect(talk.written() == "")
        talk.server("M2 OK")
        #expect(!talk.session.isBusy && talk.written() == "")
    }

    @Test("forgives a server that ends IDLE while DONE is on its way")
    func idleEndedByServer() {
        var talk = Talk.selected()
        talk.submit(IMAP.Idle())
        _ = talk.written()
        talk.server("+ idling")
        talk.session.endIdle()
        #expect(talk.written() == "DONE|")
        talk.server("M2 OK timed out", "DONE BAD unknown command")
        #expect(talk.error == nil)
        talk.submit(IMAP.Noop())
        #expect(talk.written() == "M3 NOOP|")
    }

    @Test("does not send DONE behind an IDLE that was refused")
    func idleRefused() {
        var talk = Talk.selected()
        talk.submit(IMAP.Idle())
        talk.submit(IMAP.Noop())
        #expect(talk.written() == "M2 IDLE|")
        talk.server("M2 NO not now")
        #expect(talk.written() == "M3 NOOP|")
    }

    // MARK: The mailbox

    @Test("keeps numbers and UIDs together through EXPUNGE and VANISHED")
    func numbers() {
        var talk = Talk.selected()
        talk.server(
            "* 1 FETCH (UID 10 FLAGS ())", "* 2 FETCH (UID 20 FLAGS ())",
            "* 3 FETCH (UID 30 FLAGS ())")
        talk.server("* 2 EXPUNGE", "* 2 FETCH (FLAGS (\\Seen))", "* 9 EXPUNGE", "* VANISHED 10,30")
        #expect(
            talk.events == [
                "changed 1 10", "changed 2 20", "changed 3 30", "expunged 2 20", "changed 2 30",
                "lost",
                "vanished 10,30",
            ])
        #expect(talk.session.mailbox?.messageCount == 0)
    }

    @Test("believes FETCH before EXISTS, and does not believe absurd VANISHED")
    func absurd() {
        var talk = Talk.selected()
        talk.server("* 5 FETCH (UID 50 FLAGS ())", "* 5 EXISTS")
        #expect(talk.session.mailbox?.messageCount == 5)
        talk.server("* VANISHED 1:*")
        #expect(talk.session.mailbox?.messageCount == 4)
        #expect(talk.events.suffix(2) == ["lost", "vanished 1:*"])
        talk.server("* 2 EXISTS")
        #expect(talk.events.suffix(2) == ["lost", "exists 2"])
    }

    @Test("starts anew at CLOSED, and hears codes wherever they stand")
    func codes() {
        var talk = Talk.selected()
        talk.submit(SelectOnly(mailbox: .inbox))
        talk.server(
            "* 2 EXPUNGE", "* OK [CLOSED] old one", "* 7 EXISTS", "* OK [UIDVALIDITY 9] v",
            "* OK [UIDNEXT 12] n",
            "* OK [HIGHESTMODSEQ 0] m", "* OK [PERMANENTFLAGS (\\Seen \\*)] f",
            "* FLAGS (\\Seen $Junk)",
            "* OK [MAILBOXID (F1)] i", "M2 OK [READ-ONLY] done")
        let mailbox = talk.session.mailbox
        #expect(mailbox?.messageCount == 7 && mailbox?.uidValidity == UIDValidity(9))
        #expect(
            mailbox?.uidNext == UID(12) && mailbox?.highestModSeq == nil
                && mailbox?.isReadOnly == true)
        #expect(
            mailbox?.permanentFlags == [.seen, .anyKeyword] && mailbox?.flags == [.seen, .junk])
        #expect(mailbox?.mailboxID == ObjectID("F1"))
    }

    @Test("shows alerts")
    func alert() {
        var talk = Talk.selected()
        talk.server("* OK [ALERT] the quota is full")
        #expect(talk.events == ["alert the quota is full"])
    }

    // MARK: Login, TLS, compression

    @Test("carries a login's challenges and answers, and shows none of them")
    func login() throws {
        var talk = Talk()
        talk.server("* OK [CAPABILITY IMAP4rev1 AUTH=LOGIN] hi")
        let id = talk.submit(try IMAP.Authenticate(mechanism: "LOGIN"))
        #expect(talk.written() == "M1 AUTHENTICATE LOGIN|")
        talk.server("+ VXNlcm5hbWU6")
        talk.session.respond(Secret("YWxpY2U="), to: id)
        guard case .octets(let octets, let secrets)? = talk.session.nextOutput() else {
            Issue.record("nothing was written")
            return
        }
        #expect(octets == Array("YWxpY2U=\r\n".utf8) && secrets == [0..<8])
        talk.server("+ ")
        talk.session.respond(nil, to: id)
        #expect(talk.written() == "*|")
        talk.server("M1 BAD cancelled")
        #expect(
            talk.events == ["greeting OK", "#0 challenge VXNlcm5hbWU6", "#0 challenge ", "#0 BAD"])
        talk.submit(IMAP.Login(user: "a", password: Secret("p\"q")))
        guard case .octets(let line, let hidden)? = talk.session.nextOutput() else {
            Issue.record("nothing was written")
            return
        }
        #expect(line == Array("M2 LOGIN \"a\" \"p\\\"q\"\r\n".utf8) && hidden == [13..<19])
        talk.server("M2 OK in")
        #expect(talk.session.state == .authenticated && !talk.session.capabilitiesAreCurrent)
    }

    @Test("closes when octets stand behind the answer to STARTTLS", arguments: [1, Int.max])
    func injection(step: Int) {
        var talk = Talk()
        talk.step = step
        talk.server("* OK [CAPABILITY IMAP4rev1 STARTTLS] hi")
        talk.submit(IMAP.StartTLS())
        #expect(talk.written() == "M1 STARTTLS|")
        talk.server("M1 OK begin", "* CAPABILITY IMAP4rev1 AUTH=PLAIN")
        guard case .injectedPlaintext? = talk.error?.kind else {
            Issue.record("\(String(describing: talk.error))")
            return
        }
    }

    @Test("forgets capabilities when TLS starts")
    func startTLS() {
        var talk = Talk()
        talk.server("* OK [CAPABILITY IMAP4rev1 STARTTLS X-FORGED] hi")
        talk.submit(IMAP.StartTLS())
        talk.submit(IMAP.CapabilityCommand())
        #expect(talk.written() == "M1 STARTTLS|")
        talk.server("M1 OK begin")
        #expect(talk.events == ["greeting OK", "tls", "#0 OK"])
        #expect(talk.session.capabilities.isEmpty && talk.written() == "")
        talk.session.tlsStarted()
        #expect(talk.session.isEncrypted && talk.written() == "M2 CAPABILITY|")
    }

    @Test(
        "believes nothing that was said in the clear once TLS has started",
        arguments: [
            ["M1 OK [CAPABILITY IMAP4rev1] begin"], ["* CAPABILITY IMAP4rev1", "M1 OK begin"],
            ["* BYE injected", "M1 OK begin"],
        ])
    func injectedCapabilities(answer: [String]) {
        var talk = Talk()
        talk.server("* OK [CAPABILITY IMAP4rev1 STARTTLS] hi")
        talk.submit(IMAP.StartTLS())
        _ = talk.written()
        for line in answer { talk.server(line) }
        talk.session.tlsStarted()
        #expect(talk.session.capabilities.isEmpty && !talk.session.capabilitiesAreCurrent)
        #expect(!talk.session.isClosing)
    }

    @Test("hands over what is compressed already")
    func compression() {
        var talk = Talk.selected("IMAP4rev1 COMPRESS=DEFLATE")
        talk.submit(IMAP.Compress())
        talk.submit(IMAP.Noop())
        #expect(talk.written() == "M2 COMPRESS DEFLATE|")
        talk.server(octets: Array("M2 OK on\r\n".utf8) + [1, 2, 3])
        #expect(talk.events == ["compression 3", "#1 OK"])
        #expect(talk.written() == "")
        talk.session.compressionStarted()
        #expect(talk.written() == "M3 NOOP|")
    }

    @Test("reads names as UTF-8 once that is agreed on")
    func utf8() {
        var talk = Talk.selected("IMAP4rev1 ENABLE UTF8=ACCEPT")
        talk.submit(IMAP.Enable([.utf8Accept]))
        talk.server("* ENABLED UTF8=ACCEPT", "M2 OK", "* STATUS \"a&b\u{FC}\" (MESSAGES 1)")
        #expect(talk.events == ["#1 OK", "status a&b\u{FC}"])
        talk.submit(SelectOnly(mailbox: try! MailboxName("\u{FC}")))
        #expect(talk.written().hasSuffix("SELECT \"\u{FC}\"|"))
    }

    // MARK: The end

    @Test("keeps BYE apart from an error")
    func logout() {
        var talk = Talk.selected()
        talk.submit(IMAP.Logout())
        talk.server("* BYE see you", "M2 OK")
        #expect(talk.session.isOver && talk.session.peerClosed() == nil)
        var hasty = Talk.selected()
        hasty.submit(IMAP.Logout())
        hasty.server("* BYE see you")
        #expect(hasty.session.peerClosed() == nil)
        hasty.drain()
        #expect(hasty.events.last == "#1 OK")
    }

    @Test("tells the words of a BYE that the connection ends with")
    func bye() {
        var talk = Talk.selected()
        talk.submit(IMAP.Noop())
        talk.server("* BYE idle for too long")
        let error = talk.session.peerClosed()
        #expect(error?.text?.words == "idle for too long")
        #expect(error?.recovery == .reconnect)
        #expect(error?.command == "NOOP")
        var silent = Talk.selected()
        guard case .unexpectedClose? = silent.session.peerClosed()?.kind else {
            Issue.record("no error")
            return
        }
    }

    @Test("ends at an answer that nothing asked for")
    func unknownTag() {
        var talk = Talk.selected()
        talk.server("M99 OK")
        guard case .protocolViolation? = talk.error?.kind else {
            Issue.record("\(String(describing: talk.error))")
            return
        }
        #expect(throws: IMAPError.self) { try talk.session.nextEvent() }
    }

    @Test("finds the answer that a literal of the wrong size swallowed, once patience ends")
    func shortLiteral() {
        var talk = Talk.selected()
        talk.submit(Words.byUID)
        talk.server(
            "* 2 FETCH (UID 2 BODY[] {900}", String(repeating: "x", count: 200), ")", "M2 OK done")
        #expect(talk.events == [])
        #expect(talk.session.deadlinePassed() == nil)
        talk.drain()
        #expect(talk.events.last == "#1 OK")
        #expect(talk.session.deadlinePassed() != nil)
    }

    @Test("throws the answers of an abandoned command away and stays in step")
    func abandoned() {
        var talk = Talk.selected()
        let first = talk.submit(Words.byUID)
        let second = talk.submit(SelectOnly(mailbox: .inbox))
        #expect(talk.written() == "M2 UID FETCH 1 FLAGS|")
        #expect(talk.session.abandon(second) == .neverSent)
        #expect(talk.session.abandon(first) == .inStep)
        talk.submit(IMAP.Noop())
        #expect(talk.written() == "M4 NOOP|")
        talk.server("M2 OK", "M4 OK")
        #expect(talk.events == ["#3 OK"] && !talk.session.isBusy)
    }

    @Test("must be closed where a part of an abandoned command is still to be written")
    func abandonedLiteral() {
        var talk = Talk.selected()
        let id = talk.submit(Words(name: "X", literal: Array("abc".utf8)))
        _ = talk.written()
        #expect(talk.session.abandon(id) == .mustClose)
    }
}
