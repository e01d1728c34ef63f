/// `RSET`: drops the mail transaction, keeps the session. RFC 5321 §4.1.1.5.
public struct Reset: SMTPCommand {
    /// Makes the command.
    public init() {}
    /// `.reset`.
    public var stage: SMTPStage { .reset }
    /// Writes the line.
    public func encode(into output: inout SMTPEncoder) {
        output.text("RSET")
        output.endOfLine()
    }

    /// Returns when there is no transaction any more.
    public func interpret(_ reply: SMTPReply) throws(SMTPError) { try requireCompletion(reply) }
}
