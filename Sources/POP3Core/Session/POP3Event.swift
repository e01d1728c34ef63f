/// What a client's session hears.
public enum POP3Event: Hashable, Sendable {
    /// The greeting, or the reply to the oldest command that waits. Where that asks for a message and the reply is positive, its
    /// octets follow.
    case reply(POP3Reply)
    /// The next octets of the message, without doubled dots.
    case octets([UInt8])
    /// The message is whole.
    case messageEnds
}
