/// Why a value, a command or a connection failed.
public struct POP3Error: Error, Sendable {
    /// What happened.
    public enum Kind: Sendable {
        /// The server said `-ERR`. The connection is in step.
        case refused(POP3Reply)
        /// The server refused the credentials or the way of logging in.
        case authenticationRefused(POP3Reply)
        /// No mechanism that both sides know; holds those the server offers.
        case noCommonMechanism(offered: [String])
        /// Credentials would go in the clear, and the caller did not allow that by name.
        case plaintextAuthenticationNotAllowed
        /// TLS was asked for and the server offers no `STLS`.
        case tlsRequiredButNotOffered
        /// Octets came before TLS started: somebody between here and the server may have put them there.
        case injectedPlaintext
        /// The server lacks something that the call cannot do without.
        case unsupported(POP3Capability)
        /// What the caller passed cannot be sent; the text says what and why.
        case invalidInput(String)
        /// The caller used a session out of order; the text says how.
        case outOfOrder(String)
        /// The server broke the protocol; the text follows "the server".
        case protocolViolation(String)
        /// The server ended the session with these words, or greeted with them.
        case serviceClosing(POP3Reply)
        /// The last login is too short ago for this server: it was not asked. RFC 2449 §6.5.
        case loginDelayed(Duration)
        /// What the server sends is larger than the caller takes.
        case tooLarge(limitInOctets: Int)
        /// The connection in which the messages were numbered is gone; nothing was sent.
        case numbersVoid
        /// The connection ended without a word.
        case unexpectedClose
        /// A deadline passed.
        case timeout
        /// The caller cancelled.
        case cancelled
        /// The connection failed below POP3; `underlying` says how.
        case transport
        /// The password or token could not be had; `underlying` says why.
        case noPassword
        /// What was fetched could not be kept; `underlying` says why.
        case unwritableData
    }

    /// What happened.
    public var kind: Kind
    /// The command that was under way, such as `RETR`, or what the connection was doing.
    public var command: String?
    /// The host that was spoken to, where the shell knows it.
    public var server: String?
    /// Why, where another layer failed.
    public var underlying: (any Error)?
    /// Messages that were marked for deletion, and are not deleted, since the session did not come to its end.
    public var lostDeletionCount = 0
    /// Set where the cause knows better than `kind` what to do.
    private var knownRecovery: POP3Recovery?

    /// Makes an error.
    public init(
        kind: Kind, command: String? = nil, server: String? = nil,
        underlying: (any Error)? = nil, recovery: POP3Recovery? = nil
    ) {
        self.kind = kind
        self.command = command
        self.server = server
        self.underlying = underlying
        knownRecovery = recovery
    }

    /// The server's words, where it said some.
    public var reply: POP3Reply? {
        switch kind {
        case .refused(let reply), .authenticationRefused(let reply), .serviceClosing(let reply):
            reply
        default: nil
        }
    }

    /// Whether messages that were marked may be deleted although no reply says so: `QUIT` had been said. List them anew.
    public var deletionIsUncertain: Bool { lostDeletionCount > 0 && command == "QUIT" }

    /// Whether the connection can be used no more.
    public var endsConnection: Bool {
        switch kind {
        case .injectedPlaintext, .protocolViolation, .serviceClosing, .unexpectedClose, .timeout,
            .cancelled, .transport:
            true
        default: false
        }
    }

    /// What a caller can do.
    public var recovery: POP3Recovery {
        if let knownRecovery { return knownRecovery }
        switch kind {
        case .refused(let reply): return POP3Advice.recovery(after: reply) ?? .giveUp
        case .authenticationRefused(let reply):
            return POP3Advice.recovery(after: reply) ?? .authenticate
        case .serviceClosing(let reply):
            return POP3Advice.recovery(after: reply)
                ?? (command == POP3Error.greeting ? .retry(after: nil) : .reconnect)
        case .loginDelayed(let time): return .retry(after: time)
        case .unexpectedClose, .transport, .timeout, .cancelled:
            return command == POP3Error.greeting ? .retry(after: nil) : .reconnect
        case .numbersVoid: return .reconnect
        case .noPassword: return .authenticate
        case .invalidInput, .tooLarge, .unwritableData: return .fixInput
        case .noCommonMechanism, .plaintextAuthenticationNotAllowed, .tlsRequiredButNotOffered,
            .injectedPlaintext, .unsupported, .outOfOrder, .protocolViolation:
            return .giveUp
        }
    }

    /// What errors call the server's first words.
    package static let greeting = "greeting"

    /// The error with the command and server named, where they are not.
    package func doing(_ command: String?, _ server: String? = nil) -> POP3Error {
        var copy = self
        copy.command = copy.command ?? command
        copy.server = copy.server ?? server
        return copy
    }

    /// The error with the time that this server asks for between logins, where it refused for that. RFC 2449 §8.1.1.
    package func knowing(_ capabilities: POP3Capabilities) -> POP3Error {
        guard knownRecovery == nil, reply?.code == .loginDelay, let delay = capabilities.loginDelay
        else { return self }
        var copy = self
        copy.knownRecovery = .retry(after: delay)
        return copy
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
