import MartletCommandLineParsing
import MartletIMAP

/// A command of `martlet imap` that works through one connection.
protocol IMAPWork: CommandRunner {
    /// Does it, logged in.
    static func run(
        _ parsed: ParsedCommand, with client: IMAPClient, _ console: Console
    ) async throws -> ExitStatus

    /// Finds what is wrong with the command line, before anybody is asked for a password.
    static func check(_ parsed: ParsedCommand) throws
}

extension IMAPWork {
    static func check(_ parsed: ParsedCommand) throws {}

    /// Connects, logs in, does the work, and says goodbye; Ctrl-C ends it in good order.
    static func run(_ parsed: ParsedCommand, _ console: Console) async throws -> ExitStatus {
        try check(parsed)
        let log = ConnectionOptions.wireLog(of: parsed, console)
        defer { log?.flush() }
        var server = try IMAPServer(parsed, log: log)
        try server.logIn(parsed)
        server.compresses = parsed[IMAPOptions.compresses]
        let ready = server
        return try await OneShot(parsed, IMAPOptions.json, log, console).run {
            try await work(parsed, ready, console)
        }
    }

    private static func work(
        _ parsed: ParsedCommand, _ server: IMAPServer, _ console: Console
    ) async throws -> ExitStatus {
        console.show(progress: "Connecting to \(server.host)…")
        do {
            return try await IMAPClient.withConnection(to: server) { client in
                console.show(progress: "")
                return try await run(parsed, with: client, console)
            }
        } catch let error as IMAPError {
            if case .outOfOrder = error.kind, server.credentials == nil {
                throw CommandFailure(
                    .usage, "\(server.host) asks who reads: add --user.", kind: "usage",
                    stage: "authentication", recovery: "authenticate")
            }
            throw error
        }
    }
}
