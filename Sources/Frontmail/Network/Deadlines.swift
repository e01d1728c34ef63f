import Dispatch
import Foundation

/// Ends the attempts of a client whose time is over.
///
/// One timer serves all of them: one of its own for each would stay in memory until its time even where the answer comes at
/// once. All have the same time, so the first to start is the first to end. The timer is the system's, not a task: it fires
/// also when every thread that tasks run on is busy or blocked.
final class Deadlines: @unchecked Sendable {
    private struct Entry {
        let attempt: Attempt
        /// Nanoseconds by a clock that nobody sets.
        let end: UInt64
    }

    private let seconds: TimeInterval
    private let timer = DispatchSource.makeTimerSource(
        queue: DispatchQueue(label: "frontmail.deadlines"))
    // All of it is guarded by the lock.
    private let lock = NSLock()
    private var entries: [Entry] = []
    private var first = 0
    private var sweepCount = 64
    private var isWaiting = false

    /// - Parameter seconds: the time that each attempt has.
    init(after seconds: TimeInterval) {
        self.seconds = seconds
        timer.setEventHandler { [weak self] in self?.endThoseInTime() }
        timer.activate()
    }

    deinit { timer.cancel() }

    /// Gives an attempt its time, from now on.
    func add(_ attempt: Attempt) {
        guard seconds.isFinite else { return }
        // Less than 2^63 together: from there on, the system takes it for a time of day.
        let end = DispatchTime.now().uptimeNanoseconds + Surroundings.nanoseconds(seconds)
        lock.lock()
        defer { lock.unlock() }
        removeEnded()
        entries.append(Entry(attempt: attempt, end: end))
        wait()
    }

    /// Ends the attempts whose time is over.
    private func endThoseInTime() {
        let now = DispatchTime.now().uptimeNanoseconds
        var over: [Attempt] = []
        lock.lock()
        removeEnded()
        while first < entries.count, entries[first].end <= now {
            over.append(entries[first].attempt)
            first += 1
        }
        removeEnded()
        isWaiting = false
        wait()
        lock.unlock()
        for attempt in over { attempt.end(.failure(.timeout(after: seconds))) }
    }

    /// Waits for the first one's time, unless that is being done.
    private func wait() {
        guard !isWaiting, first < entries.count else { return }
        isWaiting = true
        timer.schedule(deadline: DispatchTime(uptimeNanoseconds: entries[first].end))
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
