import MartletCommandLineParsing
import MartletIMAP

/// Options that several commands of `martlet imap` have.
enum IMAPOptions {
    static let mailbox = Option(
        "mailbox", short: "m", .mailbox, default: .inbox,
        help:
            "The mailbox, in any language's letters; levels are parted as the server does, often by / or ."
    )
    static let compresses = Switch(
        "compress",
        help: "Compress what goes over the wire, where the server can: for slow lines.")
    static let json = Switch(
        "json", help: "Print the result as JSON on standard output, errors too.")
    static let messages = Argument(
        .uids, isRequired: true,
        help: "The messages by UID, such as 7 or 3,10:20 or 100:* (from 100 to the last).")

    /// A command with what all of them share.
    static func definition(
        _ name: String, _ summary: String, _ discussion: String...,
        groups own: CommandDefinition.Group...
    ) -> CommandDefinition {
        var command = CommandDefinition(name: name, summary: summary)
        command.discussion = discussion
        command.groups =
            [ConnectionOptions.imap.group, PasswordOptions.group] + own
            + [.init("Output", [json, compresses, ConnectionOptions.logsWire])]
        command.exclusions = [PasswordOptions.sources]
        command.refused = [PasswordOptions.refused]
        command.exitStatuses = ExitStatus.ofIMAP.rows(meaning: ExitStatus.meaningsOfIMAP)
        return command
    }
}

extension ExitStatus {
    /// Those of commands that read mail.
    static let ofIMAP: [ExitStatus] = [
        .success, .usage, .badData, .unreadableInput, .noSuchHost, .unavailable, .outputLost,
        .tryLater, .protocolFailure, .credentialsRefused, .interrupted,
    ]

    static let meaningsOfIMAP: [ExitStatus: String] = [
        .success: "Everything was done.",
        .badData: "There is no such mailbox or message, or the server cannot take what was given.",
        .outputLost: "The result could not be written, as to a full disk.",
        .protocolFailure:
            "The server breaks the protocol, TLS failed, or an answer was lost: then it may have been done.",
    ]
}

extension ValueKind where Value == MailboxName {
    /// A mailbox's name.
    static var mailbox: Self {
        Self(placeholder: "MAILBOX", mayLookLikeAnOption: true) { text throws(ValueProblem) in
            do throws(IMAPError) {
                return try MailboxName(text)
            } catch {
                throw ValueProblem("is no name of a mailbox")
            }
        }
    }
}

extension ValueKind where Value == UIDSet {
    /// Messages by UID.
    static var uids: Self {
        Self(placeholder: "UIDS") { text throws(ValueProblem) in
            guard let uids = UIDSet(text) else {
                throw ValueProblem("is not UIDs: they look like 7 or 3,10:20 or 100:*")
            }
            return uids
        }
    }
}

extension ValueKind where Value == MailFlag {
    /// A flag, with or without the backslash of a system flag.
    static var flag: Self {
        Self(placeholder: "FLAG", completion: .words(Array(MailFlag.words.keys).sorted())) {
            text throws(ValueProblem) in
            guard let flag = MailFlag(text) else {
                throw ValueProblem(
                    "is no flag: use seen, answered, flagged, deleted, draft, or a keyword of letters, digits and $-_"
                )
            }
            return flag
        }
    }
}

/// A flag as a person types it: `seen` is `\Seen`; other words are keywords.
struct MailFlag: Sendable {
    let flag: MessageFlag

    static let words: [String: MessageFlag] = [
        "seen": .seen, "answered": .answered, "flagged": .flagged, "deleted": .deleted,
        "draft": .draft,
    ]

    init?(_ text: String) {
        guard let flag = Self.words[text.lowercased()] ?? MessageFlag(text) else { return nil }
        self.flag = flag
    }
}
