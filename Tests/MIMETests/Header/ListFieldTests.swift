import MartletTestSupport
import Testing

@testable import MartletMIME

@Suite("List fields")
struct ListFieldTests {
    @Test(
        "are URIs with comments, RFC 2369",
        arguments: [
            (
                "<mailto:a@x.org?subject=help> (Instructions)",
                ["mailto:a@x.org?subject=help|Instructions"]
            ),
            (
                "<https://x.org/,1>,\r\n\t<mailto:a@\r\n x.org>\r\n (by (e) mail), <ftp://x.org/a>",
                ["https://x.org/,1", "mailto:a@x.org|by (e) mail", "ftp://x.org/a"]
            ),
            ("(Use this) <mailto:a@x.org>", ["mailto:a@x.org|Use this"]),
            ("<a:b> <c:d>", ["a:b", "c:d"]), ("", []), (" , ,", []), ("<>", []),
            ("<a:b", ["a:b"]), ("a:b, c:d (x", ["a:b", "c:d|x"]), ("junk <a:b> junk", ["a:b"]),
            ("<a:b> (=?utf-8?q?=C3=A9?=)", ["a:b|é"]),
        ])
    func uris(value: String, expected: [String]) {
        let list = ListURIs.parse(value.utf8).value
        let shown = list.entries.map { $0.uri + ($0.comment.map { "|" + $0 } ?? "") }
        #expect(shown == expected)
        #expect(!list.isForbidden)
    }

    @Test(
        "may say that posting is not allowed",
        arguments: ["NO", " no (closed list)", "No\r\n\t(x)"])
    func forbidden(value: String) {
        let parsed = ListURIs.parse(value.utf8)
        #expect(parsed.value.isForbidden && parsed.value.entries.isEmpty && parsed.defects.isEmpty)
        #expect(!ListURIs.parse("<NO>".utf8).value.isForbidden)
    }

    @Test(
        "name damage",
        arguments: [("<a:b", .unclosedBracket), ("a:b", .invalidValue), ("(x", .unclosedComment)]
            as [(String, Defect.Kind)])
    func defects(value: String, kind: Defect.Kind) {
        #expect(ListURIs.parse(value.utf8).defects == [Defect(kind, at: 0)])
    }

    @Test(
        "identify a list, RFC 2919",
        arguments: [
            (
                "List Header Mailing List <list.example.com>", "list.example.com",
                "List Header Mailing List", false
            ),
            ("<list.example.com>", "list.example.com", nil, false),
            (
                "\"Jane's <List>\" <list.\r\n example.com> (x)", "list.example.com",
                "Jane's <List>", false
            ),
            ("=?utf-8?q?=C3=A9?=\r\n <l.example>", "l.example", "é", false),
            ("list.example.com", "list.example.com", nil, true),
            (" \"l.example\" ", "l.example", nil, true),
            ("a <l.example", "l.example", "a", true), ("two words", nil, nil, true),
            ("", nil, nil, true),
            ("a <>", nil, nil, true),
        ] as [(String, String?, String?, Bool)])
    func identifier(value: String, identifier: String?, description: String?, isOdd: Bool) {
        let parsed = ListID.parse(value.utf8)
        #expect(parsed.value?.identifier == identifier)
        #expect(parsed.value?.description == description)
        #expect(parsed.defects.isEmpty != isOdd)
    }

