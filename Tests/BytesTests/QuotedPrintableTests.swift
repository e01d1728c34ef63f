import MartletTestSupport
import Testing

@testable import MartletBytes

@Suite("Quoted-printable")
struct QuotedPrintableTests {
    @Test(
        "escapes what could be changed on its way, and nothing else",
        arguments: [
            ("", ""), ("plain", "plain"), ("a=b", "a=3Db"), ("é", "=C3=A9"),
            ("end \r\n", "end=20\r\n"), ("end\t\r\nx", "end=09\r\nx"), ("end ", "end=20"),
            ("-- \r\n", "--=20\r\n"), ("a b", "a b"), ("\r", "=0D"), ("\n", "=0A"),
            ("\r\r\n", "=0D\r\n"), ("a\r\n.\r\nb", "a\r\n=2E\r\nb"), ("a.b", "a.b"),
            ("From x", "=46rom x"), ("x From y", "x From y"), ("Fro", "Fro"), ("\u{0}", "=00"),
            ("\u{7F}~", "=7F~"),
        ])
    func table(plain: String, encoded: String) {
        #expect(
            String(decoding: QuotedPrintable.encode(Array(plain.utf8)), as: UTF8.self) == encoded)
    }

    @Test("a line of 76 characters stays whole, one of 77 is broken")
    func limit() {
        let line = String(repeating: "x", count: 76)
        #expect(QuotedPrintable.encode(Array((line + "\r\n").utf8)) == Array((line + "\r\n").utf8))
        let broken = String(repeating: "x", count: 75) + "=\r\nxx"
        #expect(QuotedPrintable.encode(Array((line + "x").utf8)) == Array(broken.utf8))
    }

    @Test("decodes to what was encoded, in lines of at most 76", arguments: UInt64(0)..<200)
    func law(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let alphabet = Array("abc =.\t_From ".utf8) + [13, 10, 0, 0xC3, 0xA9, 0xFF]
        var octets: [UInt8] = []
        for _ in 0..<Int.random(in: 0...400, using: &random) {
            octets +=
                Int.random(in: 0..<20, using: &random) == 0
                ? [13, 10]
                : [
                    alphabet.randomElement(using: &random)!
                ]
        }
        let encoded = QuotedPrintable.encode(octets)
        #expect(decode(encoded) == octets)
        let lines = String(decoding: encoded, as: UTF8.self).utf8.split(
            separator: 10, omittingEmptySubsequences: false)
        for line in lines {
            let line = line.last == 13 ? line.dropLast() : line
            #expect(line.count <= QuotedPrintable.lineLimit)
            #expect(line.last.map { !$0.isBlank } ?? true)
            #expect(line.first != ASCII.dot)
            #expect(!line.contains(13))
            #expect(line.allSatisfy { $0 == 9 || ($0 >= 32 && $0 < 127) })
        }
    }

    private func decode(_ encoded: [UInt8]) -> [UInt8] {
        var octets: [UInt8] = []
        var index = 0
        while index < encoded.count {
            guard encoded[index] == ASCII.equals else {
                octets.append(encoded[index])
                index += 1
                continue
            }
            let digits = String(decoding: encoded[(index + 1)...(index + 2)], as: UTF8.self)
            if digits != "\r\n" { octets.append(UInt8(digits, radix: 16)!) }
            index += 3
        }
        return octets
    }
}
