import MartletBytes
import MartletTestSupport
import Testing

@testable import MartletMIME

@Suite("Address lists for sending")
struct AddressListTests {
    @Test(
        "take every address whose meaning is plain, and keep the rest as damaged",
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
            ("<a@x.org, b@x.org>", ["a@x.org", "b@x.org"], []),
            ("<@r1.example, b@x.org", ["b@x.org"], ["<@r1.example"]),
            ("\"open <a@x.org>, b@x.org", ["a@x.org", "b@x.org"], []),
            ("(open a@x.org, b@x.org", ["b@x.org"], ["(open a@x.org"]),
            ("[x, b@x.org, y]@z", ["b@x.org"], ["[x", "y]@z"]),
            ("a@x.org <a@x.org>, b@x.org", ["a@x.org", "b@x.org"], []),
            ("John Q. Public [x] <a@x.org>", ["a@x.org"], []),
            ("a..b@x.org, c.@x.org", ["\"a..b\"@x.org", "\"c.\"@x.org"], []),
            ("a@x.org., b . c @ x . org", ["a@x.org", "b.c@x.org"], []),
            ("a@x\u{0}y.org, b@x.org", ["b@x.org"], ["a@x\u{0}y.org"]),
            ("a: b: c@x.org;", ["c@x.org"], []),
            ("root, Jane <a@x.org>", ["a@x.org"], ["root"]),
            ("A <a@x.org> B <b@x.org>, c@x.org", ["c@x.org"], ["A <a@x.org> B <b@x.org>"]),
            ("A <a@x.org> B", [], ["A <a@x.org> B"]),
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

    @Test("are never cut short")
    func whole() {
        let list = AddressList(String(repeating: "a@x.org,", count: 12_000))
        #expect(list.mailboxes.count == 12_000)
    }
}
