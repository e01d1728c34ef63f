/// `RCPT TO`: names one recipient. RFC 5321 §4.1.1.3.
///
///     C: RCPT TO:<b@example.org>
///     S: 550 5.1.1 User unknown
public struct RcptTo: SMTPCommand {
    /// The recipient.
    public var forwardPath: ForwardPath

    /// Makes the command.
    public init(_ forwardPath: ForwardPath) { self.forwardPath = forwardPath }

    /// `.rcptTo`.
    public var stage: SMTPStage { .rcptTo }

    /// Writes the line.
    public func encode(into output: inout SMTPEncoder) {
        output.text("RCPT TO:")
        output.path(forwardPath.mailbox)
        output.endOfLine()
    }

    /// Gives the reply (250, or 251 when the server forwards).
    public func interpret(_ reply: SMTPReply) throws(SMTPError) -> SMTPReply {
        try requireCompletion(reply)
        return reply
    }
}
