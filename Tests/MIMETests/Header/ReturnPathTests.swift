import Testing

@testable import MartletMIME

@Suite("Return-Path")
struct ReturnPathTests {
    @Test(
        "is an address, or nothing on purpose",
        arguments: [
            ("<a@x.org>", "a@x.org"), (" a@x.org ", "a@x.org"),
            ("<@r.example:a@x.org> (c)", "a@x.org"),
            ("<\"a b\"@x.org>", "\"a b\"@x.org"), ("< a@x.org", "a@x.org"),
            ("<>", "null"), (" (bounce) < > ", "null"),
            ("", nil), ("<MAILER-DAEMON>", nil), ("<> x", nil), ("\"<>\"", nil),
        ] as [(String, String?)])
    func table(value: String, expected: String?) {
        let parsed = ReturnPath.parse(value.utf8)
        switch parsed.value {
        case .null: #expect(expected == "null" && parsed.defects.isEmpty)
        case .mailbox(let mailbox): #expect(mailbox.addrSpec == expected)
        case nil: #expect(expected == nil && !parsed.defects.isEmpty)
        }
    }
}
