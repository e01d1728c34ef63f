import MartletText
import MartletTestSupport
import Testing

@Suite("UTF-16, UTF-32 and UTF-7 decoding")
struct WideDecodingTests {
    private static func octets(_ text: String, utf16BigEndian isBigEndian: Bool) -> [UInt8] {
        text.utf16.flatMap { unit -> [UInt8] in
            let octets = [UInt8(unit >> 8), UInt8(unit & 0xFF)]
            return isBigEndian ? octets : octets.reversed()
        }
    }

    private static func octets(_ text: String, utf32BigEndian isBigEndian: Bool) -> [UInt8] {
        text.unicodeScalars.flatMap { scalar -> [UInt8] in
            let octets = stride(from: 24, through: 0, by: -8).map { shift -> UInt8 in
                UInt8(scalar.value >> UInt32(shift) & 0xFF)
            }
            return isBigEndian ? octets : octets.reversed()
        }
    }

    @Test("give every text back in both orders of octets", arguments: 1..<30 as Range<UInt64>)
    func law(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let text = String.random(scalarCount: Int(seed) * 100, using: &generator)
        for isBigEndian in [true, false] {
            let order = isBigEndian ? "be" : "le"
            let utf16 = try #require(Charset(label: "utf-16" + order))
            let utf32 = try #require(Charset(label: "utf-32" + order))
            #expect(utf16.decode(Self.octets(text, utf16BigEndian: isBigEndian)).text == text)
            #expect(utf32.decode(Self.octets(text, utf32BigEndian: isBigEndian)).text == text)
            let marked = Self.octets("\u{FEFF}" + text, utf16BigEndian: isBigEndian)
            for label in ["utf-16", "utf-16le", "utf-16be", "utf-8", "us-ascii"] {
                let charset = try #require(Charset(label: label))
                #expect(charset.decode(marked).text == text, "\(label)")
            }
            let wide = Self.octets("\u{FEFF}" + text, utf32BigEndian: isBigEndian)
            #expect(Charset(label: "utf-32")?.decode(wide).text == text)
        }
    }

    @Test("take two octets alone for what their label says")
    func markAlone() {
        #expect(Charset.windows1252.decode([0xFF, 0xFE]).text == "ÿþ")
        #expect(Charset.windows1252.decode([0xFF, 0xFE, 0x41]).text == "ÿþA")
        #expect(Charset.utf16.decode([0xFF, 0xFE]).text.isEmpty)
    }

    @Test("guess the order of octets where no mark says it")
    func order() {
        for isBigEndian in [true, false] {
            let narrow = Self.octets("Hello", utf16BigEndian: isBigEndian)
            #expect(Charset.utf16.decode(narrow).text == "Hello")
            let wide = Self.octets("Hello", utf32BigEndian: isBigEndian)
            #expect(Charset(label: "utf-32")?.decode(wide).text == "Hello")
        }
    }

    @Test(
        "write one U+FFFD for each unit that is no character",
        arguments: [
            ("utf-16be", [0xD8, 0x00], "\u{FFFD}", 0), ("utf-16be", [0xDC, 0x00], "\u{FFFD}", 0),
            ("utf-16be", [0x00, 0x41, 0xD8, 0x00, 0x00, 0x42], "A\u{FFFD}B", 2),
            ("utf-16le", [0x41, 0x00, 0x42], "A\u{FFFD}", 2),
            ("utf-32be", [0x00, 0x11, 0x00, 0x00], "\u{FFFD}", 0),
            ("utf-32le", [0x41, 0, 0, 0, 0x00, 0xD8, 0, 0], "A\u{FFFD}", 4),
            ("utf-32le", [0x41, 0, 0, 0, 0x42], "A\u{FFFD}", 4),
        ] as [(String, [UInt8], String, Int)])
    func malformed(label: String, octets: [UInt8], text: String, offset: Int) throws {
        let decoded = try #require(Charset(label: label)).decode(octets)
        #expect(decoded.text == text)
        #expect(decoded.malformedCount == 1)
        #expect(decoded.firstMalformedOffset == offset)
    }

    @Test(
        "read UTF-7 as RFC 2152 §3 has it",
        arguments: [
            ("A+ImIDkQ.", "A≢Α."), ("Hi Mom -+Jjo--!", "Hi Mom -☺-!"), ("+ZeVnLIqe-", "日本語"),
            ("Item 3 is +AKM-1.", "Item 3 is £1."), ("+2D3eAA-", "😀"), ("1 +- 1", "1 + 1"),
            ("+AGE", "a"), ("+ACE.", "!."), ("\r\n\t~\\", "\r\n\t~\\"), ("+AGE-+AGI-", "ab"),
        ])
    func utf7(octets: String, text: String) throws {
        let decoded = try #require(Charset(label: "utf-7")).decode(Array(octets.utf8))
        #expect(decoded.text == text)
        #expect(decoded.malformedCount == 0)
    }

    @Test(
        "count what is no UTF-7",
        arguments: [
            ("a + b", "a + b", 2), ("+", "+", 0), ("+2D0-", "\u{FFFD}", 3),
            ("+2D0AYQ-", "\u{FFFD}a", 6),
            ("+3gA-", "\u{FFFD}", 3), ("+A-", "\u{FFFD}", 1), ("+AGF-", "a\u{FFFD}", 3),
        ])
    func malformedUTF7(octets: String, text: String, offset: Int) throws {
        let decoded = try #require(Charset(label: "utf-7")).decode(Array(octets.utf8))
        #expect(decoded.text == text)
        #expect(decoded.malformedCount == 1)
        #expect(decoded.firstMalformedOffset == offset)
    }
}
