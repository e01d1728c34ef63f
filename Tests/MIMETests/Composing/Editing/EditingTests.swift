import MartletBytes
import MartletTestSupport
import Testing

@testable import MartletMIME

private func octets(_ message: OutgoingMessage, allows8Bit: Bool = false) throws -> [UInt8] {
    try #require(
        try message.renderedDraft(RenderingOptions(allows8Bit: allows8Bit)).octetsInMemory)
}

@Suite("Editing a message")
struct EditingTests {
    @Test("gives back what was composed", arguments: UInt64(0)..<400)
    func law(seed: UInt64) throws {
        var generator = RandomMessage(seed: seed)
        let message = try generator.make()
        let written = try octets(message, allows8Bit: seed % 3 == 0)
        let read = OutgoingMessage(editing: Message(parsing: written))
        let (expected, found) = (try MessageView(message), try MessageView(read))
        for (mine, other) in zip(
            Mirror(reflecting: expected).children, Mirror(reflecting: found).children)
        where "\(mine.value)" != "\(other.value)" {
            Issue.record("seed \(seed), \(mine.label ?? ""): \(mine.value) became \(other.value)")
        }
        #expect(expected == found, "seed \(seed)")
    }

    @Test("keeps Bcc in a draft, and never in what is sent")
    func bcc() throws {
        let eve = try MailboxAddress("eve@example.org")
        let message = OutgoingMessage(
            from: try MailboxAddress("jane@example.org"), bcc: [eve], text: "x")
        #expect(OutgoingMessage(editing: Message(parsing: try octets(message))).bcc == [eve])
        let sent = try #require(try message.rendered().octetsInMemory)
        #expect(!text(sent).lowercased().contains("eve"))
    }

    @Test("leaves out what belongs to the way of the old message")
    func trace() throws {
        let read = OutgoingMessage(
            editing: Message(
                parsing: Array(
                    """
                    Return-Path: <a@x.org>
                    Received: from x by y; Mon, 30 Nov 2026 04:22:55 +0100
                    DKIM-Signature: v=1
                    Resent-From: r@x.org
                    From: a@x.org
                    X-Own: kept
                    Mime-Version: 1.0
                    Content-Type: multipart/signed; boundary=b

                    --b

                    text
                    --b
                    Content-Type: application/pgp-signature; name=s.asc

                    x
                    --b--

                    """.utf8)))
        #expect(read.extraFields.map(\.name.text) == ["X-Own"])
        #expect(read.text == "text" && read.attachments.isEmpty)
    }

    @Test("takes what other programs write, and can always be sent again")
    func foreign() throws {
        let read = OutgoingMessage(
            editing: Message(
                parsing: Array(
                    """
                    From: =?iso-8859-1?q?J=FCrgen?= <j@x.org>
                    To: a@x.org; broken; b@x.org
                    Subject: =?utf-8?q?a=0D=0ABcc:_x?=
                    X-Priority: 2
                    Message-ID: <with blank@x>
                    Content-Type: multipart/mixed; boundary=b

                    --b
                    Content-Type: text/plain; charset=iso-8859-1
                    Content-Transfer-Encoding: quoted-printable

                    =FCber
                    --b
                    Content-Type: application/pdf; name="=?utf-8?q?=C3=BC=0A.pdf?="
                    Content-Disposition: attachment

                    x
                    --b
                    Content-Type: text/plain

                    footer
                    --b--

                    """.utf8)))
        #expect(read.from.map(\.displayName) == ["Jürgen"])
        #expect(
            read.to.map(\.addrSpec).first == "a@x.org" && read.to.map(\.addrSpec).last == "b@x.org")
        #expect(read.importance == .high)
        #expect(read.text == "über")
        #expect(read.attachments.count == 2)
        _ = try read.rendered()
    }

    @Test(
        "leaves out or cuts what cannot be written",
        arguments: [
            ("X-Own: a\r\nX-Long: \(String(repeating: "x", count: 2_000))", ["X-Own"]),
            ("Comments: a\r\nComments: b\r\nX-Own: a", ["X-Own"]),
            ("X-Priority: none\r\nX-Own: a\r\nImportance: high", ["X-Own"]),
            ("List-Help: <a:b>\r\nList-Help: <c:d>", []),
            ("Precedence: not a token", ["Precedence"]),
            ("Subject: \(String(repeating: "x y ", count: 30_000))", []),
            ("Comments: \(String(repeating: "x y ", count: 30_000))", ["Comments"]),
            ("Keywords: a, \(String(repeating: "x y ", count: 30_000))", []),
            ("X-Own: \(String(repeating: "\u{E4} y ", count: 30_000))", []),
        ] as [(String, [String])])
    func unwritable(fields: String, extra: [String]) throws {
        let text = "From: a@example.org\r\n\(fields)\r\n\r\nx"
        let read = OutgoingMessage(editing: Message(parsing: Array(text.utf8)))
        #expect(read.extraFields.map(\.name.text) == extra)
        _ = try read.rendered()
    }

    @Test(
        "an empty message, and none at all, become values too",
        arguments: ["", "\r\n", "x", "From: a@b\r\n\r\n"])
    func empty(text: String) {
        let read = OutgoingMessage(editing: Message(parsing: Array(text.utf8)))
        #expect(read.attachments.isEmpty)
    }

    @Test("takes time linear in the message, whatever is in it")
    func hostile() {
        let long = String(repeating: "x", count: 200_000)
        let parts = String(repeating: "--b\nContent-ID: <a@x>\n\n\n", count: 20_000)
        let messages = [
            "Content-Type: multipart/related; boundary=b; x=\"\(long)\"\n\n\(parts)--b--\n",
            "To: " + String(repeating: "a@x, ", count: 50_000) + "\nList-Help: "
                + String(repeating: "<a:b>,", count: 50_000) + "\nKeywords: "
                + String(repeating: "a,", count: 50_000) + "\n\n",
            String(repeating: "X-Priority: 1\n", count: 50_000) + "\n",
            "References: " + String(repeating: "<a@x> ", count: 50_000) + "\n\n",
        ]
        for text in messages {
            let message = Message(parsing: Array(text.utf8))
            let duration = ContinuousClock().measure {
                _ = OutgoingMessage(editing: message)
                if let jane = try? MailboxAddress("jane@example.org") {
                    _ = OutgoingMessage.reply(to: message, audience: .everyone, from: jane)
                    _ = OutgoingMessage.forward(message, from: jane)
                }
            }
            #expect(duration < .seconds(60))
        }
    }
}
