import Synchronization

/// Counts what happens in handlers, and lets tests wait for it.
final class Gate: Sendable {
    private struct State {
        var count = 0
        var isOpen = false
        var waiters: [CheckedContinuation<Void, Never>] = []
        var counters: [(Int, CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())

    var count: Int { state.withLock(\.count) }

    /// Something happened.
    func arrive() {
        let ready = state.withLock { state in
            state.count += 1
            let ready = state.counters.filter { $0.0 <= state.count }
            state.counters.removeAll { $0.0 <= state.count }
            return ready
        }
        for (_, waiter) in ready { waiter.resume() }
    }

    /// Waits until it happened so often.
    func wait(for count: Int) async {
        await withCheckedContinuation { waiter in
            let isNow = state.withLock { state in
                if state.count >= count { return true }
                state.counters.append((count, waiter))
                return false
            }
            if isNow { waiter.resume() }
        }
    }

    /// Lets all pass who wait in `pass`, and who come later.
    func open() {
        let waiters = state.withLock { state in
            state.isOpen = true
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Waits until the gate is open. Does not heed cancellation.
    func pass() async {
        await withCheckedContinuation { waiter in
            let isOpen = state.withLock { state in
                if !state.isOpen { state.waiters.append(waiter) }
                return state.isOpen
            }
            if isOpen { waiter.resume() }
        }
    }
}

/// Waits until the task is cancelled.
func untilCancelled() async {
    try? await Task.sleep(for: .seconds(3600))
}
