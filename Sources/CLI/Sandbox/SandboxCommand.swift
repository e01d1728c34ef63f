import MartletCommandLineParsing
import MartletSandbox

/// `martlet sandbox`: a mail system on this machine that takes every message and passes none on.
enum SandboxCommand: CommandRunner {
    /// A port, its default, and where it is set.
    private struct Port: Sendable {
        let option: Option<Int>
        let path: any WritableKeyPath<Sandbox.Configuration, Int?> & Sendable

        init(
            _ name: String, _ usual: Int?, _ help: String,
            _ path: any WritableKeyPath<Sandbox.Configuration, Int?> & Sendable
        ) {
            option = Option(
                name + "-port", .integer("PORT", in: 0...65_535), default: usual, help: help)
            self.path = path
        }
    }

    private static let ports = [
        Port("smtp", 2525, "SMTP, plain text and STARTTLS. 0 takes any free port.", \.smtpPort),
        Port("submission", 2587, "SMTP for submission, the same.", \.submissionPort),
        Port("smtps", 2465, "SMTP with TLS from the start.", \.smtpsPort),
        Port("lmtp", nil, "LMTP; without this option nobody listens.", \.lmtpPort),
        Port("imap", 2143, "IMAP, plain text and STARTTLS.", \.imapPort),
        Port("imaps", 2993, "IMAP with TLS from the start.", \.imapsPort),
        Port("pop3", 2110, "POP3, plain text and STLS.", \.pop3Port),
        Port("pop3s", 2995, "POP3 with TLS from the start.", \.pop3sPort),
    ]
    private static let aliases = Option(
        "alias", .text("NAME=ADDRESS,…"), isRepeatable: true,
        help: "Mail to this name or address goes to these.")
    private static let catchAll = Option(
        "catch-all", .text("ADDRESS"),
        help: "With --accounts, mail to addresses that nobody has goes here.")
    private static let maildirs = Option(
        "dir", .folder(),
        help:
            "Keep mailboxes in this folder, as Maildirs that other programs can read, instead of in "
            + "memory; made if need be. UIDs survive a restart.")
    private static let listen = Option(
        "listen", .text("ADDRESS"), isRepeatable: true,
        help: "Listen at this IP address instead of 127.0.0.1 and ::1.")
    private static let domain = Option(
        "domain", .text("NAME"), default: "example.test",
        help: "The domain of users that are named without one.")
    private static let accounts = Option(
        "accounts", .file(),
        help:
            "Let only the users in this file or pipe log in, a line each: NAME:PASSWORD. Without it "
            + "any password is right.")
    private static let requiresLogin = Switch(
        "require-login", help: "Take mail only after a login.")
    private static let memoryLimit = Option(
        "memory-limit", .integer("MIB", in: 1...65_536), default: 256,
        help: "Keep at most this much mail; when more comes, the oldest goes.")
    private static let stateFolder = Option(
        "state-folder", .folder(),
        help:
            "Write the certificate authority, ca.pem, into this folder; made if need be. Without it "
            + "a private temporary folder is used and removed at the end.")
    private static let mailFolder = Option(
        "mail-folder", .folder(),
        help:
            "Also write each message into this folder, as it came: 1.eml, 2.eml and so on; made if "
            + "need be.")
    private static let readyFile = Option(
        "ready-file", .file(),
        help: "Write ports and paths as JSON into this file once mail is taken; removed at the end."
    )
    private static let json = Switch(
        "json", help: "Print what happens as JSON, an object a line.")

    static var definition: CommandDefinition {
        var sandbox = CommandDefinition(
            name: "sandbox", summary: "Run a mail server from which nothing leaves the machine")
        sandbox.discussion = [
            "Takes every message for everybody by SMTP, prints a line about it, and lets mail programs read "
                + "it by IMAP and POP3: each address has a mailbox. Mail is in memory unless --dir is given. The "
                + "certificate is made at each start; give clients the file ca.pem that it prints. It "
                + "ends with Ctrl-C or SIGTERM."
        ]
        sandbox.groups = [
            .init("Network", ports.map(\.option) + [listen]),
            .init(
                "Mail",
                [domain, accounts, aliases, catchAll, requiresLogin, memoryLimit, maildirs]),
            .init("Files", [stateFolder, mailFolder, readyFile]),
            .init("Output", [json]),
        ]
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
        ]
        sandbox.exitStatuses =
            [ExitStatus.success, .usage, .badData, .unreadableInput, .unavailable, .outputLost]
            .rows(
                meaning: [.success: "It ran until it was told to stop."])
        return sandbox
    }

    private static func aliases(of parsed: ParsedCommand) throws -> [String: [String]] {
        var found: [String: [String]] = [:]
        for text in parsed.all(aliases) {
            let parts = text.split(separator: "=", maxSplits: 1)
            let addresses = parts.count == 2 ? parts[1].split(separator: ",").map(String.init) : []
            guard !addresses.isEmpty else {
                throw parsed.usageError("--alias \"\(text)\" is none; one is team=alice,bob.")
            }
            found[String(parts[0]), default: []] += addresses
        }
        return found
    }

    static func run(_ parsed: ParsedCommand, _ console: Console) async throws -> ExitStatus {
        var configuration = Sandbox.Configuration()
        for port in ports where parsed.isGiven(port.option) {
            configuration[keyPath: port.path] = parsed[port.option]
        }
        configuration.aliases = try Self.aliases(of: parsed)
        configuration.catchAll = parsed[catchAll]
        configuration.mailFolder = parsed[maildirs]
        configuration.domain = parsed[domain] ?? configuration.domain
        configuration.requiresAuthentication = parsed[requiresLogin]
        configuration.memoryLimitInOctets = (parsed[memoryLimit] ?? 256) << 20
        if parsed.isGiven(listen) { configuration.listenAddresses = parsed.all(listen) }
        if let path = parsed[accounts] { configuration.users = try AccountsFile.read(path) }

        // From here on a signal means an orderly end.
        let interruption = Interruption()
        let sandbox = try await Sandbox.start(configuration)
        let voice = SandboxVoice(sandbox, printsJSON: parsed[json], console)
        do {
            let files = try SandboxFiles(
                sandbox, folder: parsed[stateFolder], mailFolder: parsed[mailFolder])
            defer { files.remove(readyFile: parsed[readyFile]) }
            try files.announce(voice.listening(files).text, in: parsed[readyFile])
            voice.sayListening(files)
            await withTaskGroup { group in
                group.addTask {
                    for await event in sandbox.events {
                        // First the file, so that whoever reads the line finds it.
                        do {
                            try files.keep(event)
                        } catch {
                            console.remark("martlet: \(error)")
                        }
                        voice.say(event)
                    }
                }
                await interruption.wait()
                await sandbox.stop()
            }
            voice.sayStopped()
            return .success
        } catch {
            await sandbox.stop()
            throw error
        }
    }
}
