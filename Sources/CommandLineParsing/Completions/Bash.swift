extension CommandTable {
    var bashCompletion: String {
        let function = "_" + root.name.replacing("-", with: "_")
        var script = """
            # Completion of \(root.name) for bash. Load it with: source <(\(root.name) completions bash)
            \(function)() {
                local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
                local path=\(root.name) index
                # bash takes "--name=value" for three words.
                if [[ $current == = ]]; then
                    current=
                elif [[ $previous == = ]]; then
                    previous=${COMP_WORDS[COMP_CWORD - 2]}
                fi
                for ((index = 1; index < COMP_CWORD; index++)); do
                    case "$path ${COMP_WORDS[index]}" in

            """
        let paths = allCommands.map(\.path).filter { !$0.isEmpty } + [["help"]]
        let patterns = paths.map { "'\(words($0))'" }.joined(separator: " | \\\n            ")
        script += "            \(patterns)) path=\"$path ${COMP_WORDS[index]}\" ;;\n"
        script += "        esac\n    done\n    local IFS=$'\\n'\n    case \"$path $previous\" in\n"
        for (path, command) in leaves {
            for option in command.options where option.placeholder != nil {
                let offer = offer(option.completion)
                let action = offer.isEmpty ? "" : offer + "; "
                let names = [option.longName] + (option.short.map { ["-\($0)"] } ?? [])
                let pattern = names.map { "'\(words(path)) \($0)'" }.joined(separator: " | ")
                script += "        \(pattern))\n            \(action)return ;;\n"
            }
        }
        script += "    esac\n    case \"$path\" in\n"
        for (path, command) in allCommands {
            script += "        '\(words(path))')\n"
            if command.subcommands.isEmpty {
                script += "            if [[ $current == -* ]]; then\n    "
                script += list(command.options.map(\.longName) + ["--help"])
                script += "            else\n    "
                let completion = command.arguments.first?.definition.completion ?? .none
                script +=
                    completion == .none ? "            :\n" : "            \(offer(completion))\n"
                script += "            fi ;;\n"
            } else {
                let options = path.isEmpty ? ["--help", "--version"] : ["--help"]
                script += list(completedCommands(at: path, of: command).map(\.0) + options)
                script += "            ;;\n"
            }
        }
        script += "        '\(words(["help"]))')\n" + list(root.subcommands.map(\.name))
        return script + "            ;;\n    esac\n}\ncomplete -F \(function) \(root.name)\n"
    }

    private func list(_ words: [String]) -> String {
        "            \(offer(.words(words)))\n"
    }

    private func offer(_ completion: Completion) -> String {
        switch completion {
        case .none: ""
        case .files:
            "compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- \"$current\"))"
        case .folders:
            "compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- \"$current\"))"
        case .hosts: "COMPREPLY=($(compgen -A hostname -- \"$current\"))"
        case .programs: "COMPREPLY=($(compgen -c -- \"$current\"))"
        case .words(let words):
            "COMPREPLY=($(compgen -W $'\(words.joined(separator: "\\n"))' -- \"$current\"))"
        }
    }
}
