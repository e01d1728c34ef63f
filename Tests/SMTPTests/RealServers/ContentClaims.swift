import MartletBytes
import MartletMIME
import MartletSMTP
import MartletTestSupport
import MartletTransport
import Testing

extension RealServerClaim {
    static let content =
        [composed, internationalAddress, twoHundred, smuggled]
        + rawMessages.map { raw in
            RealServerClaim("a ready message arrives as it was: \(raw.name)") { server in
                let recipient = Address.fresh("raw")
                try await SMTPClient.withConnection(to: server.entrance(.plain)) { client in
                    _ = try await client.send(
                        OctetArray(raw.message), envelope: envelope([recipient]))
                }
                try await server.expectArrival(of: OctetArray(raw.arrives), for: recipient)
            }
        }

    private static let composed = RealServerClaim(
        "all that a composed message can have arrives as it was composed"
    ) { server in
        let recipient = Address.fresh("composed")
        var message = try compose(
            "Grüße aus Zürich: ein Betreff, der über mehrere Zeilen geht 🇨🇭 und nirgends zerbricht",
            from: "Jörg Müller <joerg@bücher.example>",
            to: ["\"Wörthersee, Anna\" <\(recipient)>", "John \"Q.\" Public <q@example.org>"],
            cc: (1...12).map { "Reader Number \($0) <reader-\($0)@example.org>" },
            text: "Grüße,\n.\n..\nFrom here to there\n\(String(repeating: "ä", count: 600))\n",
            html: "<p>Grüße,</p>\n<p>\(String(repeating: "long ", count: 400))</p>\n",
            attachments: [
                MartletMIME.Attachment(
                    name: "Übersicht 2026 – Entwurf.pdf", content: OctetArray(noise(10_000))),
                MartletMIME.Attachment(
                    name: "résumé.txt", content: OctetArray(Array("naïve café\n.\n".utf8)),
                    disposition: .inline),
            ])
        message.replyTo = [try MailboxAddress("Büro <office@bücher.example>")]
        message.inReplyTo = [try MessageID("parent@example.org")]
        message.references = try (1...20).map { try MessageID("ancestor.\($0)@example.org") }
        message.xMailer = "Martlet"
        try message.extraFields.append(
            "X-Note", "Ärger mit " + String(repeating: "long words ", count: 30) + "und Umlauten")
        try await SMTPClient.withConnection(to: server.entrance(.plain)) { client in
            try await client.send(
                message,
                envelope: DeliveryEnvelope(
                    reversePath: .mailbox(PathMailbox(message.from[0])),
                    forwardPaths: [ForwardPath(recipient)]))
            try await server.expectArrival(
                of: message.octets(for: client.capabilities), for: recipient,
                from: "joerg@xn--bcher-kva.example")
        }
    }

