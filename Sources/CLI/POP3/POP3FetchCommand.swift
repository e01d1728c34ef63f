import MartletCommandLineParsing
import MartletFiles
import MartletPOP3

/// `martlet pop3 fetch`: messages to files, or one to standard output.
enum POP3FetchCommand: POP3Work {
    private static let header = Switch("header", help: "Only the header.")
    private static let folder = Option(
        "folder", short: "o", .folder(),
        help: "Put each message into a file of this folder, named by its number: 7.eml.")
    private static let overwrites = Switch(
        "overwrite", help: "Replace files that are there; without it they are left, and an error.")
    private static let deletes = Switch(
        "delete", help: "Then delete from the server what was fetched. Needs --folder.")
    private static let numbers = Argument(
        .messageNumbers, isRequired: true,
        help: "The messages by number, such as 7 or 3,10:20 or 1:* (all).")

    static var definition: CommandDefinition {
        var fetch = POP3Options.definition(
            "fetch", "Fetch messages",
            "Prints one message to standard output, or puts any number into files of a folder; many are "
                + "asked for at once where the server can. A message is deleted only once its file is "
                + "whole on the disk.",
            groups: .init("What", [header, deletes]), .init("Where", [folder, overwrites]))
        fetch.arguments = [numbers]
        fetch.exclusions += [[header, deletes]]
        fetch.examples = [
            .init(
                "Empty a maildrop into a folder",
                """
                martlet pop3 fetch --server mail.example.org:995 --user alice \\
                    --password-file ~/.mail-password --folder inbox --delete 1:*
                """)
        ]
        return fetch
    }

    static func run(
        _ parsed: ParsedCommand, with client: POP3Client, _ console: Console
    ) async throws -> ExitStatus {
        guard let numbers = parsed[numbers] else { return .usage }
        if parsed[deletes], parsed[folder] == nil {
            throw parsed.usageError("--delete needs --folder: what is printed may be lost.")
        }
        let messages = try await chosen(numbers, client)
        guard let folder = parsed[folder] else {
            guard messages.count == 1 else {
                throw CommandFailure(
                    .usage,
                    "these are \(messages.count) messages, and standard output takes one; add --folder.",
                    kind: "usage")
            }
            try await client.download(
                [messages[0].number], bodyLines: parsed[header] ? 0 : nil
            ) { (piece) async throws in
                if case .octets(let octets) = piece { console.output(message: octets) }
                if case .refused(_, let reply) = piece { throw refusal(reply) }
            }
            return .success
        }
        let kept = try await toFiles(messages, in: folder, parsed, client, console)
        if parsed[deletes] { try await client.delete(kept) }
        return .success
    }

    /// Returns the numbers of those that are whole on the disk.
    private static func toFiles(
        _ messages: [MaildropMessage], in folder: String, _ parsed: ParsedCommand,
        _ client: POP3Client, _ console: Console
    ) async throws -> [Int] {
        let prefix = folder.hasSuffix("/") ? folder : folder + "/"
        if !parsed[overwrites] {
            // Before the first is fetched.
            for message in messages {
                try FileInProgress.refuseExisting(prefix + "\(message.number).eml")
            }
        }
        var kept: [Int] = []
        var file: FileInProgress?
        try await client.download(
            messages.map(\.number), bodyLines: parsed[header] ? 0 : nil
        ) { (piece) async throws in
            switch piece {
            case .begins(let number):
                file = try FileInProgress(
                    path: prefix + "\(number).eml", replaces: parsed[overwrites])
            case .octets(let octets): try file?.write(octets)
            case .ends(let number):
                let size = try file?.commit() ?? 0
                file = nil
                kept.append(number)
                console.show(progress: "Fetching \(kept.count) of \(messages.count)…")
                if parsed[POP3Options.json] {
                    console.output(
                        JSONText.object([
                            ("number", .integer(number)),
                            ("file", .string(prefix + "\(number).eml")),
                            ("sizeInOctets", .integer(size)),
                        ]).text)
                }
            case .refused(_, let reply): throw refusal(reply)
            }
        }
        console.show(progress: "")
        return kept
    }

    private static func refusal(_ reply: POP3Reply) -> POP3Error {
        POP3Error(kind: .refused(reply), command: "RETR")
    }
}
