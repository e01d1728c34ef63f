import MartletBytes
import MartletCrypto
import MartletTestSupport
import Testing

@Suite("Digest")
struct DigestTests {
    @Test(
        "of abc is what its standard says",
        arguments: [
            (Digest.md5, "900150983cd24fb0d6963f7d28e17f72"),
            (.sha1, "a9993e364706816aba3e25717850c26c9cd0d89d"),
            (.sha256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                .sha384,
                "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed"
                    + "8086072ba1e7cc2358baeca134c825a7"
            ),
            (
                .sha512,
                "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
                    + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
            ),
        ])
    func vectors(digest: Digest, expected: String) throws {
        #expect(hex(try digest.hash(Array("abc".utf8))) == expected)
        #expect(digest.sizeInOctets * 2 == expected.count)
        #expect(try digest.hash([]).count == digest.sizeInOctets)
    }

    // RFC 1320 appendix A.5
    @Test(
        "MD4 is what its RFC says",
        arguments: [
            ("", "31d6cfe0d16ae931b73c59d7e0c089c0"), ("a", "bde52cb31de33e46245e05fbdbd6fb24"),
            ("abc", "a448017aaf21d8525fc10ae87aa6729d"),
            ("message digest", "d9130a8164549fe818874806e1c7014b"),
            ("abcdefghijklmnopqrstuvwxyz", "d79e1c308aa5bbcdeea8ed63df412da9"),
            (
                "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
                "043f8582f241db351ce627e153e7f0e4"
            ),
            (
                String(repeating: "1234567890", count: 8), "e33b4ddc9c38f2199c3e7b164fcc0536"
            ),
        ])
    func md4(text: String, expected: String) {
        #expect(hex(MD4.hash(Array(text.utf8))) == expected)
    }

    // RFC 2202 §2 and §3, RFC 4231 §4.3, §4.7
    @Test(
        "keyed is what its RFC says",
        arguments: [
            (Digest.md5, "Jefe", "750c783e6ab0b503eaa86e310a5db738"),
            (.sha1, "Jefe", "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79"),
            (.sha256, "Jefe", "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"),
            (
                .sha512, "Jefe",
                "164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea250554"
                    + "9758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737"
            ),
        ])
    func hmac(digest: Digest, key: String, expected: String) throws {
        let text = Array("what do ya want for nothing?".utf8)
        #expect(hex(try digest.hmac(text, key: Array(key.utf8))) == expected)
        #expect(hex(try digest.hmac(text, key: Secret(key))) == expected)
    }

    @Test("keyed by nothing, and by more than a block")
    func hmacKeys() throws {
        #expect(
            hex(try Digest.sha256.hmac([], key: []))
                == "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad")
        #expect(
            hex(
                try Digest.sha256.hmac(
                    Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
                    key: [UInt8](repeating: 0xAA, count: 131)))
                == "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54")
        #expect(try Digest.md5.hmac([1], key: Secret(octets: [])).count == 16)
    }

    // RFC 6070 §2; the second column of SHA-256 and SHA-512 is widely published
    @Test(
        "iterated to a key is what its RFC says",
        arguments: [
            (Digest.sha1, "password", "salt", 1, "0c60c80f961f0e71f3a9b524af6012062fe037a6"),
            (.sha1, "password", "salt", 4096, "4b007901b765489abead49d926f721d065a429c1"),
            (
                .sha256, "password", "salt", 4096,
                "c5e478d59288c841aa530db6845c4c8d962893a001ce4e11a4963873aa98134a"
            ),
            (
                .sha512, "password", "salt", 4096,
                "d197b1b33db0143e018b12f3d1d1479e6cdebdcc97c5c0f87f6902e072f457b5"
                    + "143f30602641b3d55cd335988cb36b84376060ecd532e039b742a239434af2d5"
            ),
        ])
    func pbkdf2(digest: Digest, password: String, salt: String, count: Int, expected: String) throws
    {
        let key = try PBKDF2.key(
            password: Secret(password), salt: Array(salt.utf8), iterations: count, digest)
        #expect(key.withOctets { hex($0) } == expected)
    }

    @Test("iterated never, or without end, is refused", arguments: [0, -1, 10_000_001, Int.max])
    func iterations(count: Int) {
        #expect(throws: CryptoError.iterationsOutOfRange(count)) {
            try PBKDF2.key(password: Secret("x"), salt: [1], iterations: count, .sha1)
        }
    }

    @Test("iterated over nothing still gives a key")
    func nothing() throws {
        let key = try PBKDF2.key(
            password: Secret(octets: []), salt: [], iterations: 2, .sha256)
        #expect(key.count == 32)
    }

    @Test("random octets are as many as asked for, and others each time")
    func random() {
        #expect(SecureRandom.octets(0).isEmpty)
        #expect(SecureRandom.octets(33).count == 33)
        #expect(SecureRandom.octets(16) != SecureRandom.octets(16))
    }

    @Test("comparison tells equal from other")
    func comparison() {
        #expect(ConstantTime.equal([], []))
        #expect(ConstantTime.equal([1, 2], [1, 2]))
        #expect(!ConstantTime.equal([1, 2], [1, 3]))
        #expect(!ConstantTime.equal([1, 2], [1, 2, 3]))
    }

    @Test("wiped octets are zero")
    func wiping() {
        var octets: [UInt8] = [1, 2, 3]
        wipe(&octets)
        #expect(octets == [0, 0, 0])
    }
}
