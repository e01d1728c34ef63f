import MartletBytes
import MartletMIME
import MartletTestSupport
import Testing

@Suite("Delivery status")
struct DeliveryStatusTests {
    static func status(_ lines: String...) -> DeliveryStatus {
        DeliveryStatus.parse(Array(lines.joined(separator: "\r\n").utf8)).value
    }

    @Test("has fields of the message and of each recipient")
    func fields() throws {
        let status = Self.status(
            "Reporting-MTA: dns; mx.example.org", "Original-Envelope-Id: e 1",
            "Arrival-Date: Mon, 30 Nov 2026 03:22:55 +0100", "X-Own: value", "",
            "Original-Recipient: rfc822;first@example.org",
            "Final-Recipient: RFC822; <second@example.org>",
            "Action: failed (really)", "Status: 5.1.1 (no such user)",
            "Remote-MTA: dns; mail.example.net",
            "Diagnostic-Code: smtp; 550 5.1.1", "  no such user",
            "Last-Attempt-Date: Mon, 30 Nov 2026 03:23:55 +0100",
            "", "Final-Recipient: rfc822; third@example.org", "Action: delayed", "Status: 4.0.0",
            "Diagnostic-Code: smtp; 451 4.7.1 greylisted at 192.0.2.1",
            "Will-Retry-Until: Mon, 30 Nov 2026 09:23:55 +0100", "")
        #expect(status.reportingMTA == TypedReportValue(type: "dns", text: "mx.example.org"))
        #expect(status.originalEnvelopeID == "e 1")
        #expect(status.arrivalDate != nil)
        #expect(status.fields["x-own"] == "value")
        try #require(status.recipients.count == 2)
        let first = status.recipients[0]
        #expect(first.original == ReportAddress(type: "rfc822", text: "first@example.org"))
        #expect(first.final?.mailbox?.addrSpec == "second@example.org")
        #expect(first.action == .failed && first.hasFailed)
        #expect(first.status?.description == "5.1.1")
        #expect(first.remoteMTA?.text == "mail.example.net")
        #expect(first.diagnostic?.text == "550 5.1.1  no such user")
        #expect(first.lastAttempt != nil)
        let second = status.recipients[1]
        #expect(second.isDelayed && !second.hasFailed)
        #expect(second.preciseStatus?.description == "4.7.1")
        #expect(second.retriesUntil != nil)
    }

    @Test("is sorted where groups are not apart")
    func groups() {
        let status = Self.status(
            "Reporting-MTA: dns; a", "Final-Recipient: rfc822;b@x", "Action: failed",
            "Final-Recipient: rfc822;c@x",
            "Action: delivered", "", "", "", "Action: relayed", "Final-Recipient: rfc822;d@x",
            "X-Own: e")
        #expect(status.reportingMTA?.text == "a")
        #expect(status.recipients.map(\.final?.text) == ["b@x", "c@x", "d@x"])
        #expect(status.recipients.map(\.action) == [.failed, .delivered, .relayed])
        #expect(status.recipients.last?.fields["X-Own"] == "e")
    }

    @Test("has addresses of SMTPUTF8")
    func utf8() {
        let status = Self.status(
            "Reporting-MTA: dns; a", "", "Final-Recipient: utf-8; gr\\x{FC}\\x{DF}e@example.org",
            "Action: failed", "Status: 5.6.7",
            "", "Final-Recipient: utf-8; 用户@例え.test", "Action: failed",
            "Original-Recipient: utf-8; a\\x{A}b\\x{110000}\\x{}")
        #expect(status.recipients.map(\.final?.text) == ["grüße@example.org", "用户@例え.test"])
        #expect(status.recipients[0].final?.mailbox?.localPart == "grüße")
        #expect(status.recipients[1].original?.text == "a\\x{A}b\\x{110000}\\x{}")
    }

    @Test(
        "finds codes in text, and no addresses or versions",
        arguments: [
            ("5.1.1", "5.1.1"), ("550 5.7.1 [192.0.2.1] denied", "5.7.1"), ("(5.4.4)", "5.4.4"),
            ("#5.1.0 x", "5.1.0"),
            ("at 5.1.1.3 refused", nil), ("Exim 4.92.3b", nil), ("v4.2.1", nil), ("5.1", nil),
            ("5.1.1000", nil), ("3.1.1", nil), ("", nil),
            ("192.4.1.1", nil), ("4.4.7.", "4.4.7"),
        ] as [(String, String?)])
    func codes(_ text: String, _ code: String?) {
        #expect(EnhancedStatusCode.find(in: text)?.description == code)
    }

