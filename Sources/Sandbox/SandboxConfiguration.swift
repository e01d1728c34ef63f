import MartletBytes
import MartletIMAPCore

extension Sandbox {
    /// How a sandbox is set up. The defaults suit a developer's machine.
    public struct Configuration: Sendable {
        /// Addresses to listen at: loopback only, unless told. Those that the machine does not have are left out.
        public var listenAddresses = ["127.0.0.1", "::1"]
        /// SMTP, plain text and STARTTLS. A port is 0 for any free one, and `nil` where nobody listens.
        public var smtpPort: Int? = 2525
        /// SMTP for submission, plain text and STARTTLS.
        public var submissionPort: Int? = 2587
        /// SMTP with TLS from the start.
        public var smtpsPort: Int? = 2465
        /// LMTP, plain text and STARTTLS. RFC 2033.
        public var lmtpPort: Int?
        /// IMAP, plain text and STARTTLS.
        public var imapPort: Int? = 2143
        /// IMAP with TLS from the start.
        public var imapsPort: Int? = 2993
        /// POP3, plain text and STLS.
        public var pop3Port: Int? = 2110
        /// POP3 with TLS from the start.
        public var pop3sPort: Int? = 2995
        /// The domain of logins without one: `alice` is `alice@example.test`.
        public var domain = "example.test"
        /// Addresses that stand for others: `["team": ["alice", "bob"]]`.
        public var aliases: [String: [String]] = [:]
        /// Who gets mail for addresses that nobody has, where `users` says who there is; `nil`: each address has a mailbox.
        public var catchAll: String?
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
        /// How long an IMAP or POP3 client that is not logged in may say nothing.
        public var loginLimit: Duration = .seconds(60)
        /// How long an IMAP client that is logged in may say nothing. RFC 9051 §5.4.
        public var idleLimit: Duration = .seconds(30 * 60)
        /// How long a client may take no octets.
        public var writeLimit: Duration = .seconds(60)
        /// How long a TLS handshake may take.
        public var handshakeLimit: Duration = .seconds(30)

        /// A folder to keep mailboxes in, as Maildirs that other programs can read; made where it is missing. `nil`: in memory.
        public var mailFolder: String?

        /// What goes wrong on purpose, from the start on.
        public var faults: [Fault] = []
        /// Whether recipients such as `bounce-550@example.test` ask for faults: see <doc:Faults>.
        public var heedsMagicAddresses = true

        /// The defaults.
        public init() {}

        /// The defaults with any free port for each service: for tests, of which several run at once.
        public static var freePorts: Configuration {
            var configuration = Configuration()
            configuration.smtpPort = 0
            configuration.submissionPort = 0
            configuration.smtpsPort = 0
            configuration.lmtpPort = 0
            configuration.imapPort = 0
            configuration.imapsPort = 0
            configuration.pop3Port = 0
            configuration.pop3sPort = 0
            return configuration
        }
    }
}

extension Sandbox {
    /// How much an IMAP client may say at once.
    static let imapLimits = CommandLimits.standard
}