    /// RFC 6531.
    private static let internationalAddress = RealServerClaim(
        "an address beyond ASCII goes where that is taken, and is an error elsewhere"
    ) { server in
        let recipient = "jörg-" + Address.fresh("utf8")
        let message = try compose("Grüße", to: ["Jörg <\(recipient)>"])
        try await SMTPClient.withConnection(to: server.entrance(.plain)) { client in
            try await client.connect()
            guard await client.capabilities.has(.smtpUTF8) else {
                #expect(server.kind == .openSMTPD)
                let error = try await #require(throws: SMTPError.self) {
                    try await client.send(message)
                }
                guard case .needsSMTPUTF8 = error.kind else {
                    Issue.record("\(error.debugDescription)")
                    return
                }
                #expect(await client.isConnected)
                return
            }
            #expect(try await client.send(message).allAccepted)
            let octets = try await message.octets(for: client.capabilities)
            try await server.expectArrival(of: octets, for: recipient)
        }
    }

    private static let twoHundred = RealServerClaim("200 messages go over one connection") {
        server in
        let recipient = Address.fresh("many")
        let lines = WireLines()
        let entrance = try server.entrance(
            server.kind.offersTLS ? .submission : .plain, log: lines.log())
        let messages = (0..<200).map { number in
            let line = "Message \(number) of 200, " + String(repeating: "x", count: number) + "\r\n"
            return Array((rawHeader + "Subject: \(number)\r\n\r\n" + line).utf8)
        }
        try await SMTPClient.withConnection(to: entrance) { client in
            for message in messages {
                let report = try await client.send(
                    OctetArray(message), envelope: envelope([recipient]))
                #expect(report.allAccepted)
            }
        }
        entrance.log?.flush()
        #expect(lines.connections == 1)
        #expect(lines.count(of: "C: MAIL FROM") == 200)
        #expect(lines.count(of: "C: AUTH") == (entrance.credentials == nil ? 0 : 1))
        let arrived = try await server.waitForMessages(200, for: recipient, within: .seconds(120))
        #expect(arrived.count == 200)
        #expect(Set(arrived.map(\.octets)) == Set(messages))
    }

    /// Servers that take LF for a line end would see two messages here. RFC 5321 §2.3.8.
    private static let smuggled = RealServerClaim("no line end of a message is taken for its end") {
        server in
        let ends = ["\n.\n", "\n.\r\n", "\r\n.\n", "\r.\r", "\r\n.\r", "\r.\r\n", "\n.\r"]
        for end in ends {
            let recipient = Address.fresh("outer")
            let inner = Address.fresh("inner")
            let smuggled = "MAIL FROM:<x@example.test>\r\nRCPT TO:<\(inner)>\r\nDATA\r\n"
            let start = rawHeader + "Subject: outer\r\n\r\nFirst line"
            let rest = smuggled + "Subject: inner\r\n\r\nHello.\r\n"
            try await SMTPClient.withConnection(to: server.entrance(.plain)) { client in
                try await client.send(
                    OctetArray(Array((start + end + rest).utf8)), envelope: envelope([recipient]))
                try await server.expectArrival(of: start + "\r\n.\r\n" + rest, for: recipient)
                try await server.expectNothing(for: inner, by: client)
            }
        }
    }

    /// A message, and what it is on arrival: told here octet for octet, not worked out by the library.
    struct RawMessageCase: Sendable {
        var name: String
        var message: [UInt8]
        var arrives: [UInt8]

        init(_ name: String, _ body: [UInt8], arrives: [UInt8]? = nil) {
            let header = Array((rawHeader + "Subject: raw\r\n\r\n").utf8)
            self.name = name
            message = header + body
            self.arrives = header + (arrives ?? body)
        }

        init(_ name: String, _ body: String, arrives: String? = nil) {
            self.init(name, Array(body.utf8), arrives: arrives.map { Array($0.utf8) })
        }
    }

    private static let rawMessages: [RawMessageCase] = [
        .init(
            "dots at line starts",
            ".\r\n..\r\n.x\r\n...\r\n. \r\n x.\r\n\r\n.\r\n\r\n..\r\nlast\r\n.\r\n"),
        .init("a body that is one dot", ".\r\n"),
        .init("no body", ""),
        .init("empty lines at the end", "text\r\n\r\n\r\n\r\n"),
        .init(
            "lines of up to 998 octets",
            (990...998).map { String(repeating: "l", count: $0) + "\r\n" }.joined()
                + "." + String(repeating: "d", count: 997) + "\r\n"),
        .init("UTF-8", "Grüße, 你好, 🐦\r\n"),
        .init(
            "all octets above 127, as no character set has them",
            (UInt8(0x80)...0xFF).map { $0 } + [0x0D, 0x0A] + [0xFF, 0xFE, 0xC0, 0x80, 0x0D, 0x0A]),
        .init(
            "blanks and controls",
            " lead\r\n\ttab\t\r\ntrail \t \r\n\u{1}\u{8}\u{B}\u{C}\u{1B}\u{7F}\r\n"
        ),
        .init("lines that look like commands", "QUIT\r\nRSET\r\nFrom x\r\n>From y\r\nDATA\r\n"),
        .init(
            "no line end at the end", "one\r\nlast line", arrives: "one\r\nlast line\r\n"),
        .init(
            "bare line feeds", "one\n.two\n\n.\nthree\n",
            arrives: "one\r\n.two\r\n\r\n.\r\nthree\r\n"),
        .init(
            "bare carriage returns", "one\r.two\r\r.\rthree\r",
            arrives: "one\r\n.two\r\n\r\n.\r\nthree\r\n"),
        .bareLineFeeds,
    ]
}

extension RealServerClaim.RawMessageCase {
    /// Header and all, as files on Unix are.
    static let bareLineFeeds: Self = {
        var raw = Self("a file with line feeds only", "text\r\n.dot\r\n\r\nend\r\n")
        raw.message = raw.arrives.filter { $0 != ASCII.cr }
        return raw
    }()
}

/// Octets without a pattern, the same each time.
func noise(_ count: Int) -> [UInt8] {
    var random = SeededGenerator(seed: 20_261_130)
    return (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
}
