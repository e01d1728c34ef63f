import CMartletOctets
import MartletTestSupport
import Testing

@testable import MartletBytes

@Suite("Base64 in mail")
struct Base64DecoderTests {
    @Test(
        "gives octets of everything",
        arguments: [
            ("", ""), ("aGkK", "hi\n"), ("aGk=", "hi"), ("aA==", "h"), ("aGk", "hi"), ("aA", "h"),
            // line ends, blanks, an empty line in front
            ("aG\r\nkK\r\n", "hi\n"), ("aG\rkK\r", "hi\n"), ("a G\tkK \n", "hi\n"),
            ("\n\n aGkK", "hi\n"), ("aGkK\n\naGkK\n", "hi\nhi\n"), ("aGk\n=\n", "hi"),
            // junk
            ("QU!JD\nRE*VG\n", "ABCDEF"), ("\u{0}QUJD\u{E9}", "ABC"), ("Q-U_J.D", "ABC"),
            // several runs
            ("QQ==\nQg==\n", "AB"), ("QQ==Qg==", "AB"), ("QQ== Qg== Qw==", "ABC"),
            ("QUI=QQ", "ABA"),
            ("QQ==\n\nQg==", "AB"),
            // padding and characters that stand alone
            ("=", ""), ("====", ""), ("QUJDR", "ABC"), ("QUJDR=QQ==", "ABCA"),
            ("QUJD=QUJD", "ABCABC"),
            ("QQ====", "A"),
            // padding that was written in quoted-printable
            ("QUI=3D", "AB"), ("QUI=3D\n", "AB"), ("QQ=3D=3D\r\n", "A"),
        ])
    func octets(text: String, plain: String) {
        #expect(Base64.decodeLenient(Array(text.utf8)).octets == Array(plain.utf8))
    }

    @Test(
        "text behind the data is not decoded",
        arguments: [
            "QUJDRA==\n|-- \nRegards\n", "QUJD\n|-- \nRegards\n",
            "QUJD\n\n|To leave this list: mail us\n",
            "QUJDRA==\r\n|_______________________________________________\r\nlist\r\n",
            "QUJDRA== |(see below)\n", "QUJDRA== |ignored\n",
            "QUJD\n\n|====================\nlist\n",
            "QUJD\n\n|https://lists.example.org/list\n", "QUJD\n\n|Regards,\n",
            "QUJD\n\n|http://www.example.com/\n", "QUJD\n\n\n|* * *",
            "QUJD\n|--boundary\n", "QUJD\n\n|\u{421}\u{43F}\u{438}\u{441}\u{43E}\u{43A}\n",
        ])
    func trailer(text: String) {
        let expected = Array(text.utf8).firstIndex(of: UInt8(ascii: "|"))
        let (octets, report) = Base64.decodeLenient(text.utf8.filter { $0 != UInt8(ascii: "|") })
        #expect(octets == Array((text.hasPrefix("QUJDRA") ? "ABCD" : "ABC").utf8))
        #expect(report.trailerOffset == expected)
        #expect(report.firstOddOffset == expected)
    }

    @Test("the report counts what was odd, and says where the first of it was")
    func report() {
        #expect(Base64.decodeLenient(Array("aGkK\r\naGk=\r\n".utf8)).report.isClean)
        let junk = Base64.decodeLenient(Array("aG!!kK\n!aGkK".utf8)).report
        #expect(junk.junkRunCount == 2 && junk.firstOddOffset == 2 && !junk.isClean)
        let inner = Base64.decodeLenient(Array("QQ==\nQg==\nQw==".utf8)).report
        #expect(inner.innerPaddingCount == 2 && inner.firstOddOffset == 5)
        let missing = Base64.decodeLenient(Array("aGk".utf8)).report
        #expect(missing.isPaddingMissing && missing.firstOddOffset == 3)
        let stray = Base64.decodeLenient(Array("=aGkKa".utf8)).report
        #expect(stray.strayCount == 2 && stray.firstOddOffset == 0)
    }

    @Test(
        "lines of any length with any line end decode to what was encoded",
        arguments: UInt64(0)..<200)
    func law(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let octets = randomOctets(0...2_000, &random)
        let width = Bool.random(using: &random) ? 76 : Int.random(in: 1...200, using: &random)
        let lineEnd = Array(["\n", "\r\n", "\r"].randomElement(using: &random)!.utf8)
        var text: [UInt8] = []
        for (index, character) in Base64.encode(octets).enumerated() {
            if index > 0, index % width == 0 { text += lineEnd }
            if seed % 4 == 0, Int.random(in: 0..<100, using: &random) == 0 {
                text.append(UInt8(ascii: "!"))
            }
            text.append(character)
        }
        if seed % 3 == 0 { text += lineEnd }
        for variant in runnableVariants {
            let decoded = decode(text, variant)
            #expect(decoded.octets == octets)
            #expect(decoded.report.isClean == !text.contains(UInt8(ascii: "!")))
        }
    }

