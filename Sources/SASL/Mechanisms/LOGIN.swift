import MartletBytes

/// LOGIN: user name, then password, each to a prompt; only over TLS. draft-murchison-sasl-login.
///
///     S: Username:    C: alice
///     S: Password:    C: …
///
/// Prompts vary (`User Name` with a NUL, empty, other languages): the first is taken to ask for the user name
/// and the second for the password, unless a prompt says otherwise.
public struct LOGIN: SASLMechanism {
    private let user: Secret
    private let password: Secret
    private var saysUser = false
    private var saysPassword = false

    /// Prepares a login.
    ///
    /// - Throws: `.invalidCredentials` when one is empty or holds NUL.
    public init(user: String, password: Secret) throws(SASLError) {
        try PasswordRules.check("LOGIN", user: user, password)
        self.user = Secret(user)
        self.password = password
    }

    /// `LOGIN`.
    public var name: String { "LOGIN" }
    /// `true`.
    public var sendsPlaintextSecret: Bool { true }

    /// `nil`: the server asks first. (Many take the user name here, but not all.)
    public mutating func initialResponse() -> Secret? { nil }

    /// The user name or the password, each once.
    public mutating func respond(to challenge: [UInt8]) throws(SASLError) -> Secret {
        let asksForPassword =
            switch Prompt(challenge) {
            case .user: false
            case .password: true
            case .unclear: saysUser
            }
        guard asksForPassword ? !saysPassword : !saysUser else {
            throw SASLError(.unexpectedChallenge, mechanism: name)
        }
        if asksForPassword { saysPassword = true } else { saysUser = true }
        return asksForPassword ? password : user
    }

    /// Nothing more is due.
    public mutating func finish(_ additionalData: [UInt8]?) throws(SASLError) {}

    private enum Prompt {
        case user, password, unclear

        init(_ challenge: [UInt8]) {
            // QUIRK(login-prompts): blanks in front, a NUL behind, `User Name`, `username:`, `Benutzername:`, nothing.
            let word = challenge.drop { $0 <= ASCII.space }.prefix(4).map(\.lowercased)
            if word.elementsEqual("user".utf8) {
                self = .user
            } else if word.elementsEqual("pass".utf8) {
                self = .password
            } else {
                self = .unclear
            }
        }
    }
}
