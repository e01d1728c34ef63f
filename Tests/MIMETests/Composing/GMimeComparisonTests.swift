import Foundation
import MartletBytes
import MartletTestSupport
import Testing

@testable import MartletMIME

/// GMime as a second opinion: a small program around it, compiled for the test.
private enum GMime {
    struct Answer {
        var values: [(word: String, text: [UInt8])] = []

        func texts(_ words: String...) -> [String] {
            values.filter { words.contains($0.word) }.map {
                String(decoding: $0.text, as: UTF8.self)
            }
        }
        var contents: [[UInt8]] { values.filter { $0.word == "content" }.map(\.text) }
    }

    /// `pkg-config`'s answer for GMime; `nil` where it, GMime's headers or a C compiler is missing.
    static let flags: [String]? = {
        guard
            let flags = try? run(
                "/usr/bin/env", ["pkg-config", "--cflags", "--libs", "gmime-3.0"]),
            (try? run("/usr/bin/env", ["cc", "--version"])) != nil
        else { return nil }
        return text(flags).split { $0 == " " || $0 == "\n" }.map(String.init)
    }()

    static func read(_ messages: [[UInt8]]) throws -> [Answer] {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("martlet-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let source = folder.appendingPathComponent("reader.c")
        let program = folder.appendingPathComponent("reader")
        try Data(GMimeReader.source.utf8).write(to: source)
        _ = try run(
            "/usr/bin/env", ["cc", "-O1", "-o", program.path, source.path] + (flags ?? []))
        let lines = messages.map { message in
            var line: [UInt8] = []
            for octet in message { Hex.append(octet, to: &line) }
            return line + [ASCII.lf]
        }
        let input = folder.appendingPathComponent("in")
        try Data(lines.joined()).write(to: input)
        return answers(in: try run(program.path, [], input: input))
    }

    private static func answers(in output: [UInt8]) -> [Answer] {
        var answers: [Answer] = []
        var answer = Answer()
        for line in output.split(separator: ASCII.lf) {
            if line.elementsEqual(".".utf8) {
                answers.append(answer)
                answer = Answer()
                continue
            }
            let word = line.prefix { $0 != ASCII.space }
            let value = line.dropFirst(word.count + 1)
            let digits = value.first == UInt8(ascii: "h") ? value.dropFirst() : []
            var octets: [UInt8] = value.first == UInt8(ascii: "h") ? [] : Array(value)
            var index = digits.startIndex
            while index + 1 < digits.endIndex {
                octets.append(
                    UInt8(String(decoding: digits[index...(index + 1)], as: UTF8.self), radix: 16)!)
                index += 2
            }
            answer.values.append((text(word), octets))
        }
        return answers
    }

    /// What a program prints. Throws when it fails.
    private static func run(
        _ program: String, _ arguments: [String], input: URL? = nil
    ) throws -> [UInt8] {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        let output = FileManager.default.temporaryDirectory
            .appendingPathComponent("martlet-\(UUID().uuidString)")
        try Data().write(to: output)
        defer { try? FileManager.default.removeItem(at: output) }
        process.standardInput = try input.map { try FileHandle(forReadingFrom: $0) } ?? .nullDevice
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationReason == .exit, process.terminationStatus == 0 else {
            throw CocoaError(.executableLoad)
        }
        return [UInt8](try Data(contentsOf: output))
    }
}

@Suite("GMime")
struct GMimeComparisonTests {
    @Test(
        "reads every message as it was composed",
        .enabled(
            if: GMime.flags != nil, "libgmime-3.0-dev, pkg-config or cc is not on this machine"))
    func agrees() throws {
        let messages = try (UInt64(0)..<400).map { seed in
            var generator = RandomMessage(seed: seed)
            return try generator.make()
        }
        let answers = try GMime.read(
            try messages.enumerated().map { seed, message in
                let options = RenderingOptions(allows8Bit: seed % 5 == 0)
                return try #require(try message.rendered(options).octetsInMemory)
            })
        try #require(answers.count == messages.count)
        var comparedWords = 0
        for (seed, (message, answer)) in zip(messages, answers).enumerated() {
            let seed = Comment("seed \(seed)")
            // It knows no time before 1970.
            let seconds = max(0, message.date!.secondsSinceEpoch)
            #expect(answer.texts("date") == [String(seconds)], seed)
            let groups = message.toGroups + message.ccGroups
            let mailboxes =
                message.to + message.toGroups.flatMap(\.members) + message.cc
                + message.ccGroups.flatMap(\.members)
            #expect(answer.texts("address") == mailboxes.map(\.addrSpec), seed)
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
            let groupNames = answer.texts("group").map { $0.replacing("\r\n", with: "") }
            #expect(groupNames == groups.map(\.name), seed)
            #expect(answer.texts("name") == names, seed)
        }
        #expect(comparedWords > 300)
    }

    private func compareFiles(
        _ message: OutgoingMessage, _ answer: GMime.Answer, _ seed: Comment
    ) throws {
        var view = try MessageView(message)
        view.files.removeAll { $0.type == "message/rfc822" }
        var files = view.files.map { [$0.name, $0.contentID?.text ?? ""] }
        if let name = message.calendar?.fileName { files.append([name, ""]) }
        let read = zip(answer.texts("file"), answer.texts("id")).map { [$0, $1] }
        #expect(read == files, seed)
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
