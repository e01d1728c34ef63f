import MartletBytes

/// PLAIN: user name and password in one message; only over TLS. RFC 4616.
///
///     [authzid] NUL authcid NUL passwd
public struct PLAIN: SASLMechanism {
    private let message: Secret
    private var isSaid = false

    /// Prepares a login.
    ///
    /// - Parameters:
    ///   - user: whose password it is.
    ///   - password: the password.
    ///   - authorizationIdentity: as whom to act, where that differs; empty: as `user`.
    /// - Throws: `.invalidCredentials` when one holds NUL, or `user` or `password` is empty.
    public init(
        user: String, password: Secret, authorizationIdentity: String = ""
    ) throws(SASLError) {
        try PasswordRules.check(
            "PLAIN", user: user, password, authorizationIdentity: authorizationIdentity)
        var writer = SecretWriter(
            capacity: authorizationIdentity.utf8.count + user.utf8.count + password.count + 2)
        writer.append(authorizationIdentity)
        writer.append(0)
        writer.append(user)
        writer.append(0)
        writer.append(password)
        message = writer.finish()
    }

    /// `PLAIN`.
    public var name: String { "PLAIN" }
    /// `true`.
    public var sendsPlaintextSecret: Bool { true }

    /// The whole login.
    public mutating func initialResponse() -> Secret? { message }

    /// The whole login, once: for servers that ask for it with an empty challenge.
    public mutating func respond(to challenge: [UInt8]) throws(SASLError) -> Secret {
        guard !isSaid else { throw SASLError(.unexpectedChallenge, mechanism: name) }
        isSaid = true
        return message
    }

    /// Nothing more is due.
    public mutating func finish(_ additionalData: [UInt8]?) throws(SASLError) {}
}
