extension CommandTable {
    var fishCompletion: String {
        let function = "__\(root.name.replacing("-", with: "_"))_path"
        let paths = allCommands.map(\.path).filter { !$0.isEmpty } + [["help"]]
        let cases = paths.map { "'\(words($0))'" }.joined(separator: " ")
        var script = """
            # Completion of \(root.name) for fish. Load it with: \(root.name) completions fish | source
            function \(function)
                set -l path \(root.name)
                for word in (commandline -opc)[2..-1]
                    switch "$path $word"
                        case \(cases)
                            set path "$path $word"
                    end
                end
                echo $path
            end
            complete -c \(root.name) -e
            complete -c \(root.name) -f

            """
        for (path, command) in allCommands {
            let start = "complete -c \(root.name) -n \"test (\(function)) = '\(words(path))'\""
            for (name, summary) in command.subcommands.isEmpty
                ? [] : completedCommands(at: path, of: command)
            {
                script += "\(start) -a \(name) -d \(quoted(summary))\n"
            }
            if path.isEmpty { script += "\(start) -l version -d 'Show the version'\n" }
            for option in command.options { script += "\(start) \(arguments(of: option))\n" }
            script += "\(start) -s h -l help -d 'Show the help'\n"
            if let argument = command.arguments.first?.definition {
                switch argument.completion {
                case .files: script += "\(start) -F\n"
                case .words(let words):
                    script += "\(start) -a \(quoted(words.joined(separator: " ")))\n"
                default: break
                }
            }
        }
        let names = root.subcommands.map(\.name).joined(separator: " ")
        return script
            + "complete -c \(root.name) -n \"test (\(function)) = '\(words(["help"]))'\" -a '\(names)'\n"
    }

    private func arguments(of option: OptionDefinition) -> String {
        let short = option.short.map { "-s \($0) " } ?? ""
        let value = option.placeholder == nil ? "" : value(of: option.completion)
        return "\(short)-l \(option.name)\(value) -d \(quoted(firstSentence(option.help)))"
    }

    private func value(of completion: Completion) -> String {
        switch completion {
        case .none: " -x"
        case .files: " -r -F"
        case .folders: " -x -a '(__fish_complete_directories)'"
        case .hosts: " -x -a '(__fish_print_hostnames)'"
        case .programs: " -x -a '(__fish_complete_command)'"
        case .words(let words): " -x -a \(quoted(words.joined(separator: " ")))"
        }
    }

    /// fish knows two escapes inside single quotes.
    private func quoted(_ text: String) -> String {
        "'" + text.replacing("\\", with: #"\\"#).replacing("'", with: #"\'"#) + "'"
    }
}
