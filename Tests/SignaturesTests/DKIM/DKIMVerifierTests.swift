import MartletBytes
import MartletMIME
import MartletTestSupport
import Testing

@testable import MartletSignatures

/// Makes signature fields by hand, so that each tag can be wrong.
struct HandMadeSignature {
    var tags: [(String, String)] = [
        ("v", "1"), ("a", "ed25519-sha256"), ("c", "relaxed/relaxed"), ("d", "example.org"),
        ("s", "ed"),
        ("h", "from:to:subject"), ("bh", ""), ("b", ""),
    ]
    var body = "Hi.\r\n"
    var header = "From: a@example.org\r\nTo: b@example.com\r\nSubject: s\r\n"

    subscript(name: String) -> String? {
        get { tags.first { $0.0 == name }?.1 }
        set {
            tags.removeAll { $0.0 == name }
            if let newValue { tags.insert((name, newValue), at: max(0, tags.count - 1)) }
        }
    }

    /// The message with a true signature over whatever the tags say.
    func signed(hashing hashed: String? = nil) throws -> [UInt8] {
        var tags = tags
        let canonical = Array((hashed ?? body).utf8)
        for index in tags.indices where tags[index].0 == "bh" && tags[index].1.isEmpty {
            tags[index].1 = text(Base64.encode(SHA256.digest(of: canonical)))
        }
        let list = tags.map { "\($0)=\($1)" }.joined(separator: "; ")
        let octets = Array("DKIM-Signature: \(list)\r\n\(header)\r\n".utf8)
        let section = HeaderSection(octets, fieldLimit: 50_000)
        let own = section.fields[0]
        var signed: [UInt8] = []
        let canonicalizer = HeaderCanonicalizer(canonicalization: .relaxed)
        let names = (self["h"] ?? "").split(separator: ":")
        for field in FieldSelection(section).fields(
            names.map { $0.utf8.map(\.lowercased) }, except: 0)
        {
            canonicalizer.append(field, of: section, to: &signed)
        }
        canonicalizer.append(own, of: section.octets, without: nil, to: &signed)
        let signature = Base64.encode(try Keys.ed25519.sign(SHA256.digest(of: signed)))
        var message = octets
        if let place = octets.firstRange(of: Array("; b=".utf8)) {
            message.insert(contentsOf: signature, at: place.upperBound)
        }
        return message + body.utf8
    }

    func outcome(
        key: String? = nil, hashing: String? = nil, at date: MailDate? = nil
    ) async throws -> DKIMResult.Outcome? {
        let record = try key ?? Keys.ed25519.keyRecord()
        let verifier = DKIMVerifier { _, _ in Array(record.utf8) }
        return await verifier.verify(Octets(try signed(hashing: hashing)), at: date).results.first?
            .outcome
    }
}

@Suite("DKIM verifier")
struct DKIMVerifierTests {
    @Test("takes a signature made by hand")
    func handMade() async throws {
        #expect(try await HandMadeSignature().outcome() == .pass)
    }

