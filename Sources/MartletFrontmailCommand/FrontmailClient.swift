import Foundation
import Frontmail
import MartletBytes
import MartletCLI
import MartletCommandLineParsing

/// What both commands do alike: make a client, wait for it while Ctrl-C counts, tell errors.
struct FrontmailClient {
    let frontmail: Frontmail
    private let parsed: ParsedCommand
    private let console: Console

    /// Runs a command with a client. What fails before the service is asked is told as what it answers is: as JSON, if that was
    /// asked for.
    static func run(
        _ parsed: ParsedCommand, _ console: Console,
        _ body: (FrontmailClient) async throws -> ExitStatus
    ) async throws -> ExitStatus {
        do {
            return try await body(FrontmailClient(parsed, console))
        } catch {
            console.show(progress: "")
            let told = error as? FrontmailError
            let failure = told.map { CommandFailure($0) } ?? CommandFailure(error)
            if parsed[FrontmailOptions.json] {
                console.output(
                    JSONText.object([
                        ("ok", false), ("exitStatus", .integer(Int(failure.status.rawValue))),
                        ("error", told?.json ?? failure.frontmailJSON),
                    ]).text)
            }
            // with the command's name and where its help is
            if error is UsageError { throw error }
            console.remark("martlet: \(failure.message)")
            return failure.status
        }
    }

    private init(_ parsed: ParsedCommand, _ console: Console) throws {
        self.parsed = parsed
        self.console = console
        let text = parsed[FrontmailOptions.url] ?? Frontmail.defaultAPIURL.absoluteString
        guard let url = URL(string: text), ["http", "https"].contains(url.scheme?.lowercased()),
            url.host?.isEmpty == false
        else {
            // Not the address itself: it may hold a password.
            throw parsed.usageError(
                "--url is no address of a service: it begins with https:// or http://.")
        }
        frontmail = try Frontmail(
            publicKey: try parsed.required(FrontmailOptions.key), apiURL: url,
            retry: RetryPolicy(maxRetries: parsed[FrontmailOptions.retries] ?? 3),
            timeout: TimeInterval(parsed[FrontmailOptions.timeout] ?? 15))
    }

    /// Runs `body`, and prints what `members` makes of its result.
    ///
    /// - Parameter doubt: what may have happened all the same when somebody interrupts.
    func answer<Answer: Sendable>(
        _ progress: String, doubt: String = "",
        _ body: @escaping @Sendable (Frontmail) async throws -> Answer,
        members: (Answer) -> [(name: String, value: JSONText)], text: (Answer) -> String
    ) async throws -> ExitStatus {
        let interruption = Interruption()
        console.show(progress: progress)
        do {
            let frontmail = frontmail
            let answer = try await interruption.cancelling { try await body(frontmail) }
            console.show(progress: "")
            if parsed[FrontmailOptions.json] {
                console.output(JSONText.object([("ok", true)] + members(answer)).text)
            } else {
                console.output(Console.printable(text(answer)))
            }
            return .success
        } catch {
            console.show(progress: "")
            if let number = interruption.signalNumber {
                console.remark("martlet: interrupted\(doubt).")
                Interruption.die(of: number)
            }
            throw error
        }
    }
}

extension CommandFailure {
    /// What an error of the service means for who called.
    init(_ error: FrontmailError) {
        let wait = error.retryAfter.map { " Try again in \(Int($0.rounded(.up))) s." } ?? ""
        let page = error.status == nil ? "" : "\nSee \(error.docsURL.absoluteString)."
        self.init(ExitStatus(error), "\(error)\(wait)\(page)", kind: error.code.rawValue)
    }

    /// A failure of the program's own, with the members that those of the service have.
    fileprivate var frontmailJSON: JSONText {
        .object([
            ("code", .string(kind)), ("message", .string(message)), ("status", .null),
            ("docsURL", .null), ("details", .null), ("retryAfter", .null),
        ])
    }
}

extension ExitStatus {
    init(_ error: FrontmailError) {
        self =
            switch error.code {
            case .aborted where error.isCancelled: .interrupted
            case .invalidResponse where error.status == nil: .protocolFailure
            case .recipientBlocked, .recipientSuppressed: .recipientRefused
            case .organizationSuspended, .planLimitReached, .emailNotVerified: .unavailable
            case _ where error.isNetwork || error.isRateLimit || (error.status ?? 0) >= 500:
                .tryLater
            case _ where error.isInsufficientCredits: .unavailable
            case _ where error.isAuth || error.status == 403: .credentialsRefused
            default: .badData
            }
    }
}

extension FrontmailError {
    var json: JSONText {
        .object([
            ("code", .string(code.rawValue)), ("message", .string(message)),
            ("status", status.map { .integer($0) } ?? .null),
            ("docsURL", .string(docsURL.absoluteString)),
            ("details", details.map(\.json) ?? .null),
            ("retryAfter", retryAfter.map { FrontmailValue.double($0).json } ?? .null),
        ])
    }
}

extension FrontmailValue {
    /// The same value for the program's own output.
    var json: JSONText {
        switch self {
        case .string(let text): .string(text)
        case .int(let number): .integer(number)
        case .double(let number): .number(number)
        case .bool(let flag): .bool(flag)
        case .null: .null
        case .array(let items): .array(items.map(\.json))
        case .object(let members):
            .object(members.sorted { $0.key < $1.key }.map { ($0.key, $0.value.json) })
        }
    }
}