    @Test("the strict decoder takes no line ends where blocks would", arguments: [4, 8, 76, 100])
    func strict(width: Int) {
        let text = Base64.encode([UInt8](repeating: 7, count: 300))
        #expect(Base64.decode(text) == [UInt8](repeating: 7, count: 300))
        for lineEnds in [[ASCII.lf], [ASCII.lf, ASCII.lf], [ASCII.cr, ASCII.lf]] {
            var broken: [UInt8] = []
            for (index, character) in text.enumerated() {
                if index > 0, index % width == 0 { broken += lineEnds }
                broken.append(character)
            }
            #expect(Base64.decode(broken) == nil)
        }
    }

    @Test("every octet at every place means the same to every variant")
    func places() {
        let line = Base64.encode((0..<30).map { UInt8($0 * 37 & 0xFF) })
        for octet in UInt8.min...UInt8.max {
            for place in stride(from: 0, to: line.count, by: 3) {
                var text = line + [ASCII.lf] + line
                text[place] = octet
                let expected = decodeOneByOne(text)
                for variant in runnableVariants {
                    #expect(decode(text, variant) == expected, "\(octet) at \(place)")
                }
            }
        }
    }

    @Test("pieces of any size give the same, of garbage too", arguments: UInt64(0)..<300)
    func pieces(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let alphabet = Array(
            ["QUJDREVG\n", "QUJDREVGQUJD= \r\n", "QQ==\n-_ab.!\u{0}", "a\n"].randomElement(
                using: &random)!.utf8)
        let quantum = Array("QUJD".utf8)
        var text: [UInt8] = []
        for _ in 0..<Int.random(in: 0...400, using: &random) {
            if Int.random(in: 0..<3, using: &random) == 0 {
                text.append(alphabet.randomElement(using: &random)!)
            } else {
                text += quantum
            }
        }
        let expected = decodeOneByOne(text)
        for variant in runnableVariants {
            #expect(decode(text, variant) == expected)
            var decoder = Base64Decoder(variant: variant)
            var decoded: [UInt8] = []
            var rest = text[...]
            while !rest.isEmpty {
                let piece = rest.prefix(Int.random(in: 1...100, using: &random))
                decoder.decode(piece, into: &decoded)
                rest = rest.dropFirst(piece.count)
            }
            let report = decoder.finish(into: &decoded)
            #expect(decoded == expected.octets && report == expected.report)
        }
    }

    @Test("appends to what is there, and can be used again after its end")
    func reuse() {
        var decoder = Base64Decoder()
        var output = [UInt8](repeating: 7, count: 1)
        for _ in 0..<2 {
            decoder.decode(Array("QQ=".utf8), into: &output)
            #expect(decoder.finish(into: &output).isClean)
        }
        #expect(output == [7, 65, 65])
    }

    @Test(
        "takes time in proportion to the text, whatever is in it",
        arguments: [
            "QUJD", "QQ==\n", "\n", "=", "!", "QUJD\n\n-", "QQ== Qg==", "Q ", "QUJD\n-x", "\r",
        ])
    func linear(unit: String) {
        let text = Array(repeatElement(Array(unit.utf8), count: 30_000).joined())
        let elapsed = ContinuousClock().measure { _ = Base64.decodeLenient(text) }
        #expect(elapsed < .seconds(10))
    }

    private struct Decoded: Equatable {
        var octets: [UInt8] = []
        var report = Base64Report()
    }

    private func decode(_ text: [UInt8], _ variant: martlet_variant) -> Decoded {
        var decoder = Base64Decoder(variant: variant)
        var decoded = Decoded()
        decoder.decode(text, into: &decoded.octets)
        decoded.report = decoder.finish(into: &decoded.octets)
        return decoded
    }

    // Octet by octet no inner loop has a part in it.
    private func decodeOneByOne(_ text: [UInt8]) -> Decoded {
        var decoder = Base64Decoder()
        var decoded = Decoded()
        for octet in text { decoder.decode(CollectionOfOne(octet), into: &decoded.octets) }
        decoded.report = decoder.finish(into: &decoded.octets)
        return decoded
    }
}
