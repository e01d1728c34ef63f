import MartletBytes
import MartletTestSupport
import Testing

@testable import MartletMIME

@Suite("MailboxAddress")
struct MailboxAddressTests {
    @Test(
        "reads what people write",
        arguments: [
            // text, display name, local part, domain
            ("jane@example.org", nil, "jane", "example.org"),
            ("  jane@example.org  ", nil, "jane", "example.org"),
            ("<jane@example.org>", nil, "jane", "example.org"),
            ("Jane Doe <jane@example.org>", "Jane Doe", "jane", "example.org"),
            ("Jane Doe<jane@example.org>", "Jane Doe", "jane", "example.org"),
            ("John Q. Public <j@example.org>", "John Q. Public", "j", "example.org"),
            ("\"Doe, Jane\" <jane@example.org>", "Doe, Jane", "jane", "example.org"),
            ("\"a \\\"b\\\" \\\\c\" <j@example.org>", "a \"b\" \\c", "j", "example.org"),
            ("\"john doe\"@example.org", nil, "john doe", "example.org"),
            ("\"a\\\"b\"@example.org", nil, "a\"b", "example.org"),
            ("\"a@b\"@example.org", nil, "a@b", "example.org"),
            ("jane(comment (nested \\) ) )@(c)example.org(end)", nil, "jane", "example.org"),
            ("Jane (the boss) Doe <j@example.org>", "Jane Doe", "j", "example.org"),
            ("jane@[192.0.2.1]", nil, "jane", "[192.0.2.1]"),
            ("jane@[IPv6:2001:db8::1]", nil, "jane", "[IPv6:2001:db8::1]"),
            ("a.b+c_d-e=f@x-y.example", nil, "a.b+c_d-e=f", "x-y.example"),
            ("o'neil!#$%&*/?^`{|}~@example.org", nil, "o'neil!#$%&*/?^`{|}~", "example.org"),
            ("jane @ example . org", nil, "jane", "example.org"),
            ("用户@例え.jp", nil, "用户", "例え.jp"),
            ("Grüße <g@example.org>", "Grüße", "g", "example.org"),
            ("\"\" <g@example.org>", nil, "g", "example.org"),
            ("jane@localhost", nil, "jane", "localhost"),
            ("jane@host_name.example", nil, "jane", "host_name.example"),
        ])
    func reads(text: String, name: String?, local: String, domain: String) throws {
        let address = try MailboxAddress(text)
        #expect(address.displayName == name)
        #expect(address.localPart == local)
        #expect(address.domain == domain)
    }

