import MartletBytes
import MartletTestSupport
import Testing

@testable import MartletSignatures

private func canonical(_ field: String, _ kind: Canonicalization) -> String {
    let section = HeaderSection(Array(field.utf8), fieldLimit: 10)
    var result: [UInt8] = []
    for field in section.fields {
        HeaderCanonicalizer(canonicalization: kind).append(field, of: section, to: &result)
    }
    return text(result)
}

@Suite("Header canonicalisation")
struct HeaderCanonicalizerTests {
    @Test(
        "gives the form of RFC 6376",
        arguments: [
            // RFC 6376 §3.4.5
            ("A: X\r\nB : Y\t\r\n\tZ  \r\n", "a:X\r\nb:Y Z\r\n", "A: X\r\nB : Y\t\r\n\tZ  \r\n"),
            ("SUBJect:AbC\r\n", "subject:AbC\r\n", "SUBJect:AbC\r\n"),
            ("Subject:\r\n", "subject:\r\n", "Subject:\r\n"),
            ("Subject: \t \r\n", "subject:\r\n", "Subject: \t \r\n"),
            ("Subject: a\n b\n", "subject:a b\r\n", "Subject: a\r\n b\r\n"),
            ("Subject: a", "subject:a\r\n", "Subject: a\r\n"),
            ("Subject:\r\n a\r\n \r\n", "subject:a\r\n", "Subject:\r\n a\r\n \r\n"),
            ("X\t:  a:b  c \r\n", "x:a:b c\r\n", "X\t:  a:b  c \r\n"),
        ])
    func form(field: String, relaxed: String, simple: String) {
        #expect(canonical(field, .relaxed) == relaxed)
        #expect(canonical(field, .simple) == simple)
    }

    @Test(
        "leaves out the value of b= with the blanks around it, and the last CRLF",
        arguments: [
            ("S: v=1; b = ab\r\n cd== ;\r\n d=x\r\n", "s:v=1; b =; d=x", "S: v=1; b =;\r\n d=x"),
            ("S: bh=x; b=abc\r\n def\r\n", "s:bh=x; b=", "S: bh=x; b="),
            ("S: b=abc \r\n", "s:b=", "S: b="),
            ("S: b=; c=b=1 \r\n", "s:b=; c=b=1", "S: b=; c=b=1 "),
        ])
    func hole(field: String, relaxed: String, simple: String) throws {
        let section = HeaderSection(Array(field.utf8), fieldLimit: 10)
        let own = section.fields[0]
        let tags = try TagList(section.octets, in: own.valueRange, limit: 10)
        let hole = try #require(tags["b"]).span
        for (kind, expected) in [(Canonicalization.relaxed, relaxed), (.simple, simple)] {
            var result: [UInt8] = []
            HeaderCanonicalizer(canonicalization: kind)
                .append(own, of: section.octets, without: hole, to: &result)
            #expect(text(result) == expected)
        }
    }

    @Test(
        "finds what other readers may take for another message",
        arguments: [
            ("From: a\r\njunk\r\nTo: b\r\n\r\n", true),
            ("From: a\r\n--x: y\r\n\r\n", true),
            ("From: a\rTo: c\r\n\r\n", true),
            ("From: a\r\n\r\r\nTo: b\r\n\r\n", true),
            (" From: a\r\n\r\n", true),
            ("From: a\r\nFrom x\r\n\r\n", true),
            ("Fr\u{E4}m: a\r\n\r\n", true),
            (": a\r\n\r\n", true),
            ("From x Mon Jan 1 2000\r\nFrom: a\r\n \r\n\r\n", false),
            ("From: a\n\n", false),
        ])
    func problems(header: String, isProblem: Bool) {
        #expect((HeaderSection(Array(header.utf8), fieldLimit: 10).problem != nil) == isProblem)
    }
}
