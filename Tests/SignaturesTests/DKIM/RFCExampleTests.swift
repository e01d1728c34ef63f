import MartletBytes
import MartletMIME
import MartletSignatures
import MartletTestSupport
import Testing

/// The example of RFC 8463 appendix A: one message, an Ed25519 and an RSA signature.
enum RFC8463 {
    static let message = crlf(
        """
        DKIM-Signature: v=1; a=ed25519-sha256; c=relaxed/relaxed;
         d=football.example.com; i=@football.example.com;
         q=dns/txt; s=brisbane; t=1528637909; h=from : to :
         subject : date : message-id : from : subject : date;
         bh=2jUSOH9NhtVGCQWNr9BrIAPreKQjO6Sn7XIkfJVOzv8=;
         b=/gCrinpcQOoIfuHNQIbq4pgh9kyIK3AQUdt9OdqQehSwhEIug4D11Bus
         Fa3bT3FY5OsU7ZbnKELq+eXdp1Q1Dw==
        DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed;
         d=football.example.com; i=@football.example.com;
         q=dns/txt; s=test; t=1528637909; h=from : to : subject :
         date : message-id : from : subject : date;
         bh=2jUSOH9NhtVGCQWNr9BrIAPreKQjO6Sn7XIkfJVOzv8=;
         b=F45dVWDfMbQDGHJFlXUNB2HKfbCeLRyhDXgFpEL8GwpsRe0IeIixNTe3
         DhCVlUrSjV4BwcVcOF6+FF3Zo9Rpo1tFOeS9mPYQTnGdaSGsgeefOsk2Jz
         dA+L10TeYt9BgDfQNZtKdN1WO//KgIqXP7OdEFE4LjFYNcUxZQ4FADY+8=
        From: Joe SixPack <joe@football.example.com>
        To: Suzie Q <suzie@shopping.example.net>
        Subject: Is dinner ready?
        Date: Fri, 11 Jul 2003 21:00:37 -0700 (PDT)
        Message-ID: <20030712040037.46341.5F8J@football.example.com>

        Hi.

        We lost the game.  Are you hungry yet?

        Joe.

        """)

    static let keys: DKIMKeyLookup = { selector, domain in
        guard domain == "football.example.com" else { return nil }
        return switch selector {
        case "brisbane":
            Array("v=DKIM1; k=ed25519; p=11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=".utf8)
        case "test":
            Array(
                """
                v=DKIM1; k=rsa; p=MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDkHlOQoBTzWR\
                iGs5V6NpP3idY6Wk08a5qhdR6wy5bdOKb2jLQiY/J16JYi0Qvx/byYzCNb3W91y3FutAC\
                DfzwQ/BC/e/8uBsCR+yz1Lxj+PL6lHvqMKrM3rG4hstT5QjvHO9PzoxZyVYLzBfO2EeC3\
                Ip3G+2kryOTIKT+l/K4w3QIDAQAB
                """.utf8)
        default: nil
        }
    }
}

/// The example of RFC 6376 appendix A, with the key of appendix C: simple form for header and body.
enum RFC6376 {
    static let message = crlf(
        """
        DKIM-Signature: v=1; a=rsa-sha256; s=brisbane; d=example.com;
              c=simple/simple; q=dns/txt; i=joe@football.example.com;
              h=Received : From : To : Subject : Date : Message-ID;
              bh=2jUSOH9NhtVGCQWNr9BrIAPreKQjO6Sn7XIkfJVOzv8=;
              b=AuUoFEfDxTDkHlLXSZEpZj79LICEps6eda7W3deTVFOk4yAUoqOB
              4nujc7YopdG5dWLSdNg6xNAZpOPr+kHxt1IrE+NahM6L/LbvaHut
              KVdkLLkpVaVVQPzeRDI009SO2Il5Lu7rDNH6mZckBdrIx0orEtZV
              4bmp/YzhwvcubU4=;
        Received: from client1.football.example.com  [192.0.2.1]
              by submitserver.example.com with SUBMISSION;
              Fri, 11 Jul 2003 21:01:54 -0700 (PDT)
        From: Joe SixPack <joe@football.example.com>
        To: Suzie Q <suzie@shopping.example.net>
        Subject: Is dinner ready?
        Date: Fri, 11 Jul 2003 21:00:37 -0700 (PDT)
        Message-ID: <20030712040037.46341.5F8J@football.example.com>

        Hi.

        We lost the game. Are you hungry yet?

        Joe.

        """)

