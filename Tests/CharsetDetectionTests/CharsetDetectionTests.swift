import MartletCharsetDetection
import MartletTestSupport
import MartletText
import Testing

@Suite("Charset detection")
struct CharsetDetectionTests {
    @Test(
        "guesses right from a sentence",
        arguments: [
            ("windows-1251", [0xCF, 0xF0, 0xE8, 0xE2, 0xE5, 0xF2], "Привет"),
            ("shift_jis", [0x93, 0xFA, 0x96, 0x7B, 0x8C, 0xEA, 0x82, 0xCC, 0x95, 0xB6], "日本語の文"),
            ("windows-1252", [0x47, 0x72, 0xFC, 0xDF, 0x65, 0x20, 0xE4, 0xF6], "Grüße äö"),
            ("utf-8", Array("Grüße".utf8), "Grüße"),
            ("windows-874", [0xCA, 0xC7, 0xD1, 0xCA, 0xB4, 0xD5, 0xAA, 0xD2, 0xC7], "สวัสดีชาว"),
        ] as [(String, [UInt8], String)])
    func sentences(name: String, octets: [UInt8], text: String) {
        #expect(detectCharset(octets)?.name == name)
        let decoded = Charset.decodeUnlabelled(octets, detector: { detectCharset($0) })
        #expect(decoded.text == text)
    }

    @Test("says nothing of what tells little")
    func little() {
        #expect(detectCharset([UInt8]()) == nil)
        // uchardet takes the apostrophe for Polish on a Macintosh.
        #expect(detectCharset([0x49, 0x74, 0x92, 0x73]) == nil)
        #expect(detectCharset([0x52, 0xE9, 0x73, 0x75, 0x6D, 0xE9]) == nil)
    }

    @Test("looks at the line where the text is not ASCII any more", .timeLimit(.minutes(1)))
    func longText() {
        var octets = [UInt8](repeating: 0x2E, count: 2_000_000)
        octets.append(0x0A)
        let line: [UInt8] = [0xCF, 0xF0, 0xE8, 0xE2, 0xE5, 0xF2, 0x0A]
        for _ in 0..<100_000 { octets += line }
        #expect(detectCharset(octets)?.name == "windows-1251")
    }

    @Test("is quiet about garbage")
    func garbage() {
        for octet: UInt8 in [0x00, 0x80, 0xFF] {
            _ = detectCharset([UInt8](repeating: octet, count: 50_000))
        }
    }

    @Test(
        "names the charset of each file of the corpus",
        .corpus("mailcore2/charset-detection"),
        arguments: ["big5", "gb18030", "shift_jis", "utf-8"])
    func corpusFile(name: String) throws {
        let octets = try Corpus.octets("mailcore2/charset-detection/input/\(name).txt")
        #expect(detectCharset(octets)?.name == name)
    }
}
