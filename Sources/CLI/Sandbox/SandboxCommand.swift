import MartletCommandLineParsing
import MartletSandbox

/// `martlet sandbox`: a mail system on this machine that takes every message and passes none on.
enum SandboxCommand: CommandRunner {
    private static let smtpPort = Option(
        "smtp-port", .integer("PORT", in: 0...65_535), default: 2525,
        help: "The port for plain text and STARTTLS; 0 takes any free one.")
    private static let smtpsPort = Option(
        "smtps-port", .integer("PORT", in: 0...65_535), default: 2465,
        help: "The port for TLS from the start; 0 takes any free one.")
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
            "Takes every message for everybody, keeps it in memory and prints a line about it. Its "
                + "certificate is made at each start; give clients the file ca.pem that it prints. It "
                + "ends with Ctrl-C or SIGTERM."
        ]
        sandbox.groups = [
            .init("Network", [smtpPort, smtpsPort, listen]),
            .init("Mail", [domain, accounts, requiresLogin, memoryLimit]),
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

    static func run(_ parsed: ParsedCommand, _ console: Console) async throws -> ExitStatus {
        var configuration = Sandbox.Configuration()
        configuration.smtpPort = parsed[smtpPort] ?? configuration.smtpPort
        configuration.smtpsPort = parsed[smtpsPort] ?? configuration.smtpsPort
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
