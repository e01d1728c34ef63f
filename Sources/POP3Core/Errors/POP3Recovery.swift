/// What a caller can do about an error.
public enum POP3Recovery: Hashable, Sendable {
    /// Change what was passed in: a number, a name, a limit.
    case fixInput
    /// Get other credentials.
    case authenticate
    /// The connection is gone or unusable, nothing else is wrong: open a new one, list the messages anew, and repeat.
    case reconnect
    /// Try again later: after the time the server asked for, where it named one.
    case retry(after: Duration?)
    /// Repeating will not help; a person has to look.
    case giveUp
}