    @Test(
        "takes tags in any order, unknown tags, folding white space and empty items",
        arguments: [
            "x_own=1", "q=dns/txt", "q=other : dns/txt", "t=1600000000", "z=From:a|To:b",
            "i=@news.example.org",
            "i=x@EXAMPLE.org", "\r\n\tn_1\r\n =\r\n  y", " ", "l=5", "i=",
        ])
    func harmless(tag: String) async throws {
        var signature = HandMadeSignature()
        let parts = tag.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(
            String.init)
        guard parts.count == 2 else {
            signature.tags.insert(("; ;y", ""), at: 3)
            #expect(try await signature.outcome() == .pass)
            return
        }
        signature.tags.insert((parts[0], parts[1]), at: 0)
        #expect(
            try await signature.outcome() == (tag == "i=" ? .permerror(.malformedTag("i")) : .pass))
    }

    @Test("says what is wrong with a tag")
    func wrongTags() async throws {
        typealias Case = (name: String, value: String?, outcome: DKIMResult.Outcome)
        let cases: [Case] = [
            ("v", nil, .permerror(.missingTag("v"))), ("v", "2", .neutral(.unknownVersion)),
            ("a", nil, .permerror(.missingTag("a"))),
            ("a", "rsa-sha1", .permerror(.obsoleteAlgorithm)),
            ("a", "rsa-md5", .neutral(.unknownAlgorithm)),
            ("a", "rsa-sha256", .permerror(.unsuitableKey)),
            ("bh", nil, .permerror(.missingTag("bh"))),
            ("bh", "!!!!", .permerror(.malformedTag("bh"))),
            ("bh", "AAAA", .permerror(.malformedTag("bh"))),
            ("d", nil, .permerror(.missingTag("d"))), ("d", "a b", .permerror(.malformedTag("d"))),
            ("d", "", .permerror(.malformedTag("d"))),
            ("d", "x..y", .permerror(.malformedTag("d"))),
            ("s", nil, .permerror(.missingTag("s"))), ("s", "*", .permerror(.malformedTag("s"))),
            ("h", nil, .permerror(.missingTag("h"))),
            ("h", "to:subject", .permerror(.fromNotSigned)),
            ("h", "from::to", .permerror(.malformedTag("h"))),
            ("h", "", .permerror(.malformedTag("h"))),
            ("c", "relaxed/odd", .neutral(.unknownCanonicalization)),
            ("c", "a/b/c", .neutral(.unknownCanonicalization)),
            ("q", "http", .neutral(.unknownQueryMethod)),
            ("i", "x@example.com", .permerror(.foreignIdentity)),
            ("i", "x@badexample.org", .permerror(.foreignIdentity)),
            ("i", "@org", .permerror(.foreignIdentity)),
            ("i", "example.org", .permerror(.malformedTag("i"))),
            ("i", "@", .permerror(.malformedTag("i"))),
            ("i", "x@a..example.org", .permerror(.malformedTag("i"))),
            ("i", "x@eve.example/.example.org", .permerror(.malformedTag("i"))),
            ("l", "x", .permerror(.malformedTag("l"))), ("l", "-1", .permerror(.malformedTag("l"))),
            ("l", "6", .fail(.bodyTooShort)),
            ("l", String(repeating: "9", count: 76), .fail(.bodyTooShort)),
            ("l", String(repeating: "9", count: 77), .permerror(.malformedTag("l"))),
            ("x", "1600000000", .fail(.expired)), ("x", "99999999999999999999", .pass),
        ]
        for (name, value, outcome) in cases {
            var signature = HandMadeSignature()
            signature[name] = value
            #expect(try await signature.outcome() == outcome, "\(name)=\(value ?? "(none)")")
        }
        var reversed = HandMadeSignature()
        reversed["t"] = "2000000000"
        reversed["x"] = "1999999999"
        #expect(try await reversed.outcome() == .permerror(.malformedTag("x")))
        var repeated = HandMadeSignature()
        repeated.tags.insert(("s", "ed"), at: 0)
        #expect(try await repeated.outcome() == .permerror(.repeatedTag("s")))
        var noSignature = HandMadeSignature()
        noSignature.tags.removeLast()
        #expect(try await noSignature.outcome() == .permerror(.missingTag("b")))
        var nameless = HandMadeSignature()
        nameless.tags.insert(("9", "x"), at: 0)
        guard case .permerror(.malformedTagList)? = try await nameless.outcome() else {
            Issue.record("a tag without a name was taken")
            return
        }
    }

    @Test("says what is wrong with a key")
    func wrongKeys() async throws {
        let key = try Keys.ed25519.keyRecord().split(separator: "p=").last!
        let rsa = try Keys.rsa.keyRecord()
        let cases: [(String, DKIMResult.Outcome)] = [
            ("k=ed25519; p=\(key)", .pass),
            ("v=DKIM1;k=ed25519;h=sha1:sha256;s=email:x;t=n;n=note;p=\(key);", .pass),
            ("v=DKIM1; k=ed25519; s=*; p = \(key.prefix(10))\r\n \(key.dropFirst(10))", .pass),
            ("", .permerror(.malformedKey)), ("k=ed25519", .permerror(.malformedKey)),
            ("k=ed25519; p=", .permerror(.keyRevoked)),
            ("v=DKIM2; k=ed25519; p=\(key)", .permerror(.malformedKey)),
            ("k=ed25519; v=DKIM1; p=\(key)", .permerror(.malformedKey)),
            ("p=\(key)", .permerror(.unsuitableKey)),
            ("k=ed25519; p=\(key); p=\(key)", .permerror(.malformedKey)),
            ("k=ed25519; p=AAAA", .permerror(.malformedKey)),
            ("k=ed25519; p=\(key.dropLast())", .permerror(.malformedKey)),
            ("k=ed25519; h=sha1; p=\(key)", .permerror(.unsuitableKey)),
            ("k=ed25519; s=tlsrpt; p=\(key)", .permerror(.unsuitableKey)),
            ("v=spf1 -all", .permerror(.malformedKey)), (rsa, .permerror(.unsuitableKey)),
            (String(repeating: "a", count: 20_000), .permerror(.tooLong(limit: 16_384))),
        ]
        for (record, outcome) in cases {
            #expect(
                try await HandMadeSignature().outcome(key: record) == outcome,
                "\(record.prefix(60))")
        }
        var below = HandMadeSignature()
        below["i"] = "@news.example.org"
        #expect(
            try await below.outcome(key: "k=ed25519; t=y:s; p=\(key)")
                == .permerror(.foreignIdentity))
        #expect(try await HandMadeSignature().outcome(key: "k=ed25519; t=s; p=\(key)") == .pass)
    }

    @Test("treats a failure as no signature while the key is being tested")
    func testing() async throws {
        let key = try Keys.ed25519.keyRecord() + "; t=y"
        #expect(
            try await HandMadeSignature().outcome(key: key, hashing: "other")
                == .neutral(.bodyChanged))
        let message = try HandMadeSignature().signed()
        let report = await DKIMVerifier { _, _ in Array(key.utf8) }.verify(Octets(message))
        #expect(report.results[0].outcome == .pass && report.results[0].isTesting)
        #expect(report.passingDomains == [])
    }

    @Test("tells a missing key from one that cannot be had now, and asks once for each")
    func lookUps() async throws {
        struct Timeout: Error {}
        let message = try HandMadeSignature().signed()
        let none = await DKIMVerifier { _, _ in nil }.verify(Octets(message))
        #expect(none.results.map(\.outcome) == [.permerror(.keyNotFound)])
        let later = await DKIMVerifier { _, _ in throw Timeout() }.verify(Octets(message))
        #expect(later.results.map(\.outcome) == [.temperror(.keyNotAvailable)])
        let field = Array(
            message[..<(message.firstRange(of: Array("\r\nFrom".utf8))!.lowerBound + 2)])
        await confirmation(expectedCount: 1) { asked in
            let verifier = DKIMVerifier { selector, domain in
                asked()
                #expect(selector == "ed" && domain == "example.org")
                return Array(try Keys.ed25519.keyRecord().utf8)
            }
            let report = await verifier.verify(Octets(field + field + message))
            #expect(report.results.map(\.outcome) == [.pass, .pass, .pass])
        }
    }

    @Test("refuses RSA keys of less than 1024 bits, and takes the plain form of RSA keys")
    func rsaKeys() throws {
        // 512 bits, made by `openssl genrsa`.
        let small =
            "MFwwDQYJKoZIhvcNAQEBBQADSwAwSAJBAKkiyhDFl9hZIjtuP8NPJwryrvrxadF5lrPyJBSFQL4qfniU7aOaCmo6D8NuHnD0Fi7GXPVpjpVfxOj4y7IeXkUCAwEAAQ=="
        let smallKey = try #require(Base64.decode(Array(small.utf8)))
        #expect(throws: DKIMProblem.keySizeRefused(bits: 512)) {
            try PublicKey(published: smallKey, for: .rsaSHA256)
        }
        let record = try Keys.rsa.keyRecord()
        let info = try #require(Base64.decode(Array(record.split(separator: "p=").last!.utf8)))
        // SubjectPublicKeyInfo: 24 octets before the RSAPublicKey of 2048 bits.
        _ = try PublicKey(published: Array(info.dropFirst(24)), for: .rsaSHA256)
        for count in 0..<info.count {
            #expect(throws: DKIMProblem.self) {
                try PublicKey(published: Array(info.prefix(count)), for: .rsaSHA256)
            }
        }
        #expect(throws: DKIMProblem.self) { try PublicKey(published: info + [0], for: .rsaSHA256) }
    }

    @Test("says how much of the body l= leaves to anybody")
    func length() async throws {
        var signature = HandMadeSignature()
        signature["l"] = "5"
        signature.body = "Hi.\r\nBuy this!\r\n"
        let message = try signature.signed(hashing: "Hi.\r\n")
        let report = await DKIMVerifier(keys: Keys.lookUp).verify(Octets(message))
        #expect(report.results.map(\.outcome) == [.pass])
        #expect(report.results.first?.unsignedOctets == 11)
        #expect(report.passingDomains == [])
        signature["l"] = "0"
        #expect(try await signature.outcome(hashing: "") == .pass)
    }

    @Test("takes repeated fields from the bottom, and a name without a field as nothing")
    func repeatedFields() async throws {
        var signature = HandMadeSignature()
        signature.header += "X: 1\r\nX: 2\r\nX: 3\r\n"
        signature["h"] = "from:x:x:x:x:reply-to"
        #expect(try await signature.outcome() == .pass)
        signature["h"] = "from:X"
        let message = text(try signature.signed())
        let verifier = DKIMVerifier(keys: Keys.lookUp)
        for (changed, outcome) in [
            (message.replacing("X: 1\r\n", with: ""), DKIMResult.Outcome.pass),
            (message.replacing("X: 3\r\n", with: "X: 4\r\n"), .fail(.headerChanged)),
            (message.replacing("X: 3\r\n", with: ""), .fail(.headerChanged)),
        ] {
            #expect(
                await verifier.verify(Octets(Array(changed.utf8))).results.map(\.outcome) == [
                    outcome
                ])
        }
    }

    @Test("believes no signature where lines of the header are no fields")
    func malformedHeader() async throws {
        let message = text(try HandMadeSignature().signed())
        let verifier = DKIMVerifier(keys: Keys.lookUp)
        for line in [
            "junk\r\n", "junk\r\nmore junk\r\n", "X: a\rFrom: b@example.net\r\n", "--b\r\n",
            "\r\r\n",
        ] {
            let changed = message.replacing("Subject:", with: line + "Subject:")
            let report = await verifier.verify(Octets(Array(changed.utf8)))
            #expect(report.results.map(\.outcome) == [.permerror(.malformedHeader)], "\(line)")
        }
    }

    @Test("believes no signature of a message with two authors' fields, or with none")
    func authors() async throws {
        let message = text(try HandMadeSignature().signed())
        for changed in [
            "From: eve@example.net\r\n" + message,
            message.replacing("Subject:", with: "From : eve@example.net\r\nSubject:"),
            message.replacing("From: a@example.org\r\n", with: ""),
        ] {
            let report = await DKIMVerifier(keys: Keys.lookUp).verify(Octets(Array(changed.utf8)))
            #expect(report.results.map(\.outcome) == [.permerror(.malformedHeader)])
        }
        var both = HandMadeSignature()
        both.header += "From: eve@example.net\r\n"
        both["h"] = "from:from:to"
        #expect(try await both.outcome() == .permerror(.malformedHeader))
    }

    @Test("knows no case but ASCII's in domains")
    func domainCase() async throws {
        var signature = HandMadeSignature()
        signature["d"] = "k.example"
        signature["i"] = "@News.K.Example"
        #expect(try await signature.outcome() == .pass)
        // KELVIN SIGN, whose lower case in Unicode is the letter k.
        signature["i"] = "@\u{212A}.example"
        #expect(try await signature.outcome() == .permerror(.foreignIdentity))
    }

    @Test("finds every octet of the signed parts that is changed, with simple canonicalisation")
    func everyOctet() async throws {
        var signer = try signer("ed", Keys.ed25519)
        signer.headerCanonicalization = .simple
        signer.bodyCanonicalization = .simple
        let signed = try await signer.signed(OctetArray(sample)).allOctets()
        let verifier = DKIMVerifier(keys: Keys.lookUp)
        #expect(await verifier.verify(Octets(signed)).results.map(\.outcome) == [.pass])
        // Only the empty lines at the end do not count.
        let last = signed.count - 4
        for index in 0..<last {
            for bit in [UInt8(0x01), 0x20, 0x80] {
                var changed = signed
                changed[index] ^= bit
                let results = await verifier.verify(Octets(changed)).results
                let isPass = results.contains { $0.outcome == .pass }
                // The blanks in `b=` do not count, nor does the case of names in its own tags.
                #expect(!isPass || isWithoutMeaning(signed, index), "octet \(index), bit \(bit)")
            }
        }
    }

    /// The octets that may change: the line ends within the value of `b=`, which is not part of what is signed.
    private func isWithoutMeaning(_ message: [UInt8], _ index: Int) -> Bool {
        let start = message.firstRange(of: Array(" b=".utf8))!.upperBound
        let end = message.firstRange(of: Array("\r\nFrom:".utf8))!.lowerBound
        return (start..<end).contains(index) && (message[index] <= ASCII.space)
    }
}

