import MartletBytes
import MartletTestSupport
import Testing

@testable import MartletMIME

@Suite("AddressList")
struct AddressListTests {
    @Test(
        "takes every address it can, and keeps the rest as damaged",
        arguments: [
            // field value, addresses, damaged entries
            ("a@x.org, b@x.org", ["a@x.org", "b@x.org"], []),
            ("", [], []), (" , ,", [], []),
            ("undisclosed-recipients:;", [], []),
            ("Team: a@x.org, B <b@x.org>; c@x.org", ["a@x.org", "b@x.org", "c@x.org"], []),
            ("\"x, y\": a@x.org;, c@x.org", ["a@x.org", "c@x.org"], []),
            (
                "a@x.org,\r\n b@x.org,\r\n\t\"C\r\n D\" <c@x.org>",
                ["a@x.org", "b@x.org", "c@x.org"], []
            ),
            ("a@x.org (one, two), b@x.org", ["a@x.org", "b@x.org"], []),
            ("<@r1.example,@r2.example:a@x.org>, b@x.org", ["a@x.org", "b@x.org"], []),
            ("a@x.org; b@x.org", ["a@x.org", "b@x.org"], []),
            ("a@x.org, nobody, b@x.org", ["a@x.org", "b@x.org"], ["nobody"]),
            ("Name [a@b] a@b, b@x.org", ["b@x.org"], ["Name [a@b] a@b"]),
            ("<a@x.org, b@x.org", ["b@x.org"], ["<a@x.org"]),
            ("<@r1.example, b@x.org", ["b@x.org"], ["<@r1.example"]),
            ("\"open <a@x.org>, b@x.org", ["a@x.org", "b@x.org"], []),
            ("(open a@x.org, b@x.org", ["b@x.org"], ["(open a@x.org"]),
            ("[x, b@x.org, y]@z", ["b@x.org"], ["[x", "y]@z"]),
            ("a@x.org <a@x.org>, b@x.org", ["a@x.org", "b@x.org"], []),
            ("John Q. Public [x] <a@x.org>", ["a@x.org"], []),
            ("a..b@x.org, c.@x.org", ["\"a..b\"@x.org", "\"c.\"@x.org"], []),
            ("a@x.org., b . c @ x . org", ["a@x.org", "b.c@x.org"], []),
            ("a@x\u{0}y.org, b@x.org", ["b@x.org"], ["a@x\u{0}y.org"]),
            ("a: b: c@x.org;", [], ["b: c@x.org"]),
            ("=?UTF-8?Q?J=C3=BC?= <a@x.org>", ["a@x.org"], []),
            ("=?UTF-8?Q?D,_<J>=22?= <a@x.org>, b@x.org", ["a@x.org", "b@x.org"], []),
            ("=?UTF-8?Q?D, <a@x.org>", ["a@x.org"], ["=?UTF-8?Q?D"]),
            ("=?a?b?c?d, =@x.org", ["=@x.org"], ["=?a?b?c?d"]), ("=?a?b?c?", [], ["=?a?b?c?"]),
        ])
    func table(value: String, addresses: [String], damaged: [String]) {
        let list = AddressList(value)
        #expect(list.mailboxes.map(\.addrSpec) == addresses)
        #expect(list.damaged.map(text) == damaged)
    }

    @Test("a display name in Latin-1 does not lose its address")
    func latin1() {
        let list = AddressList(parsing: Array("J".utf8) + [0xFC] + Array(" <a@x.org>".utf8))
        #expect(list.mailboxes.map(\.addrSpec) == ["a@x.org"])
        #expect(AddressList(parsing: [0xFC] + Array("@x.org".utf8)).damaged.count == 1)
    }

    @Test("any octets give valid addresses or damaged entries", arguments: UInt64(0)..<300)
    func garbage(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let alphabet = Array("aab@@..,,;:<>()[]\"\\ \t\r\n".utf8) + [0, 0x7F, 0xC3, 0xA9, 0xFF]
        let octets = (0..<Int.random(in: 0...80, using: &random)).map { _ in
            alphabet.randomElement(using: &random)!
        }
        for mailbox in AddressList(parsing: octets).mailboxes {
            #expect(try MailboxAddress(mailbox.description) == mailbox)
        }
    }

    @Test(
        "takes linear time for hostile input",
        arguments: [
            "(", "\"", "[", "<", ",", ":", "a@b,", "\\", "<@a,", "((", "=?a?q?", "=?", "\"\\",
            "a\"", "[[",
        ])
    func hostile(piece: String) {
        // Quadratic time would take minutes.
        let list = AddressList(String(repeating: piece, count: 200_000 / piece.utf8.count))
        #expect(list.mailboxes.count + list.damaged.count <= 200_000)
    }
}
