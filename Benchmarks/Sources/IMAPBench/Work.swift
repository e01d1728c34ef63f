import BenchReport
import MartletIMAP

/// What is measured.
enum Work: String, Sendable {
    /// `ENVELOPE` and `BODYSTRUCTURE` of all messages, parsed.
    case envelopes
    /// All messages, whole.
    case bodies
    /// The flags of all messages.
    case flags
    /// The largest part of the mailbox's last message, handed on while it comes.
    case download
    /// Whether anything is new in any mailbox.
    case folders
    /// From another's change to the event.
    case idle
    /// Many connections that wait.
    case connections
    /// A file of responses, without a connection.
    case parse

    func run(_ options: Options, into report: inout Report) async throws {
        switch self {
        case .envelopes: try await fetch(options, [.envelope, .bodyStructure], into: &report)
        case .bodies: try await fetch(options, [.message], into: &report)
        case .flags: try await fetch(options, [.flags], into: &report)
        case .download: try await downloadLast(options, into: &report)
        case .folders: try await checkFolders(options, into: &report)
        case .idle: try await watchChanges(options, into: &report)
        case .connections: try await openConnections(options, into: &report)
        case .parse: try parseFile(options, into: &report)
        }
    }
}

/// Does the work, and says what came of it and what it took.
func measure(_ options: Options) async throws -> Report {
    var report = Report()
    report.note("program", "martlet")
    report.note("work", options.work.rawValue)
    try await options.work.run(options, into: &report)
    report.note("cpu_seconds", Memory.processorSeconds)
    report.note("peak_MiB", Memory.peak)
    return report
}
