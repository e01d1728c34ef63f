import MartletBytes
import MartletMIME
import MartletTestSupport
import Testing

@testable import MartletSignatures

/// Keys for all tests, since RSA keys take a while to be made.
enum Keys {
    static let rsa = try! DKIMPrivateKey.rsa()
    static let smallRSA = try! DKIMPrivateKey.rsa(bits: 1024)
    static let ed25519 = try! DKIMPrivateKey.ed25519()

    static let lookUp: DKIMKeyLookup = { selector, _ in
        switch selector {
        case "rsa": Array(try rsa.keyRecord().utf8)
        case "small": Array(try smallRSA.keyRecord().utf8)
        case "ed": Array(try ed25519.keyRecord().utf8)
        default: nil
        }
    }
}

func signer(_ selector: String = "rsa", _ key: DKIMPrivateKey = Keys.rsa) throws -> DKIMSigner {
    try DKIMSigner(domain: "example.org", selector: selector, key: key)
}

@Suite("DKIM signer")
struct DKIMSignerTests {
    @Test(
        "makes signatures that verify, with every key and canonicalisation",
        arguments: ["rsa", "small", "ed"])
    func verifies(selector: String) async throws {
        let key = ["rsa": Keys.rsa, "small": Keys.smallRSA, "ed": Keys.ed25519][selector]!
        for header in Canonicalization.allCases {
            for body in Canonicalization.allCases {
                var signer = try signer(selector, key)
                signer.headerCanonicalization = header
                signer.bodyCanonicalization = body
                let signed = try await signer.signed(OctetArray(sample)).allOctets()
                let report = await DKIMVerifier(keys: Keys.lookUp).verify(Octets(signed))
                try #require(report.results.map(\.outcome) == [.pass])
                #expect(report.results[0].headerCanonicalization == header)
                #expect(report.results[0].bodyCanonicalization == body)
                #expect(Array(signed.suffix(sample.count)) == sample)
            }
        }
    }

