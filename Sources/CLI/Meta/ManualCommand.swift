import MartletCommandLineParsing

/// `martlet manual`: the manual page.
enum ManualCommand: CommandRunner {
    static var definition: CommandDefinition {
        var definition = CommandDefinition(name: "manual", summary: "Print the manual page in roff")
        definition.examples = [
            .init("Read it", "martlet manual | man -l -"),
            .init("Install it", "martlet manual >/usr/local/share/man/man1/martlet.1"),
        ]
        return definition
    }

    static func run(_ parsed: ParsedCommand, _ console: Console) -> ExitStatus {
        console.output(text: Program.table.manualPage(date: Program.date))
        return .success
    }
}
