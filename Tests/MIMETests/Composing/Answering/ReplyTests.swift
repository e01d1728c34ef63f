import MartletBytes
import MartletTestSupport
import Testing

@testable import MartletMIME

private let jane = try! MailboxAddress("Jane <jane@example.org>")

private func message(_ lines: String...) -> Message {
    Message(parsing: Array(lines.joined(separator: "\r\n").utf8))
}

@Suite("The recipients of an answer")
struct ReplyRecipientTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var claim: String
        var header: String
        var audience: ReplyAudience = .sender
        var to: [String]
        var cc: [String] = []
        var testDescription: String { claim }
    }

    static let list = "List-Post: <mailto:list@x.org>\r\n"

    @Test(
        "follow from the fields of the message",
        arguments: [
            Case(
                claim: "the author",
                header: "From: a@x.org\r\nTo: jane@example.org, b@x.org\r\nCc: c@x.org",
                to: ["a@x.org"]),
            Case(
                claim: "Reply-To", header: "From: a@x.org\r\nReply-To: r@x.org, s@x.org",
                to: ["r@x.org", "s@x.org"]),
            Case(
                claim: "Mail-Reply-To first",
                header: "From: a@x.org\r\nReply-To: r@x.org\r\nMail-Reply-To: m@x.org",
                to: ["m@x.org"]),
            Case(
                claim: "everyone, without oneself, each once",
                header:
                    "From: a@x.org\r\nTo: JANE@Example.ORG, b@x.org, A@x.org\r\nCc: c@x.org, b@X.org",
                audience: .everyone, to: ["a@x.org"], cc: ["b@x.org", "c@x.org"]),
            Case(
                claim: "everyone, by Mail-Followup-To",
                header:
                    "From: a@x.org\r\nTo: b@x.org\r\nMail-Followup-To: l@x.org, jane@example.org",
                audience: .everyone, to: ["l@x.org"]),
            Case(
                claim: "everyone with Reply-To",
                header: "From: a@x.org\r\nReply-To: r@x.org\r\nTo: b@x.org", audience: .everyone,
                to: ["r@x.org"], cc: ["b@x.org"]),
            Case(
                claim: "groups are members", header: "From: a@x.org\r\nTo: G: b@x.org, c@x.org;",
                audience: .everyone, to: ["a@x.org"], cc: ["b@x.org", "c@x.org"]),
            Case(
                claim: "everyone, and the list that has put itself into Reply-To",
                header: list + "From: a@x.org\r\nReply-To: list@x.org\r\nTo: b@x.org",
                audience: .everyone, to: ["a@x.org"], cc: ["b@x.org", "list@x.org"]),
            Case(
                claim: "the list", header: list + "From: a@x.org\r\nTo: list@x.org",
                audience: .list, to: ["list@x.org"]),
            Case(
                claim: "no list: everyone", header: "From: a@x.org\r\nTo: b@x.org", audience: .list,
                to: ["a@x.org"], cc: ["b@x.org"]),
            Case(
                claim: "a list that takes nothing",
                header: "List-Post: NO\r\nFrom: a@x.org\r\nTo: b@x.org", audience: .list,
                to: ["a@x.org"], cc: ["b@x.org"]),
            Case(
                claim: "a list's Reply-To does not make it public",
                header: list + "From: a@x.org\r\nReply-To: list@x.org", to: ["a@x.org"]),
            Case(
                claim: "a Reply-To beside the list's counts",
                header: list + "From: a@x.org\r\nReply-To: list@x.org, r@x.org",
                to: ["list@x.org", "r@x.org"]),
            Case(
                claim: "an own message goes where it went",
                header: "From: jane@example.org\r\nTo: b@x.org\r\nCc: c@x.org", to: ["b@x.org"]),
            Case(
                claim: "an own message, to everyone",
                header: "From: jane@example.org\r\nTo: b@x.org\r\nCc: c@x.org", audience: .everyone,
                to: ["b@x.org"], cc: ["c@x.org"]),
            Case(
                claim: "to oneself", header: "From: jane@example.org\r\nTo: jane@example.org",
                to: ["jane@example.org"]),
            Case(
                claim: "to oneself, written in several ways",
                header: "From: jane@example.org\r\nTo: Jane@example.org, JANE@Example.org",
                to: ["Jane@example.org"]),
            Case(
                claim: "only Cc is left",
                header: "From: jane@example.org\r\nTo: jane@example.org\r\nCc: c@x.org",
                audience: .everyone, to: ["c@x.org"]),
            Case(
                claim: "other own addresses", header: "From: a@x.org\r\nTo: me@y.org, b@x.org",
                audience: .everyone, to: ["a@x.org"], cc: ["b@x.org"]),
            Case(claim: "no From", header: "Sender: s@x.org", to: ["s@x.org"]),
            Case(claim: "nobody", header: "Subject: x", to: []),
            Case(
                claim: "an escaped list",
                header: "List-Post: <mailto:a%2Bb@x.org?subject=x>\r\nFrom: a@x.org",
                audience: .list, to: ["a+b@x.org"]),
        ])
    func table(_ example: Case) throws {
        let answer = OutgoingMessage.reply(
            to: message(example.header, "", ""), audience: example.audience, from: jane,
            own: [try MailboxAddress("me@y.org")])
        #expect(answer.to.map(\.addrSpec) == example.to)
        #expect(answer.cc.map(\.addrSpec) == example.cc)
        #expect(answer.from == [jane])
    }
}

