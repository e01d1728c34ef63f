import MartletBytes
import MartletTestSupport
import Testing

@testable import MartletMIME

@Suite("Reading address lists")
struct AddressReadingTests {
    @Test(
        "reads RFC 5322 §3.4 and §4.4 without a defect",
        arguments: [
            ("a@x.org, b@x.org", "a@x.org|b@x.org"),
            ("", ""), (" , ,", ""), (",,a@x.org,,", "a@x.org"),
            ("Jane Doe <a@x.org>", "[Jane Doe]a@x.org"),
            ("\"Doe, Jane\" <a@x.org>", "[Doe, Jane]a@x.org"),
            ("\"a \\\"b\\\" \\\\c\"<a@x.org>", "[a \"b\" \\c]a@x.org"),
            ("Joe Q. Public <a@x.org>", "[Joe Q. Public]a@x.org"),
            ("\"\" <a@x.org>", "a@x.org"), ("<a@x.org>", "a@x.org"),
            ("a@x.org (Jane Doe)", "[Jane Doe]a@x.org"),
            ("(Jane)\r\n <a@x.org>", "[Jane]a@x.org"),
            ("a@x.org (x (y \\) z)) (w)", "[x (y ) z)]a@x.org"),
            ("Jane (the boss) <a(b)@(c)x(d).org(e)> (f)", "[Jane]a@x.org"),
            ("a@x.org (one, two), b@x.org", "[one, two]a@x.org|b@x.org"),
            ("\"<a@y.org>\" <b@x.org>", "[<a@y.org>]b@x.org"),
            ("\"a@evil.example\" <b@x.org>", "[a@evil.example]b@x.org"),
            ("\"a@evil.example, c\" <b@x.org>", "[a@evil.example, c]b@x.org"),
            ("<@r1.example,@r2.example:a@x.org>", "a@x.org"),
            ("X <@r1.example, @r2.example : a@x.org>, b@x.org", "[X]a@x.org|b@x.org"),
            ("X <@r1.example , , (c) @r2.example : a@x.org>, b@x.org", "[X]a@x.org|b@x.org"),
            ("a . b @ x . org", "a.b@x.org"), ("\"a b\".c@x.org", "\"a b.c\"@x.org"),
            ("a@[192.0.2.1], b@[IPv6:2001:db8::1]", "a@[192.0.2.1]|b@[IPv6:2001:db8::1]"),
            ("用户@例え.jp, =?utf-8?q?=C3=BC?= <a@x.org>", "用户@例え.jp|[ü]a@x.org"),
            ("Team: a@x.org, B <b@x.org>; , c@x.org", "{Team:a@x.org|[B]b@x.org}|c@x.org"),
            ("Undisclosed recipients:;", "{Undisclosed recipients:}"),
            ("\"x: y\" (z) : ;, a@x.org", "{x: y:}|a@x.org"),
            ("(x): a@x.org;", "{x:a@x.org}"), ("a:; b:;", "{a:}|{b:}"),
            ("John Q. Public [x] <a@x.org>", "[John Q. Public [x]]a@x.org"),
            ("a <a@x.org>,=?UTF-8?B?Zm9v8J+Qm2Jhcg==?= <b@x.org>", "[a]a@x.org|[foo🐛bar]b@x.org"),
            ("\"Quoted\" =?utf-8?Q?W=C3=B6rd?= <a@x.org>", "[Quoted Wörd]a@x.org"),
            ("=?utf-8?q?Doe,_J=C3=A4ne?= <a@x.org>", "[Doe, Jäne]a@x.org"),
            ("foo <a@x.org>,\r\n\tB\r\n\t<b@x.org>", "[foo]a@x.org|[B]b@x.org"),
        ])
    func standard(value: String, expected: String) {
        let parsed = AddressList.parse(value.utf8)
        #expect(shown(parsed.value.entries) == expected)
        #expect(parsed.defects.isEmpty)
    }

