import CMartletOpenSSL
import MartletBytes
import MartletCrypto
import MartletMIME
import MartletTestSupport
import Testing

@testable import MartletSignatures

/// Authorities and identities for all tests, since RSA keys take a while to be made.
enum People {
    static let authority = try! SMIMEAuthority()
    static let jane = try! authority.identity(["jane@example.org", "Jane.Doe@example.org"])
    static let max = try! authority.identity(["max@example.com"], kind: .rsa)
    static let verifier = SMIMEVerifier(trusting: [authority.certificate])
}

private let mail = crlf(
    """
    From: Jane Doe <jane@example.org>
    To: max@example.com
    Subject: Hi
    MIME-Version: 1.0
    Content-Type: text/plain; charset=us-ascii
    Content-Language: en

    Hello Max,
      this is signed.\u{20}

    Jane

    """)

@Suite("S/MIME signatures")
struct SMIMESignatureTests {
    @Test(
        "are good in both forms, with RSA and elliptic curves",
        arguments: [SMIMESigner.Form.detached, .opaque])
    func good(form: SMIMESigner.Form) throws {
        for (identity, sender) in [
            (People.jane, "jane@example.org"), (People.max, "max@EXAMPLE.com"),
        ] {
            let message = Array(text(mail).replacing("jane@example.org", with: sender).utf8)
            let signed = Message(parsing: try SMIMESigner(identity, form: form).sign(message))
            #expect(signed.root.smimeKind == (form == .detached ? .detachedSignature : .signed))
            #expect(
                signed.root.subject == "Hi" && signed.root.from.mailboxes.first?.addrSpec == sender)
            let result = try People.verifier.verify(signed.root)
            #expect(result.isValid)
            let signer = try #require(result.signers.first)
            #expect(result.signers.count == 1 && signer.matchesFrom && signer.problem == nil)
            #expect(signer.certificate == identity.certificate)
            #expect(
                abs(try #require(signer.signedAt).secondsSinceEpoch - OpenSSL.secondsSinceEpoch)
                    < 600)
            #expect(signer.description.hasSuffix("is good."))
            let content = result.content.octets[0..<result.content.octets.count]
            let body = message.firstRange(of: Array("\r\n\r\n".utf8))!.lowerBound
            #expect(
                text(content)
                    == "Content-Type: text/plain; charset=us-ascii\r\nContent-Language: en\r\n"
                    + text(message[(body + 2)...]))
            #expect(result.content.root.text().value == text(message[(body + 4)...]))
        }
    }

    @Test("tell what the certificate says")
    func certificate() throws {
        let certificate = People.jane.certificate
        #expect(certificate.emailAddresses == ["jane@example.org", "Jane.Doe@example.org"])
        #expect(
            certificate.subject == "CN=jane@example.org"
                && certificate.issuer == "CN=Test Authority")
        #expect(
            certificate.notAfter.secondsSinceEpoch - certificate.notBefore.secondsSinceEpoch
                == 90_000)
        #expect(try SMIMECertificate(der: certificate.der) == certificate)
        #expect(
            certificate.isAbout(try MailboxAddress(localPart: "Jane.Doe", domain: "EXAMPLE.org")))
        #expect(
            !certificate.isAbout(try MailboxAddress(localPart: "jane.doe", domain: "example.org")))
        #expect(!certificate.isAbout(try MailboxAddress(localPart: "jane", domain: "example.com")))
    }

    @Test("are still good where a store has changed the line ends")
    func lineEnds() throws {
        let signed = try SMIMESigner(People.jane).sign(mail)
        let stored = Message(parsing: signed.filter { $0 != ASCII.cr })
        #expect(try People.verifier.verify(stored.root).isValid)
        // A message that was written with LF is signed as it will be sent.
        let fromLF = try SMIMESigner(People.jane).sign(mail.filter { $0 != ASCII.cr })
        #expect(try People.verifier.verify(Message(parsing: fromLF).root).isValid)
    }

    @Test("say when the message claims to be from somebody else")
    func from() throws {
        let signed = try SMIMESigner(People.jane).sign(mail)
        for from in [
            "From: Eve <eve@example.net>", "From: jane@example.org, eve@example.net",
            "From: jane@example.org (",
            "From: jane@example.org\r\nFrom: eve@example.net", "X: y",
            "From: \"jane@example.org\" <eve@example.net>",
        ] {
            let changed = text(signed).replacing("From: Jane Doe <jane@example.org>", with: from)
            let result = try People.verifier.verify(Message(parsing: Array(changed.utf8)).root)
            #expect(result.isValid, "\(from)")
            if from.hasSuffix("(") { continue }
            #expect(result.signers.map(\.matchesFrom) == [false], "\(from)")
            #expect(result.signers[0].description.contains("somebody else"))
        }
        let given = try People.verifier.verify(
            Message(parsing: signed).root, from: AddressList("max@example.com"))
        #expect(given.signers.map(\.matchesFrom) == [false])
    }

    @Test("do not match authors that readers may see differently, or that are too many to be read")
    func authors() throws {
        let signed = text(try SMIMESigner(People.jane).sign(mail))
        let own = "From: Jane Doe <jane@example.org>"
        let many = String(
            repeating: "jane@example.org,\r\n ", count: MIMELimits.standard.addressCount)
        for from in [
            own + "\r\nX: a\rFrom: eve@example.net", own + "\r\njunk",
            "From: " + many + "eve@example.net",
        ] {
            let changed = signed.replacing(own, with: from)
            let result = try People.verifier.verify(Message(parsing: Array(changed.utf8)).root)
            #expect(result.signers.map(\.matchesFrom) == [false], "\(from.prefix(80))")
        }
        #expect(
            try People.verifier.verify(Message(parsing: Array(signed.utf8)).root).signers.map(
                \.matchesFrom) == [true])
    }

    @Test("are found among thousands of digest algorithms, and end at a limit")
    func digestAlgorithms() throws {
        func message(_ count: Int) throws -> Message {
            let signed = Message(parsing: try SMIMESigner(People.jane, form: .opaque).sign(mail))
            let structure = Structures.adding(
                algorithms: count, to: signed.root.decodedBody().value)
            return Structures.message(structure)
        }
        #expect(try People.verifier.verify(message(1).root).isValid)
        #expect(try People.verifier.verify(message(20_000).root).isValid)
        #expect { try People.verifier.verify(message(200_000).root) } throws: {
            ($0 as? SignatureError)?.kind == .tooLarge(limit: 50_000)
        }
    }

    @Test("are not taken if they are over the content alone")
    func withoutAttributes() throws {
        let octets = Array("Content-Type: text/plain\r\n\r\nHi.\r\n".utf8)
        let structure = try OpenSSL.withReader(octets) { bio throws(SignatureError) in
            try People.jane.withPointers { certificate, key throws(SignatureError) in
                try CMS(
                    owning: CMS_sign(certificate, key, nil, bio, UInt32(CMS_NOATTR | CMS_BINARY))
                ).der()
            }
        }
        let result = try People.verifier.verify(Structures.message(structure).root)
        #expect(result.signers.map(\.problem) == [.attributesNotSigned])
        #expect(!result.isValid)
    }

    @Test("are not good with a certificate that nobody vouches for, or that is not good now")
    func certificates() throws {
        func problem(
            _ identity: SMIMEIdentity, _ verifier: SMIMEVerifier = People.verifier,
            at date: MailDate? = nil
        ) throws -> SMIMEProblem? {
            let signed = Message(parsing: try SMIMESigner(identity).sign(mail))
            let result = try verifier.verify(signed.root, at: date)
            #expect(result.isValid == (result.signers.first?.problem == nil))
            return result.signers.first?.problem
        }
        let authority = People.authority
        #expect(try problem(People.jane, SMIMEVerifier(trusting: [])) == .notTrusted)
        let other = try SMIMEAuthority(name: "Other Authority")
        #expect(
            try problem(People.jane, SMIMEVerifier(trusting: [other.certificate])) == .notTrusted)
        let sameName = try SMIMEAuthority()
        #expect(try problem(People.jane, SMIMEVerifier(trusting: [sameName.certificate])) != nil)
        #expect(try problem(People.jane, SMIMEVerifier(trusting: [People.jane.certificate])) == nil)
        #expect(
            try problem(authority.identity(["a@example.org"], seconds: -7200 ... -3600))
                == .certificateExpired)
        #expect(
            try problem(authority.identity(["a@example.org"], seconds: 3600...7200))
                == .certificateNotYetValid)
        #expect(
            try problem(
                People.jane, at: MailDate(secondsSinceEpoch: OpenSSL.secondsSinceEpoch + 90_000))
                == .certificateExpired)
        guard
            case .certificateUnsuitable? = try problem(
                authority.identity(["a@example.org"], usage: "serverAuth"))
        else {
            Issue.record("a server's certificate was taken")
            return
        }
    }

    @Test("do not hide what stands around the signed part")
    func surroundings() throws {
        let signed = text(try SMIMESigner(People.jane).sign(mail))
        let changed = signed.replacing(
            "This is a signed message", with: "Send money to Eve! This is a signed message")
        let result = try People.verifier.verify(Message(parsing: Array(changed.utf8)).root)
        #expect(result.isValid)
        #expect(!text(result.content.octets[0..<result.content.octets.count]).contains("Eve"))
        let boundary = signed.split(separator: "boundary=\"").last!.split(separator: "\"").first!
        let third = signed.replacing(
            "\r\n--\(boundary)--", with: "\r\n--\(boundary)\r\n\r\nEve\r\n--\(boundary)--")
        #expect(throws: SignatureError.self) {
            try People.verifier.verify(Message(parsing: Array(third.utf8)).root)
        }
    }

    @Test("are over 7-bit content if they stand beside it")
    func eightBit() throws {
        let message = mail + Array("Grüße\r\n".utf8)
        #expect(throws: SignatureError.self) { try SMIMESigner(People.jane).sign(message) }
        let signed = try SMIMESigner(People.jane, form: .opaque).sign(message)
        let result = try People.verifier.verify(Message(parsing: signed).root)
        #expect(
            result.isValid && result.content.octets[0..<10_000].suffix(9) == Array("Grüße\r\n".utf8)
        )
    }

    @Test("show every octet of the signed part that is changed")
    func everyOctet() throws {
        let signed = try SMIMESigner(People.jane).sign(mail)
        let part = Array(Message(parsing: signed).root.children)[0]
        for index in part.range {
            for bit in [UInt8(0x01), 0x20] {
                var changed = signed
                changed[index] ^= bit
                let result = try? People.verifier.verify(Message(parsing: changed).root)
                #expect(result?.isValid != true, "octet \(index)")
            }
        }
    }

    @Test("never pass and never trap when the CMS structure is garbage")
    func garbage() throws {
        let signed = try SMIMESigner(People.jane, form: .opaque).sign(mail)
        let structure = Message(parsing: signed).root.decodedBody().value
        func check(_ structure: [UInt8], _ note: Comment) {
            let header = Array(
                "From: jane@example.org\r\nContent-Type: application/pkcs7-mime\r\nContent-Transfer-Encoding: base64\r\n\r\n"
                    .utf8)
            let message = Message(parsing: header + Base64.encode(structure))
            if let result = try? People.verifier.verify(message.root), result.isValid {
                // What is not covered by the signature: unused certificates, unsigned attributes, encodings.
                #expect(
                    result.content.octets[0..<10_000] == Array(try! SMIMEEntity(mail).entity), note)
            }
            _ = try? SMIMEDecryptor([People.jane]).decrypt(message.root)
        }
        check([], "nothing")
        check([0x30], "one octet")
        check(Array(repeating: 0x30, count: 100_000), "nested")
        check(Array(repeating: [0x30, 0x80], count: 50_000).flatMap { $0 }, "nested without end")
        for seed in UInt64(0)..<1_500 {
            var random = SeededGenerator(seed: seed)
            var changed = structure
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let index = Int.random(in: 0..<changed.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: changed[index] = UInt8.random(in: 0...255, using: &random)
                case 1: changed.removeSubrange(index..<min(changed.count, index + 3))
                default: changed.insert(0x30, at: index)
                }
            }
            check(changed, "seed \(seed)")
        }
        for count in stride(from: 0, to: structure.count, by: 7) {
            check(Array(structure.prefix(count)), "cut")
        }
    }

    @Test(
        "of Thunderbird in the corpus is over what was sent, with a digest of its time",
        .corpus("mimekit/signed"))
    func thunderbird() throws {
        let message = Message(parsing: try Corpus.octets("mimekit/signed/thunderbird-signed.txt"))
        let result = try People.verifier.verify(message.root)
        #expect(result.signers.count == 1 && !result.isValid)
        guard case .weakDigest(let name)? = result.signers[0].problem else {
            Issue.record("\(String(describing: result.signers[0].problem))")
            return
        }
        #expect(name == "sha1")
    }
}

