import MartletBytes

/// What a server's refusal means for the caller, by its code, else by words that providers are known to use.
enum IMAPAdvice {
    static func recovery(after text: ResponseText) -> IMAPRecovery {
        if let wait = waitingTime(text) { return .retry(after: wait) }
        switch text.code {
        case .authenticationFailed, .expired: return .authenticate
        case .unavailable, .inUse, .throttled, .serverBug: return .retry(after: nil)
        case .limit, .messageLimit: return isTooMany(text) ? .retry(after: nil) : .fixInput
        case .tryCreate, .nonexistent, .alreadyExists, .badCharset, .tooBig, .overQuota, .badURL,
            .hasChildren, .cannot, .badEvent, .undefinedFilter, .unknownCTE, .useAttribute:
            return .fixInput
        case nil, .alert, .webAlert, .other:
            return isTooMany(text) ? .retry(after: nil) : .giveUp
        default: return .giveUp
        }
    }

    /// A refused login without a code is a wrong password, unless its words say otherwise.
    static func loginRecovery(after text: ResponseText) -> IMAPRecovery {
        switch text.code {
        case nil, .webAlert, .alert, .other: isDisabled(text) ? .giveUp : .authenticate
        default: .giveUp
        }
    }

    /// How long the server asks to wait.
    ///
    /// QUIRK(suggested-backoff): Office 365 says it in words, `Suggested Backoff Time: 300000 milliseconds`.
    static func waitingTime(_ text: ResponseText) -> Duration? {
        guard let end = text.octets.end(of: "backoff time:") else { return nil }
        let digits = text.octets[end...].drop { $0 == ASCII.space }.prefix { $0.isDigit }
        guard let milliseconds = Int64(String(decoding: digits, as: UTF8.self)) else { return nil }
        return .milliseconds(min(milliseconds, longestWait))
    }

    /// A day: nobody means more.
    private static let longestWait: Int64 = 86_400_000

    /// QUIRK(too-many-connections): no code, and words of the provider's own.
    static func isTooMany(_ text: ResponseText) -> Bool {
        text.octets.containsAny([
            "too many", "maximum number of connections", "connections per", "rate limit",
            "throttled",
            "try again later", "temporarily unavailable", "bandwidth limit",
        ])
    }

    /// QUIRK(authenticated-not-connected): Office 365 takes the password and then says this, to the login or to what comes
    /// next; the mailbox is closed to IMAP, and another password will not help.
    private static func isNotConnected(_ text: ResponseText) -> Bool {
        text.octets.containsAny(["authenticated but not connected"])
    }

    /// Whether a login is refused because it is switched off.
    static func isDisabled(_ text: ResponseText) -> Bool {
        isNotConnected(text)
            || text.octets.containsAny([
                "imap access is disabled", "imap is disabled", "not enabled for imap",
                "basic authentication is disabled", "is not permitted",
            ])
    }

    /// QUIRK(app-password): Gmail, Yahoo, iCloud, Yandex and mail.ru want a password made for the program.
    static func wantsAppPassword(_ text: ResponseText) -> Bool {
        text.octets.containsAny([
            "application-specific password", "app password", "app-specific", "application password",
            "webalert", "web browser", "less secure", "two-factor", "2-step",
        ])
    }

    /// What a person can do, with a space before it; empty if nothing is known.
    static func sentence(_ text: ResponseText, isLogin: Bool) -> String {
        if let wait = waitingTime(text) {
            return " It asks to wait \(wait.components.seconds) seconds."
        }
        if isTooMany(text) { return " Close other connections or try again later." }
        if isLogin ? isDisabled(text) : isNotConnected(text) {
            return
                " IMAP is switched off for this account; its settings or its administrator can allow it."
        }
        if isLogin, wantsAppPassword(text) {
            return
                " Make a password for this program in the account's settings, or log in with OAuth."
        }
        switch text.code {
        case .authenticationFailed, .authorizationFailed:
            return " Check user name and password; some providers want an app password."
        case .expired: return " The password has expired."
        case .privacyRequired: return " Use TLS."
        case .contactAdmin: return " Ask its administrator."
        case .tryCreate, .nonexistent: return " Check the name, or create the mailbox."
        case .alreadyExists: return " It is there already."
        case .overQuota: return " The quota is full."
        case .tooBig: return " The message is too large."
        case .noPermission: return " Its access rights forbid this."
        case .unavailable, .inUse, .throttled: return " Try again later."
        case .hasChildren: return " Delete the mailboxes inside of it first."
        default:
            return isLogin && text.code == nil
                ? " Check user name and password; some providers want an app password." : ""
        }
    }
}

extension [UInt8] {
    /// Where `words`, in lower case, end for the first time, whatever the case.
    fileprivate func end(of words: StaticString) -> Int? {
        words.withUTF8Buffer { words in
            guard count >= words.count else { return nil }
            return (0...(count - words.count)).first { start in
                words.indices.allSatisfy { self[start + $0].lowercased == words[$0] }
            }.map { $0 + words.count }
        }
    }

    fileprivate func containsAny(_ phrases: [StaticString]) -> Bool {
        phrases.contains { end(of: $0) != nil }
    }
}
