import MartletTestSupport
import Testing

@testable import MartletMIME

private func phrase(_ value: String) -> String {
    HeaderText.decodePhrase(octets(value)[...]).value
}

@Suite("Phrase")
struct HeaderPhraseTests {
    typealias Case = HeaderTextTests.Case

    @Test(
        "is atoms, quoted strings and encoded words with one space between",
        arguments: [
            Case("John Smith", "John Smith"), Case(" John   Smith ", "John Smith"),
            Case("John\r\n\tSmith", "John Smith"), Case("\"John Smith\"", "John Smith"),
            Case("\"John  Q. Smith\" ", "John  Q. Smith"),
            Case("\"Giant; \\\"Big\\\" Box\"", "Giant; \"Big\" Box"),
            Case("\"John\r\n Doe\"", "John Doe"), Case("\"a\" \"b\"", "a b"),
            Case("\"a\"b \"c\"", "ab c"),
            Case("\"Quoted\" =?utf-8?Q?W=C3=B6rd?=", "Quoted Wörd"),
            Case("=?utf-8?Q?W=C3=B6rd?=\r\n \"Quoted\"", "Wörd Quoted"),
            Case("=?utf-8?Q?a?= =?utf-8?Q?b?=", "ab"),
            Case("John =?US-ASCII*EN?Q?Doe?=", "John Doe"),
            Case("=?utf-8?Q?=C3?=\r\n =?utf-8?Q?=A4?= x", "ä x"),
            Case("\"=?utf-8?Q?a?= b\"", "a b"), Case("\"=?utf-8?Q?a?= =?utf-8?Q?b?=\"", "ab"),
            Case("\"foo =?utf-8?q?b=C3=A4r?=\"", "foo bär"),
            Case("=?utf-8?Q?\"Foo,_(Bar)\"?= x", "\"Foo, (Bar)\" x"),
            Case("\"=?utf-8?Q?a=5C=22b?= \\\"c\"", "a\\\"b \"c"),
            Case("\"\" a", "a"), Case("\"\"", ""), Case("", ""), Case("a=b", "a=b"),
            Case("a =? b", "a =? b"), Case("\"  James\"", "  James"),
        ])
    func pieces(_ example: Case) { #expect(phrase(example.value) == example.text) }

    @Test(
        "has no comments",
        arguments: [
            Case("John (the (\\) great) one) Smith", "John Smith"), Case("(x) John", "John"),
            Case("=?utf-8?Q?a?= (x) =?utf-8?Q?b?=", "ab"), Case("John(x)Smith", "John Smith"),
            Case("\"a (b)\"", "a (b)"), Case("(x)", ""), Case("a ) b", "a ) b"),
        ])
    func comments(_ example: Case) { #expect(phrase(example.value) == example.text) }

    @Test(
        "keeps what is not closed",
        arguments: [
            Case("\"John Smith", "John Smith"), Case("\"", ""), Case("John \"", "John"),
            Case("John (the great", "John (the great"), Case("Foo :( bar (x)", "Foo :( bar (x)"),
            Case("\\\"John\\\" x\\", "\"John\" x\\"), Case("\"x\\", "x\\"),
        ])
    func unclosed(_ example: Case) { #expect(phrase(example.value) == example.text) }

    @Test("takes raw octets for UTF-8 or windows-1252")
    func raw() {
        #expect(phrase("Andr\u{E9} \"M\u{FC}ller\"") == "André Müller")
        #expect(phrase("Andr\u{C3}\u{A9} \u{C3}\u{9F}") == "André ß")
    }

    @Test("names what is odd")
    func namesDefects() {
        let kinds = HeaderText.decodePhrase(octets("\"a")[...]).defects
        #expect(kinds == [Defect(.unclosedQuote, at: 0)])
        #expect(
            HeaderText.decodePhrase(octets("a (b")[...]).defects == [
                Defect(.unclosedComment, at: 2)
            ])
        let deep = String(repeating: "(", count: 65) + String(repeating: ")", count: 65) + "a"
        let parsed = HeaderText.decodePhrase(octets(deep)[...])
        #expect(parsed.value == "a")
        #expect(parsed.defects == [Defect(.limitReached, at: 0, limit: "commentDepth")])
    }

    @Test(
        "of a comment keeps inner parentheses",
        arguments: [
            Case("(John Smith)", "John Smith"), Case("John (x) Smith", "John (x) Smith"),
            Case("(a) b (c)", "(a) b (c)"), Case("(=?utf-8?Q?=C3=A4?= \\( b)", "ä ( b"),
            Case("(Mitteleurop\u{E4}ische Sommerzeit)", "Mitteleuropäische Sommerzeit"),
            Case("(unclosed", "(unclosed"), Case("", ""),
        ])
    func comment(_ example: Case) {
        #expect(HeaderText.decodeComment(octets(example.value)[...]).value == example.text)
    }
}
