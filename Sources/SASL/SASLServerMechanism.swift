import MartletBytes

/// The server's side of a SASL mechanism: responses in, challenges out. RFC 4422 §3.
///
/// It reads what the client claims, and checks the proof where the mechanism has one of its own. Whether a password or
/// token is right, and whether one user may act as another, is for the caller to decide.
///
///     var step = try mechanism.receive(initialResponse)      // nil: the client sent none
///     while case .challenge(let octets) = step { …send; step = try mechanism.receive(response) }
///
/// Like the client's side it does no I/O, and may compute for long.
public protocol SASLServerMechanism: Sendable {
    /// The registered name, in upper case.
    var name: String { get }

    /// Takes the client's next response, `nil` at the start when it sent none.
    ///
    /// - Throws: `SASLError` with `.malformedResponse`, `.wrongProof`, `.unavailable`: refuse the login.
    mutating func receive(_ response: Secret?) throws(SASLError) -> SASLServerStep

    /// What to send before the claim is refused, if the mechanism has words for that. The response to it is taken by
    /// `receive`, which throws then.
    mutating func refuse() -> [UInt8]?
}

extension SASLServerMechanism {
    /// `nil`.
    public mutating func refuse() -> [UInt8]? { nil }
}

/// What a server's mechanism wants next.
public enum SASLServerStep: Sendable {
    /// Send this challenge.
    case challenge([UInt8])
    /// The client has said all: decide.
    case verify(SASLLogin)
}

/// What a client claims in a login.
public struct SASLLogin: Sendable {
    /// What stands for the claim.
    public enum Proof: Sendable {
        /// A password, to be compared.
        case password(Secret)
        /// An OAuth 2 access token, to be looked up.
        case token(Secret)
        /// The mechanism has seen that the client knows the password.
        case checked
        /// What the connection knows of the client, such as its certificate.
        case external
        /// Nothing. The client may have left a trace, such as a mail address.
        case anonymous(trace: String)
    }

    /// Whose proof it is; empty where the mechanism names nobody.
    public var user: String
    /// As whom to act; empty: as `user`.
    public var authorizationIdentity: String
    /// What stands for it.
    public var proof: Proof

    /// Makes a claim.
    public init(user: String, authorizationIdentity: String = "", proof: Proof) {
        self.user = user
        self.authorizationIdentity = authorizationIdentity
        self.proof = proof
    }
}
