import BenchReport
import MartletIMAP

/// Fetches data of all messages, and looks at each: from nothing to a connection that is closed again.
func fetch(
    _ options: Options, _ attributes: [FetchAttribute], into report: inout Report
) async throws {
    let server = try options.server()
    let mailbox = try MailboxName(options.mailbox)
    let start = ContinuousClock.now
    let client = IMAPClient(server)
    try await client.select(mailbox, readOnly: true)
    let selected = seconds(since: start)
    var tally = Tally()
    for try await row in client.rows(UIDSet.all, attributes) { tally.count(row) }
    let fetched = seconds(since: start)
    await client.close()
    report.note("seconds", seconds(since: start))
    report.note("fetch_seconds", fetched - selected)
    report.note("messages", tally.messages)
    report.note("octets", tally.octets)
}

/// What was in the rows, so that peers can be seen to have read the same.
private struct Tally {
    var messages = 0
    var octets = 0

    mutating func count(_ row: FetchResponse) {
        messages += 1
        for item in row.items {
            switch item {
            case .section(_, _, let data): octets += Int(data.sizeInOctets)
            case .envelope(.value(let envelope)): octets += envelope.subjectOctets?.count ?? 0
            case .bodyStructure(.value(let structure)): octets += structure.parts.count
            case .flags(let flags): octets += flags.count
            default: break
            }
        }
    }
}
