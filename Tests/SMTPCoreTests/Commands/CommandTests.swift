import MartletBytes
import MartletMIME
import MartletSMTPCore
import Testing

@Suite("Commands")
struct CommandTests {
    static func written(_ command: some SMTPCommand) -> (wire: String, log: String) {
        var output = SMTPEncoder()
        command.encode(into: &output)
        return (
            String(decoding: output.octets, as: UTF8.self),
            String(decoding: output.redacted, as: UTF8.self)
        )
    }

    static func all() throws -> [(any SMTPCommand, String)] {
        var mail = MailFrom(try ReversePath("a@example.org"))
        mail.sizeInOctets = 1_024
        mail.is8Bit = true
        mail.usesSMTPUTF8 = true
        var named = MailFrom(try ReversePath("a@example.org"))
        named.envelopeID = try EnvelopeID("a+b=c 1@example.org")
        var empty = MailFrom(.null)
        empty.sizeInOctets = 0
        let name = try EHLOName("[IPv6:2001:db8::1]")
        return [
            (EHLO(name), "EHLO [IPv6:2001:db8::1]\r\n"), (HELO(.loopback), "HELO [127.0.0.1]\r\n"),
            (StartTLS(), "STARTTLS\r\n"),
            (mail, "MAIL FROM:<a@example.org> SIZE=1024 BODY=8BITMIME SMTPUTF8\r\n"),
            (named, "MAIL FROM:<a@example.org> ENVID=a+2Bb+3Dc+201@example.org\r\n"),
            (empty, "MAIL FROM:<> SIZE=0\r\n"),
            (RcptTo(try ForwardPath("\"a b\"@example.org")), "RCPT TO:<\"a b\"@example.org>\r\n"),
            (RcptTo(try ForwardPath("postmaster")), "RCPT TO:<postmaster>\r\n"),
            (DataCommand(), "DATA\r\n"), (EndOfData(), ""), (Reset(), "RSET\r\n"),
            (Noop(), "NOOP\r\n"),
            (Quit(), "QUIT\r\n"), (try Verify("alice"), "VRFY alice\r\n"), (try Help(), "HELP\r\n"),
            (try Help("MAIL"), "HELP MAIL\r\n"), (AuthCancel(), "*\r\n"),
            (try RawCommand("XCLIENT NAME=x"), "XCLIENT NAME=x\r\n"), (Greeting(), ""),
        ]
    }

    @Test("are written as one line each, and hide nothing that is no secret")
    func lines() throws {
        for (command, expected) in try Self.all() {
            let written = Self.written(command)
            #expect(written.wire == expected)
            #expect(written.log == expected)
        }
    }

    @Test("read a refusal as a refusal at their stage, and nonsense as a broken protocol")
    func refusals() throws {
        for (command, _) in try Self.all() where !(command is RawCommand) {
            let refused = error { _ = try command.interpret(SMTPReply(599, nil, "no")) }
            if command is AuthCancel {
                #expect(refused == nil)
            } else {
                #expect(refused?.stage == command.stage)
                #expect(refused?.reply?.code == 599)
            }
            let nonsense = error { _ = try command.interpret(SMTPReply(399, nil, "hm")) }
            guard case .protocolViolation = nonsense?.kind else {
                Issue.record("\(command): \(String(describing: nonsense))")
                return
            }
        }
    }

    @Test(
        "that take free text refuse more than a line",
        arguments: ["a\r\nRSET", "a\nb", "a\rb", "a\0", "", String(repeating: "x", count: 2_047)])
    func injection(text: String) {
        #expect(error { _ = try Verify(text) }?.recovery == .fixInput)
        #expect(error { _ = try Help(text) }?.recovery == .fixInput)
        #expect(error { _ = try RawCommand(text) }?.recovery == .fixInput)
        #expect(error { _ = try Auth(mechanism: text) }?.recovery == .fixInput)
    }

    @Test("do not let BDAT be typed")
    func bdat() { #expect(error { _ = try RawCommand("bdat 3 LAST") }?.recovery == .fixInput) }
}

@Suite("AUTH")
struct AuthTests {
    @Test("keeps the response out of the log")
    func redaction() throws {
        let login = try Auth(mechanism: "PLAIN", initialResponse: Secret("\0alice\0secret"))
        let written = CommandTests.written(login)
        #expect(written.wire == "AUTH PLAIN AGFsaWNlAHNlY3JldA==\r\n")
        #expect(written.log == "AUTH PLAIN •••\r\n")
        let typed = try RawCommand("AUTH PLAIN AGFsaWNlAHNlY3JldA==")
        #expect(CommandTests.written(typed).log == "AUTH PLAIN •••\r\n")
        let answer = try RawCommand("c2VjcmV0", isAuthenticationResponse: true)
        #expect(CommandTests.written(answer).log == "•••\r\n")
        #expect(!"\(login) \(AuthResponse(Secret("secret")))".contains("secret"))
    }

    @Test("zeroes secrets in the output when it is emptied")
    func zeroing() throws {
        var output = SMTPEncoder()
        AuthResponse(Secret("secret")).encode(into: &output)
        output.removeAll()
        #expect(output.octets.isEmpty)
        #expect(output.secretRanges.isEmpty)
    }

    @Test("tells an empty response from none, and leaves out one that is too long for the line")
    func initialResponse() throws {
        #expect(CommandTests.written(try Auth(mechanism: "XOAUTH2")).wire == "AUTH XOAUTH2\r\n")
        let empty = try Auth(mechanism: "EXTERNAL", initialResponse: Secret(""))
        #expect(CommandTests.written(empty).wire == "AUTH EXTERNAL =\r\n")
        // "AUTH PLAIN " + base64 + CRLF: 372 octets make 496 + 13, 375 make 500 + 13.
        let fits = Secret(octets: [UInt8](repeating: 0x61, count: 372))
        let tooLong = Secret(octets: [UInt8](repeating: 0x61, count: 375))
        let short = CommandTests.written(try Auth(mechanism: "PLAIN", initialResponse: fits)).wire
        #expect(short.utf8.count == 509)
        let long = CommandTests.written(try Auth(mechanism: "PLAIN", initialResponse: tooLong)).wire
        #expect(long == "AUTH PLAIN\r\n")
    }

    @Test("can be given up, and the session is in step afterwards")
    func cancel() throws {
        var it = try Dialogue(offering: ["AUTH LOGIN"])
        _ = try it.client(Auth(mechanism: "LOGIN"))
        try it.server("334 ")
        #expect(try it.client(AuthCancel()) == "*\r\n")
        let reply = try #require(try it.server("501 5.7.0 cancelled").first)
        try AuthCancel().interpret(reply)
        #expect(it.session.isIdle)
    }

    @Test("and DATA typed by hand lead the session on as the commands do")
    func typed() throws {
        var it = try Dialogue(offering: ["AUTH LOGIN"])
        _ = try it.client(RawCommand("auth LOGIN"))
        try it.server("334 VXNlcm5hbWU6")
        #expect(error { _ = try it.client(RawCommand("NOOP")) } != nil)
        _ = try it.client(RawCommand("YQ==", isAuthenticationResponse: true))
        try it.server("235 ok")
        _ = try it.client(RawCommand("MAIL FROM:<>"))
        try it.server("250 ok")
        _ = try it.client(RawCommand("data"))
        try it.server("354 go")
        #expect(error { _ = try it.client(RawCommand("QUIT")) } != nil)
        _ = try it.client(EndOfData())
        try it.server("250 ok")
        #expect(it.session.isIdle)
    }
}
