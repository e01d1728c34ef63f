/// `HELP`: asks for text for people. RFC 5321 §4.1.1.8.
public struct Help: SMTPCommand {
    private let topic: LineText?

    /// Makes the command.
    ///
    /// - Throws: `.invalidInput` for a topic that is empty, too long, not ASCII, or holds a control character.
    public init(_ topic: String? = nil) throws(SMTPError) {
        if let topic {
            self.topic = try LineText(topic, stage: .help)
        } else {
            self.topic = nil
        }
    }

    /// `.help`.
    public var stage: SMTPStage { .help }

    /// Writes the line.
    public func encode(into output: inout SMTPEncoder) {
        output.text("HELP")
        if let topic {
            output.text(" ")
            output.text(topic.text)
        }
        output.endOfLine()
    }

    /// Gives the server's text.
    public func interpret(_ reply: SMTPReply) throws(SMTPError) -> SMTPReply {
        try requireCompletion(reply)
        return reply
    }
}
