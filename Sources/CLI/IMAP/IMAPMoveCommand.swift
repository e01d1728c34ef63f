import MartletCommandLineParsing
import MartletIMAP

/// `martlet imap move`: messages to another mailbox, or copies of them.
enum IMAPMoveCommand: IMAPWork {
    private static let destination = Option(
        "to", .mailbox, isRequired: true, help: "Where they go.")
    private static let copies = Switch("copy", help: "Copy them; they stay where they are, too.")
    private static let creates = Switch("create", help: "Make the mailbox where there is none.")

    static var definition: CommandDefinition {
        var move = IMAPOptions.definition(
            "move", "Move or copy messages to another mailbox",
            "In one step where the server can, else copied and then removed. Prints each UID with the "
                + "new one, where the server tells it.",
            groups: .init("Mailboxes", [IMAPOptions.mailbox, destination, copies, creates]))
        move.arguments = [IMAPOptions.messages]
        move.examples = [
            .init(
                "File messages away",
                """
                martlet imap move --server mail.example.org:993 --user alice \\
                    --password-file ~/.mail-password --to Archive --create 4711,4720
                """)
        ]
        return move
    }

    static func run(
        _ parsed: ParsedCommand, with client: IMAPClient, _ console: Console
    ) async throws -> ExitStatus {
        guard let uids = parsed[IMAPOptions.messages] else { return .usage }
        let target = try parsed.required(destination)
        let mailbox = parsed[IMAPOptions.mailbox] ?? .inbox
        try await client.select(mailbox, readOnly: parsed[copies])
        let found = UIDSet(try await client.fetch(uids, [.uid]).rows.compactMap(\.uid))
        guard !found.isEmpty else {
            throw CommandFailure(
                .badData, "there is no message with UID \(uids) in \"\(mailbox.text)\".",
                kind: "noSuchMessage")
        }
        let results = try await carry(
            found, to: target, copying: parsed[copies], creating: parsed[creates], client)
        if parsed[IMAPOptions.json] {
            console.output(json(found, results, parsed[copies], target).text)
        } else {
            for pair in results.compactMap(\.uids).flatMap({ Array($0.pairs) }) {
                console.output("\(pair.source)".padded(to: 7) + " \(pair.destination)")
            }
        }
        if console.isWatched {
            let verb = parsed[copies] ? "Copied" : "Moved"
            console.remark("\(verb) \(found.count ?? 0) messages to \(target.text).")
        }
        return .success
    }

    private static func carry(
        _ uids: UIDSet, to target: MailboxName, copying copies: Bool, creating creates: Bool,
        _ client: IMAPClient
    ) async throws(IMAPError) -> [CopyResult] {
        do throws(IMAPError) {
            return copies
                ? try await client.copy(uids, to: target) : try await client.move(uids, to: target)
        } catch {
            guard creates, error.code == .tryCreate || error.code == .nonexistent else {
                throw error
            }
            try await client.create(target)
            return copies
                ? try await client.copy(uids, to: target) : try await client.move(uids, to: target)
        }
    }

    private static func json(
        _ uids: UIDSet, _ results: [CopyResult], _ copies: Bool, _ target: MailboxName
    ) -> JSONText {
        let pairs = results.compactMap(\.uids).flatMap { Array($0.pairs) }
        return .object([
            ("ok", true), ("copied", .bool(copies)), ("to", .string(target.text)),
            ("count", .integer(uids.count ?? 0)),
            (
                "uidValidity",
                .count(results.lazy.compactMap(\.uidValidity).first?.rawValue)
            ),
            (
                "uids",
                .array(
                    pairs.map { pair in
                        .object([
                            ("from", .count(pair.source.rawValue)),
                            ("to", .count(pair.destination.rawValue)),
                        ])
                    })
            ),
        ])
    }
}
