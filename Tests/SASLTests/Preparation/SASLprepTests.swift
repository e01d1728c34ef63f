import MartletBytes
import MartletTestSupport
import Testing

@testable import MartletSASL

@Suite("SASLprep")
struct SASLprepTests {
    // RFC 4013 §3
    @Test(
        "prepares what its RFC prepares",
        arguments: [
            ("I\u{AD}X", "IX"), ("user", "user"), ("USER", "USER"), ("\u{AA}", "a"),
            ("\u{2168}", "IX"), ("a\u{A0}b", "a b"), ("a\u{308}", "ä"), ("ﬀ", "ff"),
            ("\u{1100}\u{1161}\u{11A8}", "각"), ("각", "각"), ("日本", "日本"), ("😀", "😀"),
            ("\u{627}\u{661}\u{628}", "\u{627}\u{661}\u{628}"),
            ("a\u{323}\u{307}", "\u{1EA1}\u{307}"),
            ("a\u{307}\u{323}", "\u{1EA1}\u{307}"), ("\u{958}", "\u{915}\u{93C}"),
        ])
    func vectors(text: String, prepared: String) throws {
        let result = try SASLprep.prepare(text)
        #expect(result.unicodeScalars.elementsEqual(prepared.unicodeScalars), "\(result)")
        #expect(try SASLprep.prepare(Secret(text)) == Secret(prepared))
    }

    @Test(
        "refuses what its RFC refuses",
        arguments: [
            ("\u{7}", SASLprep.Failure.prohibited(7)), ("a\u{7F}", .prohibited(0x7F)),
            ("\u{627}1", .mixedDirections), ("a\u{627}", .mixedDirections),
            ("\u{E000}", .prohibited(0xE000)), ("\u{FFFE}", .prohibited(0xFFFE)),
            ("\u{200E}x", .prohibited(0x200E)), ("\u{AD}", .empty), ("", .empty),
        ])
    func failures(text: String, failure: SASLprep.Failure) {
        #expect(throws: failure) { try SASLprep.prepare(text) }
    }

    @Test("leaves octets that are no text alone")
    func octets() throws {
        let secret = Secret(octets: [0xFF, 0x41])
        #expect(try SASLprep.prepare(secret) == secret)
    }

    @Test("is done after once", arguments: 0..<4 as Range<UInt64>)
    func idempotent(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<200 {
            let text = Self.text(&generator)
            guard let once = try? SASLprep.prepare(text) else { continue }
            #expect(
                try SASLprep.prepare(once) == once, "\(seed): \(text.unicodeScalars.map(\.value))")
        }
    }

    @Test("normalizes as Python does", .python("unicodedata"))
    func python() async throws {
        var generator = SeededGenerator(seed: 20)
        // each code point that is made of others, alone and between others
        var texts = (0x80..<0x30000 as Range<UInt32>).compactMap(Unicode.Scalar.init).filter {
            !$0.properties.isNoncharacterCodePoint && $0.value != 0x85
                && !(0x2028...0x2029 ~= $0.value)
        }.map { String($0) }.filter { _ in generator.next() % 16 == 0 }
        texts += (0..<3_000).map { _ in Self.text(&generator) }
        let lines = texts.map { text in
            Array(
                text.unicodeScalars.map { String($0.value, radix: 16) }.joined(separator: " ").utf8)
        }
        let script = """
            import sys, unicodedata
            for line in sys.stdin:
                text = ''.join(chr(int(word, 16)) for word in line.split())
                form = unicodedata.ucd_3_2_0.normalize('NFKC', text)
                print(' '.join('%x' % ord(c) for c in form) or '-')
            """
        let answers = try await Python.run(script, lines: lines)
        try #require(answers.count == texts.count)
        for (text, answer) in zip(texts, answers) {
            let own = CompatibilityForm.unicode32.normalize(text.unicodeScalars.map(\.value))
                .map { String($0, radix: 16) }.joined(separator: " ")
            #expect((own.isEmpty ? "-" : own) == String(decoding: answer, as: UTF8.self), "\(text)")
        }
    }

    /// Bases, marks in any order, syllables, ligatures, digits in circles and what is beyond.
    static func text(_ generator: inout SeededGenerator) -> String {
        let pools: [ClosedRange<UInt32>] = [
            0x61...0x7A, 0xA0...0x24F, 0x300...0x345, 0x1100...0x11FF, 0x1E00...0x1FFF,
            0x2100...0x2150, 0xAC00...0xACFF, 0xFB00...0xFB4F, 0xFF00...0xFFEF, 0x1D15E...0x1D164,
            0x591...0x5A1,
        ]
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 1...12, using: &generator) {
            let pool = pools.randomElement(using: &generator) ?? 0x61...0x7A
            let value = UInt32.random(in: pool, using: &generator)
            if let scalar = Unicode.Scalar(value) { text.append(scalar) }
        }
        return String(text)
    }
}