@Suite("Hostile DKIM signatures")
struct HostileDKIMTests {
    private func elapsed(_ message: [UInt8], limits: SignatureLimits = .standard) async -> (
        DKIMReport, Duration
    ) {
        let clock = ContinuousClock()
        let start = clock.now
        let report = await DKIMVerifier(limits: limits, keys: Keys.lookUp).verify(Octets(message))
        return (report, clock.now - start)
    }

    @Test("500,000 tags end at a limit")
    func manyTags() async {
        let tags = (0..<500_000).map { "t\($0)=1;" }.joined()
        let (report, time) = await elapsed(
            Array("DKIM-Signature: \(tags)\r\nFrom: a@b.example\r\n\r\n".utf8))
        #expect(report.results.map(\.outcome) == [.permerror(.tooLong(limit: 65_536))])
        #expect(time < .seconds(60))
        let few = await elapsed(
            Array("DKIM-Signature: \(tags.prefix(60_000))\r\nFrom: a@b.example\r\n\r\n".utf8))
        #expect(few.0.results.map(\.outcome) == [.permerror(.tooManyTags(limit: 64))])
    }

    @Test("10,000 signatures: the first sixteen are verified, the rest is counted")
    func manySignatures() async throws {
        let message = try HandMadeSignature().signed()
        let field = Array(
            message[..<(message.firstRange(of: Array("\r\nFrom".utf8))!.lowerBound + 2)])
        let all = Array(repeatElement(field, count: 9_999).joined()) + message
        let (report, time) = await elapsed(all)
        #expect(report.results.map(\.outcome) == Array(repeating: .pass, count: 16))
        #expect(report.uncheckedCount == 9_984)
        #expect(time < .seconds(60))
    }

