import MartletCommandLineParsing

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The program `martlet`.
public enum Program {
    /// The version of the package.
    public static let version = "0.1.0"
    /// The day of that version, for the manual.
    static let date = "2026-11-30"

    static let runners: [String: any CommandRunner.Type] = [
        "send": SendCommand.self,
        "parse": ParseCommand.self,
        "check smtp": CheckSMTPCommand.self,
        "check imap": CheckIMAPCommand.self,
        "check pop3": CheckPOP3Command.self,
        "smtp raw": SMTPRawCommand.self,
        "imap list": IMAPListCommand.self,
        "imap status": IMAPStatusCommand.self,
        "imap search": IMAPSearchCommand.self,
        "imap fetch": IMAPFetchCommand.self,
        "imap append": IMAPAppendCommand.self,
        "imap flag": IMAPFlagCommand.self,
        "imap move": IMAPMoveCommand.self,
        "imap watch": IMAPWatchCommand.self,
        "imap raw": IMAPRawCommand.self,
        "pop3 list": POP3ListCommand.self,
        "pop3 fetch": POP3FetchCommand.self,
        "pop3 delete": POP3DeleteCommand.self,
        "pop3 raw": POP3RawCommand.self,
        "frontmail send": FrontmailSendCommand.self,
        "frontmail status": FrontmailStatusCommand.self,
        "sandbox": SandboxCommand.self,
        "completions": CompletionsCommand.self,
        "manual": ManualCommand.self,
    ]

    /// All commands.
    static var table: CommandTable {
        var root = CommandDefinition(name: "martlet", summary: "Mail from the command line")
        root.discussion = [
            "Sends mail through SMTP servers, reads and files it on IMAP servers, fetches it from POP3 "
                + "servers, checks them layer by layer, talks to them by hand, shows what messages are made of, and runs a sandbox in "
                + "which nothing leaves the machine.",
            "Results go to standard output, everything else to standard error. Progress is shown on "
                + "a terminal only.",
        ]
        root.subcommands = [
            SendCommand.definition,
            ParseCommand.definition,
            group(
                "check", "Check a server",
                [
                    CheckSMTPCommand.definition, CheckIMAPCommand.definition,
                    CheckPOP3Command.definition,
                ]),
            group("smtp", "Talk SMTP", [SMTPRawCommand.definition]),
            group(
                "imap", "Read and file mail on an IMAP server",
                [
                    IMAPListCommand.definition, IMAPStatusCommand.definition,
                    IMAPSearchCommand.definition, IMAPFetchCommand.definition,
                    IMAPAppendCommand.definition, IMAPFlagCommand.definition,
                    IMAPMoveCommand.definition, IMAPWatchCommand.definition,
                    IMAPRawCommand.definition,
                ]),
            group(
                "pop3", "Read and delete mail on a POP3 server",
                [
                    POP3ListCommand.definition, POP3FetchCommand.definition,
                    POP3DeleteCommand.definition, POP3RawCommand.definition,
                ]),
            group(
                "frontmail", "Send templated mail with a public key",
                [FrontmailSendCommand.definition, FrontmailStatusCommand.definition]),
            SandboxCommand.definition,
            CompletionsCommand.definition,
            ManualCommand.definition,
        ]
        root.exitStatuses = ExitStatus.allCases.rows
        root.examples = [
            .init(
                "Try it without a mail server: start one, then send from another terminal",
                """
                martlet sandbox --state-folder sandbox
                echo Hello | martlet send --server localhost:2525 --tls starttls \\
                    --ca-file sandbox/ca.pem --from a@example.test --to b@example.test
                """),
            .init("Read how a command is used", "martlet help send"),
        ]
        return CommandTable(root: root, version: version)
    }

    private static func group(
        _ name: String, _ summary: String, _ commands: [CommandDefinition]
    ) -> CommandDefinition {
        var group = CommandDefinition(name: name, summary: summary)
        group.subcommands = commands
        return group
    }

    /// What carries a command out.
    package typealias Run = @Sendable (ParsedCommand, Console) async throws -> ExitStatus

    /// Runs the command that the words after the program's name ask for.
    ///
    /// - Parameter own: commands that are carried out otherwise than by `runners`.
    /// - Returns: the number to end with; see `martlet --help`.
    static func run(_ words: [String], replacing own: [String: Run]) async -> Int32 {
        // A reader that goes away must not end a delivery half way.
        signal(SIGPIPE, SIG_IGN)
        let console = Console()
        let parsed: ParsedCommand
        do {
            switch try table.parse(words) {
            case .help(let path):
                console.output(text: table.help(for: path) ?? "")
                return status(.success, console).rawValue
            case .version:
                console.output("martlet \(version)")
                return status(.success, console).rawValue
            case .run(let command): parsed = command
            }
        } catch {
            console.remark(error.description)
            return UsageError.exitStatus
        }
        return await run(parsed, own, console).rawValue
    }

    /// Says that a word is not in UTF-8.
    ///
    /// - Returns: the number to end with.
    static func refuseWord(at index: Int) -> Int32 {
        Console().remark("martlet: word \(index) of the command line is not in UTF-8.")
        return UsageError.exitStatus
    }

    private static func run(
        _ parsed: ParsedCommand, _ own: [String: Run], _ console: Console
    ) async -> ExitStatus {
        let name = parsed.path.joined(separator: " ")
        guard let runner = runners[name] else { fatalError("no runner for \(name)") }
        let run = own[name] ?? { try await runner.run($0, $1) }
        do {
            return status(try await run(parsed, console), console)
        } catch let error as UsageError {
            console.show(progress: "")
            console.remark(error.description)
            return .usage
        } catch {
            console.show(progress: "")
            let failure = CommandFailure(error)
            console.remark("martlet: \(failure.message)")
            return failure.status
        }
    }

    /// What went well did not if its result is lost.
    private static func status(_ status: ExitStatus, _ console: Console) -> ExitStatus {
        status == .success && console.hasLostOutput ? .outputLost : status
    }
}
