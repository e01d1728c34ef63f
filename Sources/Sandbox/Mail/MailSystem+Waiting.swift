/// Those who wait for something to come, each until its time is up.
struct Waits {
    private struct Wait {
        var continuation: CheckedContinuation<Bool, Never>?
        var isOver = false
    }

    private var waits: [Int: Wait] = [:]
    private var last = 0
    /// Whether nothing comes any more.
    private(set) var isStopped = false

    mutating func begin() -> Int {
        last += 1
        waits[last] = Wait(isOver: isStopped)
        return last
    }

    /// Sleeps until something happens; at once where it is over already.
    mutating func sleep(_ id: Int, _ continuation: CheckedContinuation<Bool, Never>) {
        guard waits[id]?.isOver == false else { return continuation.resume(returning: false) }
        waits[id]?.continuation = continuation
    }

    /// Something happened.
    mutating func lookAgain() {
        for id in waits.keys { wake(id, goesOn: true) }
    }

    /// One's time is up, or it was cancelled.
    mutating func giveUp(_ id: Int) {
        waits[id]?.isOver = true
        wake(id, goesOn: false)
    }

    mutating func stop() {
        isStopped = true
        for id in waits.keys { giveUp(id) }
    }

    mutating func end(_ id: Int) { waits[id] = nil }

    private mutating func wake(_ id: Int, goesOn: Bool) {
        let continuation = waits[id]?.continuation
        waits[id]?.continuation = nil
        continuation?.resume(returning: goesOn)
    }
}

extension MailSystem {
    /// Waits until `find` finds something, which is asked now and after each change.
    ///
    /// - Returns: what it found; `nil` when the time was up, or the sandbox stopped, before.
    /// - Throws: `CancellationError`.
    func wait<Found: Sendable>(
        within limit: Duration, for find: @Sendable (isolated MailSystem) -> Found?
    ) async throws -> Found? {
        let id = waits.begin()
        // Ends with the wait.
        let timer = Task {
            guard (try? await Task.sleep(for: limit)) != nil else { return }
            waits.giveUp(id)
        }
        defer {
            timer.cancel()
            waits.end(id)
        }
        return try await withTaskCancellationHandler {
            while true {
                try Task.checkCancellation()
                // Nothing happens between this look and the sleep: there is no other turn of this actor between them.
                if let found = find(self) { return found }
                let goesOn = await withCheckedContinuation { waits.sleep(id, $0) }
                guard goesOn else {
                    try Task.checkCancellation()
                    return find(self)
                }
            }
        } onCancel: {
            Task { await self.giveUp(id) }
        }
    }

    private func giveUp(_ id: Int) { waits.giveUp(id) }

    /// Nobody waits any longer: the sandbox stops.
    func endWaits() { waits.stop() }
}
