import MartletBytes
import MartletTestSupport
import Testing

@testable import MartletMIME

@Suite("RawMessage")
struct RawMessageTests {
    private func both(_ message: String) -> [any OctetSource] {
        [OctetArray(Array(message.utf8)), StreamedOctets(Array(message.utf8), pieces: [7])]
    }

    @Test(
        "takes the recipients from the header section only",
        arguments: [
            ("To: a@x.org\r\n\r\nTo: z@x.org\r\n", ["a@x.org"]),
            (
                "TO: a@x.org,\r\n\tB <b@x.org>\r\ncc : c@x.org\r\nBcc: d@x.org\r\n\r\n",
                ["a@x.org", "b@x.org", "c@x.org", "d@x.org"]
            ),
            ("To: a@x.org\nCc: b@x.org\n\nCc: z@x.org\n", ["a@x.org", "b@x.org"]),
            ("To: a@x.org\r\nTo: b@x.org, a@X.org\r\n\r\n", ["a@x.org", "b@x.org"]),
            ("To: a@x.org", ["a@x.org"]), ("", []), ("\r\nTo: a@x.org\r\n", []),
            ("no field here\r\nTo: a@x.org\r\n\r\n", ["a@x.org"]),
            (" To: z@x.org\r\nTo: a@x.org\r\n\r\n", ["a@x.org"]),
            ("To: a@x.org\r\n \r\n ,b@x.org\r\n\r\n", ["a@x.org", "b@x.org"]),
            ("X-To: z@x.org\r\nTo: a@x.org\r\n\r\n", ["a@x.org"]),
            (
                "To: a@x.org\r\nResent-Date: d\r\nResent-To: b@x.org\r\nResent-Cc: c@x.org\r\nResent-Bcc: d@x.org\r\n\r\n",
                ["b@x.org", "c@x.org", "d@x.org"]
            ),
            (
                "Resent-From: n@x.org\r\nResent-To: b@x.org\r\nReceived: x\r\nResent-To: old@x.org\r\nTo: a@x.org\r\n\r\n",
                ["b@x.org"]
            ),
            (
                "Resent-From: n@x.org\r\nResent-To: b@x.org\r\nResent-To: old@x.org\r\nTo: a@x.org\r\n\r\n",
                ["b@x.org"]
            ),
            // Nobody says that they resent it.
            ("Resent-Bcc: s@x.org\r\nTo: a@x.org\r\n\r\n", ["a@x.org"]),
            ("Resent-From: n@x.org\r\nTo: a@x.org\r\n\r\n", ["a@x.org"]),
        ])
    func recipients(message: String, addresses: [String]) async throws {
        for source in both(message) {
            let raw = try await RawMessage(source)
            #expect(raw.recipients.mailboxes.map(\.addrSpec) == addresses)
        }
    }

    @Test("keeps what is no address, and finds the sender")
    func damaged() async throws {
        let raw = try await RawMessage(
            OctetArray(Array("From: A <a@x.org>\nSender: s@x.org\nTo: b@x.org, oops\n\n".utf8)))
        #expect(raw.recipients.damaged.map(text) == ["oops"])
        #expect(raw.originator?.addrSpec == "s@x.org")
        let utf8 = try await RawMessage(OctetArray(Array("Subject: é\n\n".utf8)))
        #expect(utf8.originator == nil)
    }

