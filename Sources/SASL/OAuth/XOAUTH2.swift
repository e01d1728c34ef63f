import MartletBytes

/// XOAUTH2: an OAuth 2 token, as Google and Microsoft take it; only over TLS.
///
///     C: user=alice@example.org ^A auth=Bearer token ^A ^A
///     S: {"status":"401","schemes":"bearer","scope":"…"}     (after a refusal; answered with nothing)
public struct XOAUTH2: SASLMechanism, BearerMechanism {
    private var exchange: BearerExchange

    /// Prepares a login.
    ///
    /// - Parameters:
    ///   - user: the account's address.
    ///   - token: the access token.
    /// - Throws: `.invalidCredentials` when one is empty or could end its field.
    public init(user: String, token: Secret) throws(SASLError) {
        try BearerExchange.check("XOAUTH2", user: user, token)
        guard !user.isEmpty else { throw SASLError(.invalidCredentials, mechanism: "XOAUTH2") }
        exchange = BearerExchange(
            "XOAUTH2", message: BearerExchange.message("user=\(user)\u{1}", token), lastWord: [])
    }

    /// `XOAUTH2`.
    public var name: String { "XOAUTH2" }
    /// `true`.
    public var sendsPlaintextSecret: Bool { true }
    /// The user and the token.
    public mutating func initialResponse() -> Secret? { exchange.initialResponse() }
    /// The same to an empty challenge; nothing to what says why it was refused.
    public mutating func respond(to challenge: [UInt8]) throws(SASLError) -> Secret {
        try exchange.respond(to: challenge)
    }
    /// Throws if the token was refused before.
    public mutating func finish(_ additionalData: [UInt8]?) throws(SASLError) {
        try exchange.finish()
    }
    /// What the server said about the token, if it refused it.
    public var refusal: OAuthRefusal? { exchange.refusal }
    /// The same, for people.
    public var serverComplaint: String? { refusal?.description }
}
