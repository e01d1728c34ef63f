import MartletCommandLineParsing
import MartletMIME
import MartletSMTP
import MartletTransport

/// `martlet check smtp`: a server looked at layer by layer, each with its time and advice.
enum CheckSMTPCommand: CommandRunner {
    private static let from = Option(
        "from", short: "f", .text("ADDRESS"),
        help: "A sender to try with MAIL FROM, which is taken back by RSET. No message is sent.")
    private static let json = Switch(
        "json", help: "Print the result as a JSON object on standard output.")

    static var definition: CommandDefinition {
        var check = CommandDefinition(name: "smtp", summary: "Check an SMTP server layer by layer")
        check.discussion = [
            "Looks the name up, connects, starts TLS, greets, logs in if there is --user, and tries a "
                + "sender if there is --from. Says how long each layer took, and what to do about the "
                + "one that failed."
        ]
        check.groups = [
            ConnectionOptions.smtp.group,
            PasswordOptions.group,
            .init("Sender", [from]),
            .init("Output", [json, ConnectionOptions.logsWire]),
        ]
        check.exclusions = [PasswordOptions.sources]
        check.refused = [PasswordOptions.refused]
        check.examples = [
            .init(
                "See why mail does not leave",
                """
                martlet check smtp --server mail.example.org:587 --user alice \\
                    --password-file ~/.mail-password --from alice@example.org
                """)
        ]
        check.exitStatuses = ExitStatus.allCases.rows
        return check
    }

    static func run(_ parsed: ParsedCommand, _ console: Console) async throws -> ExitStatus {
        let log = ConnectionOptions.wireLog(of: parsed, console)
        defer { log?.flush() }
        var server = try SMTPServer(parsed, log: log)
        let sender = try parsed[from].map { try MailboxAddress($0) }
        try server.logIn(parsed)
        // A person is waiting: the limits of RFC 5321 are for machines.
        server.timeouts.connect = .seconds(15)
        server.timeouts.tlsHandshake = .seconds(15)
        server.timeouts.greeting = .seconds(60)
        server.timeouts.reply = .seconds(60)

        let report = await check(server, sender, console)
        console.show(progress: "")
        if parsed[json] {
            console.output(report.json.text)
        } else {
            console.output(text: report.text)
        }
        return report.status
    }

    private static func check(
        _ server: SMTPServer, _ sender: MailboxAddress?, _ console: Console
    ) async -> CheckReport {
        var check = SMTPCheck(server, tries: sender != nil)
        let lookUps = TimedLookUps()
        var server = server
        server.resolver = lookUps.timing(server.resolver)
        let client = SMTPClient(server)
        let (steps, continuation) = AsyncStream.makeStream(of: SMTPConnectionStep.self)
        console.show(progress: "Checking \(server.host)…")
        var last = ContinuousClock.now
        do {
            async let connected: Void = client.connect(steps: continuation)
            for await step in steps {
                let now = ContinuousClock.now
                check.add(step, after: now - last, lookUps.result)
                last = now
            }
            try await connected
        } catch {
            check.fail(error, after: ContinuousClock.now - last, lookUps.result)
            return check.report
        }
        if let sender {
            let start = ContinuousClock.now
            do {
                let path = try ReversePath(localPart: sender.localPart, domain: sender.domain)
                try await client.run(MailFrom(path))
                try await client.run(Reset())
                check.mayBeSent(from: path, after: ContinuousClock.now - start)
            } catch {
                check.fail(error, after: ContinuousClock.now - start, lookUps.result)
            }
        }
        await client.close()
        return check.report
    }
}
