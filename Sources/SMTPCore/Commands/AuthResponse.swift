import MartletBytes

/// The answer to a challenge during a login. RFC 4954 §4.
///
///     S: 334 UGFzc3dvcmQ6
///     C: c2VjcmV0
public struct AuthResponse: SMTPCommand {
    /// The mechanism's answer, not encoded.
    public let response: Secret

    /// Makes the line.
    public init(_ response: Secret) { self.response = response }

    /// `.authentication`.
    public var stage: SMTPStage { .authentication }

    /// Writes the line.
    public func encode(into output: inout SMTPEncoder) {
        output.base64(response)
        output.endOfLine()
    }

    /// Says whether the login is done or goes on.
    public func interpret(_ reply: SMTPReply) throws(SMTPError) -> AuthStep {
        try AuthStep(reply)
    }
}

/// `*`: gives up a login; the server answers 501. RFC 4954 §4.
public struct AuthCancel: SMTPCommand {
    /// Makes the line.
    public init() {}
    /// `.authentication`.
    public var stage: SMTPStage { .authentication }
    /// Writes the line.
    public func encode(into output: inout SMTPEncoder) {
        output.text("*")
        output.endOfLine()
    }

    /// Returns when the server agrees; anything but a refusal is a broken protocol.
    public func interpret(_ reply: SMTPReply) throws(SMTPError) {
        guard reply.isPermanentFailure || reply.isTransientFailure else { throw unwanted(reply) }
    }
}
