import BenchReport
import MartletIMAP

/// Opens many connections that wait with IDLE, and looks how much memory they take.
func openConnections(_ options: Options, into report: inout Report) async throws {
    let mailbox = try MailboxName(options.mailbox)
    let server = try options.server()
    let count = options.count ?? 200
    // What the first connection brings along, such as libraries' tables, counts for the process.
    _ = try await IMAPClient.withConnection(to: server) { client in
        try await client.select(mailbox, readOnly: true)
    }
    let idle = Memory.resident
    Memory.forgetPeak()
    let start = ContinuousClock.now
    let clients = (0..<count).map { _ in IMAPClient(server) }
    var watches: [MailboxWatch.Iterator] = []
    for client in clients {
        var watch = client.watch(mailbox).makeAsyncIterator()
        guard case .opened? = try await watch.next() else {
            throw Mistake(text: "a connection was not let in")
        }
        watches.append(watch)
    }
    report.note("connections", watches.count)
    report.note("open_seconds", seconds(since: start))
    try await Task.sleep(for: .seconds(1))
    report.note("idle_MiB", idle)
    report.note("above_idle_MiB", Memory.resident - idle)
    report.note("peak_above_idle_MiB", Memory.peak - idle)
    await withTaskGroup(of: Void.self) { group in
        for client in clients { group.addTask { await client.close() } }
    }
    withExtendedLifetime(watches) {}
}
