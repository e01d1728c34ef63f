import MartletSASL

extension SMTPError: CustomStringConvertible, CustomDebugStringConvertible {
    /// One sentence for a person: what happened, what the server said, what to do.
    public var description: String {
        let server = self.server ?? "the server"
        switch kind {
        case .refused(let reply):
            return "\(server) refused \(stage.noun): \(reply)." + SMTPAdvice.text(reply, stage)
        case .allRecipientsRefused(let report):
            guard let first = report.refused.first(where: { $0.outcome.reply != nil }),
                let reply = first.outcome.reply
            else {
                return "the message has no recipient. Name at least one."
            }
            let others = report.refused.count - 1
            return "\(server) refused \(others == 0 ? "" : "every recipient, first ")"
                + "\(first.path): \(reply)." + SMTPAdvice.text(reply, .rcptTo)
        case .authenticationRefused(let reply):
            return "\(server) refused the login: \(reply)."
                + SMTPAdvice.text(reply, .authentication) + story
        case .noCommonMechanism(let offered):
            return offered.isEmpty
                ? "\(server) offers no way to log in here. Servers often do so only over TLS, or on port 587 or 465."
                : "\(server) offers only ways to log in that cannot be used with these credentials: "
                    + offered.joined(separator: ", ") + "."
        case .plaintextAuthenticationNotAllowed:
            return
                "the password would be sent to \(server) unencrypted. Use TLS, or allow it by name."
        case .tlsRequiredButNotOffered:
            return "\(server) does not offer STARTTLS, and TLS was asked for. "
                + "Try implicit TLS on port 465; nothing was sent in the clear."
        case .injectedPlaintext:
            return "unencrypted octets came from \(server) after it agreed to start TLS. "
                + "Somebody may be tampering with the connection; it was closed."
        case .needsSMTPUTF8(let address):
            return "\(server) takes no addresses with letters beyond ASCII (SMTPUTF8), and "
                + "\(Self.quoted(address)) has some. Use another address or another server."
        case .needs8BitMIME:
            return "\(server) takes no 8-bit text (8BITMIME). Encode the message as 7-bit."
        case .messageTooLarge(let size, let limit):
            return "the message has \(size) octets and \(server) takes at most \(limit). "
                + "Send less, or a link."
        case .invalidInput(let what): return what.hasSuffix(".") ? what : what + "."
        case .outOfOrder(let what): return "a session was used out of order: \(what)."
        case .protocolViolation(let what):
            return "\(server) \(what), while \(stage.activity)." + uncertainty
        case .serviceClosing(let reply):
            return "\(server) closed the connection: \(reply)."
                + (recovery == .retry(after: nil) ? " Try again later." : "")
        case .unexpectedClose:
            return "\(server) closed the connection without a word, while \(stage.activity)."
                + uncertainty
        case .timeout:
            return "\(server) did not answer in time, while \(stage.activity)"
                + cause + "." + uncertainty
        case .cancelled: return "cancelled while \(stage.activity)." + uncertainty
        case .transport:
            return "the connection to \(server) failed while \(stage.activity)"
                + cause + "." + uncertainty
        case .noPassword:
            return "the password could not be had" + (underlying.map { ": \($0)" } ?? "")
                + ". Nothing was sent."
        case .unreadableMessage:
            return "the message could not be read to its end"
                + cause + ". It was not sent."
        }
    }

    /// What lies beneath, without a full stop: the sentence goes on.
    private var cause: String {
        guard let underlying else { return "" }
        let text = "\(underlying)"
        return ": " + (text.hasSuffix(".") ? String(text.dropLast()) : text)
    }

    /// What was tried to log in, where it was more than one thing, and what the server said about a token.
    private var story: String {
        (underlying as? SASLFailure)?.story.map { " " + $0 } ?? ""
    }

    private var uncertainty: String {
        deliveryIsUncertain
            ? " The message may have been taken: look before sending it again." : ""
    }

    /// All there is to know, except secrets.
    public var debugDescription: String {
        "SMTPError(\(kind), stage: \(stage), server: \(server ?? "nil"), recovery: \(recovery), "
            + "underlying: \(underlying.map { "\($0)" } ?? "nil"))"
    }
}

extension SMTPStage {
    /// What a server refuses, for sentences.
    var noun: String {
        switch self {
        case .envelope: "the message"
        case .connect, .tlsHandshake, .greeting, .idle: "the connection"
        case .ehlo, .helo: "the greeting"
        case .startTLS: "to start TLS"
        case .authentication: "the login"
        case .mailFrom: "the sender"
        case .rcptTo: "the recipient"
        case .data, .body, .endOfData: "the message"
        case .reset: "RSET"
        case .noop: "NOOP"
        case .verify: "VRFY"
        case .help: "HELP"
        case .quit: "QUIT"
        case .other: "the command"
        }
    }

    /// What was going on, after "while".
    var activity: String {
        switch self {
        case .envelope: "looking at the message"
        case .connect: "connecting"
        case .tlsHandshake: "starting TLS"
        case .greeting: "waiting for its greeting"
        case .ehlo, .helo: "greeting it"
        case .startTLS: "asking for TLS"
        case .authentication: "logging in"
        case .mailFrom: "naming the sender"
        case .rcptTo: "naming the recipients"
        case .data: "announcing the message"
        case .body: "sending the message"
        case .endOfData: "waiting for the last reply"
        case .reset: "resetting"
        case .noop, .verify, .help, .other: "waiting for a reply"
        case .quit: "saying goodbye"
        case .idle: "idle"
        }
    }
}
