import MartletBytes
import MartletCommandLineParsing
import MartletFiles
import MartletIMAP
import MartletMIME

/// `martlet imap append`: messages into a mailbox.
enum IMAPAppendCommand: IMAPWork {
    private static let flags = Option(
        "flag", .flag, isRepeatable: true,
        help: "A flag that it gets, such as seen or draft; may be given several times.")
    private static let date = Option(
        "date", .text("DATE"),
        help: "When it arrived, as in \"Mon, 30 Nov 2026 10:00:00 +0100\"; without it: now.")
    private static let creates = Switch("create", help: "Make the mailbox where there is none.")
    private static let file = Argument(
        .file(), help: "The message; standard input without it, or for -.")

    static var definition: CommandDefinition {
        var append = IMAPOptions.definition(
            "append", "Put a message into a mailbox",
            "The message goes as it is, with the line ends that mail has. Prints its new UID, where the "
                + "server tells it.",
            groups: .init("Mailbox", [IMAPOptions.mailbox, creates]),
            .init("Message", [flags, date]))
        append.arguments = [file]
        append.examples = [
            .init(
                "Keep a copy of what was sent",
                """
                martlet imap append --server mail.example.org:993 --user alice \\
                    --password-file ~/.mail-password --mailbox Sent --flag seen \\
                    message.eml
                """)
        ]
        return append
    }

    static func check(_ parsed: ParsedCommand) throws { _ = try arrival(parsed) }

    private static func arrival(_ parsed: ParsedCommand) throws -> MailDate? {
        guard let text = parsed[date] else { return nil }
        let read = MailDate.parse(Array(text.utf8))
        guard let date = read.value else {
            throw parsed.usageError(
                "--date \"\(text)\" is no date; one looks like \"Mon, 30 Nov 2026 10:00:00 +0100\"."
            )
        }
        return date
    }

    static func run(
        _ parsed: ParsedCommand, with client: IMAPClient, _ console: Console
    ) async throws -> ExitStatus {
        let path = parsed[file] ?? "-"
        if path == "-", console.isTyped {
            console.remark("Type the message with its header, then Ctrl-D on a line of its own.")
        }
        let source: any OctetSource =
            path == "-" ? try Spool.reading(descriptor: 0) : try FileSource(path: path)
        let message = AppendMessage(
            try await CanonicalLines(source), flags: parsed.all(flags).map(\.flag),
            date: try arrival(parsed))
        let mailbox = parsed[IMAPOptions.mailbox] ?? .inbox
        console.show(
            progress: "Uploading \(sizeText(message.knownSizeInOctets)) to "
                + "\(Console.printable(mailbox.text))…")
        let result = try await append(
            message, to: mailbox, creating: parsed[creates], client)
        console.show(progress: "")
        if parsed[IMAPOptions.json] {
            console.output(json(result, mailbox).text)
        } else if let uid = result.uids.first {
            console.output("\(uid)")
        }
        return .success
    }

    private static func json(_ result: AppendResult, _ mailbox: MailboxName) -> JSONText {
        .object([
            ("ok", true), ("mailbox", .string(mailbox.text)),
            ("uidValidity", .count(result.uidValidity?.rawValue)),
            ("uid", .count(result.uids.first?.rawValue)),
        ])
    }

    private static func append(
        _ message: AppendMessage, to mailbox: MailboxName, creating creates: Bool,
        _ client: IMAPClient
    ) async throws(IMAPError) -> AppendResult {
        do throws(IMAPError) {
            return try await client.append([message], to: mailbox)
        } catch {
            guard creates, error.code == .tryCreate || error.code == .nonexistent else {
                throw error
            }
            try await client.create(mailbox)
            return try await client.append([message], to: mailbox)
        }
    }
}
