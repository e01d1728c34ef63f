import MartletText
import Testing

@Suite("Charsets")
struct CharsetTests {
    @Test("have names in lower case by which they are found again", arguments: Charset.all)
    func names(charset: Charset) {
        #expect(charset.name == charset.name.lowercased())
        #expect(Charset(label: charset.name) == charset)
        #expect(Charset(label: charset.name.uppercased()) == charset)
    }

    @Test("decode nothing to nothing", arguments: Charset.all)
    func nothing(charset: Charset) {
        let decoded = charset.decode([UInt8]())
        #expect(decoded.text.isEmpty)
        #expect(decoded.malformedCount == 0)
        #expect(decoded.firstMalformedOffset == nil)
    }
}
