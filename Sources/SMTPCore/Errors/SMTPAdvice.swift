import MartletBytes
import MartletMIME

/// What to tell a person about a refusal, from its stage, code and enhanced code. RFC 3463, RFC 4954 §6.
enum SMTPAdvice {
    static func text(_ reply: SMTPReply, _ stage: SMTPStage) -> String {
        if loginIsDisabled(reply) {
            return " SMTP login is switched off for this account; its administrator can allow it."
        }
        if reply.isTransientFailure { return " Try again later." }
        if reply.code == 530 || reply.code == 538 {
            return wantsTLS(reply) ? " Use TLS." : " Log in first."
        }
        if isTooLarge(reply) { return " The message is too large." }
        switch (stage, reply.enhanced?.subject, reply.enhanced?.detail) {
        case (.authentication, 7, 9): return " Use another mechanism."
        case (.authentication, _, _):
            return " Check user name and password; some providers want an app password."
        case (.rcptTo, 1, _), (.rcptTo, nil, _): return " Check the address."
        case (.mailFrom, 1, _), (.mailFrom, nil, _): return " Check the sender's address."
        case (_, 2, 2): return " The mailbox is full."
        case (_, 2, 1): return " The mailbox is closed."
        case (.mailFrom, 7, _): return " This login may not send with that sender."
        case (.rcptTo, 7, _): return " Its policy forbids this; perhaps it wants a login."
        case (_, 7, _), (_, 6, _): return " Its policy forbids this message."
        default: return reply.code == 552 ? " The message is too large." : ""
        }
    }

    /// More than the mailbox takes (5.2.3) or the server (5.3.4), whatever the code: OpenSMTPD says 554. RFC 3463 §3.3, §3.4.
    static func isTooLarge(_ reply: SMTPReply) -> Bool {
        reply.enhanced == EnhancedStatusCode(5, 2, 3)
            || reply.enhanced == EnhancedStatusCode(5, 3, 4)
    }

    /// A provider or administrator has switched SMTP AUTH off: another password will not help.
    static func loginIsDisabled(_ reply: SMTPReply) -> Bool {
        // QUIRK(outlook-auth-disabled): 5.7.139, or words, and the code of a wrong password.
        reply.enhanced == EnhancedStatusCode(5, 7, 139)
            || (reply.isPermanentFailure && contains(reply, "smtpclientauthentication is disabled"))
    }

    /// "Must issue a STARTTLS command first". RFC 3207 §4, RFC 4954 §6 (538 5.7.11).
    static func wantsTLS(_ reply: SMTPReply) -> Bool {
        reply.code == 538 || contains(reply, "starttls") || contains(reply, "encryption required")
    }

    private static func contains(_ reply: SMTPReply, _ words: String) -> Bool {
        let text = reply.octets.map(\.lowercased)
        let words = Array(words.utf8)
        guard text.count >= words.count else { return false }
        return (0...(text.count - words.count)).contains {
            text[$0..<($0 + words.count)].elementsEqual(words)
        }
    }
}