    @Test(
        "takes every Bcc out and changes nothing else",
        arguments: [
            (
                "A: b\r\nBcc: c@x.org\r\nD: e\r\n\r\nBcc: body\r\n",
                "A: b\r\nD: e\r\n\r\nBcc: body\r\n"
            ),
            ("bcc: c,\r\n\td\r\n e\r\nA: b\r\n\r\n", "A: b\r\n\r\n"),
            ("A: b\nBCC : c\n d\n\nx", "A: b\n\nx"),
            ("A: b\r\nResent-Bcc: c\r\nBcc: d\r\nBcc:\r\n\r\n", "A: b\r\n\r\n"),
            ("A: b\r\n\r\nx\ny\rz\u{0}", "A: b\r\n\r\nx\ny\rz\u{0}"),
            ("A: b\rBcc: c\r\n\r\nx", "A: b\r\r\nx"),
            ("A: b\r\nBcc: c", "A: b\r\n"), ("Bcc: c\r\n\r\n", "\r\n"), ("Bcc", "Bcc"),
            ("junk\r\n Bcc: x\r\nBcc: c\r\n \r\n\r\nx", "junk\r\n Bcc: x\r\n\r\nx"),
            ("From a@x.org Mon Nov 30 04:22:55 2026\nBcc: c\nA: b\n\nx", "A: b\n\nx"),
            ("From a@x.org\r\n\r\nx", "\r\nx"),
            ("From : a@x.org\r\n\r\n", "From : a@x.org\r\n\r\n"),
            ("A: b\r\nFrom a@x.org\r\n\r\n", "A: b\r\nFrom a@x.org\r\n\r\n"),
            ("X-Bcc: c\r\nBcc2: d\r\n\r\n", "X-Bcc: c\r\nBcc2: d\r\n\r\n"),
        ])
    func withoutBcc(message: String, expected: String) async throws {
        for source in both(message) {
            let stripped = try await RawMessage(source).withoutBcc()
            #expect(text(try await stripped.allOctets(limit: 5)) == expected)
            #expect(stripped.sizeInOctets == expected.utf8.count)
            #expect((stripped.octetsInMemory == nil) == (source.octetsInMemory == nil))
        }
    }

    @Test("no hidden line end brings a Bcc to light", arguments: UInt64(0)..<300)
    func law(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let pieces = [
            "Bcc: a@x.org", "To: b@x.org", "\r\n", "\n", "\r", " ", "x", ":", "\t", "\r\n",
        ]
        let message = (0..<Int.random(in: 1...30, using: &random))
            .map { _ in pieces.randomElement(using: &random)! }.joined()
        for source in both(message) {
            let raw = try await RawMessage(source)
            let stripped = try await raw.withoutBcc().allOctets()
            #expect(stripped.count == raw.withoutBcc().sizeInOctets)
            // As it will be on the wire.
            let lines = text(canonicalLines(stripped)).lines
            let header = lines.prefix { !$0.isEmpty }
            #expect(!header.contains { $0.hasPrefix("Bcc:") })
        }
    }

    @Test("a header section beyond 1 MiB is refused, one below is not, in memory or not")
    func limit() async throws {
        let field = "X: " + String(repeating: "x", count: 1_019) + "\r\n"
        for (count, fits) in [(1_023, true), (1_024, false), (2_000, false)] {
            let message = String(repeating: field, count: count) + "\r\nbody"
            for source in [
                OctetArray(Array(message.utf8)),
                StreamedOctets(Array(message.utf8), pieces: [100_000]),
            ] as [any OctetSource] {
                do {
                    _ = try await RawMessage(source)
                    #expect(fits)
                } catch {
                    #expect(!fits && error.kind == .tooLong(limit: RawMessage.headerLimitInOctets))
                }
            }
        }
    }

    @Test("a body of any size is not read")
    func largeBody() async throws {
        let source = StreamedOctets(Array("To: a@x.org\r\n\r\n".utf8), told: 1 << 40)
        let raw = try await RawMessage(source)
        #expect(raw.recipients.mailboxes.count == 1)
        #expect(raw.withoutBcc().sizeInOctets == 1 << 40)
    }

    @Test("a source that cannot be opened is told apart")
    func unreadable() async throws {
        let error = await #expect(throws: CompositionError.self) {
            try await RawMessage(StreamedOctets([1], opens: false))
        }
        #expect(error?.kind == .unreadable)
    }
}
