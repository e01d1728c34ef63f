extension RealIMAPServer {
    /// What has a port.
    public var services: [Service] {
        self == .courier ? [.imap, .imaps, .pop3, .pop3s] : Service.allCases
    }

    /// Who may log in with a password.
    public var users: [RealUser] {
        switch self {
        case .dovecot: [.alice, .bob, .perf, .üser, .full, .masterAsAlice]
        case .cyrus: [.alice, .bob, .perf, .administrator]
        case .courier: [.alice, .bob, .perf, .üser]
        }
    }

    /// SASL mechanisms that a service announces; after STARTTLS or STLS, those of the service over TLS.
    ///
    /// - Parameter certificate: whether the client has shown its certificate.
    public func mechanisms(of service: Service, certificate: Bool = false) -> Set<String> {
        guard service != .lmtp else { return [] }
        var names: Set<String>
        switch self {
        case .dovecot:
            names = [
                "PLAIN", "LOGIN", "CRAM-MD5", "DIGEST-MD5", "SCRAM-SHA-1", "SCRAM-SHA-256",
                "XOAUTH2", "OAUTHBEARER", "EXTERNAL", "ANONYMOUS",
            ]
        case .cyrus:
            let scram = ["SCRAM-SHA-1", "SCRAM-SHA-256", "SCRAM-SHA-512"]
            names = ["PLAIN", "LOGIN", "CRAM-MD5", "DIGEST-MD5"]
            names.formUnion(scram)
            if service.isTLS { names.formUnion(scram.map { $0 + "-PLUS" }) }
            if service.isTLS && certificate { names.insert("EXTERNAL") }
        case .courier:
            names = ["PLAIN", "CRAM-MD5", "CRAM-SHA1", "CRAM-SHA256"]
            if service.isPOP3 { names.insert("LOGIN") }
            if service.isTLS && certificate { names.insert("EXTERNAL") }
        }
        return names
    }

    /// IMAP capabilities after a login, without `AUTH=…`.
    public var capabilities: Set<String> {
        Set(
            Self.capabilityLists[self, default: ""].split(whereSeparator: \.isWhitespace)
                .map(String.init))
    }

    /// Whether an IMAP capability is there after a login.
    public func offers(_ capability: String) -> Bool { capabilities.contains(capability) }

    private static let capabilityLists: [RealIMAPServer: String] = [
        .dovecot: """
        IMAP4rev1 SASL-IR LOGIN-REFERRALS ID ENABLE IDLE SORT SORT=DISPLAY THREAD=REFERENCES THREAD=REFS
        THREAD=ORDEREDSUBJECT MULTIAPPEND URL-PARTIAL CATENATE UNSELECT CHILDREN NAMESPACE UIDPLUS LIST-EXTENDED
        I18NLEVEL=1 CONDSTORE QRESYNC ESEARCH ESORT SEARCHRES WITHIN CONTEXT=SEARCH LIST-STATUS BINARY MOVE
        SNIPPET=FUZZY PREVIEW=FUZZY PREVIEW STATUS=SIZE SAVEDATE LITERAL+ NOTIFY URLAUTH URLAUTH=BINARY METADATA
        SPECIAL-USE COMPRESS=DEFLATE QUOTA ACL RIGHTS=texk
        """,
        .cyrus: """
        IMAP4rev1 LITERAL+ ID ENABLE ACL ANNOTATE-EXPERIMENT-1 APPENDLIMIT=41943040 BINARY
        CATENATE CHILDREN COMPRESS=DEFLATE CONDSTORE CREATE-SPECIAL-USE DIGEST=SHA1 ESEARCH ESORT
        IDLE LIST-EXTENDED LIST-METADATA LIST-MYRIGHTS LIST-STATUS LOGINDISABLED MAILBOX-REFERRALS
        METADATA MOVE MULTIAPPEND NAMESPACE NO_ATOMIC_RENAME OBJECTID PREVIEW QRESYNC QUOTA
        RIGHTS=kxten SAVEDATE SCAN SEARCH=FUZZY SORT SORT=DISPLAY SORT=MODSEQ SORT=UID SPECIAL-USE
        STATUS=SIZE THREAD=ORDEREDSUBJECT THREAD=REFERENCES THREAD=REFS UIDPLUS UNSELECT URLAUTH
        URLAUTH=BINARY WITHIN X-CREATEDMODSEQ X-QUOTA=MESSAGE X-QUOTA=STORAGE
        X-QUOTA=X-ANNOTATION-STORAGE X-QUOTA=X-NUM-FOLDERS X-REPLICATION X-SIEVE-MAILBOX
        XCONVERSATIONS XLIST XMOVE
        """,
        .courier: """
        IMAP4rev1 UIDPLUS CHILDREN NAMESPACE THREAD=ORDEREDSUBJECT THREAD=REFERENCES SORT QUOTA IDLE ACL ACL2=UNION
        ENABLE UTF8=ACCEPT
        """,
    ]

    /// Whether its POP3 greeting has a timestamp, and APOP works.
    public var hasAPOP: Bool { self != .courier }
    /// Whether OAuth tokens are taken; `RunningIMAPServer.token(for:)` makes them.
    public var takesTokens: Bool { self == .dovecot }
    /// Whether the command `RunningIMAPServer.tunnel(as:)` opens a session on a pipe.
    public var hasTunnel: Bool { self == .dovecot }
    /// Whether a user's mail is a Maildir that the test may read and write.
    public var storesMaildirs: Bool { self != .cyrus }
    /// Whether commands sent behind a login, without waiting for its answer, are carried out; else they are lost, and
    /// whoever waits for their answers waits for ever.
    public var takesCommandsBehindLogin: Bool { self != .courier }
    /// How long a refused login takes.
    public var delayOfFailedLogin: Duration {
        switch self {
        case .dovecot: .milliseconds(500)
        case .cyrus: .zero
        case .courier: .seconds(5)
        }
    }

    /// Between the names of a mailbox and of one in it.
    public var hierarchySeparator: Character { self == .courier ? "." : "/" }
    /// What begins the names of a user's own mailboxes, INBOX excepted.
    public var personalPrefix: String { self == .courier ? "INBOX." : "" }
    /// What another user's name follows, as in `shared/bob`, when he has granted rights in his INBOX.
    public var otherUsersPrefix: String {
        switch self {
        case .dovecot: "shared/"
        case .cyrus: "Other Users/"
        case .courier: "#shared."
        }
    }
    /// The own mailboxes that are there at the first login, apart from INBOX.
    public var initialMailboxes: [String] {
        self == .courier
            ? ["INBOX.Drafts", "INBOX.Sent", "INBOX.Trash"]
            : ["Archive", "Drafts", "Junk", "Sent", "Trash"]
    }

    /// The IMAP name of an own mailbox that is called `path`, from the outermost to the innermost; empty for INBOX.
    public func mailboxName(_ path: [String]) -> String {
        path.isEmpty
            ? "INBOX" : personalPrefix + path.joined(separator: String(hierarchySeparator))
    }
}
