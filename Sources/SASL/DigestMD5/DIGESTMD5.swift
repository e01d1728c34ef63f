import MartletBytes
import MartletCrypto

/// DIGEST-MD5: digests prove to both sides that the other knows the password. RFC 2831, historic by RFC 6331.
///
///     S: realm="example.org",nonce="…",qop="auth",algorithm=md5-sess,charset=utf-8
///     C: charset=utf-8,username="alice",realm="example.org",nonce="…",nc=00000001,cnonce="…",digest-uri="imap/…",response=…,qop=auth
///     S: rspauth=…
///
/// Only authentication (`qop=auth`): what follows is protected by TLS.
public struct DIGESTMD5: SASLMechanism {
    private enum State: Sendable {
        /// → responded
        case start
        /// The server owes its own proof. → done, failed
        case responded(expected: [UInt8])
        /// The server has proven itself.
        case done
        /// It has not, and nothing that it says later counts.
        case failed
    }

    private let user: String
    private let password: Secret
    private let authorizationIdentity: String
    private let realm: String?
    private let uri: String
    private let clientNonce: String
    private var state = State.start

    /// Prepares a login.
    ///
    /// - Parameters:
    ///   - user: whose password it is.
    ///   - password: the password.
    ///   - authorizationIdentity: as whom to act, where that differs; empty: as `user`.
    ///   - channel: the service and host that the digest is made for.
    ///   - realm: the realm to choose among the server's; `nil`: the one behind the `@` of `user`, else the first.
    ///   - clientNonce: a value used once, for tests; at random otherwise.
    /// - Throws: `.invalidCredentials` when one is empty or holds NUL.
    public init(
        user: String, password: Secret, authorizationIdentity: String = "", channel: SASLChannel,
        realm: String? = nil, clientNonce: String? = nil
    ) throws(SASLError) {
        try PasswordRules.check(
            "DIGEST-MD5", user: user, password, authorizationIdentity: authorizationIdentity)
        self.user = user
        self.password = password
        self.authorizationIdentity = authorizationIdentity
        self.realm = realm
        // digest-uri = serv-type "/" host [ "/" serv-name ]
        uri = channel.service + "/" + channel.host
        self.clientNonce =
            clientNonce ?? String(decoding: HexDigits.lower(SecureRandom.octets(16)), as: UTF8.self)
    }

    /// `DIGEST-MD5`.
    public var name: String { "DIGEST-MD5" }
    /// `false`.
    public var sendsPlaintextSecret: Bool { false }
    /// `nil`: the server speaks first.
    public mutating func initialResponse() -> Secret? { nil }

    /// The digest, then nothing to the server's.
    public mutating func respond(to challenge: [UInt8]) throws(SASLError) -> Secret {
        switch state {
        case .start: return try answer(try DigestChallenge(challenge))
        case .responded(let expected):
            try check(challenge, expected)
            return Secret(octets: [])
        case .done, .failed: throw SASLError(.unexpectedChallenge, mechanism: name)
        }
    }

    /// Takes the server's digest where it came with success; without it the server is not believed.
    public mutating func finish(_ additionalData: [UInt8]?) throws(SASLError) {
        switch (state, additionalData) {
        case (.done, nil): return
        case (.done, .some(let data)) where data.isEmpty: return
        case (.responded(let expected), .some(let data)): try check(data, expected)
        default:
            throw SASLError(.serverNotAuthentic, mechanism: name, "it has not shown its digest")
        }
    }

    private mutating func answer(_ challenge: DigestChallenge) throws(SASLError) -> Secret {
        let computation = DigestComputation(
            user: try encoded(user, challenge), realm: try chosenRealm(challenge),
            password: try encodedPassword(challenge), nonce: challenge.nonce,
            clientNonce: Array(clientNonce.utf8), identity: Array(authorizationIdentity.utf8),
            uri: Array(uri.utf8), isUTF8: challenge.isUTF8)
        do throws(CryptoError) {
            let response = try computation.response(method: "AUTHENTICATE")
            state = .responded(expected: try computation.response(method: ""))
            return Secret(octets: written(computation, challenge, response))
        } catch {
            throw SASLError(.unavailable, mechanism: name, error.half)
        }
    }

    private func written(
        _ computation: DigestComputation, _ challenge: DigestChallenge, _ response: [UInt8]
    ) -> [UInt8] {
        let quoted = DigestDirectives.quoted
        var text = challenge.isUTF8 ? Array("charset=utf-8,".utf8) : []
        text += Array("username=".utf8) + quoted(computation.user)
        if !computation.realm.isEmpty || !challenge.realms.isEmpty {
            text += Array(",realm=".utf8) + quoted(computation.realm)
        }
        text += Array(",nonce=".utf8) + quoted(computation.nonce)
        text += Array(",nc=\(DigestComputation.nonceCount)".utf8)
        text += Array(",cnonce=".utf8) + quoted(computation.clientNonce)
        text += Array(",digest-uri=".utf8) + quoted(computation.uri)
        text += Array(",response=".utf8) + response
        text += Array(",qop=\(DigestComputation.quality)".utf8)
        if !computation.identity.isEmpty {
            text += Array(",authzid=".utf8) + quoted(computation.identity)
        }
        return text
    }

    /// UTF-8, or ISO 8859-1 for a server that does not say that it reads UTF-8.
    private func encoded(
        _ text: String, _ challenge: DigestChallenge
    ) throws(SASLError) -> [UInt8] {
        let octets = Array(text.utf8)
        if challenge.isUTF8 { return octets }
        guard let latin1 = DigestComputation.latin1(octets) else { throw notLatin1 }
        return latin1
    }

    private func encodedPassword(_ challenge: DigestChallenge) throws(SASLError) -> Secret {
        if challenge.isUTF8 { return password }
        guard var latin1 = password.withOctets({ DigestComputation.latin1(Array($0)) }) else {
            throw notLatin1
        }
        defer { wipe(&latin1) }
        return Secret(octets: latin1)
    }

    private var notLatin1: SASLError {
        SASLError(
            .invalidCredentials, mechanism: name,
            "they have characters beyond ISO 8859-1, and the server reads no UTF-8")
    }

    private func chosenRealm(_ challenge: DigestChallenge) throws(SASLError) -> [UInt8] {
        if let realm {
            let octets = try encoded(realm, challenge)
            guard challenge.realms.isEmpty || challenge.realms.contains(octets) else {
                throw SASLError(
                    .unacceptableChallenge, mechanism: name, "the realm \(realm) is not offered")
            }
            return octets
        }
        let domain = user.lastIndex(of: "@").map { Array(user[$0...].dropFirst().utf8) }
        if let domain, challenge.realms.contains(domain) { return domain }
        return challenge.realms.first ?? []
    }

    private mutating func check(_ challenge: [UInt8], _ expected: [UInt8]) throws(SASLError) {
        state = .failed
        guard
            let directives = DigestDirectives(
                challenge, limit: DigestChallenge.sizeLimitInOctets),
            case .success(.some(let digest)) = directives.one("rspauth"),
            ConstantTime.equal(digest.map(\.lowercased), expected)
        else { throw SASLError(.serverNotAuthentic, mechanism: name, "its digest is wrong") }
        state = .done
    }
}
