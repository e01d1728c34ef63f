import MartletCommandLineParsing
import MartletSMTP
import MartletTransport

/// `martlet smtp raw`: SMTP by hand, with TLS done.
enum SMTPRawCommand: CommandRunner {
    static var definition: CommandDefinition {
        var raw = CommandDefinition(name: "raw", summary: "Talk to an SMTP server by hand")
        raw.discussion = [
            "Connects and starts TLS; with --tls starttls it says EHLO and STARTTLS for you. Then each "
                + "line of standard input is sent as a command and the reply is printed. After DATA and "
                + "a 354 the lines are the message as it goes over the wire, up to a line with a single "
                + "dot. It ends with QUIT, with the input, or when the server closes.",
            "What you type after a 334 is not shown. In a pipe each command waits for the reply to the "
                + "one before.",
        ]
        raw.groups = [ConnectionOptions.smtp.group]
        raw.refused = [PasswordOptions.refused]
        raw.examples = [
            .init("Walk through a session", "martlet smtp raw --server mail.example.org:587"),
            .init(
                "Ask what a server offers",
                """
                echo "EHLO client.example.org" | \\
                    martlet smtp raw --server mail.example.org:465
                """),
        ]
        raw.exitStatuses =
            [
                .success, .usage, .badData, .noSuchHost, .unavailable, .outputLost, .tryLater,
                .protocolFailure,
            ].rows(meaning: [.success: "The conversation ended as it was asked to."])
        return raw
    }

    static func run(_ parsed: ParsedCommand, _ console: Console) async throws -> ExitStatus {
        let server = try SMTPServer(parsed, log: nil)
        let conversation = try await SMTPConversation.open(server, console)
        do {
            let status = try await conversation.hold()
            await conversation.close()
            return status
        } catch {
            await conversation.close()
            throw error
        }
    }
}
