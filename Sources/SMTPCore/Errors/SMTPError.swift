/// Why a session, a transaction or a value failed.
public struct SMTPError: Error, Sendable {
    /// What happened.
    public enum Kind: Sendable {
        /// The server said no; the connection is still in step unless `stage` is `body`.
        case refused(SMTPReply)
        /// Every recipient was refused, so no message was sent.
        case allRecipientsRefused(DeliveryReport)
        /// The server refused the credentials or the way of logging in.
        case authenticationRefused(SMTPReply)
        /// No mechanism that both sides know; holds those the server offers.
        case noCommonMechanism(offered: [String])
        /// Credentials would go in the clear, and the caller did not allow that by name.
        case plaintextAuthenticationNotAllowed
        /// TLS was asked for and the server offers no `STARTTLS`.
        case tlsRequiredButNotOffered
        /// Octets came before TLS started: somebody between here and the server may have put them there.
        case injectedPlaintext
        /// The address can only go through a server with SMTPUTF8. RFC 6531.
        case needsSMTPUTF8(String)
        /// The message has 8-bit octets and the server does not offer 8BITMIME. RFC 6152.
        case needs8BitMIME
        /// The message is larger than the server said it takes.
        case messageTooLarge(sizeInOctets: Int, limitInOctets: Int)
        /// What the caller passed cannot be sent; the text says what and why.
        case invalidInput(String)
        /// The caller used a session out of order; the text says how.
        case outOfOrder(String)
        /// The server broke the protocol; the text follows "the server".
        case protocolViolation(String)
        /// The server closed the connection with 421 or 554 as greeting.
        case serviceClosing(SMTPReply)
        /// The connection ended without a word.
        case unexpectedClose
        /// A deadline passed.
        case timeout
        /// The caller cancelled.
        case cancelled
        /// The connection failed below SMTP; `underlying` says how.
        case transport
        /// The password could not be had; `underlying` says why.
        case noPassword
        /// The message could not be read; `underlying` says why.
        case unreadableMessage
    }

    /// What happened.
    public var kind: Kind
    /// What the session was doing.
    public var stage: SMTPStage
    /// The host that was spoken to, where the shell knows it.
    public var server: String?
    /// Why, where another layer failed.
    public var underlying: (any Error)?
    /// Set where the cause knows better than `kind` what to do.
    private var knownRecovery: SMTPRecovery?

    /// Makes an error.
    public init(
        kind: Kind, stage: SMTPStage, server: String? = nil, underlying: (any Error)? = nil,
        recovery: SMTPRecovery? = nil
    ) {
        self.kind = kind
        self.stage = stage
        self.server = server
        self.underlying = underlying
        knownRecovery = recovery
    }

    /// The server's words, where it said some.
    public var reply: SMTPReply? {
        switch kind {
        case .refused(let reply), .authenticationRefused(let reply), .serviceClosing(let reply):
            reply
        case .allRecipientsRefused(let report):
            report.refused.lazy.compactMap(\.outcome.reply).first
        default: nil
        }
    }

    /// Whether the message may have been taken although no reply says so: look before sending it again.
    public var deliveryIsUncertain: Bool {
        guard stage == .endOfData else { return false }
        switch kind {
        case .unexpectedClose, .timeout, .cancelled, .transport, .protocolViolation: return true
        default: return false
        }
    }

    /// Whether the connection can be used no more.
    public var endsConnection: Bool {
        switch kind {
        case .refused: stage == .body || stage == .greeting
        case .injectedPlaintext, .protocolViolation, .serviceClosing, .unexpectedClose, .timeout,
            .cancelled, .transport, .unreadableMessage:
            true
        default: false
        }
    }

    /// What a caller can do.
    public var recovery: SMTPRecovery {
        if let knownRecovery { return knownRecovery }
        if deliveryIsUncertain { return .giveUp }
        switch kind {
        case .refused(let reply): return Self.recovery(reply, stage)
        case .allRecipientsRefused(let report):
            return report.refused.contains(where: \.isRefusedForGood)
                ? .fixInput : .retry(after: nil)
        case .authenticationRefused(let reply):
            if reply.isTransientFailure { return .retry(after: nil) }
            return SMTPAdvice.loginIsDisabled(reply) ? .giveUp : .authenticate
        case .serviceClosing(let reply):
            if stage == .idle { return .reconnect }
            return reply.isPermanentFailure ? .giveUp : .retry(after: nil)
        case .unexpectedClose, .transport, .timeout, .cancelled:
            return stage == .connect || stage == .greeting ? .retry(after: nil) : .reconnect
        case .noPassword: return .authenticate
        case .needsSMTPUTF8, .needs8BitMIME, .messageTooLarge, .invalidInput, .unreadableMessage:
            return .fixInput
        case .noCommonMechanism, .plaintextAuthenticationNotAllowed, .tlsRequiredButNotOffered,
            .injectedPlaintext, .outOfOrder, .protocolViolation:
            return .giveUp
        }
    }

    private static func recovery(_ reply: SMTPReply, _ stage: SMTPStage) -> SMTPRecovery {
        if reply.isTransientFailure { return .retry(after: nil) }
        if reply.code == 530 { return SMTPAdvice.wantsTLS(reply) ? .giveUp : .authenticate }
        switch stage {
        case .mailFrom, .rcptTo: return reply.code == 500 || reply.code == 502 ? .giveUp : .fixInput
        case .data, .endOfData, .body:
            return reply.code == 552 || SMTPAdvice.isTooLarge(reply) ? .fixInput : .giveUp
        default: return .giveUp
        }
    }

    /// `text` in quotes, shortened, its control characters replaced: safe to print.
    static func quoted(_ text: String) -> String {
        let scalars = text.unicodeScalars.prefix(80).map { scalar -> Character in
            scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
                ? "\u{FFFD}" : Character(scalar)
        }
        return "\"" + String(scalars) + (text.unicodeScalars.count > 80 ? "…" : "") + "\""
    }
}
