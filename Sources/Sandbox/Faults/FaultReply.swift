import MartletBytes
import MartletIMAPCore
import MartletPOP3Core
import MartletSMTPCore

/// The words of a fault that answers, as a reply of the protocol whose form they have.
enum FaultReply: Sendable {
    case smtp(SMTPReply)
    case imap(UntaggedCondition.Kind, ResponseText)
    case pop3(POP3Reply)

    /// Reads what a server says; `nil` where no server of these protocols says so.
    init?(_ text: String) {
        let words = text.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        let rest = Array((words.count > 1 ? words[1] : "").utf8)
        switch words.first?.uppercased() {
        case "+OK": self = .pop3(POP3Reply(.ok, octets: rest))
        case "-ERR": self = .pop3(POP3Reply(.error, octets: rest))
        case let word?:
            if let kind = UntaggedCondition.Kind(rawValue: word), kind != .preauth {
                self = .imap(kind, ResponseText(octets: rest))
            } else if word.utf8.count == 3, word.utf8.allSatisfy(\.isDigit), let code = Int(word),
                [2, 4, 5].contains(code / 100)
            {
                self = .smtp(SMTPReply(code: code, lines: [rest]))
            } else {
                return nil
            }
        case nil: return nil
        }
    }

    /// Where it can be said.
    var protocols: Set<SandboxProtocol> {
        switch self {
        case .smtp: [.smtp, .lmtp]
        case .imap: [.imap]
        case .pop3: [.pop3]
        }
    }
}