    @Test(
        "reads damage whose meaning is plain",
        arguments: [
            ("r\u{20}At <a@x.org", "[r At]a@x.org", .unclosedBracket),
            ("<a@x.org, B <b@x.org>", "a@x.org|[B]b@x.org", .unclosedBracket),
            ("<a@x.org; b@x.org", "a@x.org|b@x.org", .unclosedBracket),
            ("ü <a@x.org>", "[ü]a@x.org", .rawNonASCII), ("DHL < a@x.org >", "[DHL]a@x.org", nil),
            ("a.b@x.org <a.b@x.org>", "[a.b@x.org]a.b@x.org", nil),
            ("a@evil.example <b@x.org>", "[a@evil.example]b@x.org", nil),
            ("iZotope, Inc. <a@x.org>", "[iZotope, Inc.]a@x.org", .invalidAddress),
            (
                "b@x.org, Doe, Jane, M.D. <a@x.org>, Roe, R <c@x.org>",
                "b@x.org|[Doe, Jane, M.D.]a@x.org|[Roe, R]c@x.org", .invalidAddress
            ),
            ("\"Doe\", \"Jane\" <a@x.org>", "[Doe, Jane]a@x.org", .invalidAddress),
            (
                "Doe, Jane <a@x.org>; Roe, R <c@x.org>", "[Doe, Jane]a@x.org|[Roe, R]c@x.org",
                .invalidAddress
            ),
            ("a@x.org; c@d.example", "a@x.org|c@d.example", .invalidAddress),
            ("a@x.org;", "a@x.org", .invalidAddress),
            (
                "good@x.org, bad address here, other@x.org",
                "good@x.org|[bad address here]!!|other@x.org", .invalidAddress
            ),
            ("nobody, <a@x.org>", "[nobody]!!|a@x.org", .invalidAddress),
            ("nobody, , B <a@x.org>", "[nobody]!!|[B]a@x.org", .invalidAddress),
            ("nobody, a@x.org", "[nobody]!!|a@x.org", .invalidAddress),
            ("a@x.org, nobody", "a@x.org|[nobody]!!", .invalidAddress),
            ("one, two, G: a@x.org;", "[one]!!|[two]!!|{G:a@x.org}", .invalidAddress),
            ("Name [a@b] a@b, b@x.org", "!Name [a@b] a@b!|b@x.org", .invalidAddress),
            ("Name <a b@x.org>, b@x.org", "[Name]!a b@x.org!|b@x.org", .invalidAddress),
            ("Jane Doe a@x.org, b@x.org", "[Jane Doe]a@x.org|b@x.org", .invalidAddress),
            ("Jane Doe a@x.org>", "[Jane Doe]a@x.org", .invalidAddress),
            ("a@x.org Jane Doe", "[Jane Doe]a@x.org", .invalidAddress),
            ("a@y.org b@x.org", "a@y.org|b@x.org", .invalidAddress),
            (
                "a@y.org\r\n b@x.org / Jane c@x.org", "a@y.org|b@x.org|[Jane]c@x.org",
                .invalidAddress
            ),
            ("a@x.org) b c@x.org (", "a@x.org|[b]c@x.org", .invalidAddress),
            ("a b@x.org c@, d@x.org", "!a b@x.org c@!|d@x.org", .invalidAddress),
            ("a \"b\"c@x.org", "!a \"b\"c@x.org!", .invalidAddress),
            ("\"a@x.org\", b@x.org", "a@x.org|b@x.org", .invalidAddress),
            ("Jane <\"a@x.org\">", "[Jane]a@x.org", .invalidAddress),
            ("Jane <Doe> <a@x.org>, b@x.org", "[Jane <Doe>]a@x.org|b@x.org", nil),
            ("Jane <Doe> <x>, b@x.org", "[Jane]!<Doe> <x>!|b@x.org", .invalidAddress),
            ("\"Name\" <", "[Name]!!", .unclosedBracket), ("Name <>", "[Name]!!", .invalidAddress),
            ("Name <jane>", "[Name]!jane!", .invalidAddress),
            ("<a@x.org> =?utf-8?q?Doe", "[=?utf-8?q?Doe]a@x.org", .invalidAddress),
            ("Jane <a@x.org> x", "[Jane]a@x.org", .invalidAddress),
            ("A <a@x.org> B <b@x.org>, c@x.org", "[A]a@x.org|[B]b@x.org|c@x.org", .invalidAddress),
            ("<a@x.org> <b@x.org> c@x.org", "a@x.org|b@x.org|c@x.org", .invalidAddress),
            ("<<a@x.org>>, b@x.org", "a@x.org|b@x.org", nil),
            ("a@x.org>, b@x.org", "a@x.org|b@x.org", nil),
            (
                "mailto:a@x.org, B <MAILTO:b@x.org?subject=x&cc=c@y.org>", "a@x.org|[B]b@x.org",
                .invalidAddress
            ),
            ("mailto:a@x.org?subject=y, b@x.org", "a@x.org|b@x.org", .invalidAddress),
            ("'a@x.org', B <'b@x.org'>", "a@x.org|[B]b@x.org", .invalidAddress),
            ("a..b@x.org, c.@x.org., .d@x.org", "\"a..b\"@x.org|\"c.\"@x.org|\".d\"@x.org", nil),
            ("A: a@x.org, B: b@x.org, c@x.org", "{A:a@x.org}|{B:b@x.org|c@x.org}", .invalidAddress),
            ("\"open <a@x.org>, b@x.org", "a@x.org|b@x.org", .unclosedQuote),
            ("a@x.org (open, b@x.org", "a@x.org|b@x.org", .unclosedComment),
            ("\"", "!!", .unclosedQuote),
            ("a (open <a@x.org>, b (shut) <b@x.org>", "a@x.org|b@x.org", .unclosedComment),
            ("a@x\u{0}y.org, b@x.org", "!a@x\u{FFFD}y.org!|b@x.org", .controlCharacter),
            (
                "<http://x.org/a> (Archive), a@x.org", "[Archive]!http://x.org/a!|a@x.org",
                .invalidAddress
            ),
            ("Jane Doe (x)", "[Jane Doe]!!", .invalidAddress),
            ("=?utf-8?q?J_=3Ca=40x.org=3E?=, b@x.org", "[J <a@x.org>]!!|b@x.org", .invalidAddress),
            ("=?UTF-8?Q?r_f=C3=BCr_At?= <a@x.org", "[r für At]a@x.org", .unclosedBracket),
            ("\"Jane Doe\" a@x.org, b@x.org", "[Jane Doe]a@x.org|b@x.org", .invalidAddress),
            (
                "=?utf-8?q?J=C3=A4ne?= =?utf-8?q?_Doe?= a@x.org", "[Jäne Doe]a@x.org",
                .invalidAddress
            ),
            ("=?utf-8?q?J?=a@x.org", "!=?utf-8?q?J?=a@x.org!", .invalidAddress),
            ("\"Jane\"a@x.org", "!\"Jane\"a@x.org!", .invalidAddress),
            ("@r1.example:a@x.org", "a@x.org", nil),
            ("<nobody-known:;>, a@x.org", "!nobody-known:!|a@x.org", .unclosedBracket),
            ("@x.org, a@, @, <@>, a@x..org", "!@x.org!|!a@!|!@!|!@!|!a@x..org!", .invalidAddress),
            (
                "a@\(String(repeating: "x", count: 64)).org",
                "!a@\(String(repeating: "x", count: 64)).org!", .invalidAddress
            ),
        ] as [(String, String, Defect.Kind?)])
    func tolerant(value: String, expected: String, defect: Defect.Kind?) {
        let parsed = AddressList.parse(value.utf8)
        let entries = shown(parsed.value.entries)
        if defect != .unclosedQuote && defect != .unclosedComment {
            #expect(entries == expected)
        } else {
            // How much of a name is quoted or commented that way is anybody's guess.
            #expect(withoutNames(entries) == expected)
        }
        #expect(defect == nil || parsed.defects.contains { $0.kind == defect })
    }