    @Test("a header of many fields, many names in h= and no end take linear time")
    func large() async {
        let names = String(repeating: "from:x:", count: 9_000) + "from"
        var signature = HandMadeSignature()
        signature["h"] = names
        signature.header = "From: a@b.example\r\n" + String(repeating: "x: y\r\n", count: 20_000)
        let (report, time) = await elapsed(try! signature.signed())
        #expect(report.results.map(\.outcome) == [.pass])
        #expect(time < .seconds(60))
        let (endless, _) = await elapsed(Array(repeating: UInt8(ascii: "a"), count: 9_000_000))
        #expect(endless.results.isEmpty)
        let cut =
            Array("DKIM-Signature: v=1\r\n".utf8)
            + Array(repeating: UInt8(ascii: "a"), count: 9_000_000)
        #expect(await elapsed(cut).0.results.count == 1)
    }

    @Test("garbage never passes and never traps")
    func garbage() async throws {
        let message = try HandMadeSignature().signed()
        for seed in UInt64(0)..<2_000 {
            var random = SeededGenerator(seed: seed)
            var changed = message
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                let index = Int.random(in: 0..<changed.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: changed[index] = UInt8.random(in: 0...255, using: &random)
                case 1: changed.remove(at: index)
                default:
                    changed.insert(
                        Array("=;\r\n :\tab\0".utf8).randomElement(using: &random)!, at: index)
                }
            }
            _ = await DKIMVerifier(keys: Keys.lookUp).verify(Octets(changed))
        }
        for seed in UInt64(0)..<500 {
            var random = SeededGenerator(seed: seed)
            let record = (0..<Int.random(in: 0...80, using: &random)).map { _ in
                Array("vkpt=;DIM1 ed25519rsA:\u{80}\0".utf8).randomElement(using: &random)!
            }
            let report = await DKIMVerifier { _, _ in record }.verify(Octets(message))
            #expect(report.results[0].outcome != .pass)
        }
    }
}