@Suite("S/MIME encryption")
struct SMIMEEncryptionTests {
    @Test(
        "is undone by each recipient and nobody else",
        arguments: [SMIMEEncryptor.Cipher.aes256GCM, .aes256CBC])
    func roundTrip(cipher: SMIMEEncryptor.Cipher) throws {
        let encryptor = SMIMEEncryptor(
            for: [People.jane.certificate, People.max.certificate], cipher: cipher)
        let encrypted = try encryptor.encrypt(mail)
        #expect(!text(encrypted).contains("this is signed"))
        let message = Message(parsing: encrypted)
        #expect(message.root.smimeKind == (cipher == .aes256GCM ? .authEnveloped : .enveloped))
        #expect(
            message.root.subject == "Hi"
                && message.root.contentType.parameters["name"] == "smime.p7m")
        for identities in [[People.jane], [People.max], [People.jane, People.max]] {
            let result = try SMIMEDecryptor(identities).decrypt(message.root)
            #expect(result.isAuthenticated == (cipher == .aes256GCM))
            #expect(result.content.octets[0..<10_000] == (try SMIMEEntity(mail).entity))
            #expect(result.content.root.contentType.description == "text/plain")
        }
        let eve = try People.authority.identity(["eve@example.net"])
        #expect { try SMIMEDecryptor([eve]).decrypt(message.root) } throws: {
            ($0 as? SignatureError)?.kind == .notARecipient
        }
        let second = try SMIMEDecryptor([eve, People.max]).decrypt(message.root)
        #expect(second.isAuthenticated == (cipher == .aes256GCM))
    }

    @Test("of a signed message gives it back signed")
    func signedInside() throws {
        let signed = try SMIMESigner(People.jane).sign(mail)
        let encrypted = Message(
            parsing: try SMIMEEncryptor(for: [People.max.certificate]).encrypt(signed))
        let decrypted = try SMIMEDecryptor([People.max]).decrypt(encrypted.root)
        let result = try People.verifier.verify(decrypted.content.root, from: encrypted.root.from)
        #expect(result.isValid && result.signers[0].matchesFrom)
        // Without the outer From nothing is claimed.
        #expect(
            try People.verifier.verify(decrypted.content.root).signers.map(\.matchesFrom) == [false]
        )
    }

    @Test("with GCM shows every octet that is changed in the encrypted content")
    func everyOctet() throws {
        let encrypted = try SMIMEEncryptor(for: [People.jane.certificate]).encrypt(mail)
        let root = Message(parsing: encrypted).root
        let header = Array(encrypted[..<root.bodyRange.lowerBound])
        let structure = root.decodedBody().value
        let content = try SMIMEEntity(mail).entity.count
        // At the end of the structure are the content and 16 octets of its tag, with a header of 2.
        for index in (structure.count - content - 18)..<structure.count {
            var changed = structure
            changed[index] ^= 0x01
            let message = Message(parsing: header + Base64.encode(changed))
            #expect(throws: SignatureError.self, "octet \(index)") {
                try SMIMEDecryptor([People.jane]).decrypt(message.root)
            }
        }
    }

    @Test("with GCM is not taken with a tag that was cut short", arguments: [1, 4, 11])
    func shortTag(size: Int) throws {
        let encrypted = try SMIMEEncryptor(for: [People.jane.certificate]).encrypt(mail)
        let root = Message(parsing: encrypted).root
        var structure = root.decodedBody().value
        #expect(AuthenticationTag.size(in: structure) == 16)
        structure.removeLast(16 - size)
        structure[structure.count - size - 1] = UInt8(size)
        // The lengths of the three structures around it, of two octets each.
        for index in [2, 19, 23] {
            let length = Int(structure[index]) << 8 + Int(structure[index + 1]) - (16 - size)
            structure[index] = UInt8(length >> 8)
            structure[index + 1] = UInt8(length & 0xFF)
        }
        #expect(AuthenticationTag.size(in: structure) == size)
        let header = encrypted[..<root.bodyRange.lowerBound]
        let message = Message(parsing: header + Base64.encode(structure))
        #expect { try SMIMEDecryptor([People.jane]).decrypt(message.root) } throws: {
            ($0 as? SignatureError)?.kind == .cannotDecrypt
        }
    }

    @Test("is refused for nobody, for expired certificates and for those that are not for it")
    func refused() throws {
        let expired = try People.authority.identity(["a@example.org"], seconds: -7200 ... -3600)
            .certificate
        let signing = try People.authority.identity(
            ["a@example.org"], kind: .rsa, keyUsage: "digitalSignature"
        ).certificate
        for recipients in [[], [expired], [People.max.certificate, signing]] {
            #expect(throws: SignatureError.self) {
                try SMIMEEncryptor(for: recipients).encrypt(mail)
            }
        }
        #expect(throws: SignatureError.self) {
            try SMIMEEncryptor(for: [People.max.certificate]).encrypt(Array("junk\r\n\r\nx".utf8))
        }
        #expect(throws: SignatureError.self) {
            try SMIMEDecryptor([People.max]).decrypt(Message(parsing: mail).root)
        }
    }
}

