import MartletBytes
import MartletMIME
import Testing

@Suite("Bounce in words")
struct BounceTests {
    static func bounce(_ header: String, _ body: String) -> Bounce? {
        Message(parsing: Array((header + "\n\n" + body).utf8)).bounce
    }

    static let daemon = "Return-Path: <>\nFrom: MAILER-DAEMON@example.net\n"

    @Test("of qmail")
    func qmail() throws {
        let bounce = try #require(
            Self.bounce(
                Self.daemon + "Subject: failure notice",
                """
                Hi. This is the qmail-send program at example.net.
                I'm afraid I wasn't able to deliver your message to the following addresses.
                This is a permanent error; I've given up. Sorry it didn't work out.

                <bob@example.org>:
                192.0.2.7 does not like recipient.
                Remote host said: 550 5.1.1 No such user
                Giving up on 192.0.2.7.

                <eve@example.com>:
                Sorry, no mailbox here by that name. (#5.1.1)

                --- Below this line is a copy of the message.

                Return-Path: <me@example.net>
                <not@example.org>: x
                """))
        #expect(bounce.evidence == .words && !bounce.isDelayed)
        #expect(bounce.recipients.map(\.address) == ["bob@example.org", "eve@example.com"])
        #expect(bounce.recipients.map(\.status?.description) == ["5.1.1", "5.1.1"])
        #expect(
            bounce.recipients[0].diagnostic?.hasPrefix("192.0.2.7 does not like recipient. Remote")
                == true)
    }

    @Test("of Exim, with its field")
    func exim() throws {
        let bounce = try #require(
            Self.bounce(
                "X-Failed-Recipients: bob@example.org, c@example.org\nFrom: Mail Delivery System <Mailer-Daemon@x.example.org>\nSubject: Mail delivery failed: returning message to sender",
                """
                This message was created automatically by mail delivery software.

                A message that you sent could not be delivered to one or more of its
                recipients. This is a permanent error. The following address(es) failed:

                  bob@example.org
                    SMTP error from remote mail server after RCPT TO:<bob@example.org>:
                    host mx.example.org [192.0.2.1]: 550 unknown user

                ------ This is a copy of the message, including all the headers. ------
                """))
        #expect(bounce.evidence == .failedRecipientsField)
        #expect(bounce.recipients.map(\.address) == ["bob@example.org", "c@example.org"])
        #expect(bounce.recipients[0].status?.description == "5.0.0")
        #expect(bounce.recipients[1].status == nil)
    }

    @Test("of Postfix and sendmail")
    func others() throws {
        let postfix = try #require(
            Self.bounce(
                Self.daemon + "Subject: Undelivered Mail Returned to Sender",
                "<bob@example.org>: host mx.example.org[192.0.2.1] said: 550 5.7.1 denied\n    (in reply to RCPT TO command)\n"
            ))
        #expect(postfix.recipients.map(\.status?.description) == ["5.7.1"])
        let sendmail = try #require(
            Self.bounce(
                Self.daemon + "Subject: Returned mail: User unknown",
                "   ----- The following addresses had permanent fatal errors -----\n<bob@example.org>\n\n   ----- Transcript of session follows -----\n550 <bob@example.org>... User unknown\n\n   ----- Original message follows -----\n\n<x@example.org>\n"
            ))
        #expect(sendmail.recipients.map(\.address) == ["bob@example.org"])
        #expect(sendmail.recipients[0].status?.description == "5.0.0")
    }

    @Test("may say that delivery is late")
    func delay() {
        let bounce = Self.bounce(
            Self.daemon + "Subject: Warning: message delayed 24 hours", "a@example.org\n")
        #expect(bounce?.isDelayed == true)
    }

    @Test(
        "is none that a person sent, and no answer of a machine",
        arguments: [
            (
                "Return-Path: <a@example.org>\nFrom: a@example.org\nSubject: Re: Undelivered Mail Returned to Sender",
                "hi"
            ),
            (
                "Return-Path: <>\nFrom: a@example.org\nSubject: Out of office\nAuto-Submitted: auto-replied",
                "I am away. <b@example.org>: call her"
            ),
            ("From: postmaster@example.org\nSubject: New server", "From Monday on"), ("", ""),
        ])
    func none(_ header: String, _ body: String) { #expect(Self.bounce(header, body) == nil) }
}

