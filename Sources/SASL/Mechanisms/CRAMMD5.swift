import MartletBytes
import MartletCrypto

/// CRAM-MD5: the password keys a digest of the server's challenge. RFC 2195.
///
///     S: <1896.697170952@postoffice.example.net>
///     C: tim b913a602c7eda7a495b4e6e7334d3890
///
/// The password is not told, but who listens can try guesses at it, and the server proves nothing.
public struct CRAMMD5: SASLMechanism {
    /// Most octets of a challenge.
    public static let challengeLimitInOctets = 2_048

    private let user: String
    private let password: Secret
    private var isSaid = false

    /// Prepares a login.
    ///
    /// - Throws: `.invalidCredentials` when one is empty or holds NUL.
    public init(user: String, password: Secret) throws(SASLError) {
        try PasswordRules.check("CRAM-MD5", user: user, password)
        self.user = user
        self.password = password
    }

    /// `CRAM-MD5`.
    public var name: String { "CRAM-MD5" }
    /// `false`.
    public var sendsPlaintextSecret: Bool { false }

    /// `nil`: the server asks first.
    public mutating func initialResponse() -> Secret? { nil }

    /// The user's name and the digest, once.
    public mutating func respond(to challenge: [UInt8]) throws(SASLError) -> Secret {
        guard !isSaid else { throw SASLError(.unexpectedChallenge, mechanism: name) }
        // The digest of nothing is the same each time: it would be a password.
        guard 1...Self.challengeLimitInOctets ~= challenge.count else {
            throw SASLError(
                .malformedChallenge, mechanism: name,
                "a challenge of \(challenge.count) octets, not 1…\(Self.challengeLimitInOctets)")
        }
        isSaid = true
        let digest = try Self.digest(challenge, password)
        return Secret(octets: Array(user.utf8) + [ASCII.space] + digest)
    }

    /// Nothing more is due.
    public mutating func finish(_ additionalData: [UInt8]?) throws(SASLError) {}

    /// The digest in lower-case hexadecimal.
    static func digest(_ challenge: [UInt8], _ password: Secret) throws(SASLError) -> [UInt8] {
        do throws(CryptoError) {
            return HexDigits.lower(try Digest.md5.hmac(challenge, key: password))
        } catch {
            throw SASLError(.unavailable, mechanism: "CRAM-MD5", "\(error.half)")
        }
    }
}
