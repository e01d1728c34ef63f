/// One command in the table: everything that parsing, help, completions and manual are made from.
public struct CommandDefinition: Sendable {
    /// Options under one heading of the help.
    public struct Group: Sendable {
        /// The heading.
        public var title: String
        /// The options in the order of the help.
        public var options: [any OptionDeclaration]

        /// Makes a group.
        public init(_ title: String, _ options: [any OptionDeclaration]) {
            self.title = title
            self.options = options
        }
    }

    /// A command line to copy.
    public struct Example: Sendable {
        /// What it does, without a full stop.
        public var purpose: String
        /// The command line.
        public var line: String

        /// Makes an example.
        public init(_ purpose: String, _ line: String) {
            self.purpose = purpose
            self.line = line
        }
    }

    /// A number that the program ends with.
    public struct ExitStatus: Sendable {
        /// The number.
        public var code: Int32
        /// When it is given.
        public var meaning: String

        /// Makes an exit status.
        public init(_ code: Int32, _ meaning: String) {
            self.code = code
            self.meaning = meaning
        }
    }

    /// The word that calls it.
    public var name: String
    /// What it does, in a few words without a full stop.
    public var summary: String
    /// Paragraphs for its help.
    public var discussion: [String] = []
    /// Ways to write it, without the command's own name; empty: made from the options.
    public var synopses: [String] = []
    /// Its options.
    public var groups: [Group] = []
    /// Its arguments in their order.
    public var arguments: [any ArgumentDeclaration] = []
    /// Sets of options of which only one may be given.
    public var exclusions: [[any OptionDeclaration]] = []
    /// Names to refuse with advice.
    public var refused: [RefusedOption] = []
    /// Command lines to copy.
    public var examples: [Example] = []
    /// The numbers it can end with.
    public var exitStatuses: [ExitStatus] = []
    /// The commands below it: a command with any has no arguments of its own.
    public var subcommands: [CommandDefinition] = []

    /// Makes a command without options; set the rest.
    public init(name: String, summary: String) {
        self.name = name
        self.summary = summary
    }

    /// All options, in the order of the help.
    var options: [OptionDefinition] { groups.flatMap { $0.options.map(\.definition) } }
}

/// All commands of a program.
public struct CommandTable: Sendable {
    /// The program itself.
    public var root: CommandDefinition
    /// What `--version` prints after the program's name.
    public var version: String

    /// Makes a table.
    public init(root: CommandDefinition, version: String) {
        self.root = root
        self.version = version
    }

    /// The command at a path such as `["check", "smtp"]`; `nil` where there is none.
    public func command(at path: [String]) -> CommandDefinition? {
        var command = root
        for name in path {
            guard let next = command.subcommands.first(where: { $0.name == name }) else {
                return nil
            }
            command = next
        }
        return command
    }

    /// Every command with its path, parents before children.
    var allCommands: [(path: [String], command: CommandDefinition)] {
        func below(_ path: [String], _ command: CommandDefinition) -> [(
            [String], CommandDefinition
        )] {
            [(path, command)] + command.subcommands.flatMap { below(path + [$0.name], $0) }
        }
        return below([], root)
    }

    /// The commands that do something, that is, have no commands below them.
    var leaves: [(path: [String], command: CommandDefinition)] {
        allCommands.filter { $0.command.subcommands.isEmpty }
    }
}
