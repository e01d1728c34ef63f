import MartletBytes

/// Why a value, a command or a connection failed.
public struct IMAPError: Error, Sendable {
    /// What happened.
    public enum Kind: Sendable {
        /// The server said `NO`: it understood, and did not do it. The connection is in step.
        case refused(ResponseText)
        /// The server said `BAD`: it did not understand, or not now. The connection is in step.
        case rejected(ResponseText)
        /// The server refused the credentials or the way of logging in.
        case authenticationRefused(ResponseText)
        /// No mechanism that both sides know; holds those the server offers.
        case noCommonMechanism(offered: [String])
        /// Credentials would go in the clear, and the caller did not allow that by name.
        case plaintextAuthenticationNotAllowed
        /// TLS was asked for and the server offers no `STARTTLS`.
        case tlsRequiredButNotOffered
        /// Octets came before TLS started: somebody between here and the server may have put them there.
        case injectedPlaintext
        /// The server lacks an extension that the call cannot do without.
        case unsupported(Capability)
        /// What the caller passed cannot be sent; the text says what and why.
        case invalidInput(String)
        /// The caller used the connection out of order; the text says how.
        case outOfOrder(String)
        /// The server broke the protocol; the text follows "the server".
        case protocolViolation(String)
        /// The server said `OK` and left out what it must say; the text names that.
        case missingResponse(String)
        /// The server said `BYE`, with these words.
        case serviceClosing(ResponseText)
        /// What was asked for is larger than the caller takes.
        case tooLarge(limitInOctets: UInt64)
        /// The mailbox was made anew since: what was known of its UIDs is void. RFC 9051 §2.3.1.1.
        case uidValidityChanged(from: UIDValidity, to: UIDValidity)
        /// The connection ended without a word.
        case unexpectedClose
        /// A deadline passed.
        case timeout
        /// The caller cancelled.
        case cancelled
        /// The connection failed below IMAP; `underlying` says how.
        case transport
        /// The password or token could not be had; `underlying` says why.
        case noPassword
        /// What was to be sent could not be read; `underlying` says why.
        case unreadableMessage
        /// What was fetched could not be kept; `underlying` says why.
        case unwritableData
    }

    /// What happened.
    public var kind: Kind
    /// The command that was under way, such as `UID FETCH`, or what the connection was doing.
    public var command: String?
    /// The host that was spoken to, where the shell knows it.
    public var server: String?
    /// Why, where another layer failed.
    public var underlying: (any Error)?
    /// Whether the command went out whole before the connection ended, so that nobody knows whether it was carried out: look
    /// before you repeat it, since a message could be there twice.
    public var mayHaveBeenDone = false
    /// What was done already of a call that takes several commands, before the one that failed.
    public enum Progress: Hashable, Sendable {
        /// So many messages were appended.
        case messages(Int)
        /// These messages of the mailbox were copied, moved or changed.
        case uids(UIDSet)
    }

    /// What was done before this failed; `nil` for nothing. Only the rest is to be done again.
    public var progress: Progress?
    /// Set where the cause knows better than `kind` what to do.
    private var knownRecovery: IMAPRecovery?

    /// Makes an error.
    public init(
        kind: Kind, command: String? = nil, server: String? = nil,
        underlying: (any Error)? = nil, recovery: IMAPRecovery? = nil
    ) {
        self.kind = kind
        self.command = command
        self.server = server
        self.underlying = underlying
        knownRecovery = recovery
    }

    package static func invalidInput(_ reason: String) -> IMAPError {
        IMAPError(kind: .invalidInput(reason))
    }

    /// The server's words, where it said some.
    public var text: ResponseText? {
        switch kind {
        case .refused(let text), .rejected(let text), .authenticationRefused(let text),
            .serviceClosing(let text):
            text
        default: nil
        }
    }

    /// The server's code, where it gave one.
    public var code: ResponseCode? { text?.code }

    /// Whether the connection can be used no more.
    public var endsConnection: Bool {
        switch kind {
        case .injectedPlaintext, .protocolViolation, .serviceClosing, .unexpectedClose, .timeout,
            .cancelled, .transport:
            true
        default: false
        }
    }

    /// Whether a command does nothing but open or ask for a mailbox: what is wrong then is its name.
    private static func namesMailbox(_ command: String?) -> Bool {
        ["SELECT", "EXAMINE", "STATUS"].contains(command)
    }

    /// What a caller can do.
    public var recovery: IMAPRecovery {
        if mayHaveBeenDone { return .giveUp }
        if let knownRecovery { return knownRecovery }
        switch kind {
        case .refused(let text):
            let recovery = IMAPAdvice.recovery(after: text)
            // QUIRK(refused-without-code): Dovecot has none for a mailbox that is not there.
            return recovery == .giveUp && text.code == nil && Self.namesMailbox(command)
                && !IMAPAdvice.isDisabled(text) ? .fixInput : recovery
        case .rejected(let text): return IMAPAdvice.recovery(after: text)
        case .authenticationRefused(let text):
            let recovery = IMAPAdvice.recovery(after: text)
            return recovery == .giveUp ? IMAPAdvice.loginRecovery(after: text) : recovery
        case .serviceClosing(let text):
            let recovery = IMAPAdvice.recovery(after: text)
            if case .retry = recovery { return recovery }
            return .reconnect
        case .unexpectedClose, .transport, .timeout, .cancelled, .missingResponse: return .reconnect
        case .noPassword: return .authenticate
        case .invalidInput, .tooLarge, .unreadableMessage, .unwritableData: return .fixInput
        case .noCommonMechanism, .plaintextAuthenticationNotAllowed, .tlsRequiredButNotOffered,
            .injectedPlaintext, .unsupported, .outOfOrder, .protocolViolation, .uidValidityChanged:
            return .giveUp
        }
    }
}
