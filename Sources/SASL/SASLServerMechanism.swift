import MartletBytes

/// The server's side of a SASL mechanism: responses in, challenges out. RFC 4422 §3.
///
/// It reads what the client claims; whether the claim is true is for the caller to decide.
///
///     var step = try mechanism.receive(initialResponse)      // nil: the client sent none
///     while case .challenge(let octets) = step { …send; step = try mechanism.receive(response) }
public protocol SASLServerMechanism: Sendable {
    /// The registered name, in upper case.
    var name: String { get }

    /// Takes the client's next response, `nil` at the start when it sent none.
    ///
    /// - Throws: `SASLError` with `.malformedResponse`: refuse the login.
    mutating func receive(_ response: Secret?) throws(SASLError) -> SASLServerStep
}

/// What a server's mechanism wants next.
public enum SASLServerStep: Sendable {
    /// Send this challenge.
    case challenge([UInt8])
    /// The client has said all: check it.
    case verify(SASLLogin)
}

/// What a client claims in a login with a password.
public struct SASLLogin: Sendable {
    /// Whose password it is.
    public var user: String
    /// As whom to act; empty: as `user`.
    public var authorizationIdentity: String
    /// The password.
    public var password: Secret

    /// Makes a claim.
    public init(user: String, authorizationIdentity: String = "", password: Secret) {
        self.user = user
        self.authorizationIdentity = authorizationIdentity
        self.password = password
    }
}

/// The mechanisms that a server can offer, by name.
public enum SASLServerMechanisms {
    /// Their names in upper case, best first.
    public static let names = ["PLAIN", "LOGIN"]

    /// A mechanism at its start; `nil` for an unknown name. Names compare without case.
    public static func make(_ name: String) -> (any SASLServerMechanism)? {
        switch String(decoding: name.utf8.map(\.uppercased), as: UTF8.self) {
        case "PLAIN": PLAINServer()
        case "LOGIN": LOGINServer()
        default: nil
        }
    }
}
