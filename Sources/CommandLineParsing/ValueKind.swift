/// What the value of an option or argument may be, how it is shown and how a shell completes it.
public struct ValueKind<Value: Sendable>: Sendable {
    /// How help names the value: `FILE`, `HOST:PORT`.
    public var placeholder: String
    /// What a shell offers for it.
    public var completion: Completion
    /// A sentence about the allowed values for help, such as "0 to 65535."; empty for any.
    public var allowed: String
    /// Whether a value may look like an option of the command (`--subject --to`). Only texts may:
    /// elsewhere it means that the value was forgotten.
    public var mayLookLikeAnOption: Bool

    let convert: @Sendable (String) throws(ValueProblem) -> Value

    /// Makes a kind from a conversion that says what is wrong with a value.
    public init(
        placeholder: String, completion: Completion = .none, allowed: String = "",
        mayLookLikeAnOption: Bool = false,
        convert: @escaping @Sendable (String) throws(ValueProblem) -> Value
    ) {
        self.placeholder = placeholder
        self.completion = completion
        self.allowed = allowed
        self.mayLookLikeAnOption = mayLookLikeAnOption
        self.convert = convert
    }
}

/// Why a value does not fit.
public struct ValueProblem: Error, Sendable {
    /// The end of a sentence that starts with the option and the value: "is not a whole number".
    public var words: String
    /// A value that was probably meant.
    public var suggestion: String?

    /// Makes a problem.
    public init(_ words: String, suggestion: String? = nil) {
        self.words = words
        self.suggestion = suggestion
    }
}

/// What a shell offers for a value.
public enum Completion: Sendable, Equatable {
    /// Nothing.
    case none
    /// Names of files.
    case files
    /// Names of folders.
    case folders
    /// Names of hosts.
    case hosts
    /// Names of programs.
    case programs
    /// These words.
    case words([String])
}

extension ValueKind where Value == String {
    /// Any text.
    public static func text(_ placeholder: String) -> Self {
        Self(placeholder: placeholder, mayLookLikeAnOption: true) { text throws(ValueProblem) in
            text
        }
    }

    /// The path of a file.
    public static func file(_ placeholder: String = "FILE") -> Self {
        path(placeholder, completion: .files)
    }

    /// The path of a folder.
    public static func folder(_ placeholder: String = "FOLDER") -> Self {
        path(placeholder, completion: .folders)
    }

    /// A command line for a shell.
    public static func command(_ placeholder: String = "COMMAND") -> Self {
        Self(placeholder: placeholder, completion: .programs) { text throws(ValueProblem) in
            guard !text.isEmpty else { throw ValueProblem("is no command") }
            return text
        }
    }

    private static func path(_ placeholder: String, completion: Completion) -> Self {
        Self(placeholder: placeholder, completion: completion) { text throws(ValueProblem) in
            guard !text.isEmpty else { throw ValueProblem("is no path") }
            return text
        }
    }
}

extension ValueKind where Value == Int {
    /// A whole number in decimal digits.
    public static func integer(_ placeholder: String, in range: ClosedRange<Int>) -> Self {
        let allowed = "\(range.lowerBound) to \(range.upperBound)"
        return Self(placeholder: placeholder, allowed: allowed + ".") { text throws(ValueProblem) in
            guard let number = Int(text), text.utf8.first != UInt8(ascii: "+") else {
                throw ValueProblem("is not a whole number from \(allowed)")
            }
            guard range.contains(number) else { throw ValueProblem("is not from \(allowed)") }
            return number
        }
    }
}

extension ValueKind
where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
    /// One of the words that the cases of an enumeration stand for.
    public static func choice(_ placeholder: String) -> Self {
        let words = Value.allCases.map(\.rawValue)
        let list = words.joined(separator: ", ")
        return Self(
            placeholder: placeholder, completion: .words(words), allowed: "One of \(list)."
        ) { text throws(ValueProblem) in
            guard let value = Value(rawValue: text) else {
                throw ValueProblem(
                    "is not one of \(list)", suggestion: nearest(to: text, among: words))
            }
            return value
        }
    }
}
