import MartletCommandLineParsing
import MartletIMAP

/// `martlet imap search`: the UIDs of messages.
enum IMAPSearchCommand: IMAPWork {
    private static let newestFirst = Switch(
        "newest-first", help: "Sort by the day of arrival, the last first, instead of by UID.")

    static var definition: CommandDefinition {
        var search = IMAPOptions.definition(
            "search", "Find messages",
            "The server searches. Prints the UIDs of the messages that are like all that is asked for, "
                + "one a line; nothing is opened or changed.",
            groups: .init("Mailbox", [IMAPOptions.mailbox]), IMAPSearchOptions.group,
            .init("Order", [newestFirst]))
        search.examples = [
            .init(
                "Find unread mail from Ann since November",
                """
                martlet imap search --server mail.example.org:993 --user alice \\
                    --password-file ~/.mail-password \\
                    --from ann --without seen --since 2026-11-01
                """)
        ]
        return search
    }

    static func run(
        _ parsed: ParsedCommand, with client: IMAPClient, _ console: Console
    ) async throws -> ExitStatus {
        let mailbox = parsed[IMAPOptions.mailbox] ?? .inbox
        try await client.select(mailbox, readOnly: true)
        console.show(progress: "Searching \(Console.printable(mailbox.text))…")
        let uids = try await find(parsed, client)
        console.show(progress: "")
        if parsed[IMAPOptions.json] {
            console.output(
                JSONText.object([
                    ("ok", true), ("mailbox", .string(mailbox.text)),
                    (
                        "uidValidity",
                        .count(await client.mailbox?.uidValidity?.rawValue)
                    ),
                    ("count", .integer(uids.count)),
                    ("uids", .array(uids.map { .count($0.rawValue) })),
                ]).text)
        } else if !uids.isEmpty {
            console.output(uids.map { "\($0)" }.joined(separator: "\n"))
        }
        return .success
    }

    private static func find(_ parsed: ParsedCommand, _ client: IMAPClient) async throws -> [UID] {
        let key = IMAPSearchOptions.key(of: parsed)
        guard parsed[newestFirst] else {
            let found = try await client.search(key).numbers ?? UIDSet()
            try await check(found.count ?? .max, client)
            return Array(found.numbers)
        }
        if await client.capabilities.has(.sort) {
            let found = try await client.sort(by: [.reverse(.arrival)], key)
            try await check(Int(clamping: found.count ?? .max), client)
            return Array(found.numbers)
        }
        // A server that does not sort tells when each came.
        let uids = try await client.search(key).numbers ?? UIDSet()
        try await check(uids.count ?? .max, client)
        return try await client.fetch(uids, [.internalDate]).rows
            .compactMap { row in
                row.uid.map { ($0, row.internalDate?.secondsSinceEpoch ?? 0) }
            }
            .sorted { ($0.1, $0.0) > ($1.1, $1.0) }.map(\.0)
    }

    /// Messages that came since the mailbox was opened, at most.
    private static let arrivalLimit = 100_000

    /// A few octets name billions of messages: no more are believed than there can be.
    private static func check(_ count: Int, _ client: IMAPClient) async throws {
        let known = Int(await client.mailbox?.messageCount ?? 0)
        guard count > known + arrivalLimit else { return }
        throw CommandFailure(
            .protocolFailure,
            "\(client.server.host) names \(count) messages, and the mailbox has \(known).",
            kind: "protocolViolation")
    }
}
