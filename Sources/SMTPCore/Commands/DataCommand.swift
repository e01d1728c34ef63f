/// `DATA`: asks to send the message. RFC 5321 §4.1.1.4.
///
///     C: DATA
///     S: 354 End data with <CR><LF>.<CR><LF>
///     (the message through a DotStuffer, then EndOfData)
public struct DataCommand: SMTPCommand {
    /// Makes the command.
    public init() {}
    /// `.data`.
    public var stage: SMTPStage { .data }
    /// Writes the line.
    public func encode(into output: inout SMTPEncoder) {
        output.text("DATA")
        output.endOfLine()
    }

    /// Returns when the message may be sent.
    public func interpret(_ reply: SMTPReply) throws(SMTPError) {
        guard reply.code == 354 else { throw unwanted(reply) }
    }
}

/// The reply after the message. Writes nothing: `DotStuffer.finish` wrote the line with the dot.
///
///     S: 250 2.0.0 Ok: queued as 4VZ
public struct EndOfData: SMTPCommand {
    /// Makes one.
    public init() {}
    /// `.endOfData`.
    public var stage: SMTPStage { .endOfData }
    /// Writes nothing.
    public func encode(into output: inout SMTPEncoder) {}

    /// Gives the server's last word on the message.
    public func interpret(_ reply: SMTPReply) throws(SMTPError) -> SMTPReply {
        try requireCompletion(reply)
        return reply
    }
}
