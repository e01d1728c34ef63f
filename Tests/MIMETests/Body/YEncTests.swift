import MartletBytes
import MartletTestSupport
import Testing

@testable import MartletMIME

@Suite("yEnc")
struct YEncTests {
    @Test("decodes what is encoded, in parts too, and checks it", arguments: UInt64(0)..<100)
    func law(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let octets = (0..<Int.random(in: 1...600, using: &random)).map { _ in
            UInt8.random(in: 0...255, using: &random)
        }
        let whole = YEnc.decode(encode(octets))
        #expect(whole.value.octets == octets)
        #expect(whole.value.name == "my cat.jpg" && whole.value.part == nil)
        #expect(whole.value.sizeInOctets == octets.count)
        #expect(whole.defects.isEmpty)
        let start = Int.random(in: 0..<octets.count, using: &random)
        let part = YEnc.decode(encode(Array(octets[start...]), of: octets, offset: start))
        #expect(part.value.octets == Array(octets[start...]))
        #expect(part.value.part == .init(number: 2, total: 2, offset: start))
        #expect(part.value.sizeInOctets == octets.count)
        #expect(part.defects.isEmpty)
    }

    @Test("says where octets were changed or lost")
    func damaged() {
        let octets = [UInt8](0..<100)
        var text = encode(octets)
        let end = text.count - 31
        #expect(text[end...].starts(with: "=yend".utf8))
        text[60] = text[60] == 0x60 ? 0x61 : 0x60
        #expect(YEnc.decode(text).defects == [Defect(.wrongChecksum, at: end)])
        text.remove(at: 60)
        #expect(
            YEnc.decode(text).defects
                == [Defect(.invalidYEnc, at: end - 1), Defect(.wrongChecksum, at: end - 1)])
        let cut = YEnc.decode(Array(encode(octets)[..<end]))
        #expect(cut.value.octets == octets)
        #expect(cut.defects == [Defect(.invalidYEnc, at: end)])
        #expect(YEnc.decode([]).defects == [Defect(.invalidYEnc, at: 0)])
    }

    @Test(
        "what only looks like a first line is none",
        arguments: [
            "=ybegi line=128 size=3 name=x\n", "=ybeginx size=3 name=x\n", "=ybegin size=3\n",
            "=ybegin name=x\n", "=ybegin size=-3 name=x\n", "=ybegin size=3 name=\n",
            " =ybegin size=3 name=x\n",
        ])
    func notBegun(text: String) {
        let file = YEnc.decode(Array((text + "kkk\n=yend size=3\n").utf8))
        #expect(file.value.octets.isEmpty)
        #expect(file.defects == [Defect(.invalidYEnc, at: 0)])
    }

    @Test("takes names in quotes, checksums in any case, no checksum, LF or CRLF")
    func variants() {
        for text in [
            "=ybegin line=128 size=3 name=\"a b\" \nkkk\n=yend size=3 crc32=5C9B7B9C\n",
            "=ybegin size=3 name=a b\r\nkkk\r\n=yend size=3\r\n",
            "Hello\n=ybegin size=3 name=a b\nk\nkk\n=yend\nbye",
        ] {
            let file = YEnc.decode(Array(text.utf8))
            #expect(file.value.octets == Array("AAA".utf8))
            #expect(file.value.name == "a b")
            #expect(file.defects.filter { $0.kind != .wrongChecksum } == [])
        }
    }

    private func encode(
        _ octets: [UInt8], of whole: [UInt8]? = nil, offset: Int = 0
    ) -> [UInt8] {
        var checksum = CRC32()
        checksum.update(with: octets)
        let hex = String(decoding: Hex.digits(of: UInt64(checksum.value)).suffix(8), as: UTF8.self)
        let size = (whole ?? octets).count
        var text = Array(
            "=ybegin \(whole == nil ? "" : "part=2 total=2 ")line=64 size=\(size) name=my cat.jpg\r\n"
                .utf8)
        if whole != nil {
            text += Array("=ypart begin=\(offset + 1) end=\(offset + octets.count)\r\n".utf8)
        }
        var column = 0
        for octet in octets {
            let shifted = octet &+ 42
            if [0x00, 0x0A, 0x0D, 0x3D].contains(shifted) || column == 0 && shifted == 0x2E {
                text += [0x3D, shifted &+ 64]
                column += 2
            } else {
                text.append(shifted)
                column += 1
            }
            if column >= 64 {
                text += [0x0D, 0x0A]
                column = 0
            }
        }
        if column > 0 { text += [0x0D, 0x0A] }
        let end = whole == nil ? "crc32=\(hex)" : "part=2 pcrc32=\(hex)"
        return text + Array("=yend size=\(octets.count) \(end)\r\n".utf8)
    }
}
