/// `EHLO`: says who calls and asks what the server can do. RFC 5321 §4.1.1.1.
///
///     C: EHLO client.example.org
///     S: 250-mx.example.org
///     S: 250 PIPELINING
public struct EHLO: SMTPCommand {
    /// The client's name.
    public var name: EHLOName

    /// Makes the command.
    public init(_ name: EHLOName) { self.name = name }

    /// `.ehlo`.
    public var stage: SMTPStage { .ehlo }

    /// Writes the line.
    public func encode(into output: inout SMTPEncoder) {
        output.text("EHLO ")
        output.text(name.text)
        output.endOfLine()
    }

    /// Gives the capabilities; the session keeps them too.
    public func interpret(_ reply: SMTPReply) throws(SMTPError) -> SMTPCapabilities {
        try requireCompletion(reply)
        return SMTPCapabilities(ehlo: reply)
    }

    /// Whether a refusal says that the server is older than EHLO, so that `HELO` is worth a try. RFC 5321 §3.2.
    public static func isUnknown(_ error: SMTPError) -> Bool {
        guard error.stage == .ehlo, case .refused(let reply) = error.kind else { return false }
        // 550 and 554 mean "no mail from you" to some, "no such command" to others: HELO tells them apart.
        switch reply.code {
        case 500, 501, 502, 504, 550, 554: return true
        default: return false
        }
    }
}
