extension CommandTable {
    var zshCompletion: String {
        var script = """
            #compdef \(root.name)
            # Completion of \(root.name) for zsh. Save it as _\(root.name) in a folder of $fpath, or load it
            # with: source <(\(root.name) completions zsh)

            """
        for (path, command) in allCommands.reversed() {
            script += command.subcommands.isEmpty ? leaf(path, command) : branch(path, command)
        }
        let function = functionName([])
        return script + """
            if [[ $funcstack[1] == \(function) ]]; then
                \(function) "$@"
            else
                compdef \(function) \(root.name)
            fi

            """
    }

    private func functionName(_ path: [String]) -> String { "_" + words(path, separator: "_") }

    private func leaf(_ path: [String], _ command: CommandDefinition) -> String {
        var specifications = command.options.map(specification)
        specifications.append("'(- *)'{-h,--help}'[Show this help]'")
        for (index, argument) in command.arguments.map(\.definition).enumerated() {
            specifications.append(
                "'\(index + 1):\(escaped(argument.placeholder)):\(action(argument.completion))'")
        }
        let lines = specifications.joined(separator: " \\\n        ")
        return "\(functionName(path))() {\n    _arguments -s \\\n        \(lines)\n}\n"
    }

    private func branch(_ path: [String], _ command: CommandDefinition) -> String {
        let entries = completedCommands(at: path, of: command).map { name, summary in
            singleQuoted("\(name):\(summary)")
        }
        var script = "\(functionName(path))() {\n"
        script += "    local line state\n    local -a commands\n    _arguments -C \\\n"
        if path.isEmpty { script += "        '(- *)--version[Show the version]' \\\n" }
        script += "        '(- *)'{-h,--help}'[Show the help of any command]' \\\n"
        script += "        '1: :->command' '*:: :->rest'\n    case $state in\n"
        script += "        command)\n            commands=(\n"
        script += entries.map { "                \($0)\n" }.joined()
        script += "            )\n            _describe command commands ;;\n"
        script += "        rest)\n            case $line[1] in\n"
        for child in command.subcommands {
            script += "                \(child.name)) \(functionName(path + [child.name])) ;;\n"
        }
        if path.isEmpty {
            let names = command.subcommands.map(\.name).joined(separator: " ")
            script += "                help) _arguments '1:command:(\(names))' ;;\n"
        }
        return script + "            esac ;;\n    esac\n}\n"
    }

    private func specification(_ option: OptionDefinition) -> String {
        let star = option.isRepeatable ? "*" : ""
        let help = "[" + escaped(firstSentence(option.help)) + "]"
        let long = option.placeholder == nil ? option.longName : option.longName + "="
        let value = option.placeholder.map { ":\(escaped($0)):\(action(option.completion))" } ?? ""
        guard let short = option.short else { return "'\(star)\(long)\(help)\(value)'" }
        let exclusive = option.isRepeatable ? "'*'" : "'(-\(short) \(option.longName))'"
        let shortForm = option.placeholder == nil ? "-\(short)" : "-\(short)+"
        return "\(exclusive){\(shortForm),\(long)}'\(help)\(value)'"
    }

    private func action(_ completion: Completion) -> String {
        switch completion {
        case .none: " "
        case .files: "_files"
        case .folders: "_files -/"
        case .hosts: "_hosts"
        case .programs: "_command_names -e"
        case .words(let words): "(\(words.joined(separator: " ")))"
        }
    }

    /// Escapes what `_arguments` gives a meaning to, for a text inside single quotes.
    private func escaped(_ text: String) -> String {
        var escaped = ""
        for character in text {
            if "[]:\\".contains(character) { escaped += "\\" }
            escaped += character == "'" ? #"'\''"# : String(character)
        }
        return escaped
    }
}
