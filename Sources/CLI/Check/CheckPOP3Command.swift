import MartletCommandLineParsing
import MartletPOP3

/// `martlet check pop3`: a server looked at layer by layer, each with its time and advice.
enum CheckPOP3Command: CommandRunner {
    private static let json = Switch(
        "json", help: "Print the result as a JSON object on standard output.")

    static var definition: CommandDefinition {
        var check = CommandDefinition(name: "pop3", summary: "Check a POP3 server layer by layer")
        check.discussion = [
            "Looks the name up, connects, starts TLS, hears the greeting, logs in if there is --user, and "
                + "counts the messages. Says how long each layer took, what to do about the one that "
                + "failed, and what the server offers.",
            "Nothing is changed.",
        ]
        check.groups = [
            ConnectionOptions.pop3.group,
            PasswordOptions.group,
            .init("Output", [json, ConnectionOptions.logsWire]),
        ]
        check.exclusions = [PasswordOptions.sources]
        check.refused = [PasswordOptions.refused]
        check.examples = [
            .init(
                "See why mail does not come",
                """
                martlet check pop3 --server mail.example.org:995 --user alice \\
                    --password-file ~/.mail-password
                """)
        ]
        check.exitStatuses = ExitStatus.ofIMAP.rows
        return check
    }

    static func run(_ parsed: ParsedCommand, _ console: Console) async throws -> ExitStatus {
        let log = ConnectionOptions.wireLog(of: parsed, console)
        defer { log?.flush() }
        var server = try POP3Server(parsed, log: log)
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

    private static func check(_ server: POP3Server, _ console: Console) async -> CheckReport {
        var check = POP3Check(server)
        let lookUps = TimedLookUps()
        var server = server
        server.resolver = lookUps.timing(server.resolver)
        let client = POP3Client(server)
        let (steps, continuation) = AsyncStream.makeStream(of: POP3ConnectionStep.self)
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
            if server.credentials != nil {
                last = ContinuousClock.now
                let status = try await client.status()
                check.found(status, after: ContinuousClock.now - last)
            }
            try await client.disconnect()
        } catch {
            check.fail(error, after: ContinuousClock.now - last, lookUps.result)
            await client.abandon()
        }
        return check.report
    }
}
