import MartletCommandLineParsing
import MartletPOP3

/// A command of `martlet pop3` that works through one session.
protocol POP3Work: CommandRunner {
    /// Does it, logged in.
    static func run(
        _ parsed: ParsedCommand, with client: POP3Client, _ console: Console
    ) async throws -> ExitStatus
}

extension POP3Work {
    /// Connects, logs in, does the work, and ends the session, by which deletions come into force.
    static func run(_ parsed: ParsedCommand, _ console: Console) async throws -> ExitStatus {
        let log = ConnectionOptions.wireLog(of: parsed, console)
        defer { log?.flush() }
        var server = try POP3Server(parsed, log: log)
        try server.logIn(parsed)
        let ready = server
        return try await OneShot(parsed, POP3Options.json, log, console).run {
            guard ready.credentials != nil else {
                throw CommandFailure(
                    .usage, "\(ready.host) asks who reads: add --user.", kind: "usage",
                    stage: "authentication", recovery: "authenticate")
            }
            console.show(progress: "Connecting to \(ready.host)…")
            return try await POP3Client.withConnection(to: ready) { client in
                console.show(progress: "")
                return try await run(parsed, with: client, console)
            }
        }
    }

    /// The messages that the command line names.
    static func chosen(
        _ numbers: MessageNumbers, _ client: POP3Client
    ) async throws -> [MaildropMessage] {
        let chosen = numbers.chosen(from: try await client.messages())
        guard !chosen.isEmpty else {
            throw CommandFailure(
                .badData, "there is no message of that number.", kind: "noSuchMessage")
        }
        return chosen
    }
}
