import MartletSMTPCore
import Testing

@Suite("Path mailbox")
struct PathMailboxTests {
    @Test(
        "is written with quotes only where they are needed",
        arguments: [
            ("alice", "example.org", "alice@example.org"),
            ("john doe", "example.org", "\"john doe\"@example.org"),
            ("a\"b\\c", "example.org", "\"a\\\"b\\\\c\"@example.org"),
            ("a..b", "docomo.example", "\"a..b\"@docomo.example"),
            ("a@b", "example.org", "\"a@b\"@example.org"),
            ("x", "[192.0.2.1]", "x@[192.0.2.1]"),
            ("x", "[IPv6:2001:db8::1]", "x@[IPv6:2001:db8::1]"),
            ("Postmaster", "", "Postmaster"), ("x", "my_host.example", "x@my_host.example"),
        ])
    func quoting(localPart: String, domain: String, wire: String) throws {
        let mailbox = try PathMailbox(localPart: localPart, domain: domain)
        #expect(mailbox.description == wire)
        #expect(try PathMailbox(wire) == mailbox)
        #expect(!mailbox.needsSMTPUTF8)
    }

    @Test(
        "cannot hold what would end its path or its line",
        arguments: [
            "a\r\nRCPT TO:<x@example.org>", "a\nb", "a\rb", "a\0b", "a>b", "a<b", "a\u{7f}b",
            "a\tb",
            "",
        ])
    func injection(bad: String) {
        #expect(throws: SMTPError.self) { try PathMailbox(localPart: bad, domain: "example.org") }
        #expect(throws: SMTPError.self) { try PathMailbox(bad + "@example.org") }
        #expect(throws: SMTPError.self) { try PathMailbox("\"" + bad + "\"@example.org") }
        #expect(throws: SMTPError.self) { try PathMailbox(localPart: "a", domain: bad + ".org") }
        #expect(throws: SMTPError.self) { try PathMailbox(localPart: "a", domain: "[" + bad + "]") }
        #expect(throws: SMTPError.self) { try EHLOName(bad) }
        let thrown = error { _ = try ForwardPath(localPart: bad, domain: "example.org") }
        #expect(thrown?.recovery == .fixInput)
        #expect(thrown?.description.contains { $0.isNewline || $0 == "\0" } == false)
    }

    @Test(
        "refuses slips",
        arguments: [
            "alice", "a b@example.org", "@example.org", "a@", "a@b@", "a@-x.org", "a@x..org",
            "a@.org",
            "a@org.", "\"open@example.org", "\"a\"b@example.org", "a@[1.2.3.4", "a@[]",
            "a(c)@example.org",
            "<a@example.org>", "a@exa mple.org",
        ])
    func malformed(text: String) {
        #expect(throws: SMTPError.self) { try PathMailbox(text) }
    }

    @Test("knows when it needs SMTPUTF8")
    func utf8() throws {
        #expect(try PathMailbox("grüße@example.org").needsSMTPUTF8)
        #expect(try PathMailbox("a@bücher.example").needsSMTPUTF8)
    }

    @Test("has the length that a path can have, and no more")
    func limits() throws {
        let local = String(repeating: "l", count: 64)
        let label = String(repeating: "d", count: 62) + "."
        let fits = local + "@" + label + label + label
        #expect(fits.utf8.count == 254)
        #expect(throws: SMTPError.self) { try PathMailbox(fits) }  // ends with a dot
        let exact = String(fits.dropLast()) + "d"
        #expect(try PathMailbox(exact).octets.count == 254)
        #expect(throws: SMTPError.self) { try PathMailbox("l" + exact) }
        #expect(throws: SMTPError.self) {
            try PathMailbox("a@" + String(repeating: "d", count: 64) + ".org")
        }
    }

    @Test("may be absent from a reverse path")
    func null() throws {
        #expect(try ReversePath("<>") == .null)
        #expect(try ReversePath("") == .null)
        #expect(ReversePath.null.description == "<>")
    }
}
