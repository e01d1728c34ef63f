/// Why a login cannot go on.
public struct SASLError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What happened.
    public enum Kind: Hashable, Sendable {
        /// The server asked for more than the mechanism has to say.
        case unexpectedChallenge
        /// A user name or password holds NUL, or one that must not be empty is.
        case invalidCredentials
        /// The client sent what the mechanism does not allow (server side).
        case malformedResponse
    }

    /// What happened.
    public let kind: Kind
    /// The mechanism's name.
    public let mechanism: String

    /// Makes an error.
    public init(_ kind: Kind, mechanism: String) {
        self.kind = kind
        self.mechanism = mechanism
    }

    /// One sentence for a person.
    public var description: String {
        switch kind {
        case .unexpectedChallenge:
            "the server asked for more than a \(mechanism) login has to say."
        case .invalidCredentials:
            "the user name or password is empty or holds a NUL, which \(mechanism) cannot send."
        case .malformedResponse: "the client sent what \(mechanism) does not allow."
        }
    }
}