    @Test(
        "allow one-click only as RFC 8058 says",
        arguments: [
            ("<https://x.org/u?a=b>", "List-Unsubscribe=One-Click", true, "https://x.org/u?a=b"),
            (
                "<mailto:a@x.org>, <HTTPS://x.org/u>", " List-Unsubscribe=One-Click\r\n", true,
                "HTTPS://x.org/u"
            ),
            ("<https://x.org/u>", "List-Unsubscribe=One-Click", false, nil),
            ("<http://x.org/u>", "List-Unsubscribe=One-Click", true, nil),
            ("<mailto:a@x.org>", "List-Unsubscribe=One-Click", true, nil),
            ("<https:x.org>", "List-Unsubscribe=One-Click", true, nil),
            ("<https://>", "List-Unsubscribe=One-Click", true, nil),
            ("<https://x.org/\u{1}>", "List-Unsubscribe=One-Click", true, nil),
            ("<https://x.org/é>", "List-Unsubscribe=One-Click", true, nil),
            ("<https://x.org/u>", "", true, nil),
            ("<https://x.org/u>", "List-Unsubscribe=One-Click&a=b", true, nil),
            ("<https://x.org/u>", "List-Unsubscribe = One-Click", true, nil),
        ] as [(String, String, Bool, String?)])
    func oneClick(unsubscribe: String, post: String, isCovered: Bool, uri: String?) {
        let way = OneClickUnsubscribe(
            unsubscribe: ListURIs.parse(unsubscribe.utf8).value, post: post.utf8,
            isCoveredBySignature: isCovered)
        #expect(way?.uri == uri)
    }

    @Test(
        "name the limit where an entry is left out, and nowhere else",
        arguments: [
            ("<a:b>, <c:d>", 2, nil), ("<a:b>, <c:d>,  ", 2, nil), ("<a:b> <c:d> <e:f>", 2, 12),
            ("<a:b>, <c:d>, e:f, <g:h>", 2, 14),
        ] as [(String, Int, Int?)])
    func exactLimit(value: String, count: Int, offset: Int?) {
        var limits = MIMELimits()
        limits.parameterCount = 2
        let parsed = ListURIs.parse(value.utf8, limits: limits)
        #expect(parsed.value.entries.count == count)
        let expected = offset.map { Defect(.limitReached, at: $0, limit: "parameterCount") }
        #expect(parsed.defects.filter { $0.kind == .limitReached } == [expected].compactMap { $0 })
    }

    @Test("any octets give lines of text", arguments: UInt64(0)..<300)
    func garbage(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let alphabet = Array("ano:,<>()\"\\ \t\r\n/".utf8) + [0, 0x7F, 0xC3, 0xA9, 0xFF]
        let octets = (0..<Int.random(in: 0...40, using: &random)).map { _ in
            alphabet.randomElement(using: &random)!
        }
        for entry in ListURIs.parse(octets).value.entries {
            #expect(!entry.uri.isEmpty && !hasControlCharacter(entry.uri + (entry.comment ?? "")))
        }
        if let list = ListID.parse(octets).value {
            #expect(!hasControlCharacter(list.identifier + (list.description ?? "")))
        }
    }

    @Test(
        "take linear time for hostile input",
        arguments: ["(", "<", "\"", ",", "<a>", "a:", "a: ", "()", "no ", "\\", "(a", "=?"])
    func hostile(piece: String) {
        // Quadratic time would take minutes.
        let value = String(repeating: piece, count: 500_000 / piece.utf8.count)
        #expect(
            ListURIs.parse(value.utf8).value.entries.count <= MIMELimits.standard.parameterCount)
        _ = ListID.parse(value.utf8)
        _ = Keywords.parse(value.utf8)
        _ = ReturnPath.parse(value.utf8)
    }

    @Test("and the other fields name the limit of a value's size")
    func valueSize() {
        var limits = MIMELimits()
        limits.valueSizeInOctets = 3
        let value = "a:b, c".utf8
        let cut = [Defect(.limitReached, at: 3, limit: "valueSizeInOctets")]
        #expect(Keywords.parse(value, limits: limits).defects == cut)
        #expect(ListURIs.parse(value, limits: limits).defects.suffix(1) == cut[...])
        #expect(ListID.parse(value, limits: limits).defects.suffix(1) == cut[...])
        #expect(Received.parse(value, limits: limits).defects.suffix(1) == cut[...])
        #expect(AuthenticationResults.parse(value, limits: limits).defects.suffix(1) == cut[...])
        #expect(MailDate.parse(value, limits: limits).defects.suffix(1) == cut[...])
        #expect(ReturnPath.parse(value, limits: limits).defects.contains(cut[0]))
        #expect(ContentLanguage.parse(Array(value)[...], limits: limits).defects.contains(cut[0]))
        #expect(
            ContentTransferEncoding.parse(Array(value)[...], limits: limits).defects.contains(
                cut[0]))
    }
}
