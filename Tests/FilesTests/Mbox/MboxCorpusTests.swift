import Foundation
import MartletBytes
import MartletFiles
import MartletMIME
import MartletTestSupport
import Testing

/// Against the offsets that MimeKit's own tests expect of its mailboxes.
@Suite("Mbox corpus", .corpus("mimekit/mbox"), .corpus("mailcore2/parser/input/mbox"))
struct MboxCorpusTests {
    /// One message as MimeKit's list of offsets has it.
    private struct Entry: Decodable {
        var mboxMarkerOffset: Int
        var beginOffset: Int
        var endOffset: Int
    }

    private let folder = Corpus.path("mimekit/mbox/")

    private func octets(_ name: String, crlf: Bool) throws -> Octets {
        let octets = try WholeFile.read(folder + name + ".mbox.txt", limitInOctets: 1 << 24)
        guard crlf else { return Octets(octets) }
        return Octets(octets.flatMap { $0 == 10 ? [13, 10] : [$0] })
    }

    @Test(
        "has the offsets that MimeKit gives", arguments: ["content-length", "issue1189"],
        [false, true])
    func offsets(name: String, crlf: Bool) throws {
        let json = folder + name + (crlf ? ".dos" : ".unix") + "-offsets.json"
        let entries = try JSONDecoder().decode(
            [Entry].self, from: Data(contentsOf: URL(fileURLWithPath: json)))
        let messages = try allMessages(MboxReader(octets(name, crlf: crlf)))
        #expect(messages.map(\.separatorRange.lowerBound) == entries.map(\.mboxMarkerOffset))
        #expect(messages.map(\.range.lowerBound) == entries.map(\.beginOffset))
        #expect(messages.map(\.range.upperBound) == entries.map(\.endOffset))
    }

    @Test(
        "has the same offsets where Content-Length counts: wrong ones are passed over",
        arguments: [MboxVariant.mboxcl, .mboxcl2])
    func contentLength(variant: MboxVariant) throws {
        let octets = try octets("content-length", crlf: false)
        #expect(
            try allMessages(MboxReader(octets, variant: variant)) == allMessages(MboxReader(octets))
        )
    }

    @Test("has sentences that begin with From inside of messages", arguments: [false, true])
    func unmunged(crlf: Bool) throws {
        let octets = try octets("unmunged", crlf: crlf)
        let messages = try allMessages(MboxReader(octets))
        #expect(messages.count == 2)
        #expect(messages.first?.separatorRange.lowerBound == 3)
        #expect(messages.last?.range.upperBound == octets.count)
    }

    @Test("has messages without an empty line between them")
    func simple() throws {
        #expect(try allMessages(MboxReader(octets("simple", crlf: false))).count == 3)
    }

    @Test(
        "gives mailcore2's messages back as they were written",
        arguments: [MboxVariant.mboxrd, .mboxcl2], ["simple", "jwz"])
    func writtenAgain(variant: MboxVariant, name: String) async throws {
        let scratch = try Scratch()
        let folder = Corpus.path("mailcore2/parser/input/mbox/" + name)
        var written: [[UInt8]] = []
        var writer = try MboxWriter(
            path: scratch.file("mbox"), variant: variant, lineEnds: .unchanged)
        for file in try FileManager.default.contentsOfDirectory(atPath: folder).sorted() {
            let octets = try WholeFile.read(folder + "/" + file, limitInOctets: 1 << 24)
            written.append(octets)
            try await writer.append(
                OctetArray(octets), sender: "a@b.test", date: MailDate(secondsSinceEpoch: 0))
        }
        try writer.close()
        let reader = try MboxReader(path: scratch.file("mbox"), variant: variant)
        let read = try allMessages(reader).map { message in
            let octets = try reader.octets(of: message, unescaping: true)
            return octets[0..<octets.count]
        }
        #expect(read.count == written.count && written.count >= 3)
        for (read, written) in zip(read, written) {
            if variant == .mboxrd {
                #expect(read == written || read == written + [10])
            } else {
                // The field in front of the body is the writer's own.
                #expect(read.suffix(100) == written.suffix(100))
            }
        }
    }
}
