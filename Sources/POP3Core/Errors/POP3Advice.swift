import MartletBytes

/// What a refusal means for the caller, by its code, else by words that servers are known to use.
enum POP3Advice {
    /// `nil`: nothing is known.
    static func recovery(after reply: POP3Reply) -> POP3Recovery? {
        switch reply.code {
        case .inUse, .loginDelay, .systemTemporary: return .retry(after: nil)
        case .systemPermanent: return .giveUp
        case .authentication: return .authenticate
        case .utf8: return .fixInput
        case let code?
        where code.name.hasPrefix("SYS/"): return .giveUp  // RFC 3206 §4: levels may be added
        default: break
        }
        if isSwitchedOff(reply) { return .giveUp }
        return isForNow(reply) ? .retry(after: nil) : nil
    }

    /// QUIRK(pop3-words-for-now): no code, and words of the server's own for a lock or for too many connections.
    static func isForNow(_ reply: POP3Reply) -> Bool {
        contains(
            reply,
            [
                "locked", "lock on", "in use", "is busy", "already open", "too many",
                "try again later", "temporar", "not available now", "login delay",
            ])
    }

    /// QUIRK(pop3-switched-off): a provider has POP3 switched off for the account, and says so in words.
    static func isSwitchedOff(_ reply: POP3Reply) -> Bool {
        contains(
            reply,
            [
                "pop is disabled", "pop3 is disabled", "pop access is disabled",
                "not enabled for pop", "pop3 access", "basic authentication is disabled",
                "not allowed to use pop",
            ])
    }

    /// QUIRK(pop3-app-password): Gmail, Yahoo and their kin want a password made for the program.
    static func wantsAppPassword(_ reply: POP3Reply) -> Bool {
        contains(
            reply,
            [
                "application-specific password", "app password", "app-specific", "webalert",
                "web login", "web browser", "2-step", "two-factor",
            ])
    }

    /// The server does not know the command at all, as far as its words tell.
    static func isUnknownCommand(_ reply: POP3Reply) -> Bool {
        reply.code == nil
            && contains(
                reply,
                [
                    "unknown", "unrecognized", "unrecognised", "not supported", "unsupported",
                    "not implemented", "unimplemented", "invalid command", "bad command",
                    "syntax error", "mechanism",
                ])
    }

    /// What a person can do, with a space before it; empty if nothing is known.
    static func sentence(_ reply: POP3Reply, isLogin: Bool) -> String {
        switch reply.code {
        case .inUse: return " Another program has the mailbox open; try again when it is done."
        case .loginDelay: return " It wants more time between logins; try again later."
        case .systemTemporary: return " The server is in trouble; try again later."
        case .systemPermanent: return " The server is in trouble; ask its administrator."
        case .utf8: return " This needs UTF-8, which the session has not switched on."
        default: break
        }
        if isSwitchedOff(reply) {
            return " POP3 is switched off for this account; its settings can allow it."
        }
        if isLogin, wantsAppPassword(reply) {
            return
                " Make a password for this program in the account's settings, or log in with OAuth."
        }
        if isForNow(reply) { return " Try again later." }
        return isLogin
            ? " Check user name and password; some providers want an app password." : ""
    }

    private static func contains(_ reply: POP3Reply, _ phrases: [StaticString]) -> Bool {
        let text = reply.octets.map(\.lowercased)
        return phrases.contains { phrase in
            phrase.withUTF8Buffer { words in
                text.count >= words.count
                    && (0...(text.count - words.count)).contains { start in
                        words.indices.allSatisfy { text[start + $0] == words[$0] }
                    }
            }
        }
    }
}
