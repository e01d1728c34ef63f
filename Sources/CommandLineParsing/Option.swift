/// Something with a name that starts with two hyphens.
public protocol OptionDeclaration: Sendable {
    /// What the parser, help, completions and manual need to know.
    var definition: OptionDefinition { get }
}

/// An option with its value's type taken away.
public struct OptionDefinition: Sendable {
    /// The name without hyphens.
    public var name: String
    /// A letter for a single hyphen.
    public var short: Character?
    /// How the value is shown; `nil` for a flag.
    public var placeholder: String?
    /// What a shell offers for the value.
    public var completion: Completion
    /// Sentences for a person; the first alone is shown by shells.
    public var help: String
    /// A sentence about the allowed values; empty for any.
    public var allowed: String
    /// The value that counts where none is given.
    public var defaultText: String?
    /// Whether the command needs it.
    public var isRequired: Bool
    /// Whether it may be given more than once.
    public var isRepeatable: Bool

    let mayLookLikeAnOption: Bool
    let convert: @Sendable (String) throws(ValueProblem) -> any Sendable

    /// `--name`.
    public var longName: String { "--" + name }

    /// `--name PLACEHOLDER`.
    var signature: String { placeholder.map { "\(longName) \($0)" } ?? longName }
}

/// An option that takes a value: `--name VALUE` or `--name=VALUE`.
public struct Option<Value: Sendable>: OptionDeclaration {
    /// What the parser, help, completions and manual need to know.
    public let definition: OptionDefinition
    let defaultValue: Value?

    /// Declares an option.
    ///
    /// - Parameters:
    ///   - name: the name without hyphens.
    ///   - short: a letter for a single hyphen.
    ///   - kind: what values it takes.
    ///   - defaultValue: what counts where it is not given; shown in help.
    ///   - isRequired: whether its absence is a usage error.
    ///   - isRepeatable: whether it may be given more than once.
    ///   - help: sentences for a person.
    public init(
        _ name: String, short: Character? = nil, _ kind: ValueKind<Value>,
        default defaultValue: Value? = nil, isRequired: Bool = false, isRepeatable: Bool = false,
        help: String
    ) {
        self.defaultValue = defaultValue
        let defaultText: String? =
            switch defaultValue {
            case let choice as any RawRepresentable<String>: choice.rawValue
            case let value?: "\(value)"
            case nil: nil
            }
        definition = OptionDefinition(
            name: name, short: short, placeholder: kind.placeholder, completion: kind.completion,
            help: help, allowed: kind.allowed, defaultText: defaultText, isRequired: isRequired,
            isRepeatable: isRepeatable, mayLookLikeAnOption: kind.mayLookLikeAnOption
        ) { text throws(ValueProblem) in
            try kind.convert(text)
        }
    }
}

/// An option without a value.
public struct Switch: OptionDeclaration {
    /// What the parser, help, completions and manual need to know.
    public let definition: OptionDefinition

    /// Declares a flag.
    public init(_ name: String, short: Character? = nil, help: String) {
        definition = OptionDefinition(
            name: name, short: short, placeholder: nil, completion: .none, help: help, allowed: "",
            defaultText: nil, isRequired: false, isRepeatable: false, mayLookLikeAnOption: false
        ) { text throws(ValueProblem) in
            throw ValueProblem("takes no value")
        }
    }
}

/// A value without a name, told by its place.
public struct Argument<Value: Sendable>: ArgumentDeclaration {
    /// What the parser, help, completions and manual need to know.
    public let definition: ArgumentDefinition

    /// Declares an argument.
    public init(_ kind: ValueKind<Value>, isRequired: Bool = false, help: String) {
        definition = ArgumentDefinition(
            placeholder: kind.placeholder, completion: kind.completion, help: help,
            allowed: kind.allowed, isRequired: isRequired
        ) { text throws(ValueProblem) in
            try kind.convert(text)
        }
    }
}

/// Something told by its place on the command line.
public protocol ArgumentDeclaration: Sendable {
    /// What the parser, help, completions and manual need to know.
    var definition: ArgumentDefinition { get }
}

/// An argument with its value's type taken away.
public struct ArgumentDefinition: Sendable {
    /// How it is shown. Unique within a command.
    public var placeholder: String
    /// What a shell offers for it.
    public var completion: Completion
    /// Sentences for a person.
    public var help: String
    /// A sentence about the allowed values; empty for any.
    public var allowed: String
    /// Whether the command needs it.
    public var isRequired: Bool

    let convert: @Sendable (String) throws(ValueProblem) -> any Sendable
}

/// Names that people try and that must not work, such as `--password`, with what to do instead.
///
/// What was given as the value is never repeated.
public struct RefusedOption: Sendable {
    /// Names without hyphens; a single letter stands for the short form.
    public var names: [String]
    /// A sentence: why not, and what to write instead.
    public var explanation: String

    /// Refuses `names`.
    public init(_ names: [String], _ explanation: String) {
        self.names = names
        self.explanation = explanation
    }
}