@Suite("Automatic messages")
struct AutomaticMessageTests {
    static let cases: [(String, AutomaticKind?, Bool)] = [
        ("From: a@example.org", nil, true),
        ("From: a@example.org\nAuto-Submitted: no", nil, true),
        ("From: a@example.org\nAuto-Submitted: auto-replied (vacation)", .reply, false),
        (
            "From: a@example.org\nAuto-Submitted: auto-generated; owner-email=b@example.org",
            .generated, false
        ),
        ("From: a@example.org\nAuto-Submitted: auto-notified", .generated, false),
        ("From: a@example.org\nPrecedence: auto_reply", .reply, false),
        ("From: a@example.org\nPrecedence: bulk", .bulk, false),
        ("From: a@example.org\nX-Autoreply: yes", .reply, false),
        ("From: a@example.org\nX-Autoreply: no", nil, true),
        (
            "From: a@example.org\nX-Auto-Response-Suppress: All\nSubject: Automatic reply: hi",
            .reply, false
        ),
        ("From: a@example.org\nX-Auto-Response-Suppress: OOF", nil, false),
        (
            "From: a@example.org\nAuto-Submitted: auto-generated\nSubject: Automatic reply: hi",
            .reply, false
        ),
        ("From: a@example.org\nList-Id: <l.example.org>", .bulk, false),
        ("Return-Path: <>\nFrom: a@example.org", nil, false),
        ("From: list-request@example.org", nil, false),
        ("Subject: Automatic reply: hi\nFrom: a@example.org", nil, true),
        ("Subject: x", nil, false),
    ]

    @Test("are told by their fields", arguments: cases)
    func kinds(_ header: String, _ kind: AutomaticKind?, _ mayBeAnswered: Bool) {
        let message = Message(parsing: Array((header + "\n\nx").utf8))
        #expect(message.automaticKind == kind)
        #expect(message.mayBeAnsweredAutomatically == mayBeAnswered)
        #expect(message.isAutomaticReply == (kind == .reply))
    }
}

@Suite("Calendar and AMP parts")
struct CalendarPartTests {
    @Test("say what they are for")
    func calendar() throws {
        let message = lines(
            "Content-Type: multipart/alternative; boundary=b", "", "--b", "", "Come!", "--b",
            "Content-Type: text/x-amp-html", "", "<html amp4email>", "--b",
            "Content-Type: text/calendar; method=request; charset=utf-8", "", "BEGIN:VCALENDAR\r",
            "METHOD:REQUEST\r", "BEGIN:VTIMEZONE\r", "BEGIN:STANDARD\r", "END:STANDARD\r",
            "END:VTIMEZONE\r", "begin:vevent\r",
            "BEGIN:VALARM\r", "END:VALARM\r", "SUMMARY:METHOD:CANCEL\r", "END:VEVENT\r",
            "BEGIN:VEVENT\r", "END:VEVENT\r", "END:VCALENDAR\r", "--b--")
        let part = try #require(message.calendarParts.first)
        #expect(
            part.method == "REQUEST" && part.methodOfObject == "REQUEST" && !part.isContradictory)
        #expect(part.components == ["VEVENT"])
        #expect(message.ampPart?.contentType.subtype == "x-amp-html")
        #expect(message.attachedFiles.map(\.safeName) == ["attachment.ics"])
        #expect(message.readableText == "Come!")
    }

    @Test("are found as files, and may contradict themselves")
    func files() throws {
        let message = lines(
            "Content-Type: multipart/mixed; boundary=b", "", "--b",
            "Content-Type: application/octet-stream; name=invite.ICS", "",
            "BEGIN:VCALENDAR", "METHOD: cancel", "BEGIN:VTODO", "--b",
            "Content-Type: text/calendar; method=REPLY", "",
            "METHOD:CANCEL", "--b", "Content-Type: application/pdf", "", "BEGIN:VEVENT", "--b--")
        #expect(message.calendarParts.map(\.method) == ["CANCEL", "REPLY"])
        #expect(message.calendarParts.map(\.components) == [["VTODO"], []])
        #expect(message.calendarParts.map(\.isContradictory) == [false, true])
    }
}