@Suite("The conversation of an answer")
struct ConversationTests {
    private func answer(_ header: String...) -> OutgoingMessage {
        OutgoingMessage.reply(
            to: Message(parsing: Array((header + ["", ""]).joined(separator: "\r\n").utf8)),
            from: jane)
    }

    @Test("goes on from References, else from a single In-Reply-To")
    func references() {
        var made = answer("Message-ID: <c@x>", "References: <a@x> <b@x>", "In-Reply-To: <b@x>")
        #expect(made.inReplyTo.map(\.text) == ["c@x"])
        #expect(made.references.map(\.text) == ["a@x", "b@x", "c@x"])
        made = answer("Message-ID: <c@x>", "In-Reply-To: <b@x>")
        #expect(made.references.map(\.text) == ["b@x", "c@x"])
        made = answer("Message-ID: <c@x>", "In-Reply-To: <b@x> <a@x>")
        #expect(made.references.map(\.text) == ["c@x"])
        made = answer("References: <a@x>")
        #expect(made.inReplyTo == [] && made.references.map(\.text) == ["a@x"])
        made = answer("Subject: x")
        #expect(made.inReplyTo == [] && made.references == [])
        made = answer("Message-ID: <a@x>", "References: <a@x> <b@x> <b@x>")
        #expect(made.references.map(\.text) == ["b@x", "a@x"])
    }

    @Test("keeps its first and its last names when it is long")
    func trimmed() {
        let names = (0..<500).map { "<\($0)@x>" }.joined(separator: " ")
        let made = answer("Message-ID: <last@x>", "References: " + names)
        #expect(made.references.count == OutgoingMessage.referenceLimit)
        #expect(made.references.first?.text == "0@x" && made.references.last?.text == "last@x")
        #expect(made.references[1].text == "\(500 - OutgoingMessage.referenceLimit + 2)@x")
    }
}

