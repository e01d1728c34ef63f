import MartletBytes
import MartletMIME
import MartletTestSupport
import Testing

@testable import MartletSignatures

@Suite("PGP/MIME")
struct PGPStructureTests {
    @Test(
        "a signed multipart shows what is signed, octet for octet",
        arguments: ["; protocol=\"application/pgp-signature\"", ""])
    func signed(parameter: String) throws {
        let message = Message(
            parsing: crlf(
                """
                Content-Type: multipart/signed; micalg=pgp-SHA256\(parameter); boundary=b

                --b
                Content-Type: text/plain

                Hello\u{20}

                --b
                Content-Type: application/pgp-signature

                -----BEGIN PGP SIGNATURE-----
                --b--

                """))
        guard case .signed(let parts)? = message.root.pgpStructure else {
            Issue.record("not seen")
            return
        }
        #expect(text(parts.signedOctets) == "Content-Type: text/plain\r\n\r\nHello \r\n")
        #expect(text(message.octets[parts.content.range]) == text(parts.signedOctets))
        #expect(text(message.octets[parts.signature.bodyRange]) == "-----BEGIN PGP SIGNATURE-----")
        #expect(parts.digestName == "pgp-sha256")
        #expect(message.root.smimeKind == nil)
        let stored = Message(
            parsing: message.octets[0..<message.octets.count].filter { $0 != ASCII.cr })
        guard case .signed(let same)? = stored.root.pgpStructure else {
            Issue.record("not seen")
            return
        }
        #expect(same.signedOctets == parts.signedOctets)
    }

    @Test("an encrypted multipart shows its data, also when Exchange has mangled it")
    func encrypted() throws {
        let parts = """
            --b
            Content-Type: application/pgp-encrypted

            Version: 1

            --b
            Content-Type: application/octet-stream

            -----BEGIN PGP MESSAGE-----
            --b--

            """
        let whole = Message(
            parsing: crlf("Content-Type: multipart/encrypted; boundary=b\n\n" + parts))
        guard case .encrypted(let found)? = whole.root.pgpStructure else {
            Issue.record("not seen")
            return
        }
        #expect(!found.isMangled)
        #expect(text(whole.octets[found.version.bodyRange]) == "Version: 1\r\n")
        #expect(text(whole.octets[found.data.bodyRange]) == "-----BEGIN PGP MESSAGE-----")
        let mixed = Message(
            parsing: crlf(
                "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain\n\n\n"
                    + parts))
        guard case .encrypted(let same)? = mixed.root.pgpStructure else {
            Issue.record("not seen")
            return
        }
        #expect(same.isMangled)
        #expect(text(mixed.octets[same.data.bodyRange]) == "-----BEGIN PGP MESSAGE-----")
    }

    @Test(
        "other multiparts are none",
        arguments: [
            "multipart/mixed; boundary=b", "multipart/signed; boundary=b",
            "multipart/encrypted; boundary=b",
            "multipart/signed; protocol=\"application/pkcs7-signature\"; boundary=b", "text/plain",
        ])
    func none(type: String) {
        let body = "\n\n--b\n\na\n--b\nContent-Type: text/plain\n\nb\n--b--\n"
        #expect(Message(parsing: crlf("Content-Type: " + type + body)).root.pgpStructure == nil)
    }

    @Test(
        "the announcement of GnuPG in the corpus is a signed multipart",
        .corpus("mimekit/signed"))
    func announcement() throws {
        let octets = try Corpus.octets("mimekit/signed/[Announce] GnuPG 2.1.20 released.eml")
        let structures = Message(parsing: octets).parts.compactMap(\.pgpStructure)
        guard structures.count == 1, case .signed(let parts) = structures[0] else {
            Issue.record("not seen")
            return
        }
        let blocks = PGPArmorBlock.blocks(in: parts.signature.decodedBody().value)
        #expect(blocks.map(\.kind) == [.signature] && blocks[0].isComplete)
    }
}

@Suite("PGP armour")
struct PGPArmorTests {
    private func found(_ text: String) -> [(PGPArmorBlock, String)] {
        let octets = Array(text.utf8)
        return PGPArmorBlock.blocks(in: octets).map {
            ($0, String(decoding: octets[$0.range], as: UTF8.self))
        }
    }

