import MartletCommandLineParsing
import MartletIMAP

/// `martlet imap status`: the numbers of mailboxes.
enum IMAPStatusCommand: IMAPWork {
    private static let mailboxes = Option(
        "mailbox", short: "m", .mailbox, isRepeatable: true,
        help: "A mailbox; may be given several times. Without it: INBOX.")

    static var definition: CommandDefinition {
        var status = IMAPOptions.definition(
            "status", "Show the numbers of mailboxes",
            "How many messages, how many unread, the next UID and whatever else the server tells of "
                + "them, without opening them. All are asked at once.",
            groups: .init("Mailboxes", [mailboxes]))
        status.examples = [
            .init(
                "Count unread mail in a script",
                """
                martlet imap status --server mail.example.org:993 --user alice \\
                    --password-file ~/.mail-password -m INBOX --json
                """)
        ]
        return status
    }

    static func run(
        _ parsed: ParsedCommand, with client: IMAPClient, _ console: Console
    ) async throws -> ExitStatus {
        let given = parsed.all(mailboxes)
        let names = given.isEmpty ? [MailboxName.inbox] : given
        let found = try await client.statuses(
            of: names, Set(StatusItem.allCases))
        let refused = zip(names, found).filter { $0.1 == nil }.map(\.0)
        if parsed[IMAPOptions.json] {
            console.output(json(names, found).text)
        } else {
            for (name, status) in zip(names, found) {
                guard let status else { continue }
                console.output(Console.printable(name.text))
                for (title, value) in status.members {
                    console.output("  " + title.padded(to: 24) + Console.printable(value.plain))
                }
            }
        }
        for name in refused {
            console.remark("martlet: \(await reason(name, client))")
        }
        return refused.isEmpty ? .success : .badData
    }

    /// What the server says of a mailbox that it does not open.
    private static func reason(_ name: MailboxName, _ client: IMAPClient) async -> String {
        do throws(IMAPError) {
            _ = try await client.status(of: name, [.messages])
            return "the server has not told the numbers of \"\(name.text)\"."
        } catch {
            return error.description
        }
    }

    private static func json(_ names: [MailboxName], _ found: [MailboxStatus?]) -> JSONText {
        .object([
            ("ok", .bool(!found.contains(where: { $0 == nil }))),
            (
                "mailboxes",
                .array(
                    zip(names, found).map { name, status in
                        .object([("name", .string(name.text)), ("status", status?.json ?? .null)])
                    })
            ),
        ])
    }
}

extension MailboxStatus {
    /// What is known, by name; RFC 9051 §6.3.11 and the extensions' own.
    fileprivate var members: [(name: String, value: JSONText)] {
        var members: [(name: String, value: JSONText)] = []
        func add(_ name: String, _ number: (some BinaryInteger)?) {
            if let number { members.append((name, .integer(Int(clamping: number)))) }
        }
        add("messages", messages)
        add("unseen", unseen)
        add("recent", recent)
        add("deleted", deleted)
        add("uidNext", uidNext?.rawValue)
        add("uidValidity", uidValidity?.rawValue)
        add("sizeInOctets", sizeInOctets)
        add("deletedStorageInOctets", deletedStorageInOctets)
        add("highestModSeq", highestModSeq?.rawValue)
        if case .octets(let limit)? = appendLimit { add("appendLimitInOctets", limit) }
        if let mailboxID { members.append(("mailboxID", .string(mailboxID.rawValue))) }
        return members
    }

    /// What is known.
    var json: JSONText { .object(members) }
}

extension JSONText {
    /// For a person: a text without its quotes.
    fileprivate var plain: String {
        if case .string(let text) = self { text } else { text }
    }
}
