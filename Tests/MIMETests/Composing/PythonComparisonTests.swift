import Foundation
import MartletBytes
import MartletTestSupport
import Testing

@testable import MartletMIME

/// CPython's `email` package as a second opinion.
///
/// Display names are read by its older functions: the newer ones put a space between the encoded words
/// of a phrase (seen in 3.11), against RFC 2047 §6.2.
private enum PythonEmail {
    /// Reads one message a line, in hex; prints a line of JSON for each.
    static let script = """
        import email, email.policy, json, sys
        from email.header import decode_header, make_header
        from email.utils import getaddresses

        def decoded(value):
            return str(make_header(decode_header(value)))

        for line in sys.stdin:
            message = email.message_from_bytes(bytes.fromhex(line.strip()), policy=email.policy.default)
            parts = [p for p in message.walk() if not p.is_multipart()]
            raw = email.message_from_bytes(bytes.fromhex(line.strip()), policy=email.policy.compat32)
            print(json.dumps({
                "subject": decoded(raw["Subject"].replace("\\r\\n", "")),
                "names": [decoded(n) for n, _ in getaddresses([raw["To"].replace("\\r\\n", "")])],
                "addresses": [a.addr_spec for a in message["To"].addresses],
                "date": str(int(message["Date"].datetime.timestamp())),
                "files": [(p.get_filename() or "").strip() for p in parts if p.get_content_disposition()],
                "contents": [p.get_payload(decode=True).hex() for p in parts],
                "defects": [repr(d) for p in message.walk() for d in p.defects],
            }))
        """

    struct Answer: Decodable {
        var subject: String
        var names: [String]
        var addresses: [String]
        var date: String
        var files: [String]
        var contents: [String]
        var defects: [String]
    }

    static func read(_ messages: [[UInt8]]) async throws -> [Answer] {
        let lines = messages.map { Array(hex($0).utf8) }
        return try await Python.run(script, lines: lines).map {
            try JSONDecoder().decode(Answer.self, from: Data($0))
        }
    }
}

/// It takes blanks off both ends of a file name, even in quotes, and angle brackets as well.
private func trimmedAsInPython(_ name: String) -> String {
    let isBracketed = name.utf8.first == ASCII.less && name.utf8.last == ASCII.greater
    return (isBracketed ? String(name.dropFirst().dropLast()) : name)
        .trimmingCharacters(in: .whitespaces)
}

@Suite("CPython's email package")
struct PythonComparisonTests {
    @Test(
        "reads every message as it was composed",
        .python("email"))
    func agrees() async throws {
        var messages: [OutgoingMessage] = []
        var rendered: [[UInt8]] = []
        for seed in UInt64(0)..<300 {
            var random = SeededGenerator(seed: seed)
            let names = (0..<3).map { _ in randomText(words: 0...5, &random) }
            var message = OutgoingMessage(
                from: try MailboxAddress("jane@example.org"),
                to: try names.enumerated().map {
                    try MailboxAddress(
                        displayName: $1, localPart: ["a", "x y", "o'z.b"][$0], domain: "x.org")
                },
                subject: randomText(words: 0...20, &random),
                text: randomText(words: 0...60, &random) + "\n",
                html: seed % 2 == 0 ? randomText(words: 0...60, controls: true, &random) : nil)
            message.date = MailDate(
                secondsSinceEpoch: Int64.random(
                    in: -2_000_000_000...200_000_000_000, using: &random),
                offsetInMinutes: Int.random(in: -720...840, using: &random))
            for _ in 0..<Int(seed % 3) {
                let content = (0..<Int.random(in: 0...200, using: &random)).map { _ in
                    UInt8.random(in: 0...255, using: &random)
                }
                message.attachments.append(
                    Attachment(
                        name: randomText(words: 1...6, &random), content: OctetArray(content)))
            }
            messages.append(message)
            rendered.append(
                try #require(
                    try message.rendered(RenderingOptions(allows8Bit: seed % 5 == 0))
                        .octetsInMemory))
        }
        let answers = try await PythonEmail.read(rendered)
        try #require(answers.count == messages.count)
        for (seed, (message, answer)) in zip(messages, answers).enumerated() {
            let seed = Comment("seed \(seed)")
            #expect(answer.subject == message.subject, seed)
            #expect(answer.names == message.to.map { $0.displayName ?? "" }, seed)
            #expect(answer.addresses == message.to.map(\.addrSpec), seed)
            #expect(answer.date == String(message.date!.secondsSinceEpoch), seed)
            #expect(answer.files == message.attachments.map { trimmedAsInPython($0.name) }, seed)
            #expect(answer.defects == [], seed)
            let texts = [message.text, message.html].compactMap { $0 }
                .map { canonicalLines($0.utf8) }
            let files = message.attachments.map { $0.content.octetsInMemory ?? [] }
            if texts.count + files.count > 1 {
                #expect(answer.contents == (texts + files).map(hex), seed)
            } else {
                #expect(answer.contents.count == 1, seed)
                #expect(answer.contents[0].hasPrefix(hex(texts[0])), seed)
            }
        }
    }
}
