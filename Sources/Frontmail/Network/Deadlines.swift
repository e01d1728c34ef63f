import Foundation

/// Ends the attempts of a client whose time is over.
///
/// One task waits for all of them: a timer of its own for each would stay in memory until its time even where the answer
/// comes at once. All have the same time, so the first to start is the first to end.
final class Deadlines: @unchecked Sendable {
    private struct Entry {
        let attempt: Attempt
        /// Seconds by a clock that nobody sets.
        let end: TimeInterval
    }

    private let seconds: TimeInterval
    // All of it is guarded by the lock.
    private let lock = NSLock()
    private var entries: [Entry] = []
    private var first = 0
    private var sweepCount = 64
    private var waiting: Task<Void, Never>?

    /// - Parameter seconds: the time that each attempt has.
    init(after seconds: TimeInterval) { self.seconds = seconds }

    /// Gives an attempt its time, from now on.
    func add(_ attempt: Attempt) {
        guard seconds.isFinite else { return }
        let end = ProcessInfo.processInfo.systemUptime + seconds
        lock.lock()
        defer { lock.unlock() }
        removeEnded()
        entries.append(Entry(attempt: attempt, end: end))
        if waiting == nil {
            waiting = Task.detached { [weak self] in await Deadlines.watch { self } }
        }
    }

    /// Waits no more.
    func stop() {
        lock.lock()
        defer { lock.unlock() }
        waiting?.cancel()
    }

    private static func watch(_ deadlines: () -> Deadlines?) async {
        while let wait = deadlines()?.endThoseInTime() {
            do { try await Surroundings.system.sleep(wait) } catch { return }
        }
    }

    /// Ends the attempts whose time is over.
    ///
    /// - Returns: the seconds until the next one's is; `nil` if there is none.
    private func endThoseInTime() -> TimeInterval? {
        let now = ProcessInfo.processInfo.systemUptime
        var over: [Attempt] = []
        lock.lock()
        removeEnded()
        while first < entries.count, entries[first].end <= now {
            over.append(entries[first].attempt)
            first += 1
        }
        removeEnded()
        let wait = first < entries.count ? entries[first].end - now : nil
        if wait == nil { waiting = nil }
        lock.unlock()
        for attempt in over { attempt.end(.failure(.timeout(after: seconds))) }
        return wait
    }

    /// Forgets those at the front that ended by themselves; and all others that did, once as many have been added as stayed
    /// last time: one that takes its time does not hold the rest.
    private func removeEnded() {
        while first < entries.count, entries[first].attempt.hasEnded { first += 1 }
        if entries.count >= sweepCount {
            entries = entries[first...].filter { !$0.attempt.hasEnded }
            first = 0
            sweepCount = max(2 * entries.count, 64)
        }
    }
}
