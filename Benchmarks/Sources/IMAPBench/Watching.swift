import BenchReport
import MartletIMAP

/// Changes a flag over one connection, and waits for the event on another, again and again.
///
/// Prints, for each change, the moments of the OK and of the event on the system's clock, so that they can be compared with
/// what went over the wire.
func watchChanges(_ options: Options, into report: inout Report) async throws {
    let mailbox = try MailboxName(options.mailbox)
    let rounds = options.count ?? 20
    let watcher = IMAPClient(try options.server())
    let changer = IMAPClient(try options.server())
    try await changer.select(mailbox)
    guard let uid = try await changer.fetch(SequenceSet(SequenceNumber(1)!), [.uid]).rows.first?.uid
    else { throw Mistake(text: "there is no message in \(options.mailbox)") }
    try await changer.store(UIDSet(uid), .remove([.flagged]), isSilent: true)
    let (moments, seen) = AsyncStream<ContinuousClock.Instant>.makeStream()
    // Ends when it is cancelled below.
    let watching = Task {
        for try await element in watcher.watch(mailbox) {
            switch element {
            case .opened, .event(.changed): seen.yield(.now)
            case .event, .lost: break
            }
        }
    }
    var events = moments.makeAsyncIterator()
    _ = await events.next()
    var delays: [Double] = []
    for round in 0..<rounds {
        // Each change by itself, and none before IDLE is under way: the server sums up what follows at once.
        try await Task.sleep(for: .milliseconds(700))
        let change: StoreChange = round.isMultiple(of: 2) ? .add([.flagged]) : .remove([.flagged])
        try await changer.store(UIDSet(uid), change, isSilent: true)
        let done = ContinuousClock.now
        guard let moment = await events.next() else { break }
        delays.append((moment - done) / .seconds(1))
        Trace.note("event", at: moment)
    }
    watching.cancel()
    report.note("rounds", rounds)
    report.note(milliseconds: "ok_to_event", delays)
    await changer.close()
    await watcher.close()
}
