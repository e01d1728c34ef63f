import MartletBytes

/// What a server's mechanisms must know of its users and of the connection.
public struct SASLUsers: Sendable {
    /// The connection; `host` is the server's own name.
    public var channel: SASLChannel
    /// Realms or domains that the server says it has, for DIGEST-MD5 and NTLM. Empty: its host name.
    public var realms: [String] = []
    /// Other names and addresses of the server, which a DIGEST-MD5 login may be made for as well.
    public var otherHosts: [String] = []
    /// How often SCRAM's keys are hashed. RFC 7677 §4.
    public var iterationCount = 4_096
    /// Gives a user's password; `nil` for somebody unknown. Called with what the client says, also more than once.
    public var password: @Sendable (_ user: String) -> Secret?

    /// Describes users.
    public init(
        channel: SASLChannel, password: @escaping @Sendable (_ user: String) -> Secret?
    ) {
        self.channel = channel
        self.password = password
    }
}