@Suite("The subject of an answer")
struct SubjectPrefixTests {
    @Test(
        "has one mark, whatever it had",
        arguments: [
            ("Hello", "Hello"), ("", ""), ("Re: Hello", "Hello"), ("RE: re: Re:Hello", "Hello"),
            ("AW: Hello", "Hello"), ("Antw: Hello", "Hello"), ("SV: VS: Hello", "Hello"),
            ("Fwd: Re: Hello", "Hello"), ("WG: AW: Hello", "Hello"), ("Re[2]: Hello", "Hello"),
            ("Re (3): Hello", "Hello"), ("Re^2: Hello", "Hello"), ("re : Hello", "Hello"),
            ("回复：你好", "你好"), ("回复: Re: 你好", "你好"), ("RE：你好", "你好"), ("Vá: szia", "szia"),
            ("TR : Bonjour", "Bonjour"), ("RV: Hola", "Hola"), ("Odp: Cześć", "Cześć"),
            ("YNT: Merhaba", "Merhaba"), ("Отв: Привет", "Привет"), ("ΑΠ: γεια", "γεια"),
            ("Hello (fwd)", "Hello"), ("[Fwd: Hello]", "Hello"),
            ("[fwd: [Fwd: Re: Hello]]", "Hello"),
            ("[list] Hello", "[list] Hello"), ("Re: [list] Hello", "[list] Hello"),
            ("[list] Re: Hello", "[list] Hello"), ("[list] Re: [list] Hello", "[list] Hello"),
            ("[list] AW: [other] Hello", "[list] [other] Hello"),
            ("[PATCH 1/2] Fix", "[PATCH 1/2] Fix"), ("Report: done", "Report: done"),
            ("Regarding: x", "Regarding: x"), ("I: Robot", "I: Robot"), (": x", ": x"),
            ("Re (draft 2) budget: final", "Re (draft 2) budget: final"),
            ("Re (draft): final", "Re (draft): final"), ("FS: a bicycle", "FS: a bicycle"),
            ("Re [x] y: z", "Re [x] y: z"), ("Re*2: Hello", "Hello"), ("İLT: Merhaba", "Merhaba"),
            ("[list] Re:", "[list]"), ("Ref: 4711", "Ref: 4711"),
            ("Re:", ""), ("Re: Re:", ""), ("re", "re"), ("[", "["), ("[]", "[]"),
            ("(fwd)", "(fwd)"),
            ("  Re:   Hello  ", "Hello"),
        ])
    func stripped(subject: String, base: String) {
        #expect(SubjectPrefixes.stripped(subject) == base)
        #expect(SubjectPrefixes.stripped(base) == base)
        #expect(
            SubjectPrefixes.marked(subject, with: "Re:") == (base.isEmpty ? "Re:" : "Re: " + base))
    }

    @Test(
        "is made in time linear in its length",
        arguments: ["Re: ", "[fwd: ", "[a] Re: ", "[a]", "(fwd)", "re [", "[", ":", " ", "Re："])
    func hostile(piece: String) {
        let subject = String(repeating: piece, count: 100_000 / piece.utf8.count)
        let duration = ContinuousClock().measure { _ = SubjectPrefixes.stripped(subject) }
        #expect(duration < .seconds(5))
        let closed = subject + String(repeating: "]", count: 50_000)
        #expect(ContinuousClock().measure { _ = SubjectPrefixes.stripped(closed) } < .seconds(5))
    }
}

@Suite("The quotation of an answer")
struct QuotationTests {
    private let header =
        "From: Bob B. <bob@example.org>\r\nDate: Mon, 30 Nov 2026 04:22:55 +0100\r\n"

    private func answer(
        _ rest: String, text: String? = nil, _ quotation: Quotation = .text()
    ) -> OutgoingMessage {
        OutgoingMessage.reply(
            to: Message(parsing: Array((header + rest).utf8)), from: jane, text: text,
            quotation: quotation)
    }

