/// A shell that completion scripts are made for.
public enum Shell: String, Sendable, CaseIterable {
    /// GNU bash, from 3.2 on.
    case bash
    /// Z shell with its completion system.
    case zsh
    /// fish, from 3.0 on.
    case fish
}

extension CommandTable {
    /// A script that teaches a shell the commands, options and values of this table.
    public func completionScript(for shell: Shell) -> String {
        switch shell {
        case .bash: bashCompletion
        case .zsh: zshCompletion
        case .fish: fishCompletion
        }
    }

    /// The words of the program's name and of a path, joined.
    func words(_ path: [String], separator: String = " ") -> String {
        ([root.name] + path).joined(separator: separator)
    }

    /// The commands under the root as a person types them, with `help`.
    func completedCommands(at path: [String], of command: CommandDefinition) -> [(String, String)] {
        let help = path.isEmpty ? [("help", "Show the help of a command")] : []
        return command.subcommands.map { ($0.name, $0.summary) } + help
    }
}

/// The first sentence, without its full stop.
func firstSentence(_ text: String) -> String {
    let end = text.firstRange(of: ". ")?.lowerBound ?? text.endIndex
    let sentence = text[..<end]
    return String(sentence.hasSuffix(".") ? sentence.dropLast() : sentence)
}

/// The text in single quotes, as POSIX shells read it.
func singleQuoted(_ text: String) -> String {
    "'" + text.replacing("'", with: #"'\''"#) + "'"
}
