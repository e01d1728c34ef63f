import MartletBytes

/// Who logs in, and a way to what proves it, which is asked for just before it is used.
///
///     Credentials(user: "alice") { try await keychain.password(for: "alice") }
///     Credentials(user: "alice@example.org", token: { request in try await oauth.token(isFresh: request.isRepeated) })
///     Credentials.external()                 // the client's certificate
///
/// SMTP, IMAP and POP3 take the same value. What the closures do never runs on an event loop: they may take their
/// time, ask a person or run a command.
public struct Credentials: Sendable {
    /// What proves who logs in.
    public enum Proof: Sendable {
        /// A password.
        case password(@Sendable () async throws -> Secret)
        /// An OAuth 2 access token. Asked for once more when a server has refused one.
        case token(@Sendable (TokenRequest) async throws -> Secret)
        /// The connection itself, such as by a client's certificate.
        case external
        /// Nothing; a trace, such as a mail address, may be left.
        case anonymous(trace: String)
        /// Mechanisms of the caller's own, best first.
        case custom([CustomMechanism])
    }

    /// The user name, as the server knows it: often the whole address.
    public var user: String
    /// As whom to act, where that is somebody else, such as a shared mailbox; empty: as `user`.
    ///
    /// PLAIN, DIGEST-MD5, SCRAM and EXTERNAL can say it; where it is given, others are not used.
    public var authorizationIdentity = ""
    /// What proves it.
    public var proof: Proof
    /// The names of the SASL mechanisms that may be used, in the order of preference; `nil`: the strongest first.
    ///
    /// One name alone makes sure that nothing weaker is tried, such as `["SCRAM-SHA-256-PLUS"]`.
    public var mechanisms: [String]?

    /// Names who logs in and what proves it.
    public init(user: String, proof: Proof) {
        self.user = user
        self.proof = proof
    }

    /// A user whose password is asked for when it is needed.
    public init(user: String, password: @escaping @Sendable () async throws -> Secret) {
        self.init(user: user, proof: .password(password))
    }

    /// A user with an OAuth 2 access token, which is asked for when it is needed.
    public init(user: String, token: @escaping @Sendable (TokenRequest) async throws -> Secret) {
        self.init(user: user, proof: .token(token))
    }

    /// Whoever the connection says, such as by a client's certificate.
    ///
    /// - Parameter identity: as whom to act; empty: as whom the server takes the client for.
    public static func external(as identity: String = "") -> Credentials {
        var credentials = Credentials(user: "", proof: .external)
        credentials.authorizationIdentity = identity
        return credentials
    }

    /// Nobody in particular.
    public static func anonymous(trace: String = "") -> Credentials {
        Credentials(user: "", proof: .anonymous(trace: trace))
    }
}

/// Why a token is asked for.
public struct TokenRequest: Sendable, Hashable {
    /// The host to log in to.
    public var host: String
    /// The mechanism that will show it.
    public var mechanism: String
    /// What the server said when it refused the last token, `nil` at first: get a fresh one.
    public var refusal: OAuthRefusal?

    /// Whether a token was refused just now: one that is kept somewhere must not be given again.
    public var isRepeated: Bool { refusal != nil }

    /// Makes a request.
    public init(host: String, mechanism: String, refusal: OAuthRefusal? = nil) {
        self.host = host
        self.mechanism = mechanism
        self.refusal = refusal
    }
}

/// A mechanism that a caller brings along.
public struct CustomMechanism: Sendable {
    /// Its registered name, in upper case.
    public var name: String
    /// Whether who reads it can log in with it: then it is not used without TLS.
    public var sendsPlaintextSecret: Bool
    /// Makes one for a login. May take its time.
    public var make: @Sendable (SASLChannel) async throws -> any SASLMechanism

    /// Describes a mechanism.
    public init(
        name: String, sendsPlaintextSecret: Bool,
        make: @escaping @Sendable (SASLChannel) async throws -> any SASLMechanism
    ) {
        self.name = SASLNames.uppercased(name)
        self.sendsPlaintextSecret = sendsPlaintextSecret
        self.make = make
    }
}
