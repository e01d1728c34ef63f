import MartletBytes
import Testing

@testable import MartletMIME

/// Messages that are made to exhaust memory, the stack or time.
@Suite("Hostile messages", .timeLimit(.minutes(1)))
struct HostileMessageTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The property of `MIMELimits` that is reached.
        let limit: String
        let octets: [UInt8]

        init(_ name: String, _ limit: String, _ text: String) {
            testDescription = name
            self.limit = limit
            octets = Array(text.utf8)
        }
    }

    static let cases: [Case] = [
        Case(
            "20,000 multiparts in each other", "nestingDepth",
            (0..<20_000).map {
                "Content-Type: multipart/mixed; boundary=b\($0)\n\n--b\($0)\n"
            }.joined() + "\nx\n"),
        Case(
            "20,000 messages in each other", "nestingDepth",
            String(repeating: "Content-Type: message/rfc822\n\n", count: 20_000) + "\nx\n"),
        Case(
            "200,000 parts without octets", "partCount",
            "Content-Type: multipart/mixed; boundary=b\n\n"
                + String(repeating: "--b\n\n", count: 200_000)),
        Case(
            "200 multiparts in each other, all with another boundary than they say",
            "foundBoundaryDepth",
            (0..<200).map {
                "Content-Type: multipart/mixed; boundary=b\($0)\n\n--c\($0)\n"
            }.joined() + "\n" + String(repeating: "--x\n", count: 300_000)),
        Case(
            "100,000 fields", "fieldCount",
            String(repeating: "A: b\n", count: 100_000) + "\nx\n"),
        Case(
            "a field of 9 MB", "headerSizeInOctets",
            "Subject: " + String(repeating: "a b ", count: 2_300_000) + "\n\nx\n"),
        Case(
            "fields that look like delimiters behind a type with many parameters", "fieldCount",
            "Content-Type: multipart/mixed; boundary=q"
                + (0..<9_000).map { ";p\($0)=v" }.joined() + "\n"
                + String(repeating: "--a: b\n", count: 60_000)),
        Case(
            "types behind one with a long comment", "defectCount",
            "Content-Type: (" + String(repeating: "c", count: 1_000_000) + ") text/plain\n"
                + String(repeating: "Content-Type: x/y\n", count: 60_000)),
        Case("messages in each other, each in base64", "encodedContainerDepth", encoded(depth: 12)),
    ]

    private static func encoded(depth: Int) -> String {
        var message = "Subject: x\n\nhi\n"
        for _ in 0..<depth {
            message =
                "Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n"
                + String(decoding: Base64.encode(Array(message.utf8)), as: UTF8.self)
        }
        return message
    }

    @Test("are read up to a limit, which a defect names", arguments: cases)
    func limit(_ test: Case) {
        let message = Message(parsing: test.octets)
        #expect(message.defects.contains { $0.kind == .limitReached && $0.limit == test.limit })
        var size = 0
        for part in message.parts where part.kind == .leaf { size += part.bodyRange.count }
        #expect(size <= test.octets.count)
        #expect(message.octets.count == test.octets.count)
    }

    @Test("of near misses of a boundary have one part")
    func nearMisses() {
        let boundary = String(repeating: "a", count: 60)
        let start = "Content-Type: multipart/mixed; boundary=\(boundary)\n\n--\(boundary)\n\n"
        let line = "--" + boundary.dropLast() + "b\n"
        let text = start + String(repeating: line, count: 20_000)
        let parts = Array(Message(parsing: Array(text.utf8)).parts)
        #expect(parts.count == 2 && parts[1].bodyRange.count == text.utf8.count - start.utf8.count)
    }

    @Test("in encoded containers are unpacked up to a size")
    func containers() {
        var limits = MIMELimits()
        limits.encodedContainerSizeInOctets = 10
        let message = Message(parsing: Array(Self.encoded(depth: 1).utf8), limits: limits)
        #expect(message.defects.compactMap(\.limit) == ["encodedContainerSizeInOctets"])
        #expect(Array(message.parts).count == 1)
    }

    @Test("have a limit of what is said of one part, and of the addresses of all fields of a name")
    func fields() {
        let field = "To: " + String(repeating: "a,", count: 9_000) + "\n"
        let message = Message(parsing: Array((String(repeating: field, count: 5) + "\nx\n").utf8))
        let defects = message.root.allDefects()
        #expect(defects.count == MIMELimits.standard.defectCount + 1)
        #expect(defects.last?.limit == "defectCount")
        #expect(message.to.entries.count == 18_000)
    }
}
