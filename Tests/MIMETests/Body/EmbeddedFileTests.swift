import MartletBytes
import MartletTestSupport
import Testing

@testable import MartletMIME

@Suite("Files in texts")
struct EmbeddedFileTests {
    @Test("several files of several kinds are found, and where they are")
    func several() {
        let parts = [
            "Hello, here they are:\n\n", "begin 644 one.txt\n#0V%T\n`\nend\n", "\nand\n",
            "begin-base64 644 two.txt\nQ2F0\n====\n",
            "=ybegin line=128 size=3 name=three.txt\nkkk\n=yend size=3\n",
            "-- \nMe\n",
        ]
        let text = Array(parts.joined().utf8)
        let found = EmbeddedFile.find(in: text)
        #expect(found.value.map(\.name) == ["one.txt", "two.txt", "three.txt"])
        #expect(found.value.map(\.encoding) == [.uuencode, .base64, .yEnc])
        #expect(found.value.map(\.octets) == ["Cat", "Cat", "AAA"].map { Array($0.utf8) })
        for (file, part) in zip(found.value, [parts[1], parts[3], parts[4]]) {
            #expect(Array(text[file.range]) == Array(part.utf8))
        }
        #expect(found.defects.isEmpty)
    }

    @Test(
        "prose about files is no file",
        arguments: [
            "begin 644 words\nand this is prose\n", "begin 644 x\n", "begin 644 x\n\n#0V%T\nend\n",
            "We begin 644 x\n#0V%T\n`\nend\n", "begin 99 x\n#0V%T\nend\n",
            "begin 644\n#0V%T\nend\n",
            "begin 688 x\n#0V%T\nend\n", "=ybegin is how it begins\n",
            "begin-base64 644 x\nis prose, too\n", "begin-base64 644 x\nprose\n",
            // no `end`, or a first line that is far too short for what it says
            "begin 644 x\n#0V%T\n", "begin 644 this\nAND SO ON.\nWELL\n",
            "begin 644 this\nAND SO ON.\nend\n",
            // neither `=yend` nor as much data as is said
            "=ybegin line=128 size=100 name=x\nis how it begins\n",
            "=ybegin part=1 line=128 size=3 name=x\nis how it begins\n",
            "=ybegin line=128 size=0 name=x\nis how it begins\n",
            "> begin 644 x\n> #0V%T\n> end\n",
        ])
    func prose(text: String) {
        let found = EmbeddedFile.find(in: Array(text.utf8))
        #expect(found.value.isEmpty && found.defects.isEmpty)
    }

    @Test("a file that is cut off ends where the prose begins, if it is plainly one")
    func cutOff() {
        let line = "M" + String(repeating: "0V%T", count: 15) + "\n"
        let cut = "begin 644 x\n" + String(repeating: line, count: 8)
        let text = cut + "This is prose.\nbegin 644 y\n#0V%T\nend\n"
        let found = EmbeddedFile.find(in: Array(text.utf8))
        let start = cut.utf8.count + 15
        #expect(found.value.map(\.range) == [0..<cut.utf8.count, start..<start + 22])
        #expect(found.value.map(\.octets.count) == [8 * 45, 3])
        #expect(found.defects.map(\.kind) == [.invalidUuencode])
    }

    @Test("a yEnc file without its last line ends with as much data as it says")
    func yEncWithoutEnd() {
        let text = "a\n=ybegin line=2 size=3 name=x\nkk\nk\nprose\n"
        let found = EmbeddedFile.find(in: Array(text.utf8))
        #expect(found.value.map(\.range) == [2..<36])
        #expect(found.value.map(\.octets) == [Array("AAA".utf8)])
        #expect(found.defects.map(\.kind) == [.invalidYEnc])
        let part = "=ybegin part=2 line=2 size=9 name=x\n=ypart begin=4 end=6\nkk\nk\nprose\n"
        let second = EmbeddedFile.find(in: Array(part.utf8)).value
        #expect(second.map(\.octets) == [Array("AAA".utf8)])
        #expect(second.first?.part?.offset == 3)
    }

    @Test("a name in any charset can be shown")
    func names() {
        func name(_ octets: [UInt8]) -> String {
            EmbeddedFile(encoding: .uuencode, rawName: octets, octets: [], range: 0..<0).name
        }
        #expect(name(Array("p\u{FC}.txt".utf8)) == "p\u{FC}.txt")
        #expect(name([0x70, 0xFC, 0x2E]) == "p\u{FC}.")
        #expect(name([0x61, 0x00, 0x0D, 0x1B, 0x62]) == "ab")
    }

    @Test("stops at the limit")
    func limit() {
        var limits = MIMELimits()
        limits.embeddedFileCount = 2
        let file = "begin 644 x\n#0V%T\nend\n"
        let found = EmbeddedFile.find(
            in: Array(String(repeating: file, count: 3).utf8), limits: limits)
        #expect(found.value.count == 2)
        #expect(found.defects == [Defect(.limitReached, at: 44, limit: "embeddedFileCount")])
    }

    @Test("garbage gives ranges within the text, in order", arguments: UInt64(0)..<200)
    func garbage(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let pieces = [
            "begin 644 x\n", "#0V%T\n", "`\n", "end\n", "=ybegin size=3 name=x\n", "=ypart begin=9",
            "\n",
            "=yend size=3\n", "begin-base64 644 x\n", "Q2F0\n", "====\n", "text\n", "=", "\r\n",
            "M", " ", "\u{E9}",
            "=ybegin part=1 size=9999999999999999999999 name=\n",
            "=ypart begin=0 end=9223372036854775807\n",
            "=ybegin part=1 size=9 name=y\n",
        ]
        var text: [UInt8] = []
        for _ in 0..<Int.random(in: 0...60, using: &random) {
            text += pieces.randomElement(using: &random)!.utf8
        }
        var end = 0
        for file in EmbeddedFile.find(in: text).value {
            #expect(file.range.lowerBound >= end && file.range.upperBound <= text.count)
            end = file.range.upperBound
        }
        _ = Uuencode.decode(text)
        _ = YEnc.decode(text)
    }

    @Test(
        "takes time in proportion to the text, whatever is in it",
        arguments: [
            "begin 644 x\n", "begin 644 x\n#0V%T\n", "begin-base64 644 x\nQ2F0\n",
            "=ybegin size=3 name=x\n",
            "=ybegin size=3 name=x", "M", "\n", "begin-base64 644 x\n\n",
        ])
    func linear(unit: String) {
        let text = Array(repeatElement(Array(unit.utf8), count: 30_000).joined())
        let elapsed = ContinuousClock().measure {
            _ = EmbeddedFile.find(in: text)
            _ = Uuencode.decode(text)
        }
        #expect(elapsed < .seconds(20))
    }
}
