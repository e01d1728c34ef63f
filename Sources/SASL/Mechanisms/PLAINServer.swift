import MartletBytes

/// The server's side of PLAIN. RFC 4616 §2.
public struct PLAINServer: SASLServerMechanism {
    /// Most octets of a response: three parts of 255 would do; passwords may be generated.
    public static let responseLimitInOctets = 4_096

    private var hasAsked = false

    /// Makes one at the start of a login.
    public init() {}

    /// `PLAIN`.
    public var name: String { "PLAIN" }

    /// Asks once with an empty challenge where no response came along.
    public mutating func receive(_ response: Secret?) throws(SASLError) -> SASLServerStep {
        guard let response else {
            guard !hasAsked else { throw malformed }
            hasAsked = true
            return .challenge([])
        }
        // message = [authzid] UTF8NUL authcid UTF8NUL passwd
        let login: SASLLogin? = response.withOctets { octets in
            guard octets.count <= Self.responseLimitInOctets else { return nil }
            let parts = octets.split(
                separator: ASCII.nul, maxSplits: 3, omittingEmptySubsequences: false)
            guard parts.count == 3, !parts[1].isEmpty, !parts[2].isEmpty,
                let identity = String(validating: parts[0], as: UTF8.self),
                let user = String(validating: parts[1], as: UTF8.self)
            else { return nil }
            return SASLLogin(
                user: user, authorizationIdentity: identity,
                proof: .password(Secret(octets: parts[2])))
        }
        guard let login else { throw malformed }
        return .verify(login)
    }

    private var malformed: SASLError { SASLError(.malformedResponse, mechanism: name) }
}