    @Test("nobody is guessed at where mail is to be sent")
    func sending() {
        let list = AddressList(
            "Jane Doe a@x.org, a@y.org b@x.org, \"a@x.org\", Jane <Doe> <a@x.org>, c@x.org")
        #expect(list.mailboxes.map(\.addrSpec) == ["c@x.org"])
    }

    @Test("invalid entries keep their octets")
    func octets() {
        let value = Array("a@x.org, ".utf8) + [0xFC, 0x40] + Array("x.org , b".utf8)
        let list = AddressList(parsing: value)
        #expect(list.damaged == [[0xFC, 0x40] + Array("x.org".utf8), Array("b".utf8)])
        #expect(list.invalidEntries[0].description == "\u{FFFD}@x.org")
        #expect(list.invalidEntries[0].address == "\u{FFFD}@x.org")
    }

    @Test("a display name in Latin-1 does not lose its address")
    func latin1() {
        let list = AddressList(parsing: Array("J".utf8) + [0xFC] + Array(" <a@x.org>".utf8))
        #expect(list.mailboxes.map(\.addrSpec) == ["a@x.org"])
    }

    @Test("a display name beyond its limit is cut between characters, and the address is kept")
    func longName() throws {
        let parsed = AddressList.parse(
            (String(repeating: "ж", count: 3_000) + "x <a@x.org>").utf8)
        let mailbox = try #require(parsed.value.mailboxes.first)
        #expect(mailbox.displayName == String(repeating: "ж", count: 2_048))
        #expect(parsed.defects.contains { $0.limit == "displayNameLimitInOctets" })
    }

    @Test(
        "is cut at the limits, which are named",
        arguments: [
            ("addressCount", "a@x.org,", 500_000), ("addressCount", "x ,", 500_000),
            ("addressCount", "g:", 500_000), ("addressCount", "g:a@x.org;", 50_000),
            ("addressCount", "<a@x.org> ", 50_000), ("addressCount", "a@x.org ", 50_000),
            ("commentDepth", "(", 65),
            ("valueSizeInOctets", " ", 1024 * 1024 + 1),
        ])
    func limits(limit: String, piece: String, count: Int) {
        let closing = limit == "commentDepth" ? String(repeating: ")", count: count) : ""
        let parsed = AddressList.parse((String(repeating: piece, count: count) + closing).utf8)
        #expect(parsed.defects.contains { $0.kind == .limitReached && $0.limit == limit })
        #expect(parsed.value.entries.count <= MIMELimits.standard.addressCount + 1)
    }

