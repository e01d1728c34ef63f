extension IMAPError: CustomStringConvertible, CustomDebugStringConvertible {
    /// One sentence for a person: what happened, what the server said, what to do.
    public var description: String {
        guard mayHaveBeenDone else { return happening + done }
        return happening + done
            + (command == "APPEND" || command == "UID REPLACE"
                ? " The message may be there nevertheless: look for its Message-ID before you put it there again."
                : " It may have been done nevertheless: look before you repeat it.")
    }

    private var done: String {
        switch progress {
        case nil: ""
        case .messages(1): " The first message was stored before."
        case .messages(let count): " The first \(count) messages were stored before."
        case .uids(let uids): " It was done for \(uids) before."
        }
    }

    private var happening: String {
        let server = self.server ?? "the server"
        switch kind {
        case .refused(let text), .rejected(let text):
            return "\(server) refused \(what): \(Self.quoted(text))."
                + IMAPAdvice.sentence(text, isLogin: false)
        case .authenticationRefused(let text):
            return "\(server) refused the login: \(Self.quoted(text))."
                + IMAPAdvice.sentence(text, isLogin: true)
        case .noCommonMechanism(let offered):
            return offered.isEmpty
                ? "\(server) offers no way to log in here. Servers often do so only over TLS, or on port 993."
                : "\(server) offers only ways to log in that are not known here: "
                    + offered.joined(separator: ", ") + "."
        case .plaintextAuthenticationNotAllowed:
            return
                "the password would be sent to \(server) unencrypted. Use TLS, or allow it by name."
        case .tlsRequiredButNotOffered:
            return "\(server) does not offer STARTTLS, and TLS was asked for. "
                + "Try implicit TLS on port 993; nothing was sent in the clear."
        case .injectedPlaintext:
            return "unencrypted octets came from \(server) after it agreed to start TLS. "
                + "Somebody may be tampering with the connection; it was closed."
        case .unsupported(let capability):
            return "\(server) does not offer \(capability), which \(what) needs."
        case .invalidInput(let what): return what.hasSuffix(".") ? what : what + "."
        case .outOfOrder(let how): return "the connection was used out of order: \(how)."
        case .protocolViolation(let how): return "\(server) \(how), while \(activity)."
        case .missingResponse(let missing):
            return "\(server) said that \(what) is done, and left out \(missing). Try once more."
        case .serviceClosing(let text):
            return "\(server) closed the connection: \(Self.quoted(text))."
                + IMAPAdvice.sentence(text, isLogin: false)
        case .tooLarge(let limit): return "\(server) sent more than the \(limit) octets asked for."
        case .uidValidityChanged(let old, let new):
            return "the mailbox on \(server) was made anew (UIDVALIDITY \(old), now \(new)). "
                + "What was known of its messages is void: list them again."
        case .unexpectedClose:
            return "\(server) closed the connection without a word, while \(activity)."
        case .timeout:
            return "\(server) did not answer in time, while \(activity)\(cause)."
                + (command == "the greeting"
                    ? " A port that is for TLS from the start says nothing before it." : "")
        case .cancelled: return "cancelled while \(activity)."
        case .transport: return "the connection to \(server) failed while \(activity)\(cause)."
        case .noPassword: return "the password could not be had\(cause). Nothing was sent."
        case .unreadableMessage: return "the message could not be read to its end\(cause)."
        case .unwritableData: return "what was fetched could not be kept\(cause)."
        }
    }

    private var what: String { command ?? "the command" }
    private var activity: String { command.map { "doing " + $0 } ?? "idle" }

    /// What lies beneath, without a full stop: the sentence goes on.
    private var cause: String {
        guard let underlying else { return "" }
        let text = "\(underlying)"
        return ": " + (text.hasSuffix(".") ? String(text.dropLast()) : text)
    }

    private static func quoted(_ text: ResponseText) -> String {
        let words = text.words
        guard !words.isEmpty else { return "it did not say why" }
        let shown = words.unicodeScalars.prefix(300)
        return "\"" + String(shown).trimmedOfStop + (words.unicodeScalars.count > 300 ? "…" : "")
            + "\""
    }

    /// All there is to know, except secrets.
    public var debugDescription: String {
        "IMAPError(\(kind), command: \(command ?? "nil"), server: \(server ?? "nil"), recovery: \(recovery), "
            + "underlying: \(underlying.map { "\($0)" } ?? "nil"))"
    }
}

extension String {
    fileprivate init(_ scalars: Substring.UnicodeScalarView) { self.init(Substring(scalars)) }

    fileprivate var trimmedOfStop: String { hasSuffix(".") ? String(dropLast()) : self }
}
