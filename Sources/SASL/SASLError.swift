/// Why a login cannot go on.
public struct SASLError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What happened.
    public enum Kind: Hashable, Sendable {
        /// The server asked for more than the mechanism has to say.
        case unexpectedChallenge
        /// A user name, password or token cannot be said in this mechanism, such as one that is empty or holds NUL.
        case invalidCredentials
        /// The server's challenge is not what the mechanism's grammar allows.
        case malformedChallenge
        /// The challenge is well formed and asks for what is not done here: too much work, too little safety, a choice
        /// that is not known.
        case unacceptableChallenge
        /// The server has not proven that it knows the password, or somebody in between has changed what was said.
        /// Nothing else may be tried on this connection.
        case serverNotAuthentic
        /// The server said no in the mechanism's own words.
        case refused
        /// OpenSSL cannot compute what the mechanism needs.
        case unavailable
        /// The client sent what the mechanism does not allow (server side).
        case malformedResponse
        /// The client does not know the password (server side).
        case wrongProof
    }

    /// What happened.
    public let kind: Kind
    /// The mechanism's name.
    public let mechanism: String
    /// What exactly, as half a sentence; may be empty. Free of control characters.
    public let detail: String

    /// Makes an error.
    public init(_ kind: Kind, mechanism: String, _ detail: String = "") {
        self.kind = kind
        self.mechanism = mechanism
        self.detail = detail
    }

    /// Whether another mechanism may be tried on the same connection.
    public var allowsAnother: Bool { kind != .serverNotAuthentic }

    /// One sentence for a person.
    public var description: String {
        switch kind {
        case .invalidCredentials where detail.isEmpty:
            "the user name or password is empty or holds a NUL, which \(mechanism) cannot send."
        case .invalidCredentials:
            "the credentials cannot be used with \(mechanism): \(detail)."
        case .unavailable: "a \(mechanism) login cannot be computed here\(colon)."
        case .malformedResponse: "the client sent what \(mechanism) does not allow\(colon)."
        case .wrongProof: "the client did not prove that it knows the password\(colon)."
        case .serverNotAuthentic:
            "the server \(predicate). Somebody may be tampering with the connection."
        case .unexpectedChallenge, .malformedChallenge, .unacceptableChallenge, .refused:
            "the server \(predicate)."
        }
    }

    /// What the server did, after its name.
    package var predicate: String {
        switch kind {
        case .unexpectedChallenge: "asked for more than a \(mechanism) login has to say"
        case .malformedChallenge: "sent what \(mechanism) does not allow\(colon)"
        case .unacceptableChallenge:
            "asked for a \(mechanism) login that is not done here\(colon)"
        case .serverNotAuthentic:
            "could not prove in the \(mechanism) login who it is\(colon)"
        case .refused: "refused the \(mechanism) login\(colon)"
        case .invalidCredentials, .unavailable, .malformedResponse, .wrongProof:
            "could not be logged in to by \(mechanism)\(colon)"
        }
    }

    private var colon: String { detail.isEmpty ? "" : ": " + detail }
}