    static let key = Array(
        """
        v=DKIM1; p=MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDwIRP/UC3SBsEmGqZ9ZJW3/DkMoGeLnQg1fWn7/zYt\
        IxN2SnFCjxOCKG9v3b4jYfcTNh5ijSsq631uBItLa7od+v/RtdC2UzJ1lWT947qR+Rcac2gbto/NMqJ0fzfVjH4OuKhi\
        tdY9tf6mcwGjaNBcWToIMmPSPDdQPNUYckcQ2QIDAQAB
        """.utf8)
}

@Suite("Examples of RFC 8463 and RFC 6376")
struct RFCExampleTests {
    @Test("both signatures of RFC 8463 appendix A are good")
    func rfc8463() async {
        let report = await DKIMVerifier(keys: RFC8463.keys).verify(Octets(RFC8463.message))
        #expect(report.results.map(\.outcome) == [.pass, .pass])
        #expect(report.results.map(\.algorithm) == [.ed25519SHA256, .rsaSHA256])
        #expect(report.passingDomains == ["football.example.com", "football.example.com"])
        #expect(report.uncheckedCount == 0)
        let first = report.results[0]
        #expect(first.selector == "brisbane")
        #expect(first.identity == "@football.example.com")
        #expect(first.headerCanonicalization == .relaxed && first.bodyCanonicalization == .relaxed)
        #expect(
            first.signedFields == [
                "from", "to", "subject", "date", "message-id", "from", "subject", "date",
            ])
        #expect(first.signedAt == MailDate(secondsSinceEpoch: 1_528_637_909))
        #expect(first.expiresAt == nil && !first.isTesting && first.unsignedOctets == 0)
        #expect(first.description == "The signature of football.example.com is good.")
    }

    @Test("the signature of RFC 6376 appendix A is good, and a blank more makes it wrong")
    func rfc6376() async {
        let verifier = DKIMVerifier { selector, domain in
            selector == "brisbane" && domain == "example.com" ? RFC6376.key : nil
        }
        let report = await verifier.verify(Octets(RFC6376.message))
        #expect(report.results.map(\.outcome) == [.pass])
        #expect(report.results.first?.identity == "joe@football.example.com")
        for (text, blank, problem) in [
            ("game. Are", "game.  Are", DKIMProblem.bodyChanged),
            ("Subject: Is", "Subject:  Is", .headerChanged),
            ("      by", "     by", .headerChanged),
        ] {
            let changed = String(decoding: RFC6376.message, as: UTF8.self).replacing(
                text, with: blank)
            let report = await verifier.verify(Octets(Array(changed.utf8)))
            #expect(report.results.map(\.outcome) == [.fail(problem)])
        }
    }

    @Test("the Ed25519 key of RFC 8463 appendix A signs for its published half")
    func rfc8463Secret() async throws {
        let secret = try #require(
            Base64.decode(Array("nWGxne/9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A=".utf8)))
        let key = try DKIMPrivateKey(ed25519: Secret(octets: secret))
        #expect(
            try key.keyRecord()
                == "v=DKIM1; k=ed25519; p=11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=")
        let signer = try DKIMSigner(domain: "football.example.com", selector: "brisbane", key: key)
        let signed = try await signer.signed(OctetArray(RFC8463.message)).allOctets()
        let report = await DKIMVerifier(keys: RFC8463.keys).verify(Octets(signed))
        #expect(report.results.map(\.outcome) == [.pass, .pass, .pass])
    }

    @Test("the same with LF as line end, as many stores keep mail")
    func lineFeeds() async {
        let message = RFC8463.message.filter { $0 != ASCII.cr }
        let report = await DKIMVerifier(keys: RFC8463.keys).verify(Octets(message))
        #expect(report.results.map(\.outcome) == [.pass, .pass])
    }

    @Test("an octet changed in a signed field or the body makes both wrong")
    func everyOctet() async {
        let message = RFC8463.message
        let start = message.firstRange(of: Array("\r\nFrom:".utf8))!.lowerBound + 2
        let verifier = DKIMVerifier(keys: RFC8463.keys)
        for index in start..<message.count {
            var changed = message
            changed[index] ^= 0x01
            if changed[index].isBlank || message[index].isBlank {
                changed[index] = UInt8(ascii: "#")
            }
            let report = await verifier.verify(Octets(changed))
            // What stays the same in relaxed form: the case of names is not touched by 0x01, and there is no blank to lose.
            let isPass = report.results.contains { $0.outcome == .pass }
            #expect(!isPass, "octet \(index)")
        }
    }
}
