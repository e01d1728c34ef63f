import MartletCommandLineParsing

/// A subcommand: its row in the table and what it does.
protocol CommandRunner: Sendable {
    /// What parsing, help, completions and manual are made from.
    static var definition: CommandDefinition { get }

    /// Does it.
    ///
    /// - Throws: any error that `CommandFailure.init(_:)` has words and a number for.
    static func run(_ parsed: ParsedCommand, _ console: Console) async throws -> ExitStatus
}

extension [ExitStatus] {
    /// As rows of the help.
    var rows: [CommandDefinition.ExitStatus] { rows(meaning: [:]) }

    /// As rows of the help of a command that has words of its own.
    func rows(meaning: [ExitStatus: String]) -> [CommandDefinition.ExitStatus] {
        map { CommandDefinition.ExitStatus($0.rawValue, meaning[$0] ?? $0.meaning) }
    }
}
