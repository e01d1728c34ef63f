import MartletCommandLineParsing
import MartletIMAP

/// `martlet imap list`: the mailboxes of an account.
enum IMAPListCommand: IMAPWork {
    private static let subscribed = Switch(
        "subscribed", help: "Only those that are subscribed; some of them may exist no more.")
    private static let counts = Switch(
        "counts", help: "Also how many messages each holds, and how many of them are unread.")
    private static let pattern = Argument(
        .text("PATTERN"),
        help: "Only those whose name matches: * stands for anything, % for anything within a level."
    )

    static var definition: CommandDefinition {
        var list = IMAPOptions.definition(
            "list", "List the mailboxes",
            "Prints each mailbox on a line with what it is for.",
            groups: .init("Mailboxes", [subscribed, counts]))
        list.arguments = [pattern]
        list.examples = [
            .init(
                "See where mail is unread",
                """
                martlet imap list --server mail.example.org:993 --user alice \\
                    --password-command "pass mail/alice" --counts
                """)
        ]
        return list
    }

    static func run(
        _ parsed: ParsedCommand, with client: IMAPClient, _ console: Console
    ) async throws -> ExitStatus {
        let pattern: MailboxPattern =
            if let text = parsed[pattern] { try MailboxPattern(text) } else { .all }
        let listed = try await client.mailboxes(
            pattern, subscribedOnly: parsed[subscribed],
            status: parsed[counts] ? [.messages, .unseen] : [])
        if parsed[IMAPOptions.json] {
            console.output(
                JSONText.object([("ok", true), ("mailboxes", .array(listed.map(\.json)))]).text)
        } else {
            let width = min(listed.map { $0.entry.name.text.count }.max() ?? 0, 48)
            for mailbox in listed { console.output(line(mailbox, width)) }
        }
        return .success
    }

    private static func line(_ mailbox: ListedMailbox, _ width: Int) -> String {
        var notes: [String] = []
        if let status = mailbox.status, let messages = status.messages {
            notes.append("\(messages) messages, \(status.unseen ?? 0) unread")
        }
        let told: Set<MailboxAttribute> = [.noSelect, .nonExistent]
        notes += mailbox.entry.attributes
            .filter { MailboxAttribute.specialUses.contains($0) || told.contains($0) }
            .map(\.rawValue)
        let name = Console.printable(mailbox.entry.name.text)
        guard !notes.isEmpty else { return name }
        return name.padded(to: width) + "  " + Console.printable(notes.joined(separator: "  "))
    }
}

extension ListedMailbox {
    fileprivate var json: JSONText {
        .object([
            ("name", .string(entry.name.text)),
            (
                "delimiter",
                .optional(entry.delimiter.map { String(UnicodeScalar($0)) })
            ),
            ("attributes", .array(entry.attributes.map { .string($0.rawValue) })),
            ("selectable", .bool(entry.isSelectable)),
            ("status", status?.json ?? .null),
        ])
    }
}
