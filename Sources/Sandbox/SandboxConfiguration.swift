import MartletBytes

extension Sandbox {
    /// How a sandbox is set up. The defaults suit a developer's machine.
    public struct Configuration: Sendable {
        /// Addresses to listen at: loopback only, unless told. Those that the machine does not have are left out.
        public var listenAddresses = ["127.0.0.1", "::1"]
        /// The port for plain text and STARTTLS; 0: any free one.
        public var smtpPort = 2525
        /// The port for TLS from the start; 0: any free one.
        public var smtpsPort = 2465
        /// The domain of logins without one: `alice` is `alice@example.test`.
        public var domain = "example.test"
        /// Who may log in, by name or whole address. Empty: everybody, with any password.
        public var users: [String: Secret] = [:]
        /// Whether mail is taken only after a login.
        public var requiresAuthentication = false
        /// Octets of all messages together; when more comes, the oldest go.
        public var memoryLimitInOctets = 256 * 1024 * 1024
        /// Octets of one message, at most.
        public var messageLimitInOctets = 64 * 1024 * 1024
        /// Connections at a time; one more is sent away with 421.
        public var connectionLimit = 1_000
        /// How long a client may say nothing. RFC 5321 §4.5.3.2.7.
        public var silenceLimit: Duration = .seconds(300)
        /// How long a client may take no octets.
        public var writeLimit: Duration = .seconds(60)
        /// How long a TLS handshake may take.
        public var handshakeLimit: Duration = .seconds(30)

        /// The defaults.
        public init() {}
    }
}
