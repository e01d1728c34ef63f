import MartletCommandLineParsing
import MartletMIME
import MartletPOP3

/// `martlet pop3 list`: what is in a maildrop.
enum POP3ListCommand: POP3Work {
    private static let headers = Switch(
        "headers", help: "Also date, sender and subject: the headers are fetched for that.")

    static var definition: CommandDefinition {
        var list = POP3Options.definition(
            "list", "List the messages",
            "Prints each message on a line: its number in this session, its size, and the name it has in "
                + "every session.",
            groups: .init("Messages", [headers]))
        list.examples = [
            .init(
                "See what is there",
                """
                martlet pop3 list --server mail.example.org:995 --user alice \\
                    --password-file ~/.mail-password --headers
                """)
        ]
        return list
    }

    static func run(
        _ parsed: ParsedCommand, with client: POP3Client, _ console: Console
    ) async throws -> ExitStatus {
        let messages = try await client.messages()
        var headers: [Int: Message] = [:]
        if parsed[self.headers] {
            try await client.retrieve(messages.map(\.number), bodyLines: 0) {
                (header) async throws in
                guard header.refusal == nil else { return }
                headers[header.number] = Message(parsing: header.octets)
                console.show(progress: "Reading headers: \(headers.count) of \(messages.count)…")
            }
            console.show(progress: "")
        }
        if parsed[POP3Options.json] {
            let list = messages.map { json($0, headers[$0.number]) }
            console.output(
                JSONText.object([
                    ("ok", true), ("count", .integer(messages.count)), ("messages", .array(list)),
                ]).text)
        } else {
            for message in messages { console.output(line(message, headers[message.number])) }
        }
        return .success
    }

    private static func line(_ message: MaildropMessage, _ header: Message?) -> String {
        var columns = [
            "\(message.number)".padded(to: 6),
            (message.sizeInOctets.map { sizeText($0) } ?? "").padded(to: 12),
        ]
        if let header {
            let sender = header.from.mailboxes.first.map { $0.displayName ?? $0.addrSpec } ?? ""
            columns.append(Console.printable(String(sender.prefix(28))).padded(to: 28))
            columns.append(Console.printable(header.subject ?? ""))
        } else {
            columns.append(Console.printable(message.uniqueID?.text ?? ""))
        }
        return columns.joined(separator: " ")
    }

    private static func json(_ message: MaildropMessage, _ header: Message?) -> JSONText {
        var members: [(name: String, value: JSONText)] = [
            ("number", .integer(message.number)), ("sizeInOctets", .count(message.sizeInOctets)),
            ("uniqueID", .optional(message.uniqueID?.text)),
        ]
        if let header {
            members += [
                ("date", .optional(header.date?.text)), ("subject", .optional(header.subject)),
                (
                    "from",
                    .array(
                        header.from.mailboxes.map { mailbox in
                            .object([
                                ("name", .optional(mailbox.displayName)),
                                ("address", .string(mailbox.addrSpec)),
                            ])
                        })
                ),
            ]
        }
        return .object(members)
    }
}
