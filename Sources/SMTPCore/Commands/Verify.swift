/// `VRFY`: asks whether a mailbox exists. Most servers say 252, "cannot say, but will try". RFC 5321 §4.1.1.6.
public struct Verify: SMTPCommand {
    private let argument: LineText

    /// Makes the command.
    ///
    /// - Throws: `.invalidInput` for text that is empty, too long, not ASCII, or holds a control character.
    public init(_ text: String) throws(SMTPError) { argument = try LineText(text, stage: .verify) }

    /// `.verify`.
    public var stage: SMTPStage { .verify }

    /// Writes the line.
    public func encode(into output: inout SMTPEncoder) {
        output.text("VRFY ")
        output.text(argument.text)
        output.endOfLine()
    }

    /// Gives the reply: 250 with the mailbox, 251, or 252.
    public func interpret(_ reply: SMTPReply) throws(SMTPError) -> SMTPReply {
        try requireCompletion(reply)
        return reply
    }
}
