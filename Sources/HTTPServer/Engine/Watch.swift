import Dispatch

/// Looks a few times a second for clients and handlers that take too long, and for clients that went away.
///
/// On a queue of its own, since a limit that blocked handlers could delay would be none. The library's own timeout is
/// no such limit: it starts anew with every octet.
///
/// Unchecked: `timer` is Dispatch's, which may be cancelled from anywhere.
final class Watch: @unchecked Sendable {
    private let timer: any DispatchSourceTimer

    init(_ core: ServerCore) {
        timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "martlet.http-watch"))
        let interval = DispatchTimeInterval.milliseconds(
            Int(core.limits.lookInterval / .milliseconds(1)))
        timer.schedule(deadline: .now() + interval, repeating: interval, leeway: interval)
        timer.setEventHandler { Self.look(at: core) }
        timer.activate()
    }

    func stop() { timer.cancel() }

    private static func look(at core: ServerCore) {
        let now = ContinuousClock.now
        let connections = core.connections
        for connection in connections { connection.expire(now) }
        // The library does not look at the sockets of these. A socket that is closed meanwhile, and its number used by
        // another connection, does no harm: then its connection rests no more, and `abandon` leaves it alone.
        let resting = connections.filter(\.isResting)
        if !resting.isEmpty {
            for (connection, isGone) in zip(resting, SystemCalls.gone(of: resting.map(\.socket)))
            where isGone {
                connection.abandon()
            }
        }
        core.lookAtPatience(now)
    }
}
