import MartletCommandLineParsing
import MartletIMAP

/// `martlet check imap`: a server looked at layer by layer, each with its time and advice.
enum CheckIMAPCommand: CommandRunner {
    private static let json = Switch(
        "json", help: "Print the result as a JSON object on standard output.")

    static var definition: CommandDefinition {
        var check = CommandDefinition(name: "imap", summary: "Check an IMAP server layer by layer")
        check.discussion = [
            "Looks the name up, connects, starts TLS, hears the greeting, logs in if there is --user, and "
                + "lists the mailboxes. Says how long each layer took, what to do about the one that "
                + "failed, what the server offers, and what is known of servers like it.",
            "Nothing is changed: no mailbox is opened.",
        ]
        check.groups = [
            ConnectionOptions.imap.group,
            PasswordOptions.group,
            .init("Output", [json, ConnectionOptions.logsWire]),
        ]
        check.exclusions = [PasswordOptions.sources]
        check.refused = [PasswordOptions.refused]
        check.examples = [
            .init(
                "See why mail does not come",
                """
                martlet check imap --server mail.example.org:993 --user alice \\
                    --password-file ~/.mail-password
                """)
        ]
        check.exitStatuses = ExitStatus.ofIMAP.rows
        return check
    }

    static func run(_ parsed: ParsedCommand, _ console: Console) async throws -> ExitStatus {
        let log = ConnectionOptions.wireLog(of: parsed, console)
        defer { log?.flush() }
        var server = try IMAPServer(parsed, log: log)
        try server.logIn(parsed)
        // A person is waiting.
        server.timeouts.connect = .seconds(15)
        server.timeouts.tlsHandshake = .seconds(15)

        let report = await check(server, console)
        console.show(progress: "")
        if parsed[json] {
            console.output(report.json.text)
        } else {
            console.output(text: report.text)
        }
        return report.status
    }

    private static func check(_ server: IMAPServer, _ console: Console) async -> CheckReport {
        var check = IMAPCheck(server)
        let lookUps = TimedLookUps()
        var server = server
        server.resolver = lookUps.timing(server.resolver)
        let client = IMAPClient(server)
        let (steps, continuation) = AsyncStream.makeStream(of: IMAPConnectionStep.self)
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
            check.recognized(await client.profile)
            if server.credentials != nil {
                last = ContinuousClock.now
                let mailboxes = try await client.mailboxes()
                check.found(mailboxes, after: ContinuousClock.now - last)
            }
        } catch {
            check.fail(error, after: ContinuousClock.now - last, lookUps.result)
        }
        await client.close()
        return check.report
    }
}
