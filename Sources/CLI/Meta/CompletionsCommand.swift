import MartletCommandLineParsing

/// `martlet completions`: a script that teaches a shell the commands.
enum CompletionsCommand: CommandRunner {
    private static let shell = Argument<Shell>(
        .choice("SHELL"), isRequired: true, help: "The shell the script is for.")

    static var definition: CommandDefinition {
        var definition = CommandDefinition(
            name: "completions", summary: "Print a completion script for a shell")
        definition.arguments = [shell]
        definition.examples = [
            .init("Load it into the running bash or zsh", "source <(martlet completions bash)"),
            .init("Load it into the running fish", "martlet completions fish | source"),
            .init(
                "Keep it for zsh, in a folder of $fpath",
                "martlet completions zsh >~/.zfunc/_martlet"),
        ]
        return definition
    }

    static func run(_ parsed: ParsedCommand, _ console: Console) -> ExitStatus {
        if let shell = parsed[shell] {
            console.output(text: Program.table.completionScript(for: shell))
        }
        return .success
    }
}
