import MartletCommandLineParsing

/// `martlet sandbox`: a mail system on this machine that takes every message and passes none on. Its own program has it, so that
/// no other command needs the HTTP library.
enum SandboxCommand: SiblingCommand {
    static let program = "martlet-sandbox"

    static var definition: CommandDefinition {
        var sandbox = CommandDefinition(
            name: "sandbox", summary: "Run a mail server from which nothing leaves the machine")
        sandbox.discussion = [
            "Takes every message for everybody by SMTP, prints a line about it, and lets mail programs read "
                + "it by IMAP and POP3: each address has a mailbox. Mail is in memory unless --dir is given. The "
                + "certificate is made at each start; give clients the file ca.pem that it prints. It "
                + "ends with Ctrl-C or SIGTERM.",
            "Tests in any language see what came, and reset it, by HTTP: GET /api lists the ways.",
        ]
        sandbox.groups = SandboxOptions.groups
        sandbox.refused = [
            RefusedOption(
                ["account", "password", "user", "users"],
                "every user of the machine can read a command line; write NAME:PASSWORD lines into a "
                    + "file for --accounts.")
        ]
        sandbox.examples = [
            .init("Run it with two users", "martlet sandbox --accounts users.txt --require-login"),
            .init(
                "Send to it from another terminal",
                """
                echo Hello | martlet send --server localhost:2525 --tls starttls \\
                    --ca-file CA-FILE --from alice@example.test --to bob@example.test
                """),
            .init(
                "Wait in a test for what came for Bob",
                "curl 'http://localhost:8025/api/messages/wait?to=bob@example.test'"),
        ]
        sandbox.exitStatuses =
            [ExitStatus.success, .usage, .badData, .unreadableInput, .unavailable, .outputLost]
            .rows(
                meaning: [
                    .success: "It ran until it was told to stop.",
                    .unavailable: "A port is taken, or martlet-sandbox is missing.",
                ])
        return sandbox
    }
}