    @Test("folds its field, ends it with CRLF and writes nothing but printable ASCII")
    func form() async throws {
        var signer = try signer()
        signer.identity = "jane@news.example.org"
        signer.validity = .seconds(86_400)
        let field = try await signer.signature(
            for: OctetArray(sample), at: MailDate(secondsSinceEpoch: 1_600_000_000))
        let lines = text(field).split(separator: "\r\n", omittingEmptySubsequences: false)
        #expect(lines.last == "")
        #expect(lines.dropLast().allSatisfy { $0.utf8.count <= 76 && !$0.isEmpty })
        #expect(
            lines.dropFirst().dropLast().allSatisfy { $0.hasPrefix(" ") && !$0.hasPrefix("  ") })
        let unfolded = lines.joined()
        #expect(
            unfolded.hasPrefix(
                "DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=example.org; s=rsa; t=1600000000; x=1600086400; i=jane@news.example.org; h=From:From:"
            ))
        #expect(!unfolded.contains("l="))
    }

    @Test("signs each field as often as it is there, and what it guards once more")
    func fieldNames() async throws {
        var signer = try signer()
        let message = crlf(
            "From: a@example.org\nResent-To: x@y.z\nResent-To: z@y.z\nX-Own: 1\nX-Other: 2\n\nbody\n"
        )
        signer.fields += ["X-Own", "x-own"]
        signer.oversignedFields = ["To"]
        let field = try await signer.signature(for: OctetArray(message))
        let names = text(field).replacing("\r\n ", with: "").split(separator: ";").first {
            $0.contains("h=From")
        }
        #expect(names?.drop { $0 == " " } == "h=From:From:To:Resent-To:Resent-To:X-Own")
    }

    @Test(
        "guards against fields that readers would show, or read the body by",
        arguments: [
            "Sender", "Subject", "Reply-To", "To", "MIME-Version", "Content-Type",
            "Content-Transfer-Encoding",
        ])
    func addedField(name: String) async throws {
        let signed = try await signer().signed(OctetArray(sample)).allOctets()
        let report = await DKIMVerifier(keys: Keys.lookUp).verify(
            Octets(crlf("\(name): evil@example.net\n") + signed))
        #expect(report.results.map(\.outcome) == [.fail(.headerChanged)])
    }

    @Test("signs any line ends as the CRLF that they become")
    func lineEnds() async throws {
        let date = MailDate(secondsSinceEpoch: 1_600_000_000)
        let signer = try signer("ed", Keys.ed25519)
        let expected = try await signer.signature(for: OctetArray(sample), at: date)
        let lf = sample.filter { $0 != ASCII.cr }
        #expect(try await signer.signature(for: OctetArray(lf), at: date) == expected)
        let signedWithLF = try await signer.signed(OctetArray(lf), at: date).allOctets()
        #expect(!signedWithLF.contains(ASCII.cr))
        let verifier = DKIMVerifier(keys: Keys.lookUp)
        #expect(await verifier.verify(Octets(signedWithLF)).results.map(\.outcome) == [.pass])
        // As it arrives when it was sent.
        #expect(
            await verifier.verify(Octets(crlf(text(signedWithLF)))).results.map(\.outcome) == [
                .pass
            ])
        let bareCRs = crlf("From: a@example.org\n\n") + Array("one\rtwo\r\r\nthree".utf8)
        let sent = crlf("From: a@example.org\n\none\ntwo\n\nthree\n")
        #expect(
            try await signer.signature(for: OctetArray(bareCRs), at: date)
                == signer.signature(for: OctetArray(sent), at: date))
    }

    @Test("signs instead of the line that an mbox has before a message")
    func separator() async throws {
        let separator = Array("From a@example.org Mon Nov 30 04:22:55 2026\r\n".utf8)
        let signed = try await signer().signed(OctetArray(separator + sample)).allOctets()
        #expect(signed.starts(with: "DKIM-Signature:".utf8))
        #expect(signed.suffix(sample.count).elementsEqual(sample))
        let report = await DKIMVerifier(keys: Keys.lookUp).verify(Octets(signed))
        #expect(report.results.map(\.outcome) == [.pass])
    }

    @Test("gives the same for a source in pieces of any size, and verifying does too")
    func pieces() async throws {
        let date = MailDate(secondsSinceEpoch: 1_600_000_000)
        let signer = try signer("ed", Keys.ed25519)
        let verifier = DKIMVerifier(keys: Keys.lookUp)
        let expected = try await signer.signature(for: OctetArray(sample), at: date)
        for seed in UInt64(0)..<100 {
            var random = SeededGenerator(seed: seed)
            let sizes = (0..<7).map { _ in Int.random(in: 1...40, using: &random) }
            let source = StreamedOctets(sample, pieces: sizes)
            #expect(try await signer.signature(for: source, at: date) == expected, "seed \(seed)")
            let signed = StreamedOctets(expected + sample, pieces: sizes)
            let report = try await verifier.verify(signed, at: date)
            #expect(report.results.map(\.outcome) == [.pass], "seed \(seed)")
        }
    }

    @Test(
        "refuses headers that say different things to different readers",
        arguments: [
            "To: a@example.org\n\nno From", "From: a@example.org\njunk\n\n",
            "From: a@example.org\n\u{D}x\n\n", "", "\n",
        ])
    func badHeader(message: String) async throws {
        await #expect(throws: SignatureError.self) {
            try await signer().signature(for: OctetArray(Array(message.utf8)))
        }
    }

    @Test("refuses names that are no names, foreign identities and fields that do not stay")
    func badParameters() async throws {
        for (domain, selector) in [
            ("", "s"), ("a..b", "s"), ("a b", "s"), ("example.org;", "s"), ("example.org", "a=b"),
        ] {
            #expect(throws: SignatureError.self) {
                try DKIMSigner(domain: domain, selector: selector, key: Keys.rsa)
            }
        }
        for identity in [
            "a@example.com", "example.org", "a@badexample.org", "a;b@example.org",
            "a b@example.org", "@x@example.org",
        ] {
            var signer = try signer()
            signer.identity = identity
            await #expect(throws: SignatureError.self) {
                try await signer.signature(for: OctetArray(sample))
            }
        }
        for field in ["Bcc", "Received", "DKIM-Signature", "a:b", "a;b", "", "x\r\ny"] {
            var signer = try signer()
            signer.fields.append(field)
            await #expect(throws: SignatureError.self) {
                try await signer.signature(for: OctetArray(sample))
            }
        }
    }
}

@Suite("DKIM private key")
struct DKIMPrivateKeyTests {
    @Test("is written and read as PEM")
    func pem() throws {
        for key in [Keys.rsa, Keys.ed25519] {
            let again = try DKIMPrivateKey(pem: try key.pem())
            #expect(try again.keyRecord() == key.keyRecord())
            #expect(again.bits == key.bits && again.algorithm == key.algorithm)
        }
    }

    @Test("is refused under 1024 bits and when it is no key")
    func refused() {
        #expect(throws: SignatureError.self) { try DKIMPrivateKey.rsa(bits: 512) }
        #expect(throws: SignatureError.self) { try DKIMPrivateKey(ed25519: Secret("short")) }
        #expect(throws: SignatureError.self) {
            try DKIMPrivateKey(pem: Secret("-----BEGIN PRIVATE KEY-----"))
        }
        #expect(throws: SignatureError.self) { try DKIMPrivateKey(pem: Secret("")) }
    }
}
