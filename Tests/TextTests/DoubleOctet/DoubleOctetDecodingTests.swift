import MartletTestSupport
import MartletText
import Testing

@Suite("Charsets of two octets")
struct DoubleOctetDecodingTests {
    @Test(
        "have the characters that browsers read",
        arguments: [
            ("shift_jis", [0x93, 0xFA, 0x96, 0x7B, 0x8C, 0xEA, 0xB1], "日本語ｱ"),
            // A wave dash as Windows has it, a circled digit of NEC, a user's own character
            (
                "sjis", [0x81, 0x60, 0x87, 0x40, 0xF0, 0x40, 0xF9, 0xFC, 0x80],
                "～①\u{E000}\u{E757}\u{80}"
            ),
            ("euc-jp", [0xC6, 0xFC, 0xCB, 0xDC, 0x8E, 0xB1, 0x8F, 0xB0, 0xA1], "日本ｱ丂"),
            ("gb2312", [0xBA, 0xBA, 0xD7, 0xD6, 0x80], "汉字€"),
            ("gbk", [0x9D, 0x68, 0xD7, 0xD6], "漢字"),
            ("gb18030", [0x81, 0x30, 0x81, 0x30, 0x94, 0x39, 0xDA, 0x33], "\u{80}💩"),
            ("gb18030", [0xE3, 0x32, 0x9A, 0x35, 0xA8, 0xBC, 0xFE, 0x59], "\u{10FFFF}ḿ龴"),
            ("big5", [0xBA, 0x7E, 0xA6, 0x72, 0xA1, 0x45, 0x87, 0x45], "漢字‧\u{27267}"),
            ("big5-hkscs", [0x88, 0x62, 0x88, 0xA5, 0x8E, 0x69], "Ê̄ê̌箸"),
            ("ks_c_5601-1987", [0xC7, 0xD1, 0xB1, 0xB9, 0xBE, 0xEE, 0x8C, 0x63], "한국어똠"),
            ("euc-tw", [0xE9, 0xC7, 0xC7, 0xF3, 0x8E, 0xA2, 0xA1, 0xA6], "漢字万"),
        ] as [(String, [UInt8], String)])
    func characters(label: String, octets: [UInt8], text: String) throws {
        let charset = try #require(Charset(label: label))
        #expect(charset.isAvailable)
        let decoded = charset.decode(octets)
        #expect(Array(decoded.text.unicodeScalars) == Array(text.unicodeScalars))
        #expect(decoded.malformedCount == 0)
    }

    @Test(
        "keep an ASCII octet behind a broken lead octet",
        arguments: [
            ("shift_jis", [0x81, 0x22], "\u{FFFD}\"", 1), ("shift_jis", [0x81], "\u{FFFD}", 1),
            ("shift_jis", [0x81, 0xFF, 0x41], "\u{FFFD}A", 1), ("shift_jis", [0xA0], "\u{FFFD}", 1),
            ("shift_jis", [0xF0, 0x3E], "\u{FFFD}>", 1),
            ("shift_jis", [0xFD, 0x41], "\u{FFFD}A", 1),
            ("euc-jp", [0xA4, 0x3E], "\u{FFFD}>", 1),
            ("euc-jp", [0x8F, 0xB0, 0x3E], "\u{FFFD}>", 1),
            ("euc-jp", [0x8F, 0x3E], "\u{FFFD}>", 1),
            ("euc-jp", [0x8E, 0xE0, 0x41], "\u{FFFD}A", 1),
            ("euc-jp", [0x8F, 0xFE, 0xFE, 0x41], "\u{FFFD}A", 1),
            ("euc-jp", [0x8F, 0xB0], "\u{FFFD}", 1),
            ("gbk", [0x81, 0x3E], "\u{FFFD}>", 1), ("gbk", [0xFF, 0x3E], "\u{FFFD}>", 1),
            ("gb18030", [0x81, 0x30, 0x3E], "\u{FFFD}0>", 1),
            ("gb18030", [0x81, 0x30, 0x81, 0x3E], "\u{FFFD}0\u{FFFD}>", 2),
            ("gb18030", [0x81, 0x30, 0x81], "\u{FFFD}", 1),
            ("gb18030", [0xFE, 0x39, 0xFE, 0x39, 0x41], "\u{FFFD}A", 1),
            ("big5", [0xA1, 0x3E], "\u{FFFD}>", 1), ("big5", [0xA1, 0x80, 0x41], "\u{FFFD}A", 1),
            ("euc-kr", [0xB0, 0x3E], "\u{FFFD}>", 1),
            ("euc-kr", [0xC9, 0xA1, 0x41], "\u{FFFD}A", 1),
            ("euc-tw", [0x8E, 0xA9, 0xA1, 0xA1, 0x41], "\u{FFFD}A", 1),
        ] as [(String, [UInt8], String, Int)])
    func malformed(label: String, octets: [UInt8], text: String, count: Int) throws {
        let decoded = try #require(Charset(label: label)).decode([0x2E] + octets)
        #expect(decoded.text == "." + text)
        #expect(decoded.malformedCount == count)
        #expect(decoded.firstMalformedOffset == 1)
    }

