import MartletCommandLineParsing
import MartletIMAP

/// `martlet imap flag`: flags of messages.
enum IMAPFlagCommand: IMAPWork {
    private static let added = Option(
        "add", .flag, isRepeatable: true,
        help: "A flag to add: seen, answered, flagged, deleted, draft, or a keyword such as $Junk.")
    private static let removed = Option(
        "remove", .flag, isRepeatable: true, help: "A flag to remove.")
    private static let replaced = Option(
        "set", .flag, isRepeatable: true, help: "A flag to have instead of all there are.")
    private static let labelled = Option(
        "add-label", .label, isRepeatable: true, help: "A label of Gmail's to add.")
    private static let unlabelled = Option(
        "remove-label", .label, isRepeatable: true, help: "A label of Gmail's to remove.")
    private static let expunges = Switch(
        "expunge", help: "Then remove those of these messages for good that are marked deleted.")

    static var definition: CommandDefinition {
        var flag = IMAPOptions.definition(
            "flag", "Change flags of messages",
            "Flags are changed for all messages at once. Prints what flags each has afterwards.",
            groups: .init("Mailbox", [IMAPOptions.mailbox]),
            .init("Flags", [added, removed, replaced, labelled, unlabelled, expunges]))
        flag.arguments = [IMAPOptions.messages]
        flag.exclusions += [[replaced, added], [replaced, removed]]
        flag.examples = [
            .init(
                "Mark messages as read",
                """
                martlet imap flag --server mail.example.org:993 --user alice \\
                    --password-file ~/.mail-password --add seen 4711,4720:4730
                """),
            .init(
                "Remove a message for good",
                """
                martlet imap flag --server mail.example.org:993 --user alice \\
                    --password-file ~/.mail-password --add deleted --expunge 4711
                """),
        ]
        return flag
    }

    static func check(_ parsed: ParsedCommand) throws {
        guard changes(parsed).isEmpty, !parsed[expunges] else { return }
        throw parsed.usageError("there is nothing to change; give --add, --remove or --set.")
    }

    private static func changes(_ parsed: ParsedCommand) -> [StoreChange] {
        var changes: [StoreChange] = []
        func flags(_ option: Option<MailFlag>) -> [MessageFlag] { parsed.all(option).map(\.flag) }
        if parsed.isGiven(replaced) { changes.append(.replace(flags(replaced))) }
        if parsed.isGiven(added) { changes.append(.add(flags(added))) }
        if parsed.isGiven(removed) { changes.append(.remove(flags(removed))) }
        if parsed.isGiven(labelled) { changes.append(.labels(.add, parsed.all(labelled))) }
        if parsed.isGiven(unlabelled) { changes.append(.labels(.remove, parsed.all(unlabelled))) }
        return changes
    }

    static func run(
        _ parsed: ParsedCommand, with client: IMAPClient, _ console: Console
    ) async throws -> ExitStatus {
        guard let uids = parsed[IMAPOptions.messages] else { return .usage }
        let mailbox = parsed[IMAPOptions.mailbox] ?? .inbox
        try await client.select(mailbox)
        for change in changes(parsed) { try await client.store(uids, change, isSilent: true) }
        // What the server has now, not what was asked for.
        let rows = try await client.fetch(uids, [.flags]).rows
        let found = rows.compactMap { row in
            row.uid.map { (uid: $0, flags: (row.flags ?? []).filter { $0 != .recent }) }
        }
        guard !found.isEmpty else {
            throw CommandFailure(
                .badData, "there is no message with UID \(uids) in \"\(mailbox.text)\".",
                kind: "noSuchMessage")
        }
        var removed = UIDSet()
        if parsed[expunges] {
            removed = UIDSet(found.filter { $0.flags.contains(.deleted) }.map(\.uid))
            try await client.expunge(removed)
        }
        for (uid, flags) in found {
            let isRemoved = removed.contains(uid)
            if parsed[IMAPOptions.json] {
                console.output(
                    JSONText.object([
                        ("uid", .count(uid.rawValue)), ("removed", .bool(isRemoved)),
                        ("flags", .array(flags.map { .string($0.rawValue) })),
                    ]).text)
            } else {
                let words = flags.map(\.rawValue).joined(separator: " ")
                console.output(
                    "\(uid)".padded(to: 7) + " "
                        + (isRemoved ? "removed" : Console.printable(words)))
            }
        }
        return .success
    }
}

extension ValueKind where Value == GmailLabel {
    /// A label of Gmail's.
    fileprivate static var label: Self {
        Self(placeholder: "LABEL", mayLookLikeAnOption: true) { text throws(ValueProblem) in
            do throws(IMAPError) {
                return try GmailLabel(text)
            } catch {
                throw ValueProblem("is no label")
            }
        }
    }
}
