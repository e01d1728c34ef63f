import MartletTestSupport
import Testing

@testable import MartletMIME

@Suite("Received")
struct ReceivedTests {
    @Test("reads what RFC 5321 §4.4 has")
    func standard() {
        let value = """
            from client.example.com (EHLO mail.example.com) (host.example.com [192.0.2.1])\r
             by mx.example.org (Mailer 1.0) via TCP with ESMTPS (TLSv1.3 cipher TLS_AES_128_GCM_SHA256)\r
             id <abc.1@mx.example.org> for <jane@example.org> ; Tue, 1 Jul 2003 10:52:37 +0200 (CEST)
            """
        let parsed = Received.parse(value.utf8)
        var expected = Received()
        expected.from = "client.example.com"
        expected.helo = "mail.example.com"
        expected.reverseName = "host.example.com"
        expected.address = "192.0.2.1"
        expected.by = "mx.example.org"
        expected.via = "TCP"
        expected.with = "ESMTPS"
        expected.tls = Received.TLS(version: "TLSv1.3", cipher: "TLS_AES_128_GCM_SHA256")
        expected.id = "abc.1@mx.example.org"
        expected.recipient = "jane@example.org"
        expected.date = MailDate(secondsSinceEpoch: 1_057_049_557, offsetInMinutes: 120)
        #expect(parsed == Parsed(expected))
    }

    @Test(
        "finds the client in what servers write",
        arguments: [
            // value, from, address, name in DNS, HELO, ident
            ("from [192.0.2.1] by b", "192.0.2.1", nil, nil, nil, nil),
            ("from a (192.0.2.1) by b", "a", "192.0.2.1", nil, nil, nil),
            ("from a(192.0.2.1:25, HELO c) by b", "a", "192.0.2.1", nil, "c", nil),
            ("from a (x.example[192.0.2.1])by b", "a", "192.0.2.1", "x.example", nil, nil),
            ("from a (<x.example>[192.0.2.1]) by b", "a", "192.0.2.1", "x.example", nil, nil),
            ("from a (unknown [IPv6:2001:db8::1]) by b", "a", "2001:db8::1", nil, nil, nil),
            ("from a ([fe80::1%6]) by b", "a", "fe80::1", nil, nil, nil),
            ("from a ([192.0.2.1:49601] helo=c ident=d) by b", "a", "192.0.2.1", nil, "c", "d"),
            ("from a (d@[192.0.2.1]) by b", "a", "192.0.2.1", nil, nil, "d"),
            (
                "from a (IDENT:d@x.example [192.0.2.1]) by b", "a", "192.0.2.1", nil, nil,
                "d@x.example"
            ),
            ("from a (HELO ) (192.0.2.1) by b", "a", "192.0.2.1", nil, nil, nil),
            ("from a (HELO [192.0.2.9]) by b", "a", nil, nil, "192.0.2.9", nil),
            ("from a [192.0.2.1] as user d@x by b", "a", "192.0.2.1", nil, nil, "d@x"),
            ("from ([192.0.2.1]) by b", nil, "192.0.2.1", nil, nil, nil),
            ("from a [(192.0.2.1)] by b", "a", "192.0.2.1", nil, nil, nil),
            ("(from a [192.0.2.1]) by b", "a", "192.0.2.1", nil, nil, nil),
            ("(from d@a) by b", "d@a", nil, nil, nil, nil),
            ("(qmail 1 invoked from network) by b", nil, nil, nil, nil, nil),
            ("from a ([256.0.2.1]) by b", "a", nil, nil, nil, nil),
            ("from a (envelope-from d@x.example) by b from <e@x.example>", "a", nil, nil, nil, nil),
            ("by b", nil, nil, nil, nil, nil),
        ] as [(String, String?, String?, String?, String?, String?)])
    func client(
        value: String, from: String?, address: String?, name: String?, helo: String?, ident: String?
    ) {
        let received = Received.parse((value + "; 1 Jul 2003 10:52:37 +0200").utf8).value
        #expect(received.from == from)
        #expect(received.address == address)
        #expect(received.reverseName == name)
        #expect(received.helo == helo)
        #expect(received.ident == ident)
        #expect(received.by == "b")
        #expect(received.date?.secondsSinceEpoch == 1_057_049_557)
    }

