/// `STARTTLS`: the server's 220 is the last plain octet; TLS follows. RFC 3207.
///
///     C: STARTTLS
///     S: 220 Go ahead
///     (TLS handshake, then EHLO again)
public struct StartTLS: SMTPCommand {
    /// Makes the command.
    public init() {}
    /// `.startTLS`.
    public var stage: SMTPStage { .startTLS }
    /// Writes the line.
    public func encode(into output: inout SMTPEncoder) {
        output.text("STARTTLS")
        output.endOfLine()
    }

    /// Returns when TLS may start. A refusal leaves the session in the clear: where TLS is required, close.
    public func interpret(_ reply: SMTPReply) throws(SMTPError) {
        guard reply.code == 220 else { throw unwanted(reply) }
    }
}
