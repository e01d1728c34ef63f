import MartletBytes
import MartletFuzzOracles
import MartletSMTPCore
import Testing

@Suite("Server session")
struct SMTPServerSessionTests {
    @Test("greets, and offers what it is configured to")
    func greeting() throws {
        var server = try ServerScript()
        #expect(server.greeting.hasPrefix("220 mx.example.test "))
        let reply = server.client("EHLO client")
        #expect(
            reply == """
                250-mx.example.test\r
                250-8BITMIME\r
                250-ENHANCEDSTATUSCODES\r
                250-PIPELINING\r
                250-SMTPUTF8\r
                250-SIZE 1000\r
                250-STARTTLS\r
                250 AUTH PLAIN LOGIN\r

                """)
        #expect(server.client("HELO client") == "250 mx.example.test\r\n")
    }

    @Test("offers what binds to TLS only there, and takes it only there")
    func bound() throws {
        for isEncrypted in [false, true] {
            var server = try ServerScript { $0.mechanisms = ["SCRAM-SHA-256-PLUS", "PLAIN"] }
            if isEncrypted {
                server.session = SMTPServerSession(
                    server.session.configuration, isEncrypted: true)
            }
            #expect(
                server.client("EHLO c").hasSuffix(
                    isEncrypted ? " AUTH SCRAM-SHA-256-PLUS PLAIN\r\n" : " AUTH PLAIN\r\n"))
            #expect(server.codes("AUTH SCRAM-SHA-256-PLUS") == [isEncrypted ? 334 : 504])
        }
    }

    @Test("takes a message in one pipelined batch, for any cut")
    func pipelined() throws {
        let input = octets(
            "EHLO c\r\nMAIL FROM:<a@x.org> SIZE=9\r\nRCPT TO:<b@x.org>\r\nRCPT TO:<bad@x.org>\r\nDATA\r\n"
                + "..x\r\n..\r\n.\r\nQUIT\r\nNOOP\r\n")
        func outcome(_ cuts: [Int]) throws -> (String, [[UInt8]], Bool) {
            var server = try ServerScript()
            var said = ""
            var start = 0
            for cut in cuts + [input.count] {
                said += server.receive(input[start..<cut])
                start = cut
            }
            #expect(server.messages.first?.envelope.forwardPaths.map(\.description) == ["b@x.org"])
            return (said, server.messages.map(\.octets), server.isClosed)
        }
        let whole = try outcome([])
        #expect(whole.1 == [octets(".x\r\n.\r\n")])
        #expect(whole.2)
        #expect(whole.0.hasSuffix("221 2.0.0 Bye\r\n"))
        for cut in 0...input.count { #expect(try outcome([cut]) == whole) }
        #expect(try outcome(Array(0...input.count)) == whole)
    }

    @Test(
        "answers what is out of order or wrong",
        arguments: [
            (["MAIL FROM:<a@x.org>"], 503), (["EHLO c", "RCPT TO:<a@x.org>"], 503),
            (["EHLO c", "DATA"], 503), (["EHLO c", "MAIL FROM:<a@x.org>", "DATA"], 503),
            (["EHLO c", "MAIL FROM:<a@x.org>", "MAIL FROM:<a@x.org>"], 503), (["EHLO"], 501),
            (["EHLO c", "MAIL FROM:a@x.org"], 501), (["EHLO c", "MAIL FROM:<a@x.org"], 501),
            (["EHLO c", "MAIL FROM:<a b@x.org>"], 501), (["EHLO c", "MAIL TO:<a@x.org>"], 501),
            (["EHLO c", "MAIL FROM:<a@x.org> FOO=1"], 555),
            (["EHLO c", "MAIL FROM:<> SIZE=x"], 501),
            (["EHLO c", "MAIL FROM:<> SIZE=1001"], 552),
            (["EHLO c", "MAIL FROM:<> SIZE=1000"], 250),
            (["EHLO c", "MAIL FROM:<> SIZE=99999999999999999999"], 552),
            (["EHLO c", "MAIL FROM:<> BODY=8BITMIME SMTPUTF8"], 250),
            (["EHLO c", "MAIL FROM:<> BODY=BINARYMIME"], 501),
            (["EHLO c", "MAIL FROM:<ü@x.org>"], 553),
            (["EHLO c", "MAIL FROM:<ü@x.org> SMTPUTF8"], 250),
            (["EHLO c", "MAIL FROM:<>", "RCPT TO:<ü@x.org>"], 553),
            (["EHLO c", "MAIL FROM: <a@x.org>"], 250),
            (["EHLO c", "mail from:<@r,@s:a@x.org>"], 250),
            (["EHLO c", "MAIL FROM:<\"a>\\\" b\"@x.org>"], 501),
            (["EHLO c", "MAIL FROM:<\"a b\"@x.org>"], 250),
            (["EHLO c", "MAIL FROM:<a@x.org>x"], 501),
            (["EHLO c", "MAIL FROM:<>", "RCPT TO:<>"], 501),
            (["EHLO c", "MAIL FROM:<>", "RCPT TO:<Postmaster>"], 250),
            (["EHLO c", "MAIL FROM:<>", "RCPT TO:<b@x.org> NOTIFY=NEVER"], 555),
            (["EHLO c", "MAIL FROM:<bad@x.org>"], 550), (["EHLO c", "BDAT 3 LAST"], 502),
            (["FOO"], 500),
            (["NOOP \u{1}"], 500), (["NOOP x"], 250), (["RSET x"], 501), (["VRFY"], 501),
            (["VRFY a"], 252),
            (["HELP"], 214), ([""], 500), (["AUTH PLAIN"], 503),
            (["EHLO c", "AUTH CRAM-MD5"], 504),
            (["EHLO c", "AUTH PLAIN !!!"], 501), (["EHLO c", "MAIL FROM:<>", "AUTH LOGIN"], 503),
            (["EHLO c", "AUTH PLAIN AGFsaWNlAHdyb25n"], 535), (["EHLO c", "AUTH PLAIN ="], 535),
            (["EHLO c", "AUTH PLAIN", "*"], 501), (["EHLO c", "AUTH PLAIN", "?"], 501),
            (["EHLO c", "AUTH PLAIN", "AGFsaWNlAHNlY3JldA=="], 235),
            (["EHLO c", "AUTH PLAIN AGFsaWNlAHNlY3JldA=="], 235),
            (["EHLO c", "AUTH LOGIN", "YWxpY2U=", "c2VjcmV0"], 235),
            (["EHLO c", "AUTH LOGIN YWxpY2U=", "c2VjcmV0"], 235),
            (["EHLO c", "AUTH LOGIN YWxpY2U=", "c2VjcmV0", "AUTH LOGIN"], 503),
            (["EHLO c", "MAIL FROM:<>", "RSET", "MAIL FROM:<>"], 250),
            (["EHLO c", "MAIL FROM:<>", "EHLO c", "MAIL FROM:<>"], 250),
        ] as [([String], Int)])
    func answers(lines: [String], expected: Int) throws {
        var server = try ServerScript()
        var last: [Int] = []
        for line in lines { last = server.codes(line) }
        #expect(last == [expected])
        #expect(server.codes("NOOP") == [250], "the session is in step afterwards")
    }

    @Test("wants TLS or a login first where configured so")
    func policy() throws {
        var server = try ServerScript { $0.allowsPlaintextAuthentication = false }
        #expect(!server.client("EHLO c").contains("AUTH"))
        #expect(server.codes("AUTH PLAIN AGFsaWNlAHNlY3JldA==") == [538])
        server = try ServerScript { $0.requiresAuthentication = true }
        _ = server.client("EHLO c")
        #expect(server.codes("MAIL FROM:<>") == [530])
        #expect(server.codes("AUTH PLAIN AGFsaWNlAHNlY3JldA==") == [235])
        #expect(server.codes("MAIL FROM:<>") == [250])
        server = try ServerScript { $0.offersStartTLS = false }
        #expect(server.codes("STARTTLS") == [502])
    }

    @Test("drops what came in the clear after STARTTLS, and forgets who it talked to")
    func startTLS() throws {
        var server = try ServerScript()
        _ = server.client("EHLO c")
        #expect(server.codes("STARTTLS\r\nMAIL FROM:<evil@x.org>") == [220])
        #expect(server.wantsTLS)
        #expect(server.codes("RCPT TO:<evil@x.org>") == [])
        server.session.tlsStarted()
        #expect(server.codes("MAIL FROM:<>") == [503])
        #expect(!server.client("EHLO c").contains("STARTTLS"))
        #expect(server.codes("STARTTLS") == [503])
        // A login in the clear does not count either.
        server = try ServerScript { $0.requiresAuthentication = true }
        _ = server.client("EHLO c\r\nAUTH PLAIN AGFsaWNlAHNlY3JldA==\r\nSTARTTLS")
        server.session.tlsStarted()
        _ = server.client("EHLO c")
        #expect(server.codes("MAIL FROM:<>") == [530])
    }

    @Test("swallows a message that is too large, and is in step afterwards")
    func tooLarge() throws {
        var server = try ServerScript()
        _ = server.client("EHLO c\r\nMAIL FROM:<>\r\nRCPT TO:<b@x.org>\r\nDATA")
        let line = String(repeating: "x", count: 98)
        for _ in 0..<10 { #expect(server.client(line) == "") }
        #expect(server.droppedCount == 0)
        for _ in 0..<10 { #expect(server.client(line) == "") }
        #expect(server.droppedCount == 1)
        #expect(server.codes(".") == [552])
        #expect(server.messages.isEmpty)
        _ = server.client("MAIL FROM:<>\r\nRCPT TO:<b@x.org>\r\nDATA")
        for _ in 0..<10 { _ = server.client(line) }
        #expect(server.codes(".") == [250])
        #expect(server.messages.first?.octets.count == 1_000)
    }

    @Test(
        "does not take a dot between bare line ends for the end, and refuses the message",
        arguments: ["\n.\n", "\n.\r\n", "\r\n.\n", "\r.\r", "\r\n.\r", "\r.\r\n", "\r\r\n"])
    func smuggling(end: String) throws {
        var server = try ServerScript()
        _ = server.client("EHLO c\r\nMAIL FROM:<>\r\nRCPT TO:<b@x.org>\r\nDATA")
        let smuggled = octets("a" + end + "MAIL FROM:<evil@x.org>\r\n")
        #expect(server.receive(smuggled[...]) == "")
        #expect(server.codes(".") == [550])
        #expect(server.messages.isEmpty)
        #expect(server.droppedCount == 1)
    }

    @Test("closes after too many mistakes")
    func mistakes() throws {
        var server = try ServerScript()
        for _ in 0..<SMTPServerSession.mistakeLimit { #expect(server.codes("FOO") == [500]) }
        #expect(server.codes("FOO") == [500, 421])
        #expect(server.isClosed)
        #expect(server.codes("NOOP") == [])
    }

    @Test("takes no more recipients than its limit")
    func recipients() throws {
        var server = try ServerScript()
        _ = server.client("EHLO c\r\nMAIL FROM:<>")
        for _ in 0..<SMTPServerSession.recipientLimit { _ = server.client("RCPT TO:<b@x.org>") }
        #expect(server.codes("RCPT TO:<c@x.org>") == [452])
        #expect(server.codes("DATA\r\n.") == [354, 250])
        #expect(server.messages.first?.envelope.forwardPaths.count == 1_000)
    }

    @Test("drops lines that are too long, however they come")
    func longLines() throws {
        let limit = SMTPServerSession.lineLimitInOctets
        var server = try ServerScript()
        let fits = "NOOP " + String(repeating: "x", count: limit - 7)
        #expect(server.codes(fits) == [250])
        #expect(server.codes(fits + "x") == [500])
        #expect(server.codes("NOOP") == [250])
        for _ in 0..<10 {
            #expect(server.receive([UInt8](repeating: 0x41, count: 100_000)[...]) == "")
        }
        #expect(server.codes("") == [500])
        #expect(server.codes("NOOP") == [250])
        // A login may have long lines.
        _ = server.client("EHLO c")
        let long = String(repeating: "QUFB", count: 2_000)
        #expect(server.codes("AUTH PLAIN " + long) == [535])
        #expect(
            server.codes("AUTH PLAIN\r\n" + String(repeating: "QUFB", count: 5_000)) == [334, 500])
        #expect(server.codes("NOOP") == [250])
    }

    @Test("ends the session at a line whose end is not worth waiting for")
    func endlessLine() throws {
        var server = try ServerScript()
        let piece = [UInt8](repeating: 0x41, count: 100_000)
        for _ in 0..<10 { #expect(server.receive(piece[...]) == "") }
        #expect(server.receive(piece[...]).hasPrefix("421 4.5.2"))
        #expect(server.session.isOver)
        #expect(server.receive(piece[...]) == "")
    }

    @Test("notices that a message was cut by the end of the connection")
    func cut() throws {
        var server = try ServerScript()
        _ = server.client("EHLO c\r\nMAIL FROM:<>\r\nRCPT TO:<b@x.org>\r\nDATA\r\nhalf")
        guard case .messageDropped = server.session.peerClosed() else {
            Issue.record("the half message was not dropped")
            return
        }
        var idle = try ServerScript()
        let end = idle.session.close(with: SMTPReply(421, nil, "stopping"), into: &idle.output)
        #expect(end == nil)
        #expect(idle.output == octets("421 stopping\r\n"))
    }

    @Test("asks before each command where it is told to; one that is refused is not done")
    func commands() throws {
        var server = try ServerScript { $0.asksBeforeCommands = true }
        server.refusedCommand = "DATA"
        #expect(
            server.codes("EHLO c\r\nmail FROM:<a@x>\r\nBOGUS\r\nRCPT TO:<b@x>\r\nDATA") == [
                250, 250, 500, 250, 502,
            ])
        #expect(server.commands == ["EHLO", "MAIL", "RCPT", "DATA"])
        server.refusedCommand = nil
        #expect(server.codes("DATA\r\nhello\r\n.\r\nQUIT") == [354, 250, 221])
        #expect(server.messages.count == 1)
        #expect(server.isClosed)
    }

    @Test("tells what it is made to tell, and does what it can")
    func lies() throws {
        var server = try ServerScript {
            $0.changesOffer = { $0.filter { $0 != "8BITMIME" } + ["XODD"] }
        }
        let reply = server.client("EHLO c")
        #expect(reply.hasPrefix("250-mx.example.test\r\n"))
        #expect(reply.hasSuffix("\r\n250 XODD\r\n"))
        #expect(!reply.contains("8BITMIME"))
        #expect(server.codes("MAIL FROM:<a@x> BODY=8BITMIME") == [250])
    }

    @Test(
        "gives each recipient of LMTP its own reply, and the last one to those that are left over")
    func each() throws {
        var server = try ServerScript { $0.isLMTP = true }
        server.repliesToMessage = [SMTPReply(250, nil, "one"), SMTPReply(452, nil, "two")]
        _ = server.codes(
            "LHLO c\r\nMAIL FROM:<a@x>\r\nRCPT TO:<b@x>\r\nRCPT TO:<c@x>\r\nRCPT TO:<d@x>")
        #expect(
            server.client("DATA\r\nhello\r\n.").hasSuffix("250 one\r\n452 two\r\n452 two\r\n"))
        #expect(server.codes("MAIL FROM:<a@x>") == [250])
    }
}
