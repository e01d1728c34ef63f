import MartletSASL

extension POP3Error: CustomStringConvertible, CustomDebugStringConvertible {
    /// One sentence for a person: what happened, what the server said, what to do.
    public var description: String {
        let server = self.server ?? "the server"
        switch kind {
        case .refused(let reply):
            return "\(server) refused \(command ?? "the command"): \(Self.words(reply))."
                + POP3Advice.sentence(reply, isLogin: false) + losses
        case .authenticationRefused(let reply):
            return "\(server) refused the login: \(Self.words(reply))."
                + POP3Advice.sentence(reply, isLogin: true) + story
        case .noCommonMechanism(let offered):
            return offered.isEmpty
                ? "\(server) offers no way to log in here. Servers often do so only over TLS, or on port 995."
                : "\(server) offers only ways to log in that cannot be used with these credentials: "
                    + offered.joined(separator: ", ") + "."
        case .plaintextAuthenticationNotAllowed:
            return
                "the password would be sent to \(server) unencrypted. Use TLS, or allow it by name."
        case .tlsRequiredButNotOffered:
            return "\(server) does not offer STLS, and TLS was asked for. "
                + "Try implicit TLS on port 995; nothing was sent in the clear."
        case .injectedPlaintext:
            return "unencrypted octets came from \(server) after it agreed to start TLS. "
                + "Somebody may be tampering with the connection; it was closed."
        case .unsupported(let capability):
            return "\(server) does not offer \(capability), which \(command ?? "this") needs."
        case .invalidInput(let what): return what.hasSuffix(".") ? what : what + "."
        case .outOfOrder(let what): return "a session was used out of order: \(what)."
        case .protocolViolation(let what): return "\(server) \(what), while \(activity)." + losses
        case .serviceClosing(let reply):
            return "\(server) closed the session: \(Self.words(reply))."
                + POP3Advice.sentence(reply, isLogin: false) + losses
        case .loginDelayed(let time):
            return "\(server) wants more time between logins. "
                + "Try again in \(time.components.seconds + 1) seconds."
        case .tooLarge(let limit):
            return
                "\(server) sent more than \(limit) octets, which is the limit. Raise it, or take "
                + "the message in pieces."
        case .numbersVoid:
            return "the connection to \(server) in which the messages were numbered is gone. "
                + "List them anew." + losses
        case .unexpectedClose:
            return "\(server) closed the connection without a word, while \(activity)." + losses
        case .timeout:
            return "\(server) did not answer in time, while \(activity)\(cause)." + losses
        case .cancelled: return "cancelled while \(activity)." + losses
        case .transport:
            return "the connection to \(server) failed while \(activity)\(cause)." + losses
        case .noPassword: return "the password could not be had\(cause). Nothing was sent."
        case .unwritableData: return "what was fetched could not be kept\(cause)." + losses
        }
    }

    private var activity: String {
        switch command {
        case nil: "idle"
        case Self.greeting: "waiting for its greeting"
        case let command?: "doing \(command)"
        }
    }

    private var losses: String {
        guard !deletionIsUncertain else {
            return " What was marked for deletion may be deleted or not: list the messages anew."
        }
        return switch lostDeletionCount {
        case 0: ""
        case 1: " The message that was marked for deletion is not deleted."
        default: " The \(lostDeletionCount) messages that were marked for deletion are not deleted."
        }
    }

    private static func words(_ reply: POP3Reply) -> String {
        let text = reply.text
        let code = reply.code.map { "\($0) " } ?? ""
        return code + (text.isEmpty ? "it did not say why" : quoted(text))
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

    /// All there is to know, except secrets.
    public var debugDescription: String {
        "POP3Error(\(kind), command: \(command ?? "nil"), server: \(server ?? "nil"), "
            + "recovery: \(recovery), lost deletions: \(lostDeletionCount), "
            + "underlying: \(underlying.map { "\($0)" } ?? "nil"))"
    }
}
