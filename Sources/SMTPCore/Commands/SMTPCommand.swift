/// A command as a value: how it is written, and what its reply means.
///
/// A command is valid when it exists: nothing it holds can carry CR, LF or NUL.
public protocol SMTPCommand: Sendable {
    /// What a positive reply gives.
    associatedtype Success: Sendable

    /// Where errors about it say they happened; also tells the session what may follow.
    var stage: SMTPStage { get }

    /// Writes the whole line with its CRLF.
    func encode(into output: inout SMTPEncoder)

    /// Reads the reply.
    ///
    /// - Throws: `.refused` and its kin when the server said no.
    func interpret(_ reply: SMTPReply) throws(SMTPError) -> Success
}

extension SMTPCommand {
    /// Throws `.refused` unless the reply is 2yz.
    func requireCompletion(_ reply: SMTPReply) throws(SMTPError) {
        guard reply.isPositiveCompletion else { throw unwanted(reply) }
    }

    /// A refusal, or for 2yz and 3yz where neither makes sense a broken protocol.
    func unwanted(_ reply: SMTPReply) -> SMTPError {
        if reply.isTransientFailure || reply.isPermanentFailure {
            return SMTPError(kind: .refused(reply), stage: stage)
        }
        return SMTPError(
            kind: .protocolViolation("gave an answer that makes no sense here: \(reply)"),
            stage: stage)
    }
}
