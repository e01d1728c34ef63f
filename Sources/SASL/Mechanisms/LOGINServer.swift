import MartletBytes

/// The server's side of LOGIN. draft-murchison-sasl-login.
public struct LOGINServer: SASLServerMechanism {
    /// Most octets of a user name or a password.
    public static let responseLimitInOctets = 4_096

    private enum State: Sendable {
        /// → user, password (when the user name came along)
        case start
        /// → password
        case user
        /// → done
        case password(user: String)
        case done
    }

    private var state = State.start

    /// Makes one at the start of a login.
    public init() {}

    /// `LOGIN`.
    public var name: String { "LOGIN" }

    /// Asks for the user name, unless it came along, then for the password.
    public mutating func receive(_ response: Secret?) throws(SASLError) -> SASLServerStep {
        switch (state, response) {
        case (.start, nil):
            state = .user
            return .challenge(Array("Username:".utf8))
        case (.start, .some(let response)), (.user, .some(let response)):
            let user = response.withOctets { octets in
                octets.isEmpty || octets.count > Self.responseLimitInOctets
                    ? nil : String(validating: octets, as: UTF8.self)
            }
            guard let user else { throw SASLError(.malformedResponse, mechanism: name) }
            state = .password(user: user)
            return .challenge(Array("Password:".utf8))
        case (.password(let user), .some(let password))
        where 1...Self.responseLimitInOctets ~= password.count:
            state = .done
            return .verify(SASLLogin(user: user, proof: .password(password)))
        default: throw SASLError(.malformedResponse, mechanism: name)
        }
    }
}
