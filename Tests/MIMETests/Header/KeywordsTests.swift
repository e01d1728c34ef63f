import MartletTestSupport
import Testing

@testable import MartletMIME

@Suite("Keywords")
struct KeywordsTests {
    @Test(
        "are phrases between commas",
        arguments: [
            ("a, b c", ["a", "b c"]), ("", []), (" , a,,", ["a"]),
            ("\"a, b\", c (d, e)", ["a, b", "c"]), ("=?utf-8?q?a,_=C3=A9?=,b", ["a, é", "b"]),
            ("a\r\n b,\r\n\tc", ["a b", "c"]), ("ä; b: c, d@e", ["ä; b: c", "d@e"]),
        ])
    func table(value: String, phrases: [String]) {
        let parsed = Keywords.parse(value.utf8)
        #expect(parsed.value.phrases == phrases)
    }

    @Test("are cut at the limit, in linear time")
    func limit() {
        let parsed = Keywords.parse(String(repeating: "a,", count: 500_000).utf8)
        #expect(parsed.value.phrases.count == MIMELimits.standard.parameterCount)
        #expect(parsed.defects.map(\.limit) == ["parameterCount"])
    }

    @Test(
        "have a limit that says what is left out, and nothing else",
        arguments: [
            ("a, b", 2, nil), ("a, b, , ", 2, nil), ("a, b, c", 2, 6), ("a, b, c, d", 2, 6),
        ] as [(String, Int, Int?)])
    func exactLimit(value: String, count: Int, offset: Int?) {
        var limits = MIMELimits()
        limits.parameterCount = 2
        let parsed = Keywords.parse(value.utf8, limits: limits)
        #expect(parsed.value.phrases.count == count)
        #expect(
            parsed.defects
                == (offset.map { [Defect(.limitReached, at: $0, limit: "parameterCount")] } ?? []))
    }

    @Test(
        "are those that another parser reads",
        .corpus("mail-parser/list.json"))
    func corpus() throws {
        for sample in try MailParserCorpus.cases("list", of: [String].self) {
            #expect(Keywords.parse(sample.value.utf8).value.phrases == sample.expected)
        }
    }
}
