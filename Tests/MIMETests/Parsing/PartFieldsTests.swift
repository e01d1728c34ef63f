import MartletMIME
import Testing

@Suite("Fields of a part")
struct PartFieldsTests {
    private func root(_ header: String) -> Part {
        Message(parsing: Array((header + "\n\nx").utf8)).root
    }

    @Test(
        "a file has the name that one of its fields says",
        arguments: [
            ("Content-Disposition: attachment; filename=a", "a"),
            ("Content-Type: x/y; name=b\nContent-Disposition: attachment; filename=a; name=c", "a"),
            ("Content-Type: x/y; name=b\nContent-Disposition: attachment; filename=\"\"", "b"),
            ("Content-Type: x/y; name=b; filename=a\nContent-Disposition: attachment; name=c", "b"),
            ("Content-Type: x/y; filename=a\nContent-Disposition: attachment; name=c", "c"),
            ("Content-Type: x/y; filename=a", "a"),
            ("Content-Disposition: =?utf-8?Q?inline=3B_filename=3Da?=", "a"),
            ("Content-Disposition: form-data; name=c", nil),
        ] as [(String, String?)])
    func fileName(header: String, name: String?) { #expect(root(header).fileName == name) }

    @Test("the first field that says anything counts")
    func first() {
        let part = root("Subject:\nSubject: a\nSubject: b\nMessage-ID: \nMessage-ID: <c@d>")
        #expect(part.subject == "a")
        #expect(part.messageID?.text == "c@d")
        #expect(root("Subject:\nSubject: ").subject == "")
        #expect(root("To: a@x.org").subject == nil)
    }
}
