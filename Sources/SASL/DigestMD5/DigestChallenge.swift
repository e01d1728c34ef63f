import MartletBytes

/// What a server says first in DIGEST-MD5. RFC 2831 §2.1.1.
struct DigestChallenge {
    /// Fewer octets than this. RFC 2831 §2.1.1.
    static let sizeLimitInOctets = 2_048

    var realms: [[UInt8]]
    var nonce: [UInt8]
    var isUTF8: Bool

    /// Reads a challenge.
    ///
    /// - Throws: `.malformedChallenge`, `.unacceptableChallenge`.
    init(_ octets: [UInt8]) throws(SASLError) {
        func failure(_ kind: SASLError.Kind, _ detail: String) -> SASLError {
            SASLError(kind, mechanism: "DIGEST-MD5", detail)
        }
        guard let directives = DigestDirectives(octets, limit: Self.sizeLimitInOctets) else {
            throw failure(.malformedChallenge, "no list of directives, or a long one")
        }
        func one(_ name: String) throws(SASLError) -> [UInt8]? {
            guard case .success(let value) = directives.one(name) else {
                throw failure(.malformedChallenge, "\(name) twice")
            }
            return value
        }
        guard let nonce = try one("nonce"), !nonce.isEmpty else {
            throw failure(.malformedChallenge, "no nonce")
        }
        guard let algorithm = try one("algorithm") else {
            throw failure(.malformedChallenge, "no algorithm")
        }
        guard DigestDirectives.lowercased(algorithm) == "md5-sess" else {
            throw failure(.unacceptableChallenge, "an algorithm that is not md5-sess")
        }
        if let charset = try one("charset") {
            guard DigestDirectives.lowercased(charset) == "utf-8" else {
                throw failure(.malformedChallenge, "a charset that is not utf-8")
            }
            isUTF8 = true
        } else {
            isUTF8 = false
        }
        let qualities = directives.all("qop").flatMap(DigestDirectives.words)
        guard qualities.isEmpty || qualities.contains(DigestComputation.quality) else {
            throw failure(.unacceptableChallenge, "a protection that is not auth alone")
        }
        self.nonce = nonce
        realms = directives.all("realm")
    }
}
