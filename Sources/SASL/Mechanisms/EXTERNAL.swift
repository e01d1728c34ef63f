import MartletBytes

/// EXTERNAL: the connection says who the client is, such as by its certificate. RFC 4422 appendix A.
public struct EXTERNAL: SASLMechanism {
    private let response: Secret
    private var isSaid = false

    /// Prepares a login.
    ///
    /// - Parameter authorizationIdentity: as whom to act; empty: as whom the server takes the client for.
    /// - Throws: `.invalidCredentials` when it holds NUL.
    public init(authorizationIdentity: String = "") throws(SASLError) {
        guard !authorizationIdentity.utf8.contains(0) else {
            throw SASLError(.invalidCredentials, mechanism: "EXTERNAL")
        }
        response = Secret(authorizationIdentity)
    }

    /// `EXTERNAL`.
    public var name: String { "EXTERNAL" }
    /// `false`.
    public var sendsPlaintextSecret: Bool { false }
    /// As whom to act, which may be empty.
    public mutating func initialResponse() -> Secret? { response }

    /// The same to an empty challenge, once.
    public mutating func respond(to challenge: [UInt8]) throws(SASLError) -> Secret {
        guard !isSaid, challenge.isEmpty else {
            throw SASLError(.unexpectedChallenge, mechanism: name)
        }
        isSaid = true
        return response
    }

    /// Nothing more is due.
    public mutating func finish(_ additionalData: [UInt8]?) throws(SASLError) {}
}

/// The server's side of EXTERNAL: the caller knows what the connection says. RFC 4422 appendix A.
public struct EXTERNALServer: SASLServerMechanism {
    /// Most octets of an identity.
    public static let responseLimitInOctets = 1_024

    private var isAsked = false

    /// Makes one at the start of a login.
    public init() {}

    /// `EXTERNAL`.
    public var name: String { "EXTERNAL" }

    /// Asks with an empty challenge where nothing came along.
    public mutating func receive(_ response: Secret?) throws(SASLError) -> SASLServerStep {
        guard let response else {
            guard !isAsked else { throw SASLError(.malformedResponse, mechanism: name) }
            isAsked = true
            return .challenge([])
        }
        let identity = response.withOctets { octets in
            octets.count > Self.responseLimitInOctets || octets.contains(0)
                ? nil : String(validating: octets, as: UTF8.self)
        }
        guard let identity else { throw SASLError(.malformedResponse, mechanism: name) }
        return .verify(SASLLogin(user: "", authorizationIdentity: identity, proof: .external))
    }
}
