/// How long each stage may make no progress.
public struct POP3Timeouts: Sendable, Hashable {
    /// Looking the name up and connecting.
    public var connect: Duration = .seconds(30)
    /// The whole TLS handshake.
    public var tlsHandshake: Duration = .seconds(30)
    /// The greeting.
    public var greeting: Duration = .seconds(60)
    /// The server saying nothing while an answer is due, or taking no octets. Opening a large maildrop takes long.
    public var reply: Duration = .seconds(120)
    /// The goodbye of `disconnect()`, when the server deletes what is marked.
    public var quit: Duration = .seconds(120)

    /// The defaults.
    public init() {}

    func limit(for activity: String?) -> Duration {
        switch activity {
        case "greeting": greeting
        case "QUIT": quit
        default: reply
        }
    }
}
