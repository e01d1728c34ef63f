extension CommandTable {
    /// The help of a command, wrapped at `columns`; `nil` where there is no such command.
    public func help(for path: [String], columns: Int = 80) -> String? {
        guard let command = command(at: path) else { return nil }
        var text = HelpText(columns: max(columns, 40))
        text.usage(synopses(of: command, at: path))
        text.paragraph(command.summary + ".")
        for paragraph in command.discussion { text.paragraph(paragraph) }
        if command.subcommands.isEmpty {
            text.list("Arguments", command.arguments.map { entry($0.definition) })
            text.lists(
                command.groups.map { ($0.title, $0.options.map { entry($0.definition) }) }
                    + [("Other", [("-h, --help", "Show this help.")])])
        } else {
            text.list("Commands", commandEntries(below: path))
            let version = path.isEmpty ? [("    --version", "Show the version.")] : []
            text.list("Options", version + [("-h, --help", "Show the help of any command.")])
        }
        text.examples(command.examples)
        let codes = command.exitStatuses.map { "\($0.code)" }
        let width = codes.map(\.count).max() ?? 0
        text.list(
            "Exit status",
            zip(codes, command.exitStatuses).map { code, status in
                (String(repeating: " ", count: width - code.count) + code, status.meaning)
            })
        return text.text
    }

    /// The ways to write a command, each with its full name in front.
    func synopses(of command: CommandDefinition, at path: [String]) -> [String] {
        let name = ([root.name] + path).joined(separator: " ")
        guard command.synopses.isEmpty else { return command.synopses.map { "\(name) \($0)" } }
        guard command.subcommands.isEmpty else { return ["\(name) COMMAND [options]"] }
        let required = command.options.filter(\.isRequired).map(\.signature)
        let optional = command.options.count > required.count ? ["[options]"] : []
        let arguments = command.arguments.map(\.definition).map {
            $0.isRequired ? $0.placeholder : "[\($0.placeholder)]"
        }
        return [([name] + required + optional + arguments).joined(separator: " ")]
    }

    /// Names and summaries of the commands that do something.
    func commandEntries(below path: [String]) -> [(String, String)] {
        leaves.filter { $0.path.starts(with: path) }.map {
            ($0.path.dropFirst(path.count).joined(separator: " "), $0.command.summary + ".")
        }
    }

    private func entry(_ option: OptionDefinition) -> (String, String) {
        ((option.short.map { "-\($0), " } ?? "    ") + option.signature, option.fullHelp)
    }

    private func entry(_ argument: ArgumentDefinition) -> (String, String) {
        (argument.placeholder, sentences(argument.help, argument.allowed))
    }
}

extension OptionDefinition {
    /// The help with everything the table knows beside it.
    var fullHelp: String {
        sentences(
            help, allowed, defaultText.map { "Default: \($0)." } ?? "",
            isRepeatable ? "May be repeated." : "", isRequired ? "Required." : "")
    }
}

/// The parts that hold something, with a space between.
private func sentences(_ parts: String...) -> String {
    parts.filter { !$0.isEmpty }.joined(separator: " ")
}

/// Text that grows by paragraphs and lists of a term and its meaning.
private struct HelpText {
    /// Where a meaning may begin; a longer term has a line of its own.
    private static let lastColumn = 28

    let columns: Int
    var text = ""

    mutating func usage(_ synopses: [String]) {
        for (index, synopsis) in synopses.enumerated() {
            let label = index == 0 ? "Usage: " : "       "
            let lines = wrapped(synopsis, at: columns - 11)
            text += label + lines[0] + "\n"
            for line in lines.dropFirst() { text += "           " + line + "\n" }
        }
    }

    mutating func paragraph(_ words: String) {
        text += "\n" + wrapped(words, at: columns).joined(separator: "\n") + "\n"
    }

    mutating func list(_ title: String, _ entries: [(String, String)]) {
        lists([(title, entries)])
    }

    /// Lists whose meanings begin at the same column.
    mutating func lists(_ lists: [(title: String, entries: [(String, String)])]) {
        let terms = lists.flatMap { $0.entries.map(\.0.count) }
        let column = (terms.filter { $0 + 4 <= Self.lastColumn }.max() ?? 0) + 4
        for list in lists { add(list.title, list.entries, column) }
    }

    private mutating func add(_ title: String, _ entries: [(String, String)], _ column: Int) {
        guard !entries.isEmpty else { return }
        text += "\n\(title):\n"
        for (term, meaning) in entries {
            let lines = wrapped(meaning, at: columns - column)
            let padding = column - 2 - term.count
            if padding >= 2 {
                text += "  " + term + String(repeating: " ", count: padding) + lines[0] + "\n"
            } else {
                text += "  " + term + "\n" + String(repeating: " ", count: column) + lines[0] + "\n"
            }
            for line in lines.dropFirst() {
                text += String(repeating: " ", count: column) + line + "\n"
            }
        }
    }

    mutating func examples(_ examples: [CommandDefinition.Example]) {
        guard !examples.isEmpty else { return }
        text += "\nExamples:\n"
        for (index, example) in examples.enumerated() {
            if index > 0 { text += "\n" }
            text += "  \(example.purpose):\n"
            let lines = example.line.split(separator: "\n")
            for line in lines { text += "      \(line)\n" }
        }
    }
}

/// Lines of at most `width` characters, cut at spaces; a longer word gets its own line.
func wrapped(_ text: String, at width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
        if line.isEmpty {
            line = String(word)
        } else if line.count + 1 + word.count <= width {
            line += " " + word
        } else {
            lines.append(line)
            line = String(word)
        }
    }
    return lines + [line]
}
