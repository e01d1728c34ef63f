/// A command line that cannot be followed. The program prints it and ends with 64.
public struct UsageError: Error, Sendable, Equatable, CustomStringConvertible {
    /// `EX_USAGE` of sysexits.
    public static let exitStatus: Int32 = 64

    /// The command's full name: "martlet check smtp".
    public var command: String
    /// What is wrong, as a sentence.
    public var message: String
    /// What was probably meant.
    public var suggestion: String?

    /// Makes an error.
    public init(command: String, message: String, suggestion: String? = nil) {
        self.command = command
        self.message = message
        self.suggestion = suggestion
    }

    /// The text for standard error: the reason, a suggestion, and where to read more.
    public var description: String {
        let hint = suggestion.map { " Did you mean \"\($0)\"?" } ?? ""
        return "\(command): \(printable(message))\(printable(hint))\nSee \"\(command) --help\"."
    }
}

/// The text without controls and invisible marks that could play tricks on a terminal.
func printable(_ text: String) -> String {
    var shown = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: shown.append("?")
        default: shown.append(scalar)
        }
    }
    return String(shown)
}
