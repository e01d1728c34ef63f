import MartletCommandLineParsing
import MartletIMAP

/// `martlet imap raw`: IMAP by hand, with TLS and login done.
enum IMAPRawCommand: CommandRunner {
    static var definition: CommandDefinition {
        var raw = CommandDefinition(name: "raw", summary: "Talk to an IMAP server by hand")
        raw.discussion = [
            "Connects, starts TLS, and logs in if there is --user. Then each line of standard input is sent "
                + "as a command, with a tag of its own before it, and what the server says is printed as it "
                + "comes. It ends with LOGOUT, with the input, or when the server closes.",
            "A line that ends with {12} announces a literal: the next 12 octets of the input are sent once "
                + "the server asks for them, line ends counted as two. After IDLE, DONE ends it; after a + to "
                + "AUTHENTICATE what you type is not shown. In a pipe each command waits for the answer to "
                + "the one before.",
        ]
        raw.groups = [
            ConnectionOptions.imap.group, PasswordOptions.group,
            .init("Output", [ConnectionOptions.logsWire]),
        ]
        raw.exclusions = [PasswordOptions.sources]
        raw.refused = [PasswordOptions.refused]
        raw.examples = [
            .init(
                "Ask what martlet has no command for",
                """
                printf '%s\\n' 'EXAMINE INBOX' 'FETCH 1 BODYSTRUCTURE' |
                    martlet imap raw --server mail.example.org:993 --user alice \\
                        --password-file ~/.mail-password
                """)
        ]
        raw.exitStatuses = ExitStatus.ofIMAP.rows(
            meaning: [
                .success:
                    "The conversation ended as it was asked to, whatever the server answered.",
                .badData: "The input ended inside a literal, or a line could not be sent.",
            ])
        return raw
    }

    static func run(_ parsed: ParsedCommand, _ console: Console) async throws -> ExitStatus {
        let log = ConnectionOptions.wireLog(of: parsed, console)
        defer { log?.flush() }
        var server = try IMAPServer(parsed, log: log)
        try server.logIn(parsed)
        let conversation = try await IMAPConversation.open(server, console)
        let status = await conversation.hold()
        await conversation.close()
        return try status.get()
    }
}