    @Test("blocks are found with their ranges, CRLF or LF")
    func blocks() {
        for end in ["\n", "\r\n"] {
            let message = "-----BEGIN PGP MESSAGE-----\n\nabc\n=x\n-----END PGP MESSAGE-----  \n"
                .replacing("\n", with: end)
            let key =
                "-----BEGIN PGP PUBLIC KEY BLOCK-----\n\nabc\n-----END PGP PUBLIC KEY BLOCK-----"
                .replacing("\n", with: end)
            let result = found("Hello\(end)\(message)between\(end)\(key)")
            #expect(result.map(\.0.kind) == [.message, .publicKey])
            #expect(result.map(\.1) == [message, key])
            #expect(result.map(\.0.isComplete) == [true, true])
        }
    }

    @Test("a signed text has its text and its signature")
    func signedText() throws {
        let signature = "-----BEGIN PGP SIGNATURE-----\n\nabc\n-----END PGP SIGNATURE-----\n"
        let octets = Array(
            "x\n-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\nHi\n- -----BEGIN PGP\n\(signature)y\n"
                .utf8)
        let blocks = PGPArmorBlock.blocks(in: octets)
        let block = try #require(blocks.first)
        #expect(blocks.count == 1 && block.kind == .signedText && block.isComplete)
        #expect(text(octets[try #require(block.textRange)]) == "Hi\n- -----BEGIN PGP\n")
        #expect(text(octets[try #require(block.signatureRange)]) == signature)
        #expect(octets.count - block.range.upperBound == 2)
    }

    @Test(
        "what is quoted, cut or of another kind is told apart",
        arguments: [
            ("> -----BEGIN PGP MESSAGE-----\n> -----END PGP MESSAGE-----\n", 0, false),
            (" -----BEGIN PGP MESSAGE-----\n", 0, false),
            ("-----BEGIN CERTIFICATE-----\n", 0, false),
            ("-----BEGIN PGP NONSENSE-----\n", 0, false),
            ("-----BEGIN PGP MESSAGE----\n", 0, false),
            ("-----BEGIN PGP MESSAGE-----\nabc", 1, false),
            ("-----BEGIN PGP MESSAGE-----\n-----END PGP SIGNATURE-----\n", 1, false),
            ("-----BEGIN PGP SIGNED MESSAGE-----\n\nabc\n", 1, false),
            ("-----BEGIN PGP MESSAGE, PART 1/2-----\n-----END PGP MESSAGE, PART 1/2-----", 1, true),
        ])
    func odd(text: String, count: Int, isComplete: Bool) {
        let result = found(text)
        #expect(result.count == count)
        if count == 1 {
            #expect(result[0].0.isComplete == isComplete)
            if !isComplete { #expect(result[0].1 == text) }
        }
    }

    @Test("blocks without end are found up to the limit, in linear time")
    func many() {
        let text = String(repeating: "-----BEGIN PGP MESSAGE-----\n", count: 200_000)
        #expect(found(text).count == 1_000)
        let clock = ContinuousClock()
        let time = clock.measure { _ = PGPArmorBlock.blocks(in: Array(text.utf8), limit: .max) }
        #expect(time < .seconds(60))
    }

    @Test("garbage gives ranges within the text")
    func garbage() {
        let pieces = [
            "-----BEGIN PGP ", "-----END PGP ", "SIGNED MESSAGE", "SIGNATURE", "MESSAGE", "-----",
            "\n", "\r\n", "x", " ",
        ]
        for seed in UInt64(0)..<500 {
            var random = SeededGenerator(seed: seed)
            let text = (0..<Int.random(in: 0...40, using: &random)).map { _ in
                pieces.randomElement(using: &random)!
            }
            let octets = Array(text.joined().utf8)
            var last = 0
            for block in PGPArmorBlock.blocks(in: octets) {
                #expect(
                    block.range.lowerBound >= last && block.range.upperBound <= octets.count,
                    "seed \(seed)")
                for inner in [block.textRange, block.signatureRange].compactMap({ $0 }) {
                    #expect(inner.clamped(to: block.range) == inner, "seed \(seed)")
                }
                last = block.range.upperBound
            }
        }
    }
}
