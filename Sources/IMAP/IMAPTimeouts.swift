/// How long each stage may make no progress.
public struct IMAPTimeouts: Sendable, Hashable {
    /// Looking the name up and connecting.
    public var connect: Duration = .seconds(30)
    /// The whole TLS handshake.
    public var tlsHandshake: Duration = .seconds(30)
    /// The greeting.
    public var greeting: Duration = .seconds(60)
    /// All from the greeting to the end of the login, however steadily the server talks.
    public var opening: Duration = .seconds(180)
    /// The server saying nothing while an answer is due, or taking no octets. Searching a large mailbox takes long.
    public var reply: Duration = .seconds(120)
    /// All of the goodbye of `close()`: nobody waits long for that.
    public var logout: Duration = .seconds(5)
    /// How long the server may be silent in IDLE before it is asked for anew, which shows whether it is still there: routers
    /// and some servers forget silent connections after 10 minutes. A server that says `* OK Still here` is.
    public var idleRenewal: Duration = .seconds(9 * 60)
    /// How long IDLE goes on in any case: servers may log off who has said nothing for 30 minutes. RFC 2177 §3.
    public var idleLimit: Duration = .seconds(28 * 60)
    /// How often a server without IDLE is asked what is new.
    public var polling: Duration = .seconds(60)
    /// How often a server that tells of all mailboxes by itself (NOTIFY) is asked for all numbers in any case: some miss a
    /// message now and then.
    public var recount: Duration = .seconds(10 * 60)
    /// How long a connection may be silent before it is asked whether it is still there, when it is needed again.
    public var staleness: Duration = .seconds(60)
    /// How long to wait for the answer to that.
    public var probe: Duration = .seconds(10)

    /// The defaults.
    public init() {}
}