    @Test("makes a general status precise, or one of a reply")
    func precise() {
        func precise(_ status: String, _ diagnostic: String) -> String? {
            Self.status(
                "", "Final-Recipient: rfc822;a@b", "Status: \(status)",
                "Diagnostic-Code: smtp; \(diagnostic)"
            )
            .recipients[0].preciseStatus?.description
        }
        #expect(precise("5.0.0", "550 5.1.1 no") == "5.1.1")
        #expect(precise("5.0.0", "451 4.1.1 no") == "5.0.0")
        #expect(precise("", "550 no such user") == "5.0.0")
        #expect(precise("5.2.2", "550 5.1.1 no") == "5.2.2")
        #expect(precise("", "said nothing") == nil)
    }

    @Test("finds the report and the message that came back")
    func report() throws {
        let message = lines(
            "Content-Type: multipart/mixed; boundary=l", "", "--l",
            "Content-Type: multipart/report; report-type=delivery-status; boundary=b", "", "--b",
            "", "Sorry.", "--b",
            "Content-Type: message/delivery-status", "", "Reporting-MTA: dns; a", "",
            "Final-Recipient: rfc822;b@x.org",
            "Action: failed", "Status: 5.1.1", "--b", "Content-Type: text/rfc822-headers", "",
            "Message-ID: <m@x>",
            "Subject: lost", "", "--b--", "--l--")
        let report = try #require(message.deliveryStatus)
        #expect(report.content.recipients.count == 1)
        #expect(report.returned?.message.subject == "lost")
        #expect(report.returned?.hasBody == false)
        let bounce = try #require(message.bounce)
        #expect(bounce.evidence == .deliveryStatus && !bounce.isDelayed)
        #expect(bounce.recipients.map(\.address) == ["b@x.org"])
        #expect(bounce.returned?.message.messageID?.text == "m@x")
        #expect(message.dispositionNotification == nil)
    }

    @Test("of success is no bounce")
    func success() {
        let message = lines(
            "Content-Type: multipart/report; boundary=b", "", "--b",
            "Content-Type: message/delivery-status", "",
            "Reporting-MTA: dns; a", "", "Final-Recipient: rfc822;b@x.org", "Action: delivered",
            "Status: 2.0.0", "--b--")
        #expect(message.deliveryStatus != nil)
        #expect(message.bounce == nil)
    }

    @Test("may be any text")
    func garbage() {
        let pieces = [
            "Final-Recipient", ":", ";", "rfc822", "\n", "\n\n", " ", "Action", "failed", "5.1.1",
            "\\x{", "}", "\u{0}", "é", "Status",
        ]
        for seed in 0..<500 as Range<UInt64> {
            var random = SeededGenerator(seed: seed)
            let text = (0..<60).map { _ in pieces.randomElement(using: &random)! }.joined()
            _ = DeliveryStatus.parse(Array(text.utf8)).value.recipients.map(\.preciseStatus)
        }
    }

    @Test("of many recipients and fields takes linear time, up to the limit")
    func many() {
        let one = "Final-Recipient: rfc822;a@b\nAction: failed\n\n"
        let parsed = DeliveryStatus.parse(Array(String(repeating: one, count: 40_000).utf8))
        #expect(parsed.value.recipients.count == 25_000)
        #expect(parsed.defects.map(\.limit) == ["fieldCount"])
        let folded = DeliveryStatus.parse(
            Array(("A: b\n" + String(repeating: " c\n", count: 300_000)).utf8))
        #expect(folded.value.fields.count == 1)
    }
}

@Suite("Disposition notification")
struct DispositionNotificationTests {
    @Test("says what was done")
    func fields() throws {
        let message = lines(
            "Content-Type: multipart/report; report-type=disposition-notification; boundary=b", "",
            "--b", "", "Read.", "--b",
            "Content-Type: message/disposition-notification", "",
            "Reporting-UA: pc.example.com; Mailer 1",
            "Original-Recipient: rfc822;a@example.org", "Final-Recipient: rfc822;b@example.org",
            "Original-Message-ID: <m@example.org>", "Disposition: Manual-action/MDN-sent-manually;",
            " displayed/error, warning", "Error: disk full", "--b--")
        let notification = try #require(message.dispositionNotification).content
        #expect(notification.reportingUA == "pc.example.com; Mailer 1")
        #expect(notification.originalRecipient?.text == "a@example.org")
        #expect(notification.finalRecipient?.text == "b@example.org")
        #expect(notification.originalMessageID?.text == "m@example.org")
        #expect(notification.disposition?.isDisplayed == true)
        #expect(notification.disposition?.actionMode == "manual-action")
        #expect(notification.disposition?.sendingMode == "mdn-sent-manually")
        #expect(notification.disposition?.modifiers == ["error", "warning"])
        #expect(notification.errors == ["disk full"])
    }

