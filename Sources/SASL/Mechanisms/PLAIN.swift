import MartletBytes

/// PLAIN: user name and password in one message; only over TLS. RFC 4616.
///
///     [authzid] NUL authcid NUL passwd
public struct PLAIN: SASLMechanism {
    private let message: Secret
    private var isSaid = false

    /// Prepares a login.
    ///
    /// - Parameters:
    ///   - user: whose password it is.
    ///   - password: the password.
    ///   - authorizationIdentity: as whom to act, where that differs; empty: as `user`.
    /// - Throws: `.invalidCredentials` when one holds NUL, or `user` or `password` is empty.
    public init(
        user: String, password: Secret, authorizationIdentity: String = ""
    ) throws(SASLError) {
        let isValid = password.withOctets { octets in
            !octets.isEmpty && !octets.contains(0) && !user.isEmpty && !user.utf8.contains(0)
                && !authorizationIdentity.utf8.contains(0)
        }
        guard isValid else { throw SASLError(.invalidCredentials, mechanism: "PLAIN") }
        // Joined lazily, so that the only copy is the one that is zeroed.
        message = password.withOctets { octets in
            Secret(
                octets: JoinedOctets(
                    head: Array(authorizationIdentity.utf8) + [0] + Array(user.utf8) + [0],
                    tail: octets))
        }
    }

    /// `PLAIN`.
    public var name: String { "PLAIN" }

    /// The whole login.
    public mutating func initialResponse() -> Secret? { message }

    /// The whole login, once: for servers that ask for it with an empty challenge.
    public mutating func respond(to challenge: [UInt8]) throws(SASLError) -> Secret {
        guard !isSaid else { throw SASLError(.unexpectedChallenge, mechanism: name) }
        isSaid = true
        return message
    }
}

/// Two runs of octets seen as one, without a copy.
struct JoinedOctets: RandomAccessCollection {
    let head: [UInt8]
    let tail: UnsafeBufferPointer<UInt8>
    var startIndex: Int { 0 }
    var endIndex: Int { head.count + tail.count }
    subscript(position: Int) -> UInt8 {
        position < head.count ? head[position] : tail[position - head.count]
    }
}
