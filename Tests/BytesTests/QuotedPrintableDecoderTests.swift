import MartletTestSupport
import Testing

@testable import MartletBytes

@Suite("Quoted-printable in mail")
struct QuotedPrintableDecoderTests {
    @Test(
        "gives octets of everything",
        arguments: [
            ("", ""), ("a=3Db", "a=b"), ("=c3=a4\n", "\u{E4}\n"), ("=C3=a4", "\u{E4}"),
            // soft line breaks
            ("a=\nb", "ab"), ("a=\r\nb", "ab"), ("a=\rb", "ab"), ("a=", "a"), ("a= \t", "a"),
            ("a=  \nb", "ab"), ("a= \t\r\nb", "ab"), ("a=\n\nb", "a\nb"), ("a=\n=\nb", "ab"),
            ("a=\r\r\nb", "ab"), ("a= \r\r\nb", "ab"), ("a=\r\rb", "a\rb"),
            // blanks in front of a line end
            ("a  \nb \t\r\nc \rd\t", "a\nb\r\nc\rd"), ("  a b  c", "  a b  c"), ("a=20\n", "a \n"),
            ("a=20 \n", "a \n"), ("a =20\n", "a  \n"), (" \n", "\n"), ("a =\n", "a "),
            // escapes of line ends are octets like any other
            ("a=0D\nb=0D\n", "a\r\nb\r\n"), ("a=0D=0A", "a\r\n"), ("a=20=0A", "a \n"),
            // what is no escape
            ("a=b", "a=b"), ("=", ""), ("==", "="), ("=3", "=3"), ("=G0", "=G0"), ("=4G", "=4G"),
            ("=4=41", "=4A"), ("= 41", "= 41"), ("===41", "==A"), ("=  =41", "=  A"),
            ("=3\n", "=3\n"),
            ("=3 \n", "=3\n"), ("1+1=2, 2+2=4!", "1+1=2, 2+2=4!"),
        ])
    func octets(text: String, plain: String) {
        #expect(QuotedPrintable.decodeLenient(Array(text.utf8)).octets == Array(plain.utf8))
        // The same behind a text that the inner loop reads.
        let before = String(repeating: "0123456789", count: 10)
        let decoded = QuotedPrintable.decodeLenient(Array((before + text + "\n" + before).utf8))
            .octets
        let ended = ("\n" + text).hasSuffix("=") && !text.hasSuffix("==") ? plain : plain + "\n"
        if !text.hasSuffix("=") && !text.hasSuffix("= \t") {
            #expect(decoded == Array((before + ended + before).utf8))
        }
    }

    @Test("octets that should have been escaped stay", arguments: UInt8.min...UInt8.max)
    func everyOctet(octet: UInt8) {
        guard octet != ASCII.equals else { return }
        #expect(QuotedPrintable.decodeLenient([0x61, octet, 0x62]).octets == [0x61, octet, 0x62])
    }

    @Test("the report counts what is no escape")
    func report() {
        #expect(QuotedPrintable.decodeLenient(Array("=41=\n \n= \n".utf8)).report.isClean)
        let report = QuotedPrintable.decodeLenient(Array("a=b=41=x =4".utf8)).report
        #expect(report.invalidEscapeCount == 3)
        #expect(report.firstOddOffset == 1)
    }

    @Test("decodes what is encoded", arguments: UInt64(0)..<100)
    func law(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let text = (0..<Int.random(in: 0...1_000, using: &random)).flatMap { _ -> [UInt8] in
            switch Int.random(in: 0..<10, using: &random) {
            case 0: [ASCII.cr, ASCII.lf]
            case 1: [.random(in: 0...255, using: &random)]
            case 2: [ASCII.space]
            default: [.random(in: 0x21...0x7E, using: &random)]
            }
        }
        let (decoded, report) = QuotedPrintable.decodeLenient(QuotedPrintable.encode(text))
        #expect(decoded == text)
        #expect(report.isClean)
    }

    @Test(
        "pieces of any size give the same, and what a simple reading gives",
        arguments: UInt64(0)..<300)
    func pieces(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let alphabet = Array(
            ["= \n", "=41\r\n\t ax", "abcdefghijkl mnopqrstuvwxyz =\n", "=3D0 \n"].randomElement(
                using: &random)!.utf8)
        let count = Int.random(in: 0...500, using: &random)
        let text = (0..<count).map { _ in alphabet.randomElement(using: &random)! }
        let whole = QuotedPrintable.decodeLenient(text)
        #expect(whole.octets == simpleReading(text))
        var decoder = QuotedPrintableDecoder()
        var decoded: [UInt8] = []
        var rest = text[...]
        let longest = seed % 2 == 0 ? 3 : 100
        while !rest.isEmpty {
            let piece = rest.prefix(Int.random(in: 1...longest, using: &random))
            decoder.decode(piece, into: &decoded)
            rest = rest.dropFirst(piece.count)
        }
        let report = decoder.finish(into: &decoded)
        #expect(decoded == whole.octets)
        #expect(report == whole.report)
    }

    @Test(
        "takes time in proportion to the text, whatever is in it",
        arguments: [" ", "=", "= ", "=\n", "a \n", "=4", "=41", "\r", " \r", "\n"])
    func linear(unit: String) {
        let text = Array(repeatElement(Array(unit.utf8), count: 50_000).joined())
        let elapsed = ContinuousClock().measure {
            _ = QuotedPrintable.decodeLenient(text)
            var decoder = QuotedPrintableDecoder()
            var decoded: [UInt8] = []
            for octet in text.prefix(20_000) {
                decoder.decode(CollectionOfOne(octet), into: &decoded)
            }
        }
        #expect(elapsed < .seconds(10))
    }

    /// Line by line: blanks at the end go, then `=` at the end, then the escapes.
    private func simpleReading(_ text: [UInt8]) -> [UInt8] {
        var output: [UInt8] = []
        var rest = text[...]
        while !rest.isEmpty {
            var line = rest.prefix { $0 != ASCII.cr && $0 != ASCII.lf }
            rest = rest.dropFirst(line.count)
            let end = rest.starts(with: [ASCII.cr, ASCII.lf]) ? rest.prefix(2) : rest.prefix(1)
            rest = rest.dropFirst(end.count)
            while let last = line.last, last.isBlank { line.removeLast() }
            let isSoft = line.last == ASCII.equals
            if isSoft { line.removeLast() }
            if isSoft, end.elementsEqual([ASCII.cr]), rest.starts(with: [ASCII.cr, ASCII.lf]) {
                rest = rest.dropFirst(2)
            }
            while let octet = line.popFirst() {
                if octet == ASCII.equals, line.count > 1,
                    let value = UInt8(String(decoding: line.prefix(2), as: UTF8.self), radix: 16)
                {
                    output.append(value)
                    line = line.dropFirst(2)
                } else {
                    output.append(octet)
                }
            }
            if !isSoft { output += end }
        }
        return output
    }
}
