import BenchReport
import MartletIMAP

/// Hands the last part of the mailbox's last message on while it comes, and looks how much memory that takes.
func downloadLast(_ options: Options, into report: inout Report) async throws {
    try await IMAPClient.withConnection(to: try options.server()) { client in
        try await client.select(try MailboxName(options.mailbox), readOnly: true)
        guard
            let row = try await client.fetch(SequenceSet.last, [.uid, .bodyStructure]).rows.last,
            let uid = row.uid, let part = row.bodyStructure?.parts.last
        else { throw Mistake(text: "there is no message in \(options.mailbox)") }
        Memory.forgetPeak()
        let idle = Memory.resident
        let start = ContinuousClock.now
        var octets = 0
        try await client.download(MessageSection(part.number), of: uid) { (piece) async throws in
            octets += piece.count
        }
        report.note("seconds", seconds(since: start))
        report.note("octets", octets)
        report.note("idle_MiB", idle)
        report.note("above_idle_MiB", Memory.peak - idle)
    }
}