    @Test(
        "refuses what is no address, and says why",
        arguments: [
            ("", .empty), ("   ", .empty), ("(only a comment)", .empty), ("<>", .empty),
            ("jane", .missingAtSign), ("Jane <jane>", .missingAtSign),
            ("@example.org", .invalidLocalPart), ("a..b@example.org", .invalidLocalPart),
            (".a@example.org", .invalidLocalPart), ("a.@example.org", .invalidLocalPart),
            ("john doe@example.org", .invalidLocalPart), ("a@b@example.org", .invalidLocalPart),
            ("\"a\"b@example.org", .invalidLocalPart), ("\"\"@example.org", .invalidLocalPart),
            ("jane@", .invalidDomain), ("jane@.org", .invalidDomain),
            ("jane@example..org", .invalidDomain), ("jane@example.org.", .invalidDomain),
            ("jane@exa mple.org", .invalidDomain), ("jane@[192.0.2.1", .malformed),
            ("jane@[]", .invalidDomain), ("jane@[a b]", .invalidDomain),
            ("jane@exa$mple.org", .invalidDomain), ("jane@\"example.org\"", .invalidDomain),
            ("jane@例\u{3000}え.jp", .invalidDomain),
            ("jane@\(String(repeating: "x", count: 64)).org", .invalidDomain),
            ("a@example.org, b@example.org", .severalAddresses),
            ("a@example.org; b@example.org", .severalAddresses),
            ("group: a@example.org;", .severalAddresses),
            ("<@relay.example:a@example.org>", .severalAddresses),
            ("Jane <jane@example.org", .malformed), ("jane@example.org>", .invalidDomain),
            ("Jane <jane@example.org> x", .malformed),
            ("a <b@example.org> <c@example.org>", .malformed),
            ("\"Jane <jane@example.org>", .malformed), ("Jane (x <jane@example.org>", .malformed),
            ("a\\b@example.org", .malformed), ("a)b@example.org", .malformed),
            ("a@b <c@example.org>", .malformed),
            ("jane@example.org\r\n", .controlCharacter), ("jane@exa\nmple.org", .controlCharacter),
            ("\"a\rb\"@example.org", .controlCharacter), ("a\u{0}b@example.org", .controlCharacter),
            ("Jane\r\nBcc: x@y <jane@example.org>", .controlCharacter),
            ("a\tb <jane@example.org>", .controlCharacter),
            ("jane@example.org\u{7F}", .controlCharacter),
            ("j\u{85}@example.org", .controlCharacter),
            ("\(String(repeating: "x", count: 257))@example.org", .tooLong(limit: 256)),
            ("a@\(String(repeating: "x.", count: 128))org", .tooLong(limit: 255)),
            ("\(String(repeating: "x", count: 4_097)) <a@example.org>", .tooLong(limit: 4_096)),
        ] as [(String, AddressError.Kind)])
    func refuses(text: String, kind: AddressError.Kind) throws {
        let error = try #require(throws: AddressError.self) { try MailboxAddress(text) }
        #expect(error.kind == kind)
        #expect(error.text == text)
        #expect(error.recovery == .fixInput)
        #expect(!error.description.utf8.contains { $0.isControl })
    }

    @Test(
        "cannot be made of parts with control characters or a broken domain",
        arguments: [
            (nil, "a\r\nRCPT TO:<x", "example.org"), (nil, "a", "example.org>\r\nDATA"),
            (nil, "a", "example.org> SIZE=1"), ("x\r\nBcc: y", "a", "example.org"),
            (nil, "", "example.org"), (nil, "a", ""), (nil, "a\u{0}", "example.org"),
            ("\u{0}", "a", "example.org"), (nil, "a", "[x]y]"), (nil, "a", "a@b"),
        ] as [(String?, String, String)])
    func parts(name: String?, local: String, domain: String) {
        #expect(throws: AddressError.self) {
            try MailboxAddress(displayName: name, localPart: local, domain: domain)
        }
    }

    @Test(
        "quotes the local part only where it must",
        arguments: [
            ("a.b", "a.b@x.org"), ("a b", "\"a b\"@x.org"), ("a..b", "\"a..b\"@x.org"),
            (".", "\".\"@x.org"), ("a\"b\\", "\"a\\\"b\\\\\"@x.org"), ("a>b", "\"a>b\"@x.org"),
            ("ü", "ü@x.org"),
        ])
    func quoting(local: String, addrSpec: String) throws {
        let address = try MailboxAddress(localPart: local, domain: "x.org")
        #expect(address.addrSpec == addrSpec)
        #expect(try MailboxAddress(addrSpec) == address)
    }

    @Test("needs SMTPUTF8 for its local part, not for its domain or name")
    func utf8() throws {
        #expect(try MailboxAddress("jürgen@example.org").needsSMTPUTF8)
        #expect(try !MailboxAddress("Jürgen <j@bücher.example>").needsSMTPUTF8)
    }

    @Test("reads its own description", arguments: UInt64(0)..<200)
    func law(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let name = randomText(words: 0...6, &random)
        let local = randomText(words: 1...2, &random)
        guard local.utf8.count <= 256 else { return }
        let address = try MailboxAddress(
            displayName: name, localPart: local,
            domain: ["x.org", "[::1]", "ü.de"].randomElement(using: &random)!)
        #expect(try MailboxAddress(address.description) == address)
    }
}
