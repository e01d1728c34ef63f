import MartletCommandLineParsing

/// The options of `martlet sandbox`.
package enum SandboxOptions {
    package static let smtpPort = port(
        "smtp", 2525, "SMTP, plain text and STARTTLS. 0 takes any free port.")
    package static let submissionPort = port(
        "submission", 2587, "SMTP for submission, the same.")
    package static let smtpsPort = port("smtps", 2465, "SMTP with TLS from the start.")
    package static let lmtpPort = port("lmtp", nil, "LMTP; without this option nobody listens.")
    package static let imapPort = port("imap", 2143, "IMAP, plain text and STARTTLS.")
    package static let imapsPort = port("imaps", 2993, "IMAP with TLS from the start.")
    package static let pop3Port = port("pop3", 2110, "POP3, plain text and STLS.")
    package static let pop3sPort = port("pop3s", 2995, "POP3 with TLS from the start.")
    package static let httpPort = port(
        "http", 8025, "HTTP, to see and steer the sandbox from tests in any language.")
    package static let noHTTP = Switch("no-http", help: "Nobody listens for HTTP.")
    package static let httpHosts = Option(
        "http-host", .text("NAME"), isRepeatable: true,
        help:
            "Also answer HTTP requests to this host name, as a container has one. Others than localhost "
            + "are refused, so that no web site reaches the sandbox through a browser.")
    package static let listen = Option(
        "listen", .text("ADDRESS"), isRepeatable: true,
        help: "Listen at this IP address instead of 127.0.0.1 and ::1.")

    package static let domain = Option(
        "domain", .text("NAME"), default: "example.test",
        help: "The domain of users that are named without one.")
    package static let accounts = Option(
        "accounts", .file(),
        help:
            "Let only the users in this file or pipe log in, a line each: NAME:PASSWORD. Without it "
            + "any password is right.")
    package static let aliases = Option(
        "alias", .text("NAME=ADDRESS,…"), isRepeatable: true,
        help: "Mail to this name or address goes to these.")
    package static let catchAll = Option(
        "catch-all", .text("ADDRESS"),
        help: "With --accounts, mail to addresses that nobody has goes here.")
    package static let requiresLogin = Switch(
        "require-login", help: "Take mail only after a login.")
    package static let memoryLimit = Option(
        "memory-limit", .integer("MIB", in: 1...65_536), default: 256,
        help: "Keep at most this much mail; when more comes, the oldest goes.")
    package static let maildirs = Option(
        "dir", .folder(),
        help:
            "Keep mailboxes in this folder, as Maildirs that other programs can read, instead of in "
            + "memory; made if need be. UIDs survive a restart.")

    package static let faults = Option(
        "faults", .file(),
        help:
            "Do wrong what this file says, in JSON5: a list of faults such as {command: \"RCPT\", times: "
            + "1, reply: \"450 4.7.1 Later\"}.")
    package static let noMagic = Switch(
        "no-magic",
        help:
            "Recipients such as bounce-550@example.test or slow-10s@example.test are like others.")

    package static let stateFolder = Option(
        "state-folder", .folder(),
        help:
            "Write the certificate authority, ca.pem, into this folder; made if need be. Without it "
            + "a private temporary folder is used and removed at the end.")
    package static let mailFolder = Option(
        "mail-folder", .folder(),
        help:
            "Also write each message into this folder, as it came: 1.eml, 2.eml and so on; made if "
            + "need be.")
    package static let readyFile = Option(
        "ready-file", .file(),
        help: "Write ports and paths as JSON into this file once mail is taken; removed at the end."
    )
    package static let json = Switch(
        "json", help: "Print what happens as JSON, an object a line.")

    private static func port(_ name: String, _ usual: Int?, _ help: String) -> Option<Int> {
        Option(name + "-port", .integer("PORT", in: 0...65_535), default: usual, help: help)
    }

    static let groups: [CommandDefinition.Group] = [
        .init(
            "Network",
            [
                smtpPort, submissionPort, smtpsPort, lmtpPort, imapPort, imapsPort, pop3Port,
                pop3sPort, httpPort, noHTTP, httpHosts, listen,
            ]),
        .init(
            "Mail",
            [domain, accounts, aliases, catchAll, requiresLogin, memoryLimit, maildirs]),
        .init("Faults", [faults, noMagic]),
        .init("Files", [stateFolder, mailFolder, readyFile]),
        .init("Output", [json]),
    ]
}
