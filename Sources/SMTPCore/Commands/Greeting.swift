/// The server's first reply, which answers no command. RFC 5321 §4.3.1.
///
///     S: 220 mx.example.org ESMTP
public struct Greeting: SMTPCommand {
    /// Makes one. A new session waits for it: it is never submitted.
    public init() {}
    /// `.greeting`.
    public var stage: SMTPStage { .greeting }
    /// Writes nothing.
    public func encode(into output: inout SMTPEncoder) {}

    /// Gives the greeting. 554 means that the server takes no mail: the session is of no use.
    public func interpret(_ reply: SMTPReply) throws(SMTPError) -> SMTPReply {
        guard reply.isPositiveCompletion else { throw unwanted(reply) }
        return reply
    }
}
