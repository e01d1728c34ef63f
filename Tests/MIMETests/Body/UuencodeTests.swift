import MartletTestSupport
import Testing

@testable import MartletMIME

@Suite("uuencode")
struct UuencodeTests {
    private static let fox = "M5&AE('%U:6-K(&)R;W=N(&9O>\"!J=6UP<R!O=F5R('1H92!L87IY(&1O9R$A"

    @Test(
        "decodes a body, however it is damaged",
        arguments: [
            ("begin 644 cat.txt\n#0V%T\n`\nend\n", "Cat"),
            ("begin 644 cat.txt\r\n#0V%T\r\n \r\nend\r\n", "Cat"),
            ("Hello,\n\nbegin 0644 cat.txt\n#0V%T\n\nend\nbye\n", "Cat"),
            // one octet, two octets, fewer characters than whole quanta
            ("begin 644 x\n!0P``\n`\nend", "C"), ("begin 644 x\n\"0V$`\nend", "Ca"),
            ("begin 644 x\n!0P\nend", "C"),
            // a checksum behind the data
            ("begin 644 x\n#0V%TX\n`\nend".replacing("X", with: "A"), "Cat"),
            // blanks at the end were removed
            ("begin 644 x\n&86)C\n`\nend", "abc\0\0\0"),
            // a full line, and several
            (
                "begin 644 x\n\(fox)\n#0V%T\n`\nend",
                "The quick brown fox jumps over the lazy dog!!Cat"
            ),
        ])
    func body(text: String, plain: String) {
        let file = Uuencode.decode(Array(text.utf8))
        #expect(file.value.octets == Array(plain.utf8))
        #expect(file.defects.isEmpty)
        #expect(file.value.mode == 0o644)
    }

    @Test(
        "a damaged body gives what there is, and one defect",
        arguments: [
            ("begin 644 x\n#0V%T\n", "Cat", 18),
            ("begin 644 x\n#0V%T\nhello\n#0V%T\nend\n", "CatCat", 18),
            ("#0V%T\n`\nend\n", "Cat", 0), ("", "", 0), ("hello\n", "", 0), ("begin 644 x", "", 11),
        ])
    func damaged(text: String, plain: String, offset: Int) {
        let file = Uuencode.decode(Array(text.utf8))
        #expect(file.value.octets == Array(plain.utf8))
        #expect(file.defects.first == Defect(.invalidUuencode, at: offset))
    }

    @Test("backslashes that became yen signs are backslashes")
    func yenSigns() {
        let file = Uuencode.decode(Array("begin 644 x\n#/\u{A5}_O\n#0V%T\n`\nend\n".utf8))
        #expect(file.value.octets == [0x3F, 0xCF, 0xEF] + Array("Cat".utf8))
        #expect(file.defects == [Defect(.invalidUuencode, at: 12)])
        #expect(
            EmbeddedFile.find(in: Array("begin 644 x\n#0V%T\n#/\u{A5}_O\nend\n".utf8)).value.first?
                .octets.count == 6)
    }

    @Test("decodes the base64 form")
    func base64() {
        let text = "begin-base64 600 cat.txt\nQ2F0\nQ2F0\n====\nmore"
        let file = Uuencode.decode(Array(text.utf8))
        #expect(file.value.octets == Array("CatCat".utf8))
        #expect(file.value.encoding == .base64 && file.value.mode == 0o600)
        #expect(file.value.range == 0..<text.utf8.count - 4)
        #expect(file.defects.isEmpty)
        let cut = Uuencode.decode(Array("begin-base64 600 x\nQ2F0\nsome more text".utf8))
        #expect(cut.value.octets == Array("Cat".utf8))
        #expect(cut.defects == [Defect(.invalidUuencode, at: 24)])
    }

    @Test("decodes what is encoded, with either zero", arguments: UInt64(0)..<100)
    func law(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let octets = (0..<Int.random(in: 0...300, using: &random)).map { _ in
            UInt8.random(in: 0...255, using: &random)
        }
        let zero = UInt8(ascii: seed % 2 == 0 ? "`" : " ")
        var text = Array("begin 600 x y.bin\n".utf8)
        for start in stride(from: 0, to: octets.count, by: 45) {
            text += line(of: Array(octets[start..<min(start + 45, octets.count)]), zero: zero)
        }
        text += [zero] + Array("\nend\n".utf8)
        let file = Uuencode.decode(text)
        #expect(file.value.octets == octets)
        #expect(file.value.name == "x y.bin")
        #expect(file.defects.isEmpty)
        #expect(EmbeddedFile.find(in: text).value == [file.value])
    }

    private func line(of octets: [UInt8], zero: UInt8) -> [UInt8] {
        func character(_ bits: Int) -> UInt8 { bits == 0 ? zero : UInt8(bits + 32) }
        var line = [character(octets.count)]
        for start in stride(from: 0, to: octets.count, by: 3) {
            let bits = (0..<3).reduce(0) {
                $0 << 8 | (start + $1 < octets.count ? Int(octets[start + $1]) : 0)
            }
            for shift in [18, 12, 6, 0] { line.append(character(bits >> shift & 63)) }
        }
        return line + [0x0A]
    }
}
