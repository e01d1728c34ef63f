import MartletText
import MartletTestSupport
import Testing

@Suite("UTF-8 decoding")
struct UTF8DecodingTests {
    @Test(
        "writes one U+FFFD for each piece that begins a character",
        arguments: [
            ([0x61, 0x80, 0x62], "a\u{FFFD}b", 1, 1),
            ([0xC3], "\u{FFFD}", 1, 0), ([0xC3, 0x41], "\u{FFFD}A", 1, 0),
            ([0xC0, 0xAF], "\u{FFFD}\u{FFFD}", 2, 0), ([0xC1, 0xBF], "\u{FFFD}\u{FFFD}", 2, 0),
            ([0xE0, 0x80, 0xAF], "\u{FFFD}\u{FFFD}\u{FFFD}", 3, 0),
            ([0xE2, 0x82], "\u{FFFD}", 1, 0), ([0xE2, 0x82, 0x41], "\u{FFFD}A", 1, 0),
            ([0xED, 0xA0, 0x80], "\u{FFFD}\u{FFFD}\u{FFFD}", 3, 0),
            ([0xF0, 0x9F, 0x98], "\u{FFFD}", 1, 0), ([0xF0, 0x9F, 0x98, 0x41], "\u{FFFD}A", 1, 0),
            ([0xF0, 0x80, 0x80, 0x80], "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}", 4, 0),
            ([0xF4, 0x90, 0x80, 0x80], "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}", 4, 0),
            ([0xF5, 0x80], "\u{FFFD}\u{FFFD}", 2, 0),
            ([0xFF, 0xFE, 0x41], "\u{FFFD}\u{FFFD}A", 2, 0),
            ([0x41, 0xF0, 0x90, 0xC3, 0xA9], "A\u{FFFD}é", 1, 1),
        ] as [([UInt8], String, Int, Int)])
    func malformed(octets: [UInt8], text: String, count: Int, offset: Int) {
        // Whatever stands around it, so that the paths for words and for the last octets are both seen.
        for (before, after) in [(0, 0), (40, 0), (0, 40), (3, 5), (200, 200), (79, 130)] {
            let padding = { (count: Int) in [UInt8](repeating: 0x2E, count: count) }
            let decoded = Charset.utf8.decode(padding(before) + octets + padding(after))
            let dots = { (count: Int) in String(repeating: ".", count: count) }
            #expect(Array(decoded.text.utf8) == Array((dots(before) + text + dots(after)).utf8))
            #expect(decoded.malformedCount == count)
            #expect(decoded.firstMalformedOffset == before + offset)
        }
    }

    @Test("leaves out a mark at the start, and only there")
    func mark() {
        let decoded = Charset.utf8.decode([0xEF, 0xBB, 0xBF, 0x61, 0xEF, 0xBB, 0xBF])
        #expect(Array(decoded.text.unicodeScalars) == ["a", "\u{FEFF}"])
        #expect(Charset.windows1252.decode([0xEF, 0xBB, 0xBF, 0xC3, 0xA9]).text == "é")
    }

    @Test("counts offsets from the start of the octets, the mark included")
    func markOffset() {
        #expect(Charset.utf8.decode([0xEF, 0xBB, 0xBF, 0x61, 0xFF]).firstMalformedOffset == 4)
    }

    @Test("gives every text back that was UTF-8", arguments: 0..<50 as Range<UInt64>)
    func law(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let text = String.random(scalarCount: Int(seed) * 7, using: &generator)
        let decoded = Charset.utf8.decode(Array(text.utf8))
        #expect(decoded.text == text)
        #expect(decoded.malformedCount == 0)
    }

    @Test("repairs garbage as the standard library does", arguments: 0..<200 as Range<UInt64>)
    func garbage(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var octets = Array(String.random(scalarCount: 40 + Int(seed) * 3, using: &generator).utf8)
        for _ in 0..<(1 + seed % 12) {
            octets[Int.random(in: 0..<octets.count, using: &generator)] = .random(
                in: 0...255, using: &generator)
        }
        if octets.starts(with: [0xEF, 0xBB, 0xBF]) || [0xFE, 0xFF].contains(octets[0]) { return }
        let decoded = Charset.utf8.decode(octets)
        #expect(Array(decoded.text.utf8) == Array(String(decoding: octets, as: UTF8.self).utf8))
        var array: [UInt8] = [1]
        #expect(Charset.utf8.decode(octets, appendingTo: &array) == decoded.report)
        #expect(array == [1] + decoded.text.utf8)
    }

    @Test("finds what is broken at every place of a block", arguments: ["a", "é", "日", "😀"])
    func places(filler: String) {
        let unit = Array(filler.utf8)
        for broken: [UInt8] in [
            [0x80], [0xC3], [0xE2, 0x82], [0xF0, 0x9F, 0x98], [0xFF], [0xC1, 0x81],
        ] {
            for count in 0..<(150 / unit.count) {
                let before = [UInt8](repeatElement(unit, count: count).joined())
                for after in [[], [UInt8](repeating: 0x2E, count: 150)] {
                    let decoded = Charset.utf8.decode(before + broken + after)
                    #expect(decoded.firstMalformedOffset == before.count)
                    let expected = String(decoding: before + broken + after, as: UTF8.self)
                    #expect(decoded.text.utf8.elementsEqual(expected.utf8))
                }
            }
        }
    }

    @Test("takes time in proportion to what is broken", .timeLimit(.minutes(1)))
    func linear() {
        let decoded = Charset.utf8.decode([UInt8](repeating: 0xE2, count: 500_000))
        #expect(decoded.malformedCount == 500_000)
    }
}

extension String {
    /// Characters of every length in UTF-8, with runs of ASCII between them.
    static func random(scalarCount: Int, using generator: inout SeededGenerator) -> String {
        var text = String.UnicodeScalarView()
        let limits: [UInt32] = [0x80, 0x80, 0x800, 0x1_0000, 0x11_0000]
        for _ in 0..<scalarCount {
            let limit = limits.randomElement(using: &generator)!
            guard let scalar = Unicode.Scalar(UInt32.random(in: 1..<limit, using: &generator)),
                scalar != "\u{FEFF}"
            else { continue }
            text.append(scalar)
        }
        return String(text)
    }
}
