/// An IMAP and POP3 server that others wrote, started for a test and ended after it.
///
/// `Scripts/servers` runs each from its Debian packages without installing them. What they offer is stated here as facts,
/// so that a test can choose its servers; `RealIMAPServerTests` compares the facts with what the servers say.
public enum RealIMAPServer: String, Sendable, CaseIterable, CustomStringConvertible {
    /// Dovecot 2.3: most mechanisms, COMPRESS, NOTIFY, a tunnel command.
    case dovecot
    /// Cyrus IMAP 3.6: OBJECTID, channel binding, an administrator. Its mail is in memory.
    case cyrus
    /// Courier IMAP 5.0: old IMAP4rev1, mailboxes below INBOX, `UTF8=ACCEPT`.
    case courier

    /// What listens on a port of its own.
    public enum Service: String, Sendable, CaseIterable, CustomStringConvertible {
        /// IMAP; STARTTLS is offered.
        case imap
        /// IMAP over TLS.
        case imaps
        /// POP3; STLS is offered.
        case pop3
        /// POP3 over TLS.
        case pop3s
        /// LMTP, without TLS and login; it knows `USER@example.test`.
        case lmtp

        /// The name in test output.
        public var description: String { rawValue }
        /// Whether TLS comes before the first octet.
        public var isTLS: Bool { self == .imaps || self == .pop3s }
        /// Whether it is POP3.
        public var isPOP3: Bool { self == .pop3 || self == .pop3s }
    }

    /// The name in test output.
    public var description: String { rawValue }

    /// Why the server cannot be started here, in a sentence; nil if it can.
    public var unavailableReason: String? { script.unavailableReason }
    /// Whether the server can be started here.
    public var isAvailable: Bool { unavailableReason == nil }

    /// The script that starts and stops it.
    var script: ServerScript { ServerScript(name: rawValue) }
}

/// A name and a password that real servers know.
public struct RealUser: Sendable, Hashable, CustomStringConvertible {
    /// What to log in as.
    public let name: String
    /// The password.
    public let password: String

    /// The name.
    public var description: String { name }

    /// Known to all servers; the client certificate is hers.
    public static let alice = RealUser(name: "alice", password: "alicepw")
    /// Known to all servers.
    public static let bob = RealUser(name: "bob", password: "bobpw")
    /// Known to all servers; for benchmarks and other tests that want a user to themselves.
    public static let perf = RealUser(name: "perf", password: "perfpw")
    /// Neither name nor password is ASCII.
    public static let üser = RealUser(name: "üser", password: "pässwörd")
    /// May store 64 KiB.
    public static let full = RealUser(name: "full", password: "fullpw")
    /// Somebody with another's password, who then is alice.
    public static let masterAsAlice = RealUser(name: "alice*master", password: "masterpw")
    /// May change the mailboxes, rights and quotas of all.
    public static let administrator = RealUser(name: "cyrus", password: "cyruspw")
}
