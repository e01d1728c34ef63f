/// Callers take turns, in the order in which they came: an actor alone does not keep order, since every `await` lets
/// another caller in.
struct Turns {
    private struct Waiter {
        var id: UInt64
        var continuation: UnsafeContinuation<Bool, Never>
    }

    private var isTaken = false
    private var waiters: [Waiter] = []
    private var lastID: UInt64 = 0

    /// Takes the turn if nobody has it.
    mutating func takeIfFree() -> Bool {
        guard !isTaken else { return false }
        isTaken = true
        return true
    }

    /// A number for a caller that is going to wait.
    mutating func makeID() -> UInt64 {
        lastID += 1
        return lastID
    }

    /// Queues a caller; it gets `true` with the turn, `false` when it was cancelled.
    mutating func wait(_ id: UInt64, _ continuation: UnsafeContinuation<Bool, Never>) {
        // The turn may have become free since the caller looked.
        if takeIfFree() {
            continuation.resume(returning: true)
        } else {
            waiters.append(Waiter(id: id, continuation: continuation))
        }
    }

    /// Sends a waiting caller away.
    mutating func cancel(_ id: UInt64) {
        guard let index = waiters.firstIndex(where: { $0.id == id }) else { return }
        waiters.remove(at: index).continuation.resume(returning: false)
    }

    /// Hands the turn to the next in line.
    mutating func give() {
        if waiters.isEmpty {
            isTaken = false
        } else {
            waiters.removeFirst().continuation.resume(returning: true)
        }
    }
}