    @Test(
        "names the protocol and the encryption",
        arguments: [
            ("with ESMTPSA", "ESMTPSA", nil, nil), ("with utf8smtps", "UTF8SMTPS", nil, nil),
            ("with Microsoft SMTPSVC(5.0)", "SMTP", nil, nil),
            ("with [X 1 ESMTP Server]", "ESMTP", nil, nil),
            ("with ESMTP-TLS", "ESMTPS", nil, nil), ("with local", "LOCAL", nil, nil),
            ("with local-esmtps", "ESMTPS", nil, nil), ("with mapi", nil, nil, nil),
            ("with bsmtp", "SMTP", nil, nil), ("with HTTPREST", "HTTP", nil, nil),
            (
                "with SMTP (version=TLS1_2, cipher=TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256)", "SMTP",
                "TLSv1.2", "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256"
            ),
            (
                "with esmtps (TLS-1.0:DHE_RSA_3DES_EDE_CBC_SHA:24)", "ESMTPS", "TLSv1.0",
                "DHE_RSA_3DES_EDE_CBC_SHA"
            ),
            ("with esmtp (Cipher TLSv1:DES-CBC3-SHA:168)", "ESMTP", "TLSv1.0", "DES-CBC3-SHA"),
            ("with ESMTPS (version=TLSv1/SSLv3 cipher=OTHER)", "ESMTPS", "TLSv1.0", nil),
            ("with AES256-GCM-SHA384 encrypted SMTP", "SMTP", nil, "AES256-GCM-SHA384"),
            ("with SMTP (TLS13_AES_256_GCM_SHA384)", "SMTP", nil, "TLS13_AES_256_GCM_SHA384"),
            ("with SMTP (SSLv3)", "SMTP", "SSLv3", nil), ("with SMTP (TLS)", "SMTP", nil, nil),
        ] as [(String, String?, String?, String?)])
    func protocols(value: String, type: String?, version: String?, cipher: String?) {
        let received = Received.parse(value.utf8).value
        #expect(received.transmissionType == type)
        #expect(received.tls?.version == version)
        #expect(received.tls?.cipher == cipher)
    }

    @Test("without a date has a defect, and with a broken one")
    func dates() {
        #expect(Received.parse("from a by b".utf8).defects == [Defect(.invalidDate, at: 11)])
        let late = Received.parse("by b; 1 Jul 2003 99:00 +0200".utf8)
        #expect(late.value.date == nil && late.defects == [Defect(.dateOutOfRange, at: 17)])
        #expect(
            Received.parse("by b; 1 Jul 2003 10:52:37 Z for <a@x.org>".utf8).value.recipient
                == "a@x.org")
    }

    @Test("any octets give lines of text", arguments: UInt64(0)..<300)
    func garbage(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let pieces = [
            "from ", "by ", "with ", "id ", "for ", "(", ")", "[", "]", "<", ">", "192.0.2.1",
            "helo=", "ident=[",
            "HELO ", ";", ",", "@", ".", " ", "\r\n ", "\u{0}", "é", "\\", "IPv6:", "%", ":",
            "TLSv1",
            "(from ", "AES-", "1 Jul 2003 10:00", "ident=",
        ]
        let value = (0..<Int.random(in: 0...16, using: &random))
            .map { _ in pieces.randomElement(using: &random)! }.joined()
        let received = Received.parse(value.utf8).value
        for text in [
            received.from, received.address, received.reverseName, received.helo, received.ident,
            received.by, received.via, received.with, received.id, received.recipient,
        ] {
            #expect(!hasControlCharacter(text ?? ""))
        }
    }

    @Test(
        "takes linear time for hostile input",
        arguments: [
            "(", "from ", "[", "<", "a[", "(a", "()", "with a", ";", "from (a@[", "for a ", "1:",
            ",",
        ])
    func hostile(piece: String) {
        // Quadratic time would take minutes.
        _ = Received.parse(String(repeating: piece, count: 500_000 / piece.utf8.count).utf8)
        _ = Received.parse(
            ("from (" + String(repeating: piece, count: 200_000 / piece.utf8.count)).utf8)
    }
}
