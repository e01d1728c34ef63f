import MartletCommandLineParsing
import MartletPOP3

/// Options that several commands of `martlet pop3` have.
enum POP3Options {
    static let json = Switch(
        "json", help: "Print the result as JSON on standard output, errors too.")

    /// A command with what all of them share.
    static func definition(
        _ name: String, _ summary: String, _ discussion: String...,
        groups own: CommandDefinition.Group...
    ) -> CommandDefinition {
        var command = CommandDefinition(name: name, summary: summary)
        command.discussion = discussion
        command.groups =
            [ConnectionOptions.pop3.group, PasswordOptions.group] + own
            + [.init("Output", [json, ConnectionOptions.logsWire])]
        command.exclusions = [PasswordOptions.sources]
        command.refused = [PasswordOptions.refused]
        command.exitStatuses = ExitStatus.ofIMAP.rows(meaning: ExitStatus.meaningsOfIMAP)
        return command
    }
}

/// Messages by number, such as `1,3:5` or `2:*`.
struct MessageNumbers: Sendable {
    private var ranges: [ClosedRange<Int>] = []

    /// Numbers in one command line, at most.
    static let limit = 1_000_000

    init?(_ text: String) {
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let ends = part.split(separator: ":", omittingEmptySubsequences: false)
            guard (1...2).contains(ends.count), let first = Self.number(ends[0]),
                let last = ends.count == 1 ? first : ends[1] == "*" ? .max : Self.number(ends[1]),
                first <= last
            else { return nil }
            ranges.append(first...last)
        }
    }

    private static func number(_ text: Substring) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let number = Int(text), number > 0
        else { return nil }
        return number
    }

    /// Those of the messages that are named, in their order.
    func chosen(from messages: [MaildropMessage]) -> [MaildropMessage] {
        messages.filter { message in ranges.contains { $0.contains(message.number) } }
    }
}

extension ValueKind where Value == MessageNumbers {
    /// Messages by number.
    static var messageNumbers: Self {
        Self(placeholder: "NUMBERS") { text throws(ValueProblem) in
            guard let numbers = MessageNumbers(text) else {
                throw ValueProblem("is not numbers: they look like 1 or 1,3:5 or 2:*")
            }
            return numbers
        }
    }
}