@Suite("S/MIME identity")
struct SMIMEIdentityTests {
    @Test("is refused with the key of somebody else, and when something is damaged")
    func refused() throws {
        let (jane, max) = (
            try People.authority.files("a@example.org", kind: .ellipticCurve),
            try People.authority.files("b@example.org", kind: .ellipticCurve)
        )
        _ = try SMIMEIdentity(certificates: jane.certificate, key: jane.key)
        #expect(throws: SignatureError.self) {
            try SMIMEIdentity(certificates: jane.certificate, key: max.key)
        }
        #expect(throws: SignatureError.self) { try SMIMEIdentity(certificates: [], key: jane.key) }
        #expect(throws: SignatureError.self) {
            try SMIMEIdentity(certificates: jane.certificate.dropLast(40) + [], key: jane.key)
        }
        #expect(throws: SignatureError.self) {
            try SMIMEIdentity(certificates: jane.certificate, key: Secret(""))
        }
        #expect(throws: SignatureError.self) {
            try SMIMEIdentity(pkcs12: [1, 2, 3], password: Secret("x"))
        }
        #expect(throws: SignatureError.self) { try SMIMECertificate(der: [1, 2, 3]) }
    }

    @Test(
        "knows what S/MIME has made of a part by its type, parameters and name",
        arguments: [
            ("application/pkcs7-mime; smime-type=Signed-Data", SMIMEKind.signed),
            ("application/x-pkcs7-mime; smime-type=enveloped-data", .enveloped),
            ("application/pkcs7-mime; smime-type=authEnveloped-data", .authEnveloped),
            ("application/pkcs7-mime; smime-type=certs-only", .certificates),
            ("application/pkcs7-mime; name=smime.p7m", .unspecified),
            ("application/pkcs7-mime; name=smime.p7c", .certificates),
            ("application/octet-stream; name=SMIME.P7M", .unspecified),
            ("application/octet-stream", nil),
            ("text/plain; name=smime.p7m", nil),
            ("multipart/signed; protocol=\"application/pgp-signature\"; boundary=b", nil),
            (
                "multipart/signed; protocol=\"application/x-pkcs7-signature\"; boundary=b",
                .detachedSignature
            ),
        ])
    func kinds(type: String, kind: SMIMEKind?) {
        let message = Message(parsing: crlf("Content-Type: \(type)\n\n--b\n\nx\n--b--\n"))
        #expect(message.root.smimeKind == kind)
    }
}
