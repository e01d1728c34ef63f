import MartletBytes

/// OAUTHBEARER: an OAuth 2 token; only over TLS. RFC 7628.
///
///     C: n,a=alice@example.org, ^A host=mail.example.org ^A port=993 ^A auth=Bearer token ^A ^A
///     S: {"status":"invalid_token"}     (after a refusal; answered with ^A)
public struct OAUTHBEARER: SASLMechanism, BearerMechanism {
    private var exchange: BearerExchange

    /// Prepares a login.
    ///
    /// - Parameters:
    ///   - user: the account; empty: whom the token belongs to.
    ///   - token: the access token.
    ///   - channel: the host and port that were connected to.
    /// - Throws: `.invalidCredentials` when the token is empty or a value could end its field.
    public init(user: String, token: Secret, channel: SASLChannel) throws(SASLError) {
        try BearerExchange.check("OAUTHBEARER", user: user + channel.host, token)
        let identity = user.isEmpty ? "" : "a=" + SCRAMMessage.escaped(user)
        let prefix =
            "n,\(identity),\u{1}host=\(channel.host)\u{1}port=\(channel.port)\u{1}"
        exchange = BearerExchange(
            "OAUTHBEARER", message: BearerExchange.message(prefix, token), lastWord: [1])
    }

    /// `OAUTHBEARER`.
    public var name: String { "OAUTHBEARER" }
    /// `true`.
    public var sendsPlaintextSecret: Bool { true }
    /// The user and the token.
    public mutating func initialResponse() -> Secret? { exchange.initialResponse() }
    /// The same to an empty challenge; ^A to what says why it was refused.
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
