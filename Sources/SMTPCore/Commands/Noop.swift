/// `NOOP`: asks for a reply and nothing else. RFC 5321 §4.1.1.9.
public struct Noop: SMTPCommand {
    /// Makes the command.
    public init() {}
    /// `.noop`.
    public var stage: SMTPStage { .noop }
    /// Writes the line.
    public func encode(into output: inout SMTPEncoder) {
        output.text("NOOP")
        output.endOfLine()
    }

    /// Returns when the server answered.
    public func interpret(_ reply: SMTPReply) throws(SMTPError) { try requireCompletion(reply) }
}
