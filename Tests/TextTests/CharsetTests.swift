import MartletText
import Testing

@Suite("Charsets")
struct CharsetTests {
    @Test("have names in lower case")
    func names() { #expect(Charset.utf8.name == "utf-8") }
}
