import MartletText
import MartletTestSupport
import Testing

@Suite("Charsets of one octet")
struct SingleOctetDecodingTests {
    @Test(
        "have the characters that their tables say",
        arguments: [
            ("windows-1252", [0x80, 0x81, 0x9F, 0xE9], "€\u{81}Ÿé"),
            ("windows-1250", [0x8A, 0x9D, 0xE8, 0xF8], "Šťčř"),
            ("windows-1251", [0xCF, 0xF0, 0xE8, 0xB8], "Приё"),
            ("windows-1253", [0xC1, 0xE1, 0xB5], "Αα\u{B5}"),
            ("windows-1254", [0xD0, 0xDD, 0xFE], "Ğİş"),
            ("windows-1255", [0xF9, 0xE0], "שא"), ("windows-1256", [0xC7, 0xE1], "ال"),
            ("windows-1257", [0xE0, 0xF8], "ąų"), ("windows-1258", [0xD0, 0xF5], "Đơ"),
            ("windows-874", [0xA1, 0xDF, 0x80], "ก฿€"),
            ("iso-8859-2", [0xB1, 0xB6], "ąś"), ("iso-8859-5", [0xBF, 0xE0], "Пр"),
            ("iso-8859-6", [0xC7], "ا"), ("iso-8859-7", [0xE1, 0xA4], "α€"),
            ("iso-8859-8-i", [0xF9, 0xEC], "של"), ("iso-8859-15", [0xA4, 0xBD], "€œ"),
            ("iso-8859-16", [0xAA], "Ș"), ("koi8-r", [0xF0, 0xD2, 0xC9], "При"),
            ("koi8-u", [0xA4, 0xAD], "єґ"), ("macintosh", [0x8A, 0xDB], "ä€"),
            ("x-mac-cyrillic", [0x80, 0xEF], "Ап"), ("ibm866", [0x8F, 0xE0], "Пр"),
            ("ibm437", [0x81, 0xE1], "üß"), ("ibm850", [0x84, 0xF5], "ä§"),
            ("ibm852", [0xA5, 0x86], "ąć"), ("viscii", [0xD5, 0x02, 0x41], "ạẲA"),
            (
                "viscii", [0x41, 0x02, 0x42, 0x05, 0x43, 0x44, 0x1E, 0x45, 0xD5], "AẲBẴCDỴEạ"
            ),
            ("hp-roman8", [0xCC], "ä"), ("iso-ir-111", [0xF0], "П"),
        ] as [(String, [UInt8], String)])
    func characters(label: String, octets: [UInt8], text: String) throws {
        let decoded = try #require(Charset(label: label)).decode(octets)
        #expect(Array(decoded.text.unicodeScalars) == Array(text.unicodeScalars))
        #expect(decoded.malformedCount == 0)
        #expect(decoded.charset == Charset(label: label))
    }

    @Test("leave octets unused, which are counted one by one")
    func unused() throws {
        let greek = try #require(Charset(label: "windows-1253"))
        let decoded = greek.decode([0x41, 0xAA, 0xE1, 0xD2, 0xFF, 0x42])
        #expect(decoded.text == "A\u{FFFD}α\u{FFFD}\u{FFFD}B")
        #expect(decoded.malformedCount == 3)
        #expect(decoded.firstMalformedOffset == 1)
    }

    @Test("give a character for each octet in any arrangement", arguments: 0..<40 as Range<UInt64>)
    func law(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let families = ["windows", "iso-8859", "koi8", "x-mac", "ibm", "viscii", "hp-"]
        let charset = Charset.all.filter { charset in
            families.contains { charset.name.hasPrefix($0) }
        }.randomElement(using: &generator)!
        let count = Int.random(in: 1...20_000, using: &generator)
        let density = Int.random(in: 1...20, using: &generator)
        let octets = (0..<count).map { _ -> UInt8 in
            let limit: UInt8 = Int.random(in: 0..<20, using: &generator) < density ? 255 : 127
            return .random(in: 0...limit, using: &generator)
        }
        if [0xFE, 0xFF, 0xEF].contains(octets[0]) { return }
        let scalars = Array(charset.decode(octets).text.unicodeScalars)
        #expect(scalars.count == octets.count)
        let each = (0...255).map { charset.decode([0x2E, UInt8($0)]).text.unicodeScalars.last! }
        #expect(scalars == octets.map { each[Int($0)] })
    }
}
