/// `HELO`: says who calls, for servers that do not know EHLO. RFC 5321 §4.1.1.1.
///
///     C: HELO client.example.org
///     S: 250 mx.example.org
public struct HELO: SMTPCommand {
    /// The client's name.
    public var name: EHLOName

    /// Makes the command.
    public init(_ name: EHLOName) { self.name = name }

    /// `.helo`.
    public var stage: SMTPStage { .helo }

    /// Writes the line.
    public func encode(into output: inout SMTPEncoder) {
        output.text("HELO ")
        output.text(name.text)
        output.endOfLine()
    }

    /// Gives no capabilities at all: the server's further words are not extensions.
    public func interpret(_ reply: SMTPReply) throws(SMTPError) -> SMTPCapabilities {
        try requireCompletion(reply)
        return SMTPCapabilities()
    }
}
