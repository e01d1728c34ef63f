import MartletSMTPCore

/// How long each stage may make no progress. The defaults are those of RFC 5321 §4.5.3.2, where it names one.
public struct SMTPTimeouts: Sendable, Hashable {
    /// Looking the name up and connecting.
    public var connect: Duration = .seconds(30)
    /// The whole TLS handshake.
    public var tlsHandshake: Duration = .seconds(30)
    /// The greeting; busy servers are slow to give one.
    public var greeting: Duration = .seconds(300)
    /// A reply to a command.
    public var reply: Duration = .seconds(300)
    /// The server taking no octets of the message.
    public var data: Duration = .seconds(180)
    /// The reply after the message, which a server may think long about.
    public var endOfData: Duration = .seconds(600)
    /// The goodbye of `close()`: nobody waits long for that.
    public var quit: Duration = .seconds(5)

    /// The defaults.
    public init() {}

    func limit(for stage: SMTPStage) -> Duration {
        switch stage {
        case .greeting: greeting
        case .endOfData: endOfData
        case .quit: quit
        default: reply
        }
    }
}
