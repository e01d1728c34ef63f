import CMartletOctets
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
            "\n\n\n\n", "AAA=\n\n\n\n",
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

    @Test("every variant of the inner loops writes the same", arguments: UInt64(0)..<200)
    func variants(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let octets = randomOctets(0...300, &random)
        let expected = simpleEncoding(octets)
        let wholeLines = octets.count / 57
        let expectedLines = (0..<wholeLines).flatMap {
            simpleEncoding(octets[($0 * 57)..<($0 * 57 + 57)]) + [ASCII.cr, ASCII.lf]
        }
        for variant in runnableVariants {
            // Octets behind the output that must stay.
            var output = [UInt8](repeating: 1, count: expected.count + 8)
            martlet_base64_write(variant, octets, octets.count, &output)
            #expect(output == expected + [UInt8](repeating: 1, count: 8))
            var lines = [UInt8](repeating: 1, count: expectedLines.count + 8)
            martlet_base64_write_lines(variant, octets, wholeLines, &lines)
            #expect(lines == expectedLines + [UInt8](repeating: 1, count: 8))
        }
    }

    private func simpleEncoding(_ octets: some Collection<UInt8>) -> [UInt8] {
        let alphabet = Array(
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var bits = octets.flatMap { octet in (0..<8).map { Int(octet) >> (7 - $0) & 1 } }
        bits += [Int](repeating: 0, count: (6 - bits.count % 6) % 6)
        var characters = stride(from: 0, to: bits.count, by: 6).map { start in
            alphabet[bits[start..<start + 6].reduce(0) { $0 * 2 + $1 }]
        }
        while characters.count % 4 != 0 { characters.append(ASCII.equals) }
        return characters
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

/// The variants of inner loops that this processor can run.
let runnableVariants = [MARTLET_PORTABLE, MARTLET_SSSE3, MARTLET_AVX2, MARTLET_NEON].filter {
    martlet_can_run($0) != 0
}

func randomOctets(
    _ counts: ClosedRange<Int>, _ random: inout some RandomNumberGenerator
) -> [UInt8] {
    (0..<Int.random(in: counts, using: &random)).map { _ in .random(in: 0...255, using: &random) }
}