    @Test(
        "read every pair in the same way wherever it stands",
        arguments: ["shift_jis", "euc-jp", "gb18030", "big5", "euc-kr", "euc-tw"])
    func position(label: String) throws {
        let charset = try #require(Charset(label: label))
        var generator = SeededGenerator(seed: 7)
        // Longer than the blocks of the decoder, whose borders cut pairs at odd offsets.
        var octets: [UInt8] = [0x2E]
        var text = Array(".".unicodeScalars)
        while octets.count < 40_000 {
            let pair: [UInt8] = [
                .random(in: 0x81...0xFE, using: &generator),
                .random(in: 0x40...0xFE, using: &generator),
            ]
            let decoded = charset.decode([0x2E] + pair + [0x2E])
            guard decoded.malformedCount == 0 else { continue }
            octets += pair
            text += decoded.text.unicodeScalars.dropFirst().dropLast()
            if Bool.random(using: &generator) { continue }
            let count = Int.random(in: 1...20, using: &generator)
            octets += [UInt8](repeating: 0x20, count: count)
            text += [Unicode.Scalar](repeating: " ", count: count)
        }
        let decoded = charset.decode(octets)
        #expect(Array(decoded.text.unicodeScalars) == text)
        #expect(decoded.malformedCount == 0)
    }

    @Test("count the four octets of GB 18030 without a gap through what pairs leave out")
    func fourOctets() throws {
        let charset = try #require(Charset(label: "gb18030"))
        var seen: Set<Unicode.Scalar> = []
        for pointer in 0..<39_420 {
            let octets = [
                UInt8(pointer / 12_600 + 0x81), UInt8(pointer / 1_260 % 10 + 0x30),
                UInt8(pointer / 10 % 126 + 0x81), UInt8(pointer % 10 + 0x30),
            ]
            let scalars = charset.decode(octets).text.unicodeScalars
            #expect(scalars.count == 1)
            seen.insert(scalars.first!)
        }
        #expect(seen.count == 39_420)
    }

    @Test(
        "never fail, and take time in proportion to the octets", .timeLimit(.minutes(1)),
        arguments: Charset.all)
    func garbage(charset: Charset) {
        var generator = SeededGenerator(seed: 11)
        for octets in [
            (0..<40_000).map { _ in UInt8.random(in: 0...255, using: &generator) },
            [UInt8](repeating: 0x8F, count: 40_000), [UInt8](repeating: 0x1B, count: 40_000),
            [UInt8](repeating: 0x2B, count: 40_000), [UInt8](repeating: 0x7E, count: 40_000),
            [UInt8](repeating: 0x0E, count: 40_001),
        ] {
            let decoded = charset.decode(octets)
            #expect(decoded.malformedCount <= octets.count)
            #expect(String(validating: Array(decoded.text.utf8), as: UTF8.self) != nil)
            #expect((decoded.malformedCount == 0) == (decoded.firstMalformedOffset == nil))
            #expect(decoded.firstMalformedOffset ?? 0 < octets.count)
        }
    }
}
