/// A command line that was understood.
public enum Invocation: Sendable {
    /// Run this command.
    case run(ParsedCommand)
    /// Print the help of the command at this path.
    case help(path: [String])
    /// Print the version.
    case version
}

/// A command with the values it was given.
public struct ParsedCommand: Sendable {
    /// The command's names below the program's own: `["check", "smtp"]`.
    public let path: [String]
    let fullName: String
    var values: [String: [any Sendable]] = [:]
    var flags: Set<String> = []
    var arguments: [String: any Sendable] = [:]

    init(path: [String], fullName: String) {
        self.path = path
        self.fullName = fullName
    }

    /// The value of an option, or its default; the last one of several.
    public subscript<Value>(option: Option<Value>) -> Value? {
        values[option.definition.name]?.last as? Value ?? option.defaultValue
    }

    /// All values of an option, in their order.
    public func all<Value>(_ option: Option<Value>) -> [Value] {
        values[option.definition.name]?.compactMap { $0 as? Value } ?? []
    }

    /// Whether a flag was given.
    public subscript(flag: Switch) -> Bool { flags.contains(flag.definition.name) }

    /// The value of an argument.
    public subscript<Value>(argument: Argument<Value>) -> Value? {
        arguments[argument.definition.placeholder] as? Value
    }

    /// Whether an option or flag was given at all.
    public func isGiven(_ option: any OptionDeclaration) -> Bool {
        let name = option.definition.name
        return values[name] != nil || flags.contains(name)
    }

    /// The value of an option that the command needs.
    ///
    /// - Throws: `UsageError` where it was not given.
    public func required<Value>(_ option: Option<Value>) throws(UsageError) -> Value {
        guard let value = self[option] else {
            throw usageError("\(option.definition.longName) is missing.")
        }
        return value
    }

    /// An error about this command line, for rules that the table cannot express.
    public func usageError(_ message: String, suggestion: String? = nil) -> UsageError {
        UsageError(command: fullName, message: message, suggestion: suggestion)
    }
}
