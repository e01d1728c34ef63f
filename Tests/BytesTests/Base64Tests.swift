import MartletTestSupport
import Testing

@testable import MartletBytes

@Suite("Base64")
struct Base64Tests {
    @Test(
        "encodes the vectors of RFC 4648 §10",
        arguments: [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
        ])
    func vectors(plain: String, encoded: String) {
        #expect(Base64.encode(Array(plain.utf8)) == Array(encoded.utf8))
        #expect(Base64.decode(Array(encoded.utf8)) == Array(plain.utf8))
    }

    @Test("decodes what it encodes", arguments: UInt64(0)..<100)
    func law(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let octets = randomOctets(0...400, &random)
        let encoded = Base64.encode(octets)
        #expect(encoded.count == Base64.encodedSize(of: octets.count))
        #expect(Base64.decode(encoded) == octets)
    }

    @Test(
        "refuses what is not base64",
        arguments: [
            "A", "AA", "AAA", "A===", "====", "=AAA", "A=AA", "AA=A", "AAAA=", "AA==AAAA", "AAA\n",
            "AA A", "AAA\u{0}", "A-_A", "AB==", "AAB=", "\u{E9}AA", "AAAA====",
        ])
    func refuses(text: String) {
        #expect(Base64.decode(Array(text.utf8)) == nil)
    }

    @Test("lines are 76 characters, and the pieces make no difference", arguments: UInt64(0)..<100)
    func lines(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let octets = randomOctets(0...1_000, &random)
        var encoder = Base64LineEncoder()
        var encoded: [UInt8] = []
        var rest = octets[...]
        while !rest.isEmpty {
            let count = Int.random(in: 1...200, using: &random)
            encoder.encode(rest.prefix(count), into: &encoded)
            rest = rest.dropFirst(count)
        }
        encoder.finish(into: &encoded)
        #expect(encoded.count == Base64LineEncoder.encodedSize(of: octets.count))
        var lines = encoded.split(separator: ASCII.lf)
        #expect(lines.dropLast().allSatisfy { $0.count == 77 })
        #expect(lines.allSatisfy { $0.count <= 77 && $0.last == ASCII.cr })
        lines = lines.map { $0.dropLast() }
        #expect(Base64.decode(Array(lines.joined())) == octets)
    }

    @Test("an encoder can be used again after its end")
    func reuse() {
        var encoder = Base64LineEncoder()
        for _ in 0..<2 {
            var encoded: [UInt8] = []
            encoder.encode(Array("foo".utf8), into: &encoded)
            encoder.finish(into: &encoded)
            #expect(encoded == Array("Zm9v\r\n".utf8))
        }
    }
}

func randomOctets(
    _ counts: ClosedRange<Int>, _ random: inout some RandomNumberGenerator
) -> [UInt8] {
    (0..<Int.random(in: counts, using: &random)).map { _ in .random(in: 0...255, using: &random) }
}
