import MartletBytes
import MartletPOP3Core
import Testing

@Suite("POP3 session")
struct POP3SessionTests {
    @Test("sends one command at a time where PIPELINING is not offered")
    func one() throws {
        var dialogue = try Dialogue(offering: ["UIDL"])
        _ = try dialogue.client(POP3.Stat())
        #expect(!dialogue.session.accepts(POP3.Noop()))
        let error = failure { _ = try dialogue.client(POP3.Noop()) }
        guard case .outOfOrder? = error?.kind else { throw try #require(error) }
        try dialogue.server("+OK 0 0")
        #expect(try dialogue.client(POP3.Noop()) == "NOOP\r\n")
    }

    @Test("sends ahead where it is, up to a limit, and hears the replies in order")
    func ahead() throws {
        var dialogue = try Dialogue(offering: ["PIPELINING"])
        for number in 1...POP3Session.pipelineLimit {
            #expect(try dialogue.client(POP3.Retr(number)) == "RETR \(number)\r\n")
        }
        #expect(!dialogue.session.accepts(POP3.Noop()))
        #expect(try dialogue.server("+OK") == [.reply(.ok())])
        #expect(try dialogue.server("x") == [.octets(octets("x\r\n"))])
        #expect(try dialogue.server(".") == [.messageEnds])
        #expect(try dialogue.server("-ERR gone") == [.reply(.error(nil, "gone"))])
        #expect(dialogue.session.pendingReplyCount == POP3Session.pipelineLimit - 2)
        #expect(dialogue.session.accepts(POP3.Noop()))
    }

    @Test("lets nothing follow a login, AUTH, STLS and QUIT before their replies")
    func last() throws {
        let lasts: [any POP3Command] = [
            try POP3.Pass(Secret("x")), try POP3.Auth(mechanism: "PLAIN"), POP3.Stls(),
            POP3.Quit(),
        ]
        for command in lasts {
            var dialogue = try Dialogue(offering: ["PIPELINING"])
            _ = try dialogue.client(command)
            #expect(!dialogue.session.accepts(POP3.Noop()), "\(command.name)")
        }
    }

    @Test("hears why a server ends an idle session")
    func autologout() throws {
        var dialogue = try Dialogue(offering: [])
        let error = failure { try dialogue.server("-ERR autologout") }
        #expect(error?.recovery == .reconnect && error?.endsConnection == true)
        #expect(failure { _ = try dialogue.client(POP3.Noop()) }?.reply == error?.reply)
    }

    @Test("takes nothing for an answer that came before the question")
    func early() throws {
        var dialogue = try Dialogue(offering: [])
        dialogue.session.receive(octets("+OK 5 500\r\n"))
        let error = failure { _ = try dialogue.client(POP3.Stat()) }
        guard case .protocolViolation? = error?.kind else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("counts the marks, takes them off, and names them when they are lost")
    func marks() throws {
        var dialogue = try Dialogue(offering: [])
        for number in 1...3 {
            _ = try dialogue.client(POP3.Dele(number))
            try dialogue.server(number == 2 ? "-ERR no" : "+OK")
        }
        #expect(dialogue.session.markedCount == 2)
        var copy = dialogue
        #expect(copy.session.peerClosed()?.lostDeletionCount == 2)
        _ = try dialogue.client(POP3.Rset())
        try dialogue.server("+OK")
        #expect(dialogue.session.peerClosed()?.lostDeletionCount == 0)
    }

    @Test("ends at a line that has no end, and at a list that has none")
    func limits() throws {
        var dialogue = try Dialogue(offering: [])
        dialogue.session.receive(octets("-ERR " + String(repeating: "x", count: 8_190)))
        #expect(failure { _ = try dialogue.events() }?.endsConnection == true)
        dialogue = try Dialogue(offering: [])
        _ = try dialogue.client(POP3.List())
        try dialogue.server("+OK")
        let lines = octets(String(repeating: "1 2\r\n", count: 400_000))
        let error = failure {
            for _ in 0...POP3Session.listingLimitInOctets / lines.count {
                dialogue.session.receive(lines)
                _ = try dialogue.events()
            }
        }
        guard case .protocolViolation? = error?.kind else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("takes a bare LF for data where the server's lines end with CRLF")
    func smuggling() throws {
        var dialogue = try Dialogue(offering: [])
        _ = try dialogue.client(POP3.Retr(1))
        try dialogue.server("+OK")
        // A message that was made to look like the end of itself and another reply.
        dialogue.session.receive(octets("a\n.\n+OK 0 0\r\n.\r\n"))
        #expect(
            try dialogue.events() == [.octets(octets("a\n.\n+OK 0 0\r\n")), .messageEnds])
        #expect(dialogue.session.isIdle)
    }

    @Test("reads a list octet by octet in linear time")
    func linear() throws {
        var dialogue = try Dialogue(offering: [])
        _ = try dialogue.client(POP3.List())
        try dialogue.server("+OK")
        for number in 1...60_000 {
            for octet in octets("\(number) 7\r\n") { dialogue.session.receive([octet]) }
            #expect(try dialogue.events().isEmpty)
        }
        guard case .reply(let reply)? = try dialogue.server(".").first else {
            Issue.record("no reply")
            return
        }
        #expect(try POP3.List().interpret(reply).count == 60_000)
    }
}
