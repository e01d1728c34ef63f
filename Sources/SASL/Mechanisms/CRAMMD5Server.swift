import MartletBytes
import MartletCrypto

/// The server's side of CRAM-MD5. RFC 2195 §2.
public struct CRAMMD5Server: SASLServerMechanism {
    /// Most octets of a response.
    public static let responseLimitInOctets = 4_096

    private let users: SASLUsers
    private let challenge: [UInt8]
    private var isAsked = false

    /// Makes one at the start of a login.
    ///
    /// - Parameter challenge: what to ask, for tests; at random otherwise.
    public init(_ users: SASLUsers, challenge: String? = nil) {
        self.users = users
        let random = HexDigits.lower(SecureRandom.octets(16))
        self.challenge =
            challenge.map { Array($0.utf8) }
            ?? Array("<".utf8) + random + Array("@\(users.channel.host)>".utf8)
    }

    /// `CRAM-MD5`.
    public var name: String { "CRAM-MD5" }

    /// Asks, then checks.
    public mutating func receive(_ response: Secret?) throws(SASLError) -> SASLServerStep {
        guard isAsked else {
            guard response == nil else { throw malformed("it spoke first") }
            isAsked = true
            return .challenge(challenge)
        }
        guard let response, response.count <= Self.responseLimitInOctets else {
            throw malformed("no response, or a long one")
        }
        let octets = response.withOctets { Array($0) }
        guard let space = octets.lastIndex(of: ASCII.space), space > 0,
            let user = String(validating: octets[..<space], as: UTF8.self)
        else { throw malformed("no user name") }
        let expected = try CRAMMD5.digest(challenge, users.password(user) ?? Secret(octets: [0]))
        let given = octets[(space + 1)...].map(\.lowercased)
        guard ConstantTime.equal(given, expected), users.password(user) != nil else {
            throw SASLError(.wrongProof, mechanism: name)
        }
        return .verify(SASLLogin(user: user, proof: .checked))
    }

    private func malformed(_ detail: String) -> SASLError {
        SASLError(.malformedResponse, mechanism: name, detail)
    }
}
