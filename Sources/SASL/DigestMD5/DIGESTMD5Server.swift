import MartletBytes
import MartletCrypto

/// The server's side of DIGEST-MD5. RFC 2831 §2.1.
public struct DIGESTMD5Server: SASLServerMechanism {
    /// Most octets of a response. RFC 2831 §2.1.2.
    public static let responseLimitInOctets = 4_096

    private enum State: Sendable {
        /// → challenged
        case start
        /// → proven
        case challenged
        /// The client acknowledges with an empty response. → done
        case proven(SASLLogin)
        case done
    }

    private let users: SASLUsers
    private let realms: [String]
    private let nonce: String
    private var state = State.start

    /// Makes one at the start of a login.
    ///
    /// - Parameter nonce: a value used once, for tests; at random otherwise.
    public init(_ users: SASLUsers, nonce: String? = nil) {
        self.users = users
        realms = users.realms.isEmpty ? [users.channel.host] : users.realms
        self.nonce =
            nonce ?? String(decoding: HexDigits.lower(SecureRandom.octets(16)), as: UTF8.self)
    }

    /// `DIGEST-MD5`.
    public var name: String { "DIGEST-MD5" }

    /// The challenge, then the server's own digest, then the claim.
    public mutating func receive(_ response: Secret?) throws(SASLError) -> SASLServerStep {
        switch (state, response) {
        case (.start, nil):
            state = .challenged
            return .challenge(challenge)
        case (.challenged, .some(let response)):
            state = .done
            return .challenge(try check(response.withOctets { Array($0) }))
        case (.proven(let login), .some(let response)) where response.count == 0:
            state = .done
            return .verify(login)
        default: throw malformed("it said something when nothing was due")
        }
    }

    private var challenge: [UInt8] {
        var text = realms.flatMap {
            Array("realm=".utf8) + DigestDirectives.quoted(Array($0.utf8)) + [UInt8(ascii: ",")]
        }
        text += Array("nonce=".utf8) + DigestDirectives.quoted(Array(nonce.utf8))
        return text + Array(",qop=\"auth\",algorithm=md5-sess,charset=utf-8".utf8)
    }

    private func malformed(_ detail: String) -> SASLError {
        SASLError(.malformedResponse, mechanism: name, detail)
    }

    private mutating func check(_ octets: [UInt8]) throws(SASLError) -> [UInt8] {
        guard let directives = DigestDirectives(octets, limit: Self.responseLimitInOctets) else {
            throw malformed("no list of directives, or a long one")
        }
        func one(_ name: String) throws(SASLError) -> [UInt8]? {
            guard case .success(let value) = directives.one(name) else {
                throw malformed("\(name) twice")
            }
            return value
        }
        guard let user = try one("username"), let clientNonce = try one("cnonce"),
            let uri = try one("digest-uri"), let given = try one("response"),
            !clientNonce.isEmpty, given.count == 32
        else { throw malformed("not all of username, cnonce, digest-uri and response") }
        guard try one("nonce") == Array(nonce.utf8) else { throw malformed("another nonce") }
        // A response that was seen before would have another count.
        guard try one("nc") == Array(DigestComputation.nonceCount.utf8) else {
            throw malformed("a nonce count that is not 1")
        }
        guard try one("qop").map(DigestDirectives.lowercased) ?? "auth" == "auth" else {
            throw malformed("a protection that was not offered")
        }
        let realm = try one("realm") ?? []
        guard realm.isEmpty || realms.contains(where: { realm.elementsEqual($0.utf8) }) else {
            throw malformed("a realm that was not offered")
        }
        let isUTF8 = try one("charset") != nil
        let identity = try one("authzid") ?? []
        guard isFor(uri), let name = Self.text(user, isUTF8: isUTF8),
            let actAs = Self.text(identity, isUTF8: true)
        else { throw malformed("names that are none") }
        let computation = DigestComputation(
            user: user, realm: realm, password: password(name, isUTF8: isUTF8),
            nonce: Array(nonce.utf8),
            clientNonce: clientNonce, identity: identity, uri: uri, isUTF8: isUTF8)
        return try check(
            computation, given,
            SASLLogin(
                user: name, authorizationIdentity: actAs, proof: .checked))
    }

    private mutating func check(
        _ computation: DigestComputation, _ given: [UInt8], _ login: SASLLogin
    ) throws(SASLError) -> [UInt8] {
        let expected: [UInt8]
        let own: [UInt8]
        do throws(CryptoError) {
            expected = try computation.response(method: "AUTHENTICATE")
            own = try computation.response(method: "")
        } catch {
            throw SASLError(.unavailable, mechanism: name, error.half)
        }
        guard ConstantTime.equal(given.map(\.lowercased), expected),
            users.password(login.user) != nil
        else { throw SASLError(.wrongProof, mechanism: name) }
        state = .proven(login)
        return Array("rspauth=".utf8) + own
    }

    private func password(_ user: String, isUTF8: Bool) -> Secret {
        guard let password = users.password(user) else { return Secret(octets: [0]) }
        if isUTF8 { return password }
        return password.withOctets { octets in
            Secret(octets: DigestComputation.latin1(Array(octets)) ?? Array(octets))
        }
    }

    private static func text(_ octets: [UInt8], isUTF8: Bool) -> String? {
        if isUTF8 { return String(validating: octets, as: UTF8.self) }
        var text = String.UnicodeScalarView()
        for octet in octets { text.append(Unicode.Scalar(octet)) }
        return String(text)
    }

    /// Whether the digest was made for this service here.
    private func isFor(_ uri: [UInt8]) -> Bool {
        let parts = DigestDirectives.lowercased(uri).split(
            separator: "/", omittingEmptySubsequences: false)
        guard parts.count >= 2, parts[0] == users.channel.service else { return false }
        // QUIRK(digest-uri-realm): curl names the realm in place of the host.
        return ([users.channel.host] + users.otherHosts + realms).contains {
            DigestDirectives.lowercased($0.utf8) == parts[1]
        }
    }
}
