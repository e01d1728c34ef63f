import MartletCommandLineParsing
import MartletPOP3

/// `martlet pop3 delete`: messages from the server.
enum POP3DeleteCommand: POP3Work {
    private static let numbers = Argument(
        .messageNumbers, isRequired: true,
        help: "The messages by number, such as 7 or 3,10:20 or 1:* (all).")

    static var definition: CommandDefinition {
        var delete = POP3Options.definition(
            "delete", "Delete messages",
            "All or nothing: a session that is cut short deletes nothing. Numbers may be others in the "
                + "next session; look with list first.")
        delete.arguments = [numbers]
        delete.examples = [
            .init(
                "Delete a message",
                """
                martlet pop3 delete --server mail.example.org:995 --user alice \\
                    --password-file ~/.mail-password 3
                """)
        ]
        return delete
    }

    static func run(
        _ parsed: ParsedCommand, with client: POP3Client, _ console: Console
    ) async throws -> ExitStatus {
        guard let numbers = parsed[numbers] else { return .usage }
        let messages = try await chosen(numbers, client)
        let refused = try await client.delete(messages.map(\.number))
        // Only with the goodbye are they gone.
        try await client.disconnect()
        if parsed[POP3Options.json] {
            console.output(
                JSONText.object([
                    ("ok", .bool(refused.isEmpty)),
                    ("deleted", .integer(messages.count - refused.count)),
                    ("refused", .array(refused.map { .integer($0.number) })),
                ]).text)
        }
        for message in refused {
            console.remark("martlet: \(message.number) was not deleted: \(message.reply)")
        }
        if console.isWatched { console.remark("Deleted \(messages.count - refused.count).") }
        return refused.isEmpty ? .success : .badData
    }
}
