/// Why a value, a command or a connection failed.
public struct IMAPError: Error, Sendable {
    /// What happened.
    public enum Kind: Sendable {
        /// What the caller passed cannot be sent; the text says what and why.
        case invalidInput(String)
    }

    /// What happened.
    public var kind: Kind

    /// Makes an error.
    public init(kind: Kind) { self.kind = kind }

    static func invalidInput(_ reason: String) -> IMAPError {
        IMAPError(kind: .invalidInput(reason))
    }
}
