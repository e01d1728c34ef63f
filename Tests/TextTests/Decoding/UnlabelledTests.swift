import MartletText
import Testing

@Suite("Text without a label")
struct UnlabelledTests {
    @Test("is UTF-8 if that is valid, else windows-1252")
    func fallback() {
        #expect(Charset.decodeUnlabelled(Array("Grüße".utf8)).text == "Grüße")
        #expect(Charset.decodeUnlabelled(Array("plain".utf8)).charset == .utf8)
        let latin = Charset.decodeUnlabelled([0x47, 0x72, 0xFC, 0xDF, 0x65])
        #expect(latin.text == "Grüße")
        #expect(latin.charset == .windows1252)
        #expect(latin.malformedCount == 0)
    }

    @Test("is shown to the detector only where it is not UTF-8")
    func detector() {
        let koi: CharsetDetector = { _ in Charset(label: "koi8-r") }
        #expect(Charset.decodeUnlabelled([0xF0, 0xD2, 0xC9], detector: koi).text == "При")
        #expect(Charset.decodeUnlabelled(Array("При".utf8), detector: koi).text == "При")
        #expect(Charset.decodeUnlabelled([0xE9], detector: { _ in nil }).text == "é")
    }
}
