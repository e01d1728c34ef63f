/// `QUIT`: ends the session; the server answers 221 and closes. RFC 5321 §4.1.1.10.
public struct Quit: SMTPCommand {
    /// Makes the command.
    public init() {}
    /// `.quit`.
    public var stage: SMTPStage { .quit }
    /// Writes the line.
    public func encode(into output: inout SMTPEncoder) {
        output.text("QUIT")
        output.endOfLine()
    }

    /// Returns when the server said goodbye.
    public func interpret(_ reply: SMTPReply) throws(SMTPError) { try requireCompletion(reply) }
}
