import MartletBytes

/// What a server said during a login.
public enum AuthStep: Hashable, Sendable {
    /// A challenge (decoded): answer with `AuthResponse`, or give up with `AuthCancel`.
    case challenge([UInt8])
    /// The login is done.
    case succeeded
}

/// `AUTH`: starts a login. RFC 4954 §4.
///
///     C: AUTH PLAIN AGFsaWNlAHNlY3JldA==
///     S: 235 2.7.0 Authentication successful
///
/// An initial response that does not fit in a command line of 512 octets is left out, as §4 demands: the
/// server then sends an empty challenge, and the mechanism gives the same response to that.
public struct Auth: SMTPCommand {
    /// Most octets of an AUTH command with its CRLF.
    public static let lineLimitInOctets = 512

    /// The mechanism's name.
    public let mechanism: String
    /// What the mechanism says first, if it speaks first.
    public let initialResponse: Secret?

    /// Checks the name: 1…20 letters, digits, hyphens and underscores. RFC 4422 §3.1.
    ///
    /// - Throws: `.invalidInput`.
    public init(mechanism: String, initialResponse: Secret? = nil) throws(SMTPError) {
        guard 1...20 ~= mechanism.utf8.count,
            mechanism.utf8.allSatisfy({
                $0.isLetter || $0.isDigit || $0 == ASCII.hyphen || $0 == 0x5F
            })
        else {
            throw SMTPError(
                kind: .invalidInput("\(SMTPError.quoted(mechanism)) names no SASL mechanism"),
                stage: .authentication)
        }
        self.mechanism = mechanism
        self.initialResponse = initialResponse
    }

    /// `.authentication`.
    public var stage: SMTPStage { .authentication }

    /// Writes the line.
    public func encode(into output: inout SMTPEncoder) {
        output.text("AUTH ")
        output.text(mechanism)
        if let initialResponse {
            if initialResponse.count == 0 {
                output.text(" =")  // An empty response is not an absent one. RFC 4954 §4.
            } else if "AUTH  ".utf8.count + mechanism.utf8.count + 2
                + Base64.encodedSize(of: initialResponse.count) <= Self.lineLimitInOctets
            {
                output.text(" ")
                output.base64(initialResponse)
            }
        }
        output.endOfLine()
    }

    /// Says whether the login is done or goes on.
    public func interpret(_ reply: SMTPReply) throws(SMTPError) -> AuthStep {
        try AuthStep(reply)
    }
}

extension AuthStep {
    init(_ reply: SMTPReply) throws(SMTPError) {
        // QUIRK(smtp-sink-auth-250): 235 is due, 250 is said.
        if reply.isPositiveCompletion {
            self = .succeeded
        } else if reply.code == 334 {
            let text = reply.octets
            // QUIRK(plain-text-challenge): some servers send LOGIN's prompts without base64.
            self = .challenge(Base64.decode(text) ?? text)
        } else if reply.isTransientFailure || reply.isPermanentFailure {
            throw SMTPError(kind: .authenticationRefused(reply), stage: .authentication)
        } else {
            throw SMTPError(
                kind: .protocolViolation("gave an answer that makes no sense here: \(reply)"),
                stage: .authentication)
        }
    }
}
