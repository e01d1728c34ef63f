import Foundation
import MartletBytes
import MartletFiles
import Testing

/// Where other projects' test data is, if it is anywhere.
let corpus = ProcessInfo.processInfo.environment["MARTLET_CORPUS"]

/// Against the offsets that MimeKit's own tests expect of its mailboxes.
@Suite(
    "Mbox corpus",
    .enabled(if: corpus != nil, "MARTLET_CORPUS does not name a folder of test data"))
struct MboxCorpusTests {
    /// One message as MimeKit's list of offsets has it.
    private struct Entry: Decodable {
        var mboxMarkerOffset: Int
        var beginOffset: Int
        var endOffset: Int
    }

    private let folder = (corpus ?? "") + "/mimekit/mbox/"

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
        "has the same offsets where Content-Length counts, but for the one body that is longer than it",
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
}
