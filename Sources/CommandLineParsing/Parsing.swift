extension CommandTable {
    /// Understands the words after the program's name.
    ///
    /// - Throws: `UsageError`, which says what is wrong and what was probably meant. Values of
    ///   refused or unknown options are never repeated in it.
    public func parse(_ words: [String]) throws(UsageError) -> Invocation {
        var parser = Parser(table: self, words: words[...])
        return try parser.run()
    }
}

/// One pass over the words of a command line.
private struct Parser {
    let table: CommandTable
    var words: ArraySlice<String>
    var command: CommandDefinition
    var path: [String] = []
    var positional: [String] = []
    var parsed: ParsedCommand

    init(table: CommandTable, words: ArraySlice<String>) {
        self.table = table
        self.words = words
        command = table.root
        parsed = ParsedCommand(path: [], fullName: table.root.name)
    }

    mutating func run() throws(UsageError) -> Invocation {
        var optionsHaveEnded = false
        while let word = words.popFirst() {
            if optionsHaveEnded || word == "-" || !word.hasPrefix("-") {
                if command.subcommands.isEmpty {
                    positional.append(word)
                } else if word == "help", path.isEmpty {
                    return try helpRequest()
                } else {
                    try enter(word)
                }
            } else if word == "--" {
                optionsHaveEnded = true
            } else if word == "--help" || word == "-h" {
                return .help(path: path)
            } else if word == "--version", path.isEmpty {
                return .version
            } else if word.hasPrefix("--") {
                try long(word.dropFirst(2))
            } else {
                try short(word.dropFirst())
            }
        }
        guard command.subcommands.isEmpty else {
            let names = command.subcommands.map(\.name).joined(separator: ", ")
            throw error("a command is missing: one of \(names).")
        }
        try takeArguments()
        try checkWhole()
        return .run(parsed)
    }

    // MARK: Commands

    private mutating func enter(_ name: String) throws(UsageError) {
        guard let next = command.subcommands.first(where: { $0.name == name }) else {
            throw error(
                "there is no command \"\(name)\".",
                suggestion: nearest(to: name, among: command.subcommands.map(\.name)))
        }
        command = next
        path.append(name)
        parsed = ParsedCommand(path: path, fullName: fullName)
    }

    private mutating func helpRequest() throws(UsageError) -> Invocation {
        while let word = words.popFirst() {
            if word == "--help" || word == "-h" { continue }
            try enter(word)
        }
        return .help(path: path)
    }

    // MARK: Options

    private mutating func long(_ text: Substring) throws(UsageError) {
        let equals = text.firstIndex(of: "=")
        let name = text[..<(equals ?? text.endIndex)]
        let value = equals.map { String(text[text.index(after: $0)...]) }
        guard let option = command.options.first(where: { $0.name == name }) else {
            throw unknown(String(name), shown: "--\(name)")
        }
        if option.placeholder == nil {
            guard value == nil else { throw error("\(option.longName) takes no value.") }
            parsed.flags.insert(option.name)
        } else {
            let text = if let value { value } else { try nextValue(of: option) }
            try set(option, shown: option.longName, to: text)
        }
    }

    /// `-x`, `-xyz` for flags, `-xVALUE` or `-x VALUE` where a value is taken.
    private mutating func short(_ letters: Substring) throws(UsageError) {
        var letters = letters
        while let letter = letters.popFirst() {
            guard let option = command.options.first(where: { $0.short == letter }) else {
                throw unknown(String(letter), shown: "-\(letter)")
            }
            if option.placeholder == nil {
                parsed.flags.insert(option.name)
                continue
            }
            let value = letters.isEmpty ? try nextValue(of: option) : String(letters)
            return try set(option, shown: "-\(letter)", to: value)
        }
    }

    private mutating func nextValue(of option: OptionDefinition) throws(UsageError) -> String {
        guard let word = words.first, option.mayLookLikeAnOption || !isKnownOption(word) else {
            throw error("\(option.longName) needs a value: \(option.signature).")
        }
        words.removeFirst()
        return word
    }

    private func isKnownOption(_ word: String) -> Bool {
        guard word.hasPrefix("--") else { return false }
        let name = word.dropFirst(2).prefix { $0 != "=" }
        return name == "help" || command.options.contains { $0.name == name }
    }

    private mutating func set(
        _ option: OptionDefinition, shown: String, to text: String
    ) throws(UsageError) {
        guard option.isRepeatable || parsed.values[option.name] == nil else {
            throw error("\(option.longName) was given twice.")
        }
        do {
            parsed.values[option.name, default: []].append(try option.convert(text))
        } catch {
            throw problem(error, with: text, of: shown)
        }
    }

    private func unknown(_ name: String, shown: String) -> UsageError {
        if let refused = command.refused.first(where: { $0.names.contains(name) }) {
            return error("\(shown) is not taken: \(refused.explanation)")
        }
        if !command.subcommands.isEmpty {
            return error(
                "there is no option \"\(shown)\" here; options come after the command's name.")
        }
        let names = command.options.map(\.name) + ["help"]
        let suggestion = name.count > 1 ? nearest(to: name, among: names) : nil
        return error("there is no option \"\(shown)\".", suggestion: suggestion.map { "--\($0)" })
    }

    // MARK: The rest

    private mutating func takeArguments() throws(UsageError) {
        var rest = positional[...]
        for argument in command.arguments.map(\.definition) {
            guard let text = rest.popFirst() else { break }
            do {
                parsed.arguments[argument.placeholder] = try argument.convert(text)
            } catch {
                throw problem(error, with: text, of: argument.placeholder)
            }
        }
        guard let extra = rest.first else { return }
        throw error(
            "there is an argument too many, \"\(extra)\"; put quotes around values with spaces.")
    }

    private func checkWhole() throws(UsageError) {
        let options = command.options.filter { $0.isRequired && parsed.values[$0.name] == nil }
        let arguments = command.arguments.map(\.definition).filter {
            $0.isRequired && parsed.arguments[$0.placeholder] == nil
        }
        let missing = options.map(\.signature) + arguments.map(\.placeholder)
        guard missing.isEmpty else {
            throw error("\(list(missing)) \(missing.count == 1 ? "is" : "are") missing.")
        }
        for exclusion in command.exclusions {
            let given = exclusion.filter { parsed.isGiven($0) }.map(\.definition.longName)
            guard given.count < 2 else {
                throw error("\(list(given)) exclude each other: give one of them.")
            }
        }
    }

    // MARK: Errors

    private var fullName: String { ([table.root.name] + path).joined(separator: " ") }

    private func error(_ message: String, suggestion: String? = nil) -> UsageError {
        UsageError(command: fullName, message: message, suggestion: suggestion)
    }

    private func problem(_ problem: ValueProblem, with text: String, of name: String) -> UsageError
    {
        let shown = text.count > 60 ? text.prefix(60) + "…" : text[...]
        return error("\(name): \"\(shown)\" \(problem.words).", suggestion: problem.suggestion)
    }
}

/// "a", "a and b", "a, b and c".
func list(_ items: [String]) -> String {
    guard items.count > 1, let last = items.last else { return items.first ?? "" }
    return items.dropLast().joined(separator: ", ") + " and " + last
}
