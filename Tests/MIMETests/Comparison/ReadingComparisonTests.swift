import MartletTestSupport
import Testing

@testable import MartletMIME

@Suite("Messages as others read them")
struct ReadingComparisonTests {
    static func messages() throws -> [(name: String, octets: [UInt8])] {
        let seeds = try FuzzSeeds.names(of: "Message").map {
            ("seed " + $0, try FuzzSeeds.octets($0, of: "Message"))
        }
        return try seeds + CorpusMessages.paths().map { ($0, try Corpus.octets($0)) }
    }

    @Test(
        "are read alike by CPython, but for what rules explain", .python("email", version: "3.11"))
    func python() async throws {
        let messages = try Self.messages()
        let program = ["python3", "-c", PythonReader.source]
        let answers = try await Records.ask(program, messages.map(\.octets))
        try compare(messages, answers, with: "CPython", ReadingRule.python + ReadingRule.common)
    }

    @Test("are read alike by GMime, but for what rules explain", .gmime)
    func gmime() async throws {
        let messages = try Self.messages()
        let answers = try await GMime.read(messages.map(\.octets))
        try compare(messages, answers, with: "GMime", ReadingRule.gmime + ReadingRule.common)
    }

    /// Every disagreement is explained by a rule, or by a row of `Differences.md` for that message.
    private func compare(
        _ messages: [(name: String, octets: [UInt8])], _ answers: [[Records.Record]],
        with program: String, _ rules: [ReadingRule]
    ) throws {
        var used: Set<String> = []
        var rest: [(message: String, aspect: String, details: String)] = []
        for ((name, octets), records) in zip(messages, answers) {
            let message = Message(parsing: octets)
            for found in Disagreement.all(in: message, Reading(records)) {
                if let rule = rules.first(where: { $0.explains(found) }) {
                    used.insert(rule.reason)
                } else {
                    rest.append((name, found.aspect.name, found.description))
                }
            }
        }
        try DifferenceTable(program).check(rest, among: Set(messages.map(\.name)))
        if Corpus.folder != nil {
            for rule in rules { #expect(used.contains(rule.reason), "\(rule.reason)") }
        }
    }
}