    @Test(
        "is read where the field is damaged",
        arguments: [
            ("displayed", "displayed"), ("a/b;deleted", "deleted"), (";", nil), ("a;b;c", "b;c"),
        ] as [(String, String?)])
    func damaged(_ text: String, _ type: String?) {
        let parsed = DispositionNotification.parse(Array("Disposition: \(text)\n".utf8))
        #expect(parsed.value.disposition?.type == type)
    }
}

@Suite("Feedback report")
struct FeedbackReportTests {
    @Test("says what is complained about")
    func fields() throws {
        let message = lines(
            "Content-Type: multipart/report; report-type=feedback-report; boundary=b", "", "--b",
            "", "Spam.", "--b",
            "Content-Type: message/feedback-report", "", "Feedback-Type: Abuse", "User-Agent: X/1",
            "Version: 1",
            "Original-Mail-From: <s@example.net>", "Original-Rcpt-To: <a@example.org>",
            "Original-Rcpt-To: b@example.org",
            "Received-Date: Thu, 8 Mar 2005 14:00:00 EDT", "Source-IP: 192.0.2.2", "Incidents: 3",
            "Reported-Domain: example.net",
            "Reported-Uri: http://example.net/", "Auth-Failure: DKIM", "--b",
            "Content-Type: message/rfc822", "", "Subject: Earn money", "", "x", "--b--")
        let report = try #require(message.feedbackReport)
        #expect(report.content.feedbackType == "abuse")
        #expect(report.content.originalMailFrom == "s@example.net")
        #expect(report.content.originalRecipients == ["a@example.org", "b@example.org"])
        #expect(report.content.arrivalDate != nil)
        #expect(report.content.sourceIP == "192.0.2.2" && report.content.incidentCount == 3)
        #expect(report.content.reportedDomains == ["example.net"])
        #expect(report.content.reportedURIs == ["http://example.net/"])
        #expect(report.content.authenticationFailure == "dkim")
        #expect(report.returned?.message.subject == "Earn money")
        #expect(report.returned?.hasBody == true)
    }
}

@Suite("Reports of the corpus", .corpus("enmime/dsn/testdata"))
struct ReportCorpusTests {
    static func message(_ path: String) throws -> Message {
        Message(parsing: try Corpus.octets(path))
    }

    @Test(
        "have the recipients they have",
        arguments: [
            ("enmime/dsn/testdata/delayed_dsn.raw", ["thomas@de-montfort.ac.uk 4.0.0 delayed"]),
            (
                "enmime/dsn/testdata/dsn_with_multipart_alternative.raw",
                ["non-existing@example.com 5.1.10 failed"]
            ),
            (
                "enmime/dsn/testdata/multi_recipient_dsn.raw",
                [
                    "arathib@vnet.ibm.com 5.0.0 failed", "johnh@hpnjld.njd.hp.com 4.0.0 delayed",
                    "wsnell@sdcc13.ucsd.edu 5.0.0 failed",
                ]
            ),
            ("enmime/dsn/testdata/simple_dsn.raw", ["louisl@larry.slip.umd.edu 4.0.0 failed"]),
            (
                "enmime/dsn/testdata/simple_dsn_with_html.raw",
                ["louisl@larry.slip.umd.edu 4.0.0 failed"]
            ),
            ("mimekit/messages/delivery-status.txt", ["newsletter-request@imusic.com - failed"]),
            (
                "mimekit/messages/delivery-status-no-blank-line.txt",
                ["newsletter-request@imusic.com - failed"]
            ),
            (
                "mimekit/messages/delivery-status-multiple-blank-lines.txt",
                ["orig_recip@customer.com 5.5.0 -"]
            ),
            ("mimekit/messages/delivery-status2.txt", ["source@domain.com 5.0.0 failed"]),
        ])
    func deliveryStatus(_ path: String, _ recipients: [String]) throws {
        let message = try Self.message(path)
        let status = try #require(message.deliveryStatus).content
        #expect(
            status.recipients.map {
                "\($0.address?.text ?? "-") \($0.status?.description ?? "-") \($0.action?.name ?? "-")"
            } == recipients)
        #expect(message.bounce != nil)
    }

    @Test("of other kinds say what they say")
    func others() throws {
        let bounce = try Self.message("mimekit/messages/bounce.txt")
        #expect(bounce.bounce?.recipients.isEmpty == false)
        #expect(bounce.automaticKind == .reply)
        let notification = try Self.message("mimekit/messages/disposition-notification.txt")
        #expect(notification.dispositionNotification?.content.disposition?.type == "displayed")
        let feedback = try Self.message("mimekit/messages/feedback-report.txt")
        #expect(feedback.feedbackReport?.content.feedbackType == "abuse")
        #expect(feedback.feedbackReport?.content.reportedURIs.count == 2)
    }
}
