import MartletBytes
import MartletTestSupport
import Testing

@testable import MartletMIME

extension [Records.Record] {
    fileprivate func texts(_ words: String...) -> [String] {
        filter { words.contains($0.word) }.map(\.text)
    }
    fileprivate var contents: [[UInt8]] { filter { $0.word == "body" }.map(\.octets) }

    /// The names and content IDs of the leaves that have a disposition, but for those of attached messages.
    fileprivate var files: [[String]] {
        var depth = 0
        let outside = filter { record in
            depth += record.word == "inside" ? 1 : record.word == "outside" ? -1 : 0
            return depth == 0
        }
        return outside.split { $0.word == "part" }.compactMap { part in
            guard part.contains(where: { $0.word == "disposition" }) else { return nil }
            let values = ["name", "id"].compactMap { word in part.first { $0.word == word }?.text }
            return values.isEmpty ? nil : values
        }
    }
}

@Suite("GMime")
struct GMimeComparisonTests {
    @Test(
        "reads every message as it was composed",
        .gmime)
    func agrees() async throws {
        let messages = try (UInt64(0)..<400).map { seed in
            var generator = RandomMessage(seed: seed)
            return try generator.make()
        }
        let answers = try await GMime.read(
            try messages.enumerated().map { seed, message in
                let options = RenderingOptions(allows8Bit: seed % 5 == 0)
                return try #require(try message.rendered(options).octetsInMemory)
            })
        try #require(answers.count == messages.count)
        var comparedWords = 0
        for (seed, (message, answer)) in zip(messages, answers).enumerated() {
            let seed = Comment("seed \(seed)")
            // It knows no time before 1970.
            let seconds = message.date!.secondsSinceEpoch
            #expect(answer.texts("date") == (seconds < 0 ? [] : [String(seconds)]), seed)
            let groups = message.toGroups + message.ccGroups
            let mailboxes =
                message.to + message.toGroups.flatMap(\.members) + message.cc
                + message.ccGroups.flatMap(\.members)
            #expect(answer.texts("to", "cc") == mailboxes.map(\.addrSpec), seed)
            try compareFiles(message, answer, seed)
            // It stops at the padding of a base64 word that another follows. That cannot always be helped where
            // characters have so many octets that two do not fit a word.
            let names = mailboxes.map { $0.displayName ?? "" }
            let hasLongCharacters = ([message.subject] + names + groups.map(\.name)).contains {
                text in
                text.count { $0.utf8.count > 21 } > 1
            }
            if hasLongCharacters { continue }
            comparedWords += 1
            #expect(answer.texts("subject") == [message.subject], seed)
            // It keeps the folds between the words of a group's name.
            let groupNames = answer.texts("to-group", "cc-group").map {
                $0.replacing("\r\n", with: "")
            }
            #expect(groupNames == groups.map(\.name), seed)
            #expect(answer.texts("to-name", "cc-name") == names, seed)
        }
        #expect(comparedWords > 300)
    }

    private func compareFiles(
        _ message: OutgoingMessage, _ answer: [Records.Record], _ seed: Comment
    ) throws {
        var view = try MessageView(message)
        view.files.removeAll { $0.type == "message/rfc822" }
        var files = view.files.map { [$0.name, $0.contentID?.text ?? ""] }
        if let name = message.calendar?.fileName { files.append([name, ""]) }
        #expect(answer.files == files, seed)
        // The octets of every file are among the contents, which have the texts too.
        for file in view.files { #expect(answer.contents.contains(file.octets ?? []), seed) }
        for body in [message.text, message.html, message.ampHTML, message.calendar?.text]
            .compactMap({ $0 })
        {
            let octets = canonicalLines(body.utf8)
            let isThere = answer.contents.contains { $0 == octets || $0 == octets + [13, 10] }
            #expect(isThere, seed)
        }
    }
}
