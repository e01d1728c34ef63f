import MartletTestSupport
import Testing

@testable import MartletMIME

@Suite("Recipients that were read")
struct WrittenAgainTests {
    @Test(
        "are as many, with the same names, when they are written again",
        arguments: [
            "=?utf-8?b?TmfGsOG7nWkgbmjhuq1uIGEgdmVyeSB2ZXJ5IGxvbmcs?= name <to@b.example>",
            "=?utf-8?q?Doe=2C_J=C3=A4ne?= <to@b.example>, \"Doe, Max\" <c@d.example>",
            "=?utf-8?q?x=22_=3Cevil=40e.example=3E=2C?= <to@b.example>",
            "=?utf-8?q?a=0D=0ABcc=3A_evil=40e.example?= <to@b.example>",
        ])
    func names(_ value: String) async throws {
        let read = Message(parsing: Array("To: \(value)\n\n".utf8)).to.mailboxes
        #expect(read.map(\.domain).allSatisfy { ["b.example", "d.example"].contains($0) })
        let message = OutgoingMessage(
            from: try MailboxAddress("jane@example.org"), to: read, subject: "Hi", text: "Hi\n")
        for allows8Bit in [false, true] {
            let rendered = try message.rendered(RenderingOptions(allows8Bit: allows8Bit))
            let again = Message(parsing: try #require(rendered.octetsInMemory))
            #expect(again.to.mailboxes == read)
            #expect(again.root.bcc.entries.isEmpty)
            #expect(again.header.fields("To").count == 1)
        }
    }
}
