import BenchReport
import MartletIMAP

/// Asks whether anything is new in any mailbox, over a connection that is there already: by one LIST, and by a STATUS of each.
func checkFolders(_ options: Options, into report: inout Report) async throws {
    let items: Set<StatusItem> = [.messages, .unseen, .uidNext, .uidValidity]
    try await IMAPClient.withConnection(to: try options.server()) { client in
        try await client.connect()
        var names: [MailboxName] = []
        for round in 1...(options.count ?? 3) {
            var start = ContinuousClock.now
            let listed = try await client.mailboxes(status: items)
            report.note("list_\(round)_seconds", seconds(since: start))
            names = listed.filter { $0.status != nil }.map(\.entry.name)
            start = ContinuousClock.now
            let found = try await client.statuses(of: names, items)
            report.note("status_\(round)_seconds", seconds(since: start))
            guard found.allSatisfy({ $0?.uidNext != nil }) else {
                throw Mistake(text: "a mailbox has no numbers")
            }
        }
        report.note("mailboxes", names.count)
    }
}
