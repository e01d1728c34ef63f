import MartletDomains
import Testing

@Suite("Domain names")
struct DomainNameTests {
    struct Pair: Sendable, CustomTestStringConvertible {
        var unicode: String
        var ascii: String
        var testDescription: String { unicode }
    }

    static let pairs = [
        Pair(unicode: "bücher.example", ascii: "xn--bcher-kva.example"),
        Pair(unicode: "faß.de", ascii: "xn--fa-hia.de"),
        Pair(unicode: "почта.рф", ascii: "xn--80a1acny.xn--p1ai"),
        Pair(unicode: "例え.テスト", ascii: "xn--r8jz45g.xn--zckzah"),
        Pair(unicode: "παράδειγμα.δοκιμή", ascii: "xn--hxajbheg2az3al.xn--jxalpdlp"),
        Pair(unicode: "مثال.إختبار", ascii: "xn--mgbh0fb.xn--kgbechtv"),
        Pair(unicode: "βόλος.com", ascii: "xn--nxasmm1c.com"),
        Pair(unicode: "mixed.bücher.mail_1.example", ascii: "mixed.xn--bcher-kva.mail_1.example"),
    ]

    @Test("become A-labels and come back", arguments: pairs)
    func bothWays(pair: Pair) throws {
        #expect(try DomainName.toASCII(pair.unicode) == pair.ascii)
        #expect(DomainName.toUnicode(pair.ascii) == pair.unicode)
    }

    @Test(
        "are mapped as UTS #46 says",
        arguments: [
            ("BÜCHER.Example", "xn--bcher-kva.example"),
            ("bu\u{308}cher.example", "xn--bcher-kva.example"),
            ("例え。テスト", "xn--r8jz45g.xn--zckzah"),
            ("ｅｘａｍｐｌｅ.org", "example.org"),
        ])
    func mapping(input: String, expected: String) throws {
        #expect(try DomainName.toASCII(input) == expected)
    }

    @Test(
        "in ASCII are given back as they are",
        arguments: [
            "Example.ORG", "a", "localhost", "r3---sn-abc.example", "_dmarc.example.org",
            "under_score.example", "xn--bcher-kva.example", "xn--zzzzzzzzzzz.example",
            "example.org.", "127.0.0.1", String(repeating: "a", count: 63) + ".example",
        ])
    func fastPath(name: String) throws {
        #expect(try DomainName.toASCII(name) == name)
    }

    @Test("of 253 octets are the longest")
    func longest() throws {
        let label = String(repeating: "a", count: 63)
        let name = [label, label, label, String(repeating: "b", count: 61)].joined(separator: ".")
        #expect(name.utf8.count == 253)
        #expect(try DomainName.toASCII(name) == name)
        #expect(try DomainName.toASCII(name + ".") == name + ".")
        #expect(throws: DomainError(kind: .tooLong, domain: name + "b")) {
            try DomainName.toASCII(name + "b")
        }
    }

    struct Refusal: Sendable, CustomTestStringConvertible {
        var name: String
        var kind: DomainError.Kind
        var testDescription: String { "\(kind)" }
        init(_ name: String, _ kind: DomainError.Kind) {
            self.name = name
            self.kind = kind
        }
    }

    static let longLabel = String(repeating: "a", count: 64)
    static let refusals = [
        Refusal("", .empty),
        Refusal(".", .emptyLabel),
        Refusal("a..b", .emptyLabel),
        Refusal(".example", .emptyLabel),
        Refusal("example..", .emptyLabel),
        Refusal("\(longLabel).example", .labelTooLong(longLabel)),
        Refusal(String(repeating: "ü", count: 64) + ".example", .labelTooLong(nil)),
        Refusal(String(repeating: "ü.", count: 300) + "example", .tooLong),
        Refusal(String(repeating: "x", count: 100_000), .tooLong),
        Refusal("a b.example", .disallowedCharacter(" ")),
        Refusal("exa\u{0}mple.org", .disallowedCharacter("\0")),
        Refusal("büch\u{0}er.example", .disallowedCharacter("\0")),
        Refusal("example.org\r\nRCPT", .disallowedCharacter("\r")),
        Refusal("bücher.example\n", .disallowedCharacter("\n")),
        Refusal("a\u{7F}.example", .disallowedCharacter("\u{7F}")),
        Refusal("[192.0.2.1]", .disallowedCharacter("[")),
        Refusal("a@b.example", .disallowedCharacter("@")),
        Refusal("bücher＠b.example", .disallowedCharacter(nil)),
        Refusal("xn--ü.example", .invalidALabel),
        Refusal("bü<cher>.example", .disallowedCharacter("<")),
        Refusal("-a.example", .hyphenAtEdge("-a")),
        Refusal("a-.example", .hyphenAtEdge("a-")),
        Refusal("a\u{5D0}b.example", .mixedDirections),
        Refusal("\u{301}a.example", .leadingCombiningMark),
        Refusal("a\u{200D}b.example", .characterOutOfContext),
        Refusal("bü\u{378}.example", .disallowedCharacter(nil)),
        Refusal("ü\u{2028}.example", .disallowedCharacter(nil)),
    ]

    @Test("that break a rule are refused by its name", arguments: refusals)
    func refused(refusal: Refusal) {
        #expect(throws: DomainError(kind: refusal.kind, domain: refusal.name)) {
            try DomainName.toASCII(refusal.name)
        }
    }

    @Test("are described in one printable line, whatever they hold", arguments: refusals)
    func described(refusal: Refusal) {
        let sentence = DomainError(kind: refusal.kind, domain: refusal.name).description
        #expect(!sentence.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x2028 })
        #expect(sentence.hasSuffix("."))
        #expect(sentence.count < 320)
    }

    @Test(
        "that hold no valid A-label are shown as they came",
        arguments: [
            "xn--zzzzzzzzzzz.example", "xn--.example", "XN--", "xn--a\u{FC}.example", "a\u{0}b", "",
            "..", "xn--fass-.example", String(repeating: "xn--a.", count: 5_000),
        ])
    func undecodable(name: String) {
        #expect(DomainName.toUnicode(name) == name)
    }

    @Test("in A-label form are decoded whatever their case")
    func upperCase() {
        #expect(DomainName.toUnicode("xn--BCHER-KVA.Example") == "bücher.Example")
    }

    @Test("that decode to what another name would be written as keep the A-label")
    func deceptive() throws {
        // The label holds a capital sharp s, which no name keeps: the mapping makes "ss" of it.
        #expect(DomainName.toUnicode("xn--fa-64s.de") == "xn--fa-64s.de")
    }
}
