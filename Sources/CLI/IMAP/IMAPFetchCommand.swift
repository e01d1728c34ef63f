import MartletCommandLineParsing
import MartletIMAP

/// `martlet imap fetch`: messages, parts of them, or a list.
enum IMAPFetchCommand: IMAPWork {
    static var definition: CommandDefinition {
        var fetch = IMAPOptions.definition(
            "fetch", "Fetch messages, parts of them, or a list",
            "Prints one message to standard output, or puts any number into files of a folder. With "
                + "--list or --structure it prints what there is instead. Messages come in pieces: any "
                + "size goes through little memory.",
            "Nothing is marked as read unless --mark-seen is given. With --json a message is one object "
                + "on a line of its own; what it holds goes to the folder.",
            groups: .init("Mailbox", [IMAPOptions.mailbox]), IMAPFetchOptions.what,
            IMAPFetchOptions.destination)
        fetch.arguments = [IMAPOptions.messages]
        fetch.exclusions += IMAPFetchOptions.exclusions
        fetch.examples = [
            .init(
                "See what is there",
                """
                martlet imap fetch --server mail.example.org:993 --user alice \\
                    --password-file ~/.mail-password --list 1:*
                """),
            .init(
                "Save an attachment",
                """
                martlet imap fetch --server mail.example.org:993 --user alice \\
                    --password-file ~/.mail-password --part 2 4711 > report.pdf
                """),
        ]
        return fetch
    }

    static func check(_ parsed: ParsedCommand) throws {
        let isListing = parsed[IMAPFetchOptions.list] || parsed[IMAPFetchOptions.structure]
        if parsed[IMAPFetchOptions.marksSeen], isListing {
            throw parsed.usageError("--mark-seen is for messages that are fetched, not for lists.")
        }
        if parsed[IMAPFetchOptions.overwrites], parsed[IMAPFetchOptions.folder] == nil {
            throw parsed.usageError("--overwrite needs --folder.")
        }
        guard !isListing, parsed[IMAPFetchOptions.folder] == nil else { return }
        if parsed[IMAPOptions.json] {
            throw parsed.usageError(
                "--json needs --folder for the messages, or --list or --structure.")
        }
    }

    static func run(
        _ parsed: ParsedCommand, with client: IMAPClient, _ console: Console
    ) async throws -> ExitStatus {
        guard let uids = parsed[IMAPOptions.messages] else { return .usage }
        let mailbox = parsed[IMAPOptions.mailbox] ?? .inbox
        let opened = try await client.select(mailbox, readOnly: !parsed[IMAPFetchOptions.marksSeen])
        guard opened.mailbox.messageCount > 0 else { throw missing(uids, in: mailbox) }
        if parsed[IMAPFetchOptions.list] || parsed[IMAPFetchOptions.structure] {
            let listing = IMAPListing(
                console, isJSON: parsed[IMAPOptions.json],
                showsStructure: parsed[IMAPFetchOptions.structure])
            let count = try await listing.print(uids, client)
            guard count > 0 else { throw missing(uids, in: mailbox) }
            return .success
        }
        let download = IMAPDownload(parsed, console, client)
        let found = try await existing(uids, client)
        guard !found.isEmpty else { throw missing(uids, in: mailbox) }
        if parsed[IMAPFetchOptions.folder] == nil, found.count > 1 {
            throw CommandFailure(
                .usage,
                "these are \(found.count) messages, and standard output takes one; add --folder.",
                kind: "usage")
        }
        return try await download.run(found)
    }

    /// Those that are there: `1:*` names many that are not.
    private static func existing(_ uids: UIDSet, _ client: IMAPClient) async throws -> [UID] {
        var found: [UID] = []
        for try await row in client.rows(uids, [.uid]) {
            if let uid = row.uid { found.append(uid) }
        }
        return found.sorted()
    }

    private static func missing(_ uids: UIDSet, in mailbox: MailboxName) -> CommandFailure {
        CommandFailure(
            .badData, "there is no message with UID \(uids) in \"\(mailbox.text)\".",
            kind: "noSuchMessage")
    }
}