    @Test("quotes the text below the answer, without its signature, deeper levels without a blank")
    func text() {
        let made = answer("\r\nHi\r\n\r\n> old\r\n>> older\r\n  in\r\n-- \r\nBob\r\n", text: "Yes!")
        #expect(
            made.text == """
                Yes!

                On Mon, 30 Nov 2026 04:22:55 +0100, Bob B. wrote:
                > Hi
                >
                >> old
                >>> older
                >   in

                """)
        #expect(made.textFormat == .fixed && made.html == nil)
        #expect(answer("\r\nHi", .text(attribution: "Bob:")).text == "Bob:\n> Hi\n")
        #expect(answer("\r\nHi", text: "x", .nothing).text == "x")
        #expect(answer("\r\n").text?.hasSuffix("wrote:\n") == true)
    }

    @Test("quotes a text of nothing but line ends in time and memory linear in it")
    func emptyLines() {
        let count = 1_000_000
        let made = answer(
            "\r\n" + String(repeating: "\n", count: count) + "x\n-- \n\n-- \n", .html())
        let quoted = String(repeating: ">\n", count: count) + "> x\n> -- \n"
        #expect(made.text?.hasSuffix(" wrote:\n" + quoted) == true)
        #expect(made.html?.utf8.count { $0 == ASCII.lf } ?? 0 > count)
        #expect(answer("\r\n \n\t\n").text?.hasSuffix("wrote:\n") == true)
    }

    @Test("joins the lines of a flowed text, and flows itself")
    func flowed() {
        let made = answer(
            "Content-Type: text/plain; format=flowed; delsp=no\r\n\r\nOne \r\nline\r\n> quo \r\n> ted\r\n"
        )
        #expect(made.textFormat == .flowed)
        #expect(made.text?.hasSuffix("wrote:\n> One line\n>> quo ted\n") == true)
    }

    @Test("says in text what an HTML message says")
    func htmlOnly() {
        let html =
            "<html><head><title>T</title><style>p{}</style></head><body><!-- <p>no --><p>Gr&uuml;&szlig;e &amp; "
            + "<b>so</b>\r\n  on</p><div>a<br>b &lt;x&gt; &#228;&#xe4;&#7;&bogus; &</div>"
            + "<script>alert('<p>')</script>end"
        let made = answer("Content-Type: text/html; charset=utf-8\r\n\r\n" + html)
        #expect(
            made.text?.hasSuffix(
                "wrote:\n> Grüße & so on\n>\n> a\n> b <x> ää&bogus; &\n> end\n") == true
        )
        #expect(made.html == nil)
    }

    @Test("quotes HTML only when it is asked to, with what it shows")
    func html() throws {
        let body =
            "Content-Type: multipart/related; boundary=b\r\n\r\n--b\r\nContent-Type: text/html\r\n\r\n"
            + "<html><body class='x>'><p>Hi <img src=\"cid:a@x\"></body></html>\r\n--b\r\n"
            + "Content-Type: image/png; name=a.png\r\nContent-ID: <a@x>\r\n\r\nPNG\r\n--b\r\n"
            + "Content-Type: image/png; name=b.png\r\nContent-ID: <b@x>\r\n\r\nPNG\r\n--b--\r\n"
        let made = answer(body, text: "1 < 2", .html(attribution: "B & b:"))
        #expect(
            made.html
                == "<div>1 &lt; 2</div><br>\n<div>B &amp; b:</div>\n<blockquote type=\"cite\">\n"
                + "<p>Hi <img src=\"cid:a@x\">\n</blockquote>\n")
        #expect(made.attachments.map(\.name) == ["a.png"])
        #expect(made.attachments.first?.isRelatedToHTML == true)
        #expect(made.missingContentIDs == [])
        #expect(made.text == "1 < 2\n\nB & b:\n> Hi\n")
        #expect(answer(body).attachments.isEmpty)
        #expect(answer("\r\na<b", .html()).html?.contains("a&lt;b") == true)
    }

    @Test(
        "says nothing that a browser does not show",
        arguments: [
            ("<script>if (a < b) document.write('<p>no</p>')</script>yes", "yes"),
            ("<style>p > a { content: \"'\" }</style>yes", "yes"),
            ("<p>it's <b>\"so\"</b>, isn't it</p>", "it's \"so\", isn't it"),
            ("<p title=it's>one</p><p>two's</p>", "one\n>\n> two's"),
            ("<iframe>no</iframe><noframes>no</noframes>yes", "yes"),
            ("&euro;5 &ndash; &eacute;&#8364;&#x1F600;&#0;&#13;x", "€5 – é€😀\u{FFFD} x"),
            ("a&nbsp;&nbsp;b", "a  b"), ("a\u{0}b", "ab"),
        ])
    func shown(html: String, text: String) {
        let made = answer("Content-Type: text/html; charset=utf-8\r\n\r\n" + html)
        #expect(made.text?.hasSuffix("wrote:\n> " + text + "\n") == true, "\(made.text ?? "")")
    }

    @Test(
        "takes time linear in the HTML, whatever is in it",
        arguments: [
            "<", "<!--", "<a ", "<a \"", "&", "&#", "<p>", "</head>", "<body>", " ", "<head>",
        ])
    func hostile(piece: String) {
        let html = String(repeating: piece, count: 200_000 / piece.utf8.count)
        let duration = ContinuousClock().measure {
            _ = answer("Content-Type: text/html\r\n\r\n" + html, .html())
        }
        #expect(duration < .seconds(20))
    }
}

