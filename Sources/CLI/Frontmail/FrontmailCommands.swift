import MartletCommandLineParsing

/// `martlet frontmail send`: templated mail with a public key.
enum FrontmailSendCommand: SiblingCommand {
    static let program = "martlet-frontmail"

    static var definition: CommandDefinition {
        var send = CommandDefinition(name: "send", summary: "Send a mail from a template")
        send.synopses = ["--key PUBLIC-KEY --template TEMPLATE-ID [options]"]
        send.discussion = [
            "Asks a Frontmail service to send one mail. The service has the templates and the senders; a public key "
                + "is all that is needed here.",
            "However often the request has to be made, one mail is sent: each attempt carries the same idempotency key.",
        ]
        send.groups = [
            FrontmailOptions.connection,
            .init(
                "Mail",
                [
                    FrontmailOptions.template, FrontmailOptions.param, FrontmailOptions.jsonParam,
                    FrontmailOptions.attach, FrontmailOptions.upload, FrontmailOptions.service,
                    FrontmailOptions.locale, FrontmailOptions.idempotencyKey,
                    FrontmailOptions.turnstileToken, FrontmailOptions.turnstileKey,
                ]),
            .init("Output", [FrontmailOptions.json]),
        ]
        send.examples = [
            .init(
                "Send a welcome",
                """
                martlet frontmail send --key pk_4f2a --template tpl_welcome \\
                    --param name=Ana --param-json visits=3
                """),
            .init(
                "Send a file through a gateway on this machine",
                """
                martlet frontmail send --url http://localhost:8080 --key pk_4f2a \\
                    --template tpl_report --attach report.pdf
                """),
        ]
        send.exitStatuses = FrontmailOptions.exitStatuses
        return send
    }
}

/// `martlet frontmail status`: what has become of a mail.
enum FrontmailStatusCommand: SiblingCommand {
    static let program = "martlet-frontmail"

    static var definition: CommandDefinition {
        var status = CommandDefinition(name: "status", summary: "Ask what has become of a mail")
        status.arguments = [FrontmailOptions.messageID]
        status.groups = [
            FrontmailOptions.connection,
            .init("Message", [FrontmailOptions.statusToken]),
            .init("Output", [FrontmailOptions.json]),
        ]
        status.examples = [
            .init(
                "Ask about a mail",
                "martlet frontmail status --key pk_4f2a --status-token st_9c1e msg_01J9")
        ]
        status.exitStatuses = FrontmailOptions.exitStatuses
        return status
    }
}

extension FrontmailOptions {
    static var exitStatuses: [CommandDefinition.ExitStatus] {
        [
            ExitStatus.success, .usage, .badData, .unreadableInput, .recipientRefused, .unavailable,
            .outputLost, .tryLater, .protocolFailure, .credentialsRefused, .interrupted,
        ].rows(meaning: [
            .success: "The service accepted the mail, or told its status.",
            .badData:
                "The service refuses the template, the parameters or the files, or knows no such message.",
            .recipientRefused:
                "The recipient is blocked, or gets no mail from this account any more.",
            .unavailable:
                "The account has no credits or is suspended, or martlet-frontmail is missing.",
            .outputLost:
                "The result could not be written, as to a full disk; the mail was accepted.",
            .tryLater: "No answer, too many requests, or the service failed: it may work later.",
            .protocolFailure: "What answered is no such service.",
            .credentialsRefused:
                "The key, the Turnstile token or the account's settings do not allow it.",
        ])
    }
}
