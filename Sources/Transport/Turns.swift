/// Callers take turns, in the order in which they came: an actor alone does not keep order, since every `await` lets
/// another caller in.
package struct Turns {
    private struct Waiter {
        var id: UInt64
        var continuation: UnsafeContinuation<Bool, Never>
    }

    private var isTaken = false
    private var waiters: [Waiter] = []
    private var lastID: UInt64 = 0

    /// Nobody has the turn.
    package init() {}

    /// Takes the turn if nobody has it.
    package mutating func takeIfFree() -> Bool {
        guard !isTaken else { return false }
        isTaken = true
        return true
    }

    /// A number for a caller that is going to wait.
    package mutating func makeID() -> UInt64 {
        lastID += 1
        return lastID
    }

    /// Queues a caller; it gets `true` with the turn, `false` when it was cancelled.
    package mutating func wait(_ id: UInt64, _ continuation: UnsafeContinuation<Bool, Never>) {
        // Since the caller looked, the turn may have become free, or the caller been cancelled.
        if takeIfFree() {
            continuation.resume(returning: true)
        } else if Task.isCancelled {
            continuation.resume(returning: false)
        } else {
            waiters.append(Waiter(id: id, continuation: continuation))
        }
    }

    /// Sends a waiting caller away.
    package mutating func cancel(_ id: UInt64) {
        guard let index = waiters.firstIndex(where: { $0.id == id }) else { return }
        waiters.remove(at: index).continuation.resume(returning: false)
    }

    /// Hands the turn to the next in line.
    package mutating func give() {
        if waiters.isEmpty {
            isTaken = false
        } else {
            waiters.removeFirst().continuation.resume(returning: true)
        }
    }
}