    @Test("any octets give valid addresses or invalid entries", arguments: UInt64(0)..<500)
    func garbage(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let alphabet = Array("aab@@..,,;:<>()[]\"\\ \t\r\n='?".utf8) + [0, 0x7F, 0xC3, 0xA9, 0xFF]
        let octets = (0..<Int.random(in: 0...80, using: &random)).map { _ in
            alphabet.randomElement(using: &random)!
        }
        for list in [AddressList(parsing: octets), AddressList(recipients: octets)] {
            for mailbox in list.mailboxes {
                #expect(try MailboxAddress(mailbox.description) == mailbox)
            }
            for invalid in list.invalidEntries {
                #expect(!invalid.octets.isEmpty && !hasControlCharacter(invalid.description))
                #expect(!hasControlCharacter(invalid.displayName ?? ""))
                #expect(!hasControlCharacter(invalid.address ?? ""))
            }
        }
    }

    @Test(
        "whatever stands in another entry, an address of its own is found",
        arguments: UInt64(0)..<300)
    func others(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        // Signs that may not reach over a comma.
        let alphabet = Array("aab@@..;<>=?' ".utf8)
        let junk = (0..<Int.random(in: 0...30, using: &random)).map { _ in
            alphabet.randomElement(using: &random)!
        }
        let value = Array("first@x.org,".utf8) + junk + Array(",last@x.org".utf8)
        let found = AddressList(parsing: value).mailboxes.map(\.addrSpec)
        #expect(found.first == "first@x.org" && found.last == "last@x.org")
    }

    @Test("keeps all octets of a URI that is no address")
    func invalidURI() {
        let list = AddressList.parse("x@example.org, mailto:a@b@c?subject=d".utf8).value
        #expect(
            list.invalidEntries.map { String(decoding: $0.octets, as: UTF8.self) }
                == ["mailto:a@b@c?subject=d"])
    }

    @Test("gives its defects in the order of the octets", arguments: 0..<300 as Range<UInt64>)
    func order(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let octets = (0..<Int.random(in: 0...60, using: &random)).map { _ in
            HostileHeaderTests.pieces.randomElement(using: &random)!
        }.joined()
        let value = Array(octets.utf8)[...]
        for defects in [
            AddressList.parse(value).defects, ContentTypeField.parse(value).defects,
            MessageReference.parseList(value).defects, ContentLanguage.parse(value).defects,
            AuthenticationResults.parse(value).defects, ListURIs.parse(value).defects,
            Keywords.parse(value).defects, MailDate.parse(value).defects,
            HeaderText.decode(value).defects, Received.parse(value).defects,
        ] {
            #expect(zip(defects, defects.dropFirst()).allSatisfy { $0.offset <= $1.offset })
        }
    }

    @Test(
        "takes linear time for hostile input",
        arguments: [
            "(", "\"", "[", "<", ",", ":", ";", "a@b,", "\\", "<@a,", "((", "=?a?q?", "=?", "\"\\",
            "a\"", "[[", "x,", "a<", "a>", "<a>b", "()", "(a", "a:b,", ".", "@", "mailto:",
            "a@b ", "<a> ", "a@b c ", "<@a,,", "a b@c ( ", "a@b.",
        ])
    func hostile(piece: String) {
        // Quadratic time would take minutes.
        let list = AddressList.parse(
            String(repeating: piece, count: 500_000 / piece.utf8.count).utf8)
        #expect(list.value.mailboxes.count + list.value.invalidEntries.count <= 10_000)
        _ = AddressList(String(repeating: piece, count: 200_000 / piece.utf8.count))
    }
}

/// Entries as one line: `[name]address`, `[name]!invalid!`, `{group:members}`, with `|` between.
private func shown(_ entries: [AddressList.Entry]) -> String {
    entries.map { entry in
        switch entry {
        case .mailbox(let mailbox):
            (mailbox.displayName.map { "[\($0)]" } ?? "") + mailbox.addrSpec
        case .group(let name, let members): "{\(name):\(shown(members))}"
        case .invalid(let invalid):
            (invalid.displayName.map { "[\($0)]" } ?? "") + "!\(invalid.address ?? "")!"
        }
    }.joined(separator: "|")
}

private func withoutNames(_ shown: String) -> String {
    var (result, isName) = ("", false)
    for character in shown {
        if character == "[" { isName = true }
        if !isName { result.append(character) }
        if character == "]" { isName = false }
    }
    return result
}
