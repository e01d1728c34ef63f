import MartletBytes
import MartletTestSupport
import Testing

@testable import MartletMIME

private let jane = try! MailboxAddress("Jane <jane@example.org>")
private let bob = try! MailboxAddress("bob@example.org")

@Suite("Resending")
struct ResendingTests {
    private let original = Array(
        "Resent-From: x@y.org\r\nFrom: a@x.org\r\nBcc: secret@x.org\r\nTo: b@x.org\r\n\r\nHi".utf8)

    private func resending() throws -> Resending {
        Resending(
            from: jane, to: [bob], cc: [jane], bcc: [try MailboxAddress("eve@example.org"), bob],
            date: MailDate(secondsSinceEpoch: 1_796_008_975, offsetInMinutes: 60),
            messageID: try MessageID("r@example.org"))
    }

    @Test("puts its fields on top and changes nothing below but Bcc", arguments: [true, false])
    func octets(isStreamed: Bool) async throws {
        let source: any OctetSource = isStreamed ? StreamedOctets(original) : OctetArray(original)
        let raw = try await RawMessage(source)
        let resent = try raw.resent(try resending())
        let octets = try await resent.allOctets()
        #expect(octets.count == resent.sizeInOctets)
        #expect(
            text(octets).replacing("\r\n", with: "\n") == """
                Resent-Date: Mon, 30 Nov 2026 04:22:55 +0100
                Resent-From: Jane <jane@example.org>
                Resent-To: bob@example.org
                Resent-Cc: Jane <jane@example.org>
                Resent-Message-ID: <r@example.org>
                Resent-From: x@y.org
                From: a@x.org
                To: b@x.org

                Hi
                """)
        let again = try await RawMessage(OctetArray(octets))
        #expect(
            again.recipients.mailboxes.map(\.addrSpec) == ["bob@example.org", "jane@example.org"])
        #expect(again.originator == jane)
    }

    @Test("goes to everybody it names, each once")
    func recipients() throws {
        let resending = try resending()
        #expect(resending.recipients.map(\.localPart) == ["bob", "jane", "eve"])
        #expect(resending.envelopeSender == jane)
    }

    @Test("needs an author and a date, and a sender for several authors")
    func needs() async throws {
        let raw = try await RawMessage(OctetArray(original))
        for (field, change) in [
            ("Resent-From", { $0.from = [] }), ("Resent-Date", { $0.date = nil }),
            ("Resent-Sender", { $0.from.append(bob) }),
        ] as [(String, (inout Resending) -> Void)] {
            var resending = try resending()
            change(&resending)
            let error = #expect(throws: CompositionError.self) { try raw.resent(resending) }
            #expect(error?.kind == .missing && error?.field == field)
        }
    }
}
