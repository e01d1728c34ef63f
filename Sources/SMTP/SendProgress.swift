/// How far a message has come.
public struct SendProgress: Sendable, Hashable {
    /// Octets of the message handed over so far.
    public var octetsSent: Int
    /// Octets of the whole message.
    public var octetsTotal: Int
}
