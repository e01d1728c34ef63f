@testable import MartletText
import Testing

@Suite("Text with a label")
struct LabelledTests {
    private static let noLabel: String? = nil

    @Test(
        "is read by it where it can be right",
        arguments: [
            ("iso-8859-1", [0xE9, 0x20, 0xC3, 0xA9], "é Ã©", "windows-1252"),
            ("us-ascii", [0x41], "A", "utf-8"), ("koi8-r", [0xF0], "П", "koi8-r"),
            ("utf-16le", [0x3D, 0xD8, 0x00, 0xDE], "😀", "utf-16le"),
            ("utf-16be", [0x65, 0xE5, 0x67, 0x2C], "日本", "utf-16be"),
            ("utf-8", [0xC3, 0xA9, 0xC3], "é\u{FFFD}", "utf-8"),
            ("gb2312", [0xBA, 0xBA, 0xD7, 0xD6, 0xFF], "汉字\u{FFFD}", "gbk"),
        ] as [(String, [UInt8], String, String)])
    func right(label: String, octets: [UInt8], text: String, name: String) {
        let decoded = Charset.decode(octets, label: label)
        #expect(decoded.text == text)
        #expect(decoded.charset.name == name)
    }

    @Test(
        "is read as if it had none where it cannot be right",
        arguments: [
            ("us-ascii", Array("é".utf8), "é", "utf-8"), ("us-ascii", [0xE9], "é", "windows-1252"),
            ("ascii", Array("\u{1B}$BF|\u{1B}(B".utf8), "日", "iso-2022-jp"),
            ("default", Array("é".utf8), "é", "utf-8"),
            ("x-user-defined", [0xE9], "é", "windows-1252"),
            ("iso-2022-jp", Array("日本".utf8), "日本", "utf-8"),
            ("utf-7", [0xE9, 0x2B], "é+", "windows-1252"),
            ("utf-16", Array("Plain text, and ASCII".utf8), "Plain text, and ASCII", "utf-8"),
            ("utf-8", [0x47, 0x72, 0xFC, 0xDF, 0x65], "Grüße", "windows-1252"),
            ("big5", [0xE9, 0x20, 0xE8, 0x20], "é è ", "windows-1252"),
        ] as [(String, [UInt8], String, String)])
    func wrong(label: String, octets: [UInt8], text: String, name: String) {
        let decoded = Charset.decode(octets, label: label)
        #expect(decoded.text == text)
        #expect(decoded.charset.name == name)
    }

    @Test("is shown to the detector where the label cannot be right")
    func detector() {
        let koi: CharsetDetector = { _ in Charset(label: "koi8-r") }
        #expect(Charset.decode([0xF0, 0xD2], label: Self.noLabel, detector: koi).text == "Пр")
        #expect(Charset.decode([0xF0, 0xD2], label: "us-ascii", detector: koi).text == "Пр")
        #expect(Charset.decode([0xF0, 0xD2], label: "utf-8", detector: koi).text == "Пр")
        #expect(Charset.decode([0xF0, 0xD2], label: "latin1", detector: koi).text == "ðÒ")
    }

    @Test("is windows-1252 or UTF-8 where the system has no table, and says so")
    func unavailable() {
        let outline = DoubleOctetTable.Outline(
            names: ["no-such-charset"], firsts: [0xA1...0xA2], seconds: [0xA1...0xA2])
        #expect(DoubleOctetTable(asking: outline) == nil)
        let charset = Charset(.big5)
        let octets: [UInt8] = [0xBA, 0x7E]
        let resolved = octets.withUnsafeBytes { charset.resolved($0, isAvailable: { _ in false }) }
        #expect(resolved.encoding == .singleOctet(.windows1252))
        let utf8 = Array("漢".utf8).withUnsafeBytes {
            charset.resolved($0, isAvailable: { _ in false })
        }
        #expect(utf8.encoding == .utf8)
    }
}
