/// How long each stage may make no progress.
public struct IMAPTimeouts: Sendable, Hashable {
    /// Looking the name up and connecting.
    public var connect: Duration = .seconds(30)
    /// The whole TLS handshake.
    public var tlsHandshake: Duration = .seconds(30)
    /// The greeting.
    public var greeting: Duration = .seconds(60)
    /// The server saying nothing while an answer is due, or taking no octets. Searching a large mailbox takes long.
    public var reply: Duration = .seconds(120)
    /// The goodbye of `close()`: nobody waits long for that.
    public var logout: Duration = .seconds(5)
    /// How long IDLE goes on before it is asked for anew, which also shows whether the server is still there. RFC 2177 has
    /// 29 minutes; routers and some servers forget silent connections after 10.
    public var idleRenewal: Duration = .seconds(9 * 60)
    /// How often a server without IDLE is asked what is new.
    public var polling: Duration = .seconds(60)
    /// How long a connection may be silent before it is asked whether it is still there, when it is needed again.
    public var staleness: Duration = .seconds(60)
    /// How long to wait for the answer to that.
    public var probe: Duration = .seconds(10)

    /// The defaults.
    public init() {}
}
