import MartletBytes
import MartletTestSupport

/// How another program is told messages and tells what it reads in them: lines of a word and a size, each with so many
/// octets and a line end behind it. The record `end` is behind each message.
///
///     subject 5
///     Lunch
enum Records {
    struct Record {
        var word: String
        var octets: [UInt8]
        var text: String { MartletTestSupport.text(octets) }
    }

    static func written(_ messages: [[UInt8]]) -> [UInt8] {
        var all: [UInt8] = []
        for message in messages {
            all += Array("message \(message.count)\n".utf8) + message
            all.append(ASCII.lf)
        }
        return all
    }

    /// The records of each message.
    static func read(_ output: [UInt8]) throws -> [[Record]] {
        var messages: [[Record]] = []
        var records: [Record] = []
        var rest = output[...]
        while let end = rest.firstIndex(of: ASCII.lf) {
            let head = text(rest[..<end]).split(separator: " ")
            guard head.count == 2, let size = Int(head[1]), rest.endIndex - end >= size + 2 else {
                throw ReadingFailed(reason: "a record that is none: \(head)")
            }
            let octets = rest[(end + 1)..<(end + 1 + size)]
            rest = rest[(octets.endIndex + 1)...]
            if head[0] == "end" {
                messages.append(records)
                records = []
            } else {
                records.append(Record(word: String(head[0]), octets: Array(octets)))
            }
        }
        return messages
    }

    /// Runs a program that is told where to find the messages and where to write the records.
    static func ask(_ program: [String], _ messages: [[UInt8]]) async throws -> [[Record]] {
        let folder = try TemporaryFolder("records")
        defer { folder.remove() }
        let (input, output) = (folder.path + "/in", folder.path + "/out")
        try write(written(messages), toFile: input)
        let command = try await Command.run(program + [input, output])
        guard command.status == 0 else { throw ReadingFailed(reason: command.output) }
        let answers = try read(try octets(ofFile: output))
        guard answers.count == messages.count else {
            throw ReadingFailed(reason: "\(answers.count) answers")
        }
        return answers
    }

    struct ReadingFailed: Error { var reason: String }
}
