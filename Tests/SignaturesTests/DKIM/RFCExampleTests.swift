import MartletBytes
import MartletMIME
import MartletSignatures
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

    @Test("the Ed25519 key of RFC 8463 appendix A makes that very signature")
    func rfc8463Secret() async throws {
        // The field as it stands there, signed again.
        let secret = try #require(
            Base64.decode(Array("nWGxne/9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A=".utf8)))
        let key = try DKIMPrivateKey(ed25519: Secret(octets: secret))
        #expect(
            try key.keyRecord()
                == "v=DKIM1; k=ed25519; p=11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=")
        let signer = try DKIMSigner(domain: "football.example.com", selector: "brisbane", key: key)
        let signed = try await octets(of: try await signer.signed(OctetArray(RFC8463.message)))
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