@Suite("Forwarding")
struct ForwardTests {
    private let original = message(
        "From: Bob <bob@example.org>", "To: a@x.org", "Cc: b@x.org",
        "Subject: Re: =?utf-8?q?Gr=C3=B6=C3=9Fe?=",
        "Date: Mon, 30 Nov 2026 04:22:55 +0100", "Message-ID: <a@x>",
        "Content-Type: multipart/mixed; boundary=b", "", "--b", "Content-Type: text/plain", "",
        "Hi", "--b",
        "Content-Type: application/pdf; name=\"a b.pdf\"", "Content-Disposition: attachment",
        "Content-Transfer-Encoding: base64", "", "AQID", "--b", "Content-Type: message/rfc822", "",
        "Subject: inner", "", "x", "--b--", "")

    @Test("inline says whose it is, and carries the attachments")
    func inline() throws {
        let made = OutgoingMessage.forward(
            original, from: jane, to: [jane], text: "Look", title: "-- Forwarded --")
        #expect(
            made.text == """
                Look

                -- Forwarded --
                From: Bob <bob@example.org>
                Date: Mon, 30 Nov 2026 04:22:55 +0100
                Subject: Re: Größe
                To: a@x.org
                Cc: b@x.org

                Hi

                """)
        #expect(made.subject == "Fwd: Größe" && made.to == [jane])
        #expect(made.attachments.map(\.name) == ["a b.pdf", ""])
        #expect(made.attachments[0].content.octetsInMemory == [1, 2, 3])
        #expect(made.attachments[0].contentType.parameters == [])
        #expect(made.attachments[1].contentType.description == "message/rfc822")
        #expect(made.attachments[1].content.octetsInMemory == Array("Subject: inner\r\n\r\nx".utf8))
        #expect(made.inReplyTo == [] && made.references == [] && made.html == nil)
    }

    @Test("inline keeps all of the text, its signature and what stands behind it too")
    func signature() {
        let original = message(
            "Content-Type: multipart/mixed; boundary=b", "", "--b", "", "Hi", "-- ", "Bob", "--b",
            "", "More", "--b--", "")
        let made = OutgoingMessage.forward(original, from: jane)
        #expect(made.text?.hasSuffix("\n\nHi\n-- \nBob\nMore\n") == true)
        #expect(made.attachments.isEmpty)
    }

    @Test("and answering cut a subject that is too long to be written")
    func longSubject() throws {
        let original = message(
            "Subject: " + String(repeating: "ü", count: 40_000), "", "x")
        for made in [
            OutgoingMessage.forward(original, from: jane),
            OutgoingMessage.reply(to: original, from: jane),
            OutgoingMessage.forward(original, as: .attachment, from: jane),
        ] {
            let isCut = made.subject.hasSuffix("ü") && made.subject.utf8.count > 65_000
            #expect(isCut)
            _ = try made.rendered()
        }
    }

    @Test("as an attachment keeps every octet")
    func attachment() throws {
        let made = OutgoingMessage.forward(original, as: .attachment, from: jane, text: "Look")
        #expect(made.attachments.map(\.name) == ["Größe.eml"])
        let read = Message(parsing: try #require(try made.rendered().octetsInMemory))
        let part = try #require(read.parts.first { $0.kind == .message })
        #expect(part.decodedBody().value == original.octets[0..<original.octets.count])
    }

    @Test("the name of a forwarded message is a name")
    func fileName() {
        for (subject, name) in [
            ("a/b\\c: <d>", "a_b_c_ _d_.eml"), ("", "message.eml"),
            (String(repeating: "ж", count: 500), String(repeating: "ж", count: 60) + ".eml"),
        ] {
            let made = OutgoingMessage.forward(
                Message(parsing: Array("Subject: \(subject)\r\n\r\n".utf8)), as: .attachment,
                from: jane)
            #expect(made.attachments[0].name == name)
        }
    }

    @Test("HTML only when it is asked for")
    func html() {
        let original = message(
            "From: <bob@example.org>", "Content-Type: text/html", "", "<body><p>x</p></body>")
        #expect(OutgoingMessage.forward(original, from: jane).html == nil)
        let made = OutgoingMessage.forward(original, as: .inlineHTML, from: jane, title: "T")
        #expect(made.html == "<div>T<br>\nFrom: bob@example.org</div><br>\n<p>x</p>")
        #expect(made.text == "T\nFrom: bob@example.org\n\nx\n")
    }
}
