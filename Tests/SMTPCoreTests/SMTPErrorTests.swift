import MartletMIME
import MartletSASL
import MartletSMTPCore
import Testing

@Suite("Errors")
struct SMTPErrorTests {
    @Test(
        "say what to do, from stage and reply",
        arguments: [
            (
                SMTPStage.rcptTo, 550, "5.1.1 User unknown", SMTPRecovery.fixInput,
                "Check the address."
            ),
            (.rcptTo, 552, "5.2.2 Mailbox full", .fixInput, "The mailbox is full."),
            (.rcptTo, 450, "4.2.0 Greylisted", .retry(after: nil), "Try again later."),
            (.rcptTo, 554, "5.7.1 Relay access denied", .fixInput, "perhaps it wants a login."),
            (.mailFrom, 530, "5.7.0 Authentication required", .authenticate, "Log in first."),
            (.mailFrom, 530, "5.7.0 Must issue a STARTTLS command first", .giveUp, "Use TLS."),
            (
                .mailFrom, 553, "5.7.1 Sender address rejected: not owned by user", .fixInput,
                "may not send with that sender."
            ),
            (.mailFrom, 552, "5.3.4 Message size exceeds fixed limit", .fixInput, "too large."),
            (
                .endOfData, 554, "5.7.1 Spam message rejected", .giveUp,
                "Its policy forbids this message."
            ),
            (.endOfData, 552, "too big", .fixInput, "The message is too large."),
            (.endOfData, 554, "5.3.4 Message too big", .fixInput, "The message is too large."),
            (.data, 554, "5.2.3 Too big for you", .fixInput, "The message is too large."),
            (.endOfData, 451, "4.3.0 queue full", .retry(after: nil), "Try again later."),
            (.startTLS, 502, "no", .giveUp, "\"no\"."),
        ])
    func refused(
        stage: SMTPStage, code: Int, text: String, recovery: SMTPRecovery, advice: String
    ) {
        let thrown = SMTPError(kind: .refused(SMTPReply(code, nil, text)), stage: stage)
        #expect(thrown.recovery == recovery)
        #expect(thrown.description.hasSuffix(advice), "\(thrown)")
    }

    @Test("quote the server's words and name it")
    func words() {
        let reply = SMTPReply(
            550, EnhancedStatusCode(5, 1, 1), "User unknown\nSee https://x.example")
        let thrown = SMTPError(kind: .refused(reply), stage: .rcptTo, server: "mx.example.org")
        #expect(
            thrown.description
                == "mx.example.org refused the recipient: 550 5.1.1 \"User unknown See https://x.example\". Check the address."
        )
        #expect(thrown.reply == reply)
    }

    @Test("know a wrong password from a login that is switched off or postponed")
    func login() {
        func recovery(_ code: Int, _ text: String) -> SMTPRecovery {
            SMTPError(
                kind: .authenticationRefused(SMTPReply(code, nil, text)), stage: .authentication
            ).recovery
        }
        #expect(recovery(535, "5.7.8 bad credentials") == .authenticate)
        #expect(recovery(535, "5.7.139 disabled") == .giveUp)
        #expect(recovery(535, "SmtpClientAuthentication is disabled for the Tenant") == .giveUp)
        #expect(recovery(454, "4.7.0 Temporary authentication failure") == .retry(after: nil))
    }

    @Test(
        "of a login tell whether another mechanism, another password or nothing would help",
        arguments: [
            ("535 5.7.8 wrong", SASLRefusal.Reason.credentials), ("550 no", .credentials),
            ("535 5.7.9 too weak", .mechanism), ("504 5.5.4 unknown", .mechanism),
            ("534 5.7.9 too weak", .mechanism), ("538 5.7.11 encrypt", .mechanism),
            ("432 4.7.12 transition", .mechanism), ("500 what", .mechanism),
            ("454 4.7.0 later", .unavailable), ("530 5.7.0 STARTTLS first", .unavailable),
            ("535 5.7.139 disabled", .unavailable),
        ])
    func refusedLogin(line: String, reason: SASLRefusal.Reason) throws {
        var parser = SMTPReplyParser()
        parser.append(Array((line + "\r\n").utf8)[...])
        let reply = try #require(try parser.next())
        #expect(reply.loginRefusal.reason == reason)
        #expect(reply.loginRefusal.words == "\(reply)")
    }

    struct Cause: Error, CustomStringConvertible { var description: String { "no route to host" } }

    struct Sentence: Error, CustomStringConvertible {
        var description: String { "no route to host." }
    }

    @Test("of the connection say what was going on, and whether the message may be gone")
    func connection() {
        let failed = SMTPError(kind: .transport, stage: .connect, underlying: Cause())
        #expect(
            failed.description
                == "the connection to the server failed while connecting: no route to host.")
        #expect(failed.recovery == .retry(after: nil))
        // Causes are sentences, and have a full stop already.
        let sentence = SMTPError(kind: .transport, stage: .connect, underlying: Sentence())
        #expect(sentence.description == failed.description)
        let kinds: [SMTPError.Kind] = [.unexpectedClose, .timeout, .cancelled, .transport]
        for kind in kinds {
            let lost = SMTPError(kind: kind, stage: .endOfData)
            #expect(lost.deliveryIsUncertain)
            #expect(lost.recovery == .giveUp)
            #expect(lost.description.hasSuffix("look before sending it again."))
            #expect(SMTPError(kind: kind, stage: .data).recovery == .reconnect)
            #expect(lost.endsConnection)
        }
    }

    @Test("of all recipients quote the first that the server was asked about")
    func allRefused() throws {
        let reply = SMTPReply(550, nil, "no such user")
        let report = DeliveryReport(
            recipients: [
                .init(path: try ForwardPath("ü@example.org"), outcome: .needsSMTPUTF8),
                .init(path: try ForwardPath("b@example.org"), outcome: .refused(reply)),
            ], finalReply: nil)
        let thrown = SMTPError(kind: .allRecipientsRefused(report), stage: .rcptTo)
        #expect(thrown.reply == reply)
        #expect(thrown.description.contains("b@example.org: 550 \"no such user\""))
    }

    @Test("show no control characters of a server")
    func terminal() {
        let reply = SMTPReply(550, nil, "\u{1b}[2Jgone\u{7}")
        let thrown = SMTPError(kind: .refused(reply), stage: .data)
        #expect(!thrown.description.unicodeScalars.contains { $0.value < 0x20 })
    }
}
