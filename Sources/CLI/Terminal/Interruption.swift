import Dispatch
import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// `SIG_IGN`, as the number that it is.
private let ignored = 1

/// Turns Ctrl-C, SIGTERM and the end of the terminal into an orderly end: the first one cancels, the second one ends at once.
package final class Interruption: Sendable {
    private struct State {
        var received: Int32?
        var action: (@Sendable () -> Void)?
    }

    /// Ctrl-C, the system's, and the end of the terminal.
    private static let signals = [SIGINT, SIGTERM, SIGHUP]

    private let state = Mutex(State())
    // Made and started in `init`, only kept alive here: no thread touches them again.
    private nonisolated(unsafe) let sources: [any DispatchSourceSignal]

    /// Watches from now on.
    package init() {
        let queue = DispatchQueue(label: "martlet.signals")
        // Otherwise the default action would come first. What nohup has switched off stays so.
        let watched = Self.signals.filter { number in
            let old = signal(number, SIG_IGN)
            return number != SIGHUP || unsafeBitCast(old, to: Int.self) != ignored
        }
        sources = watched.map { DispatchSource.makeSignalSource(signal: $0, queue: queue) }
        for (source, number) in zip(sources, watched) {
            source.setEventHandler { [weak self] in self?.received(number) }
            source.resume()
        }
    }

    /// The signal that came, if one did.
    package var signalNumber: Int32? { state.withLock { $0.received } }

    /// Runs `body` in a task that the first signal cancels.
    package func cancelling<Result: Sendable>(
        _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        // Cancelled by `received`; awaited right here.
        let task = Task { try await body() }
        onSignal { task.cancel() }
        defer { state.withLock { $0.action = nil } }
        return try await task.value
    }

    /// Waits for the first signal.
    package func wait() async {
        await withCheckedContinuation { continuation in onSignal { continuation.resume() } }
    }

    /// Does `action` once: at the first signal, which may have come already.
    private func onSignal(_ action: @escaping @Sendable () -> Void) {
        let isLate = state.withLock { state in
            state.action = state.received == nil ? action : nil
            return state.received != nil
        }
        if isLate { action() }
    }

    private func received(_ number: Int32) {
        let (isFirst, action) = state.withLock { state in
            defer {
                state.received = state.received ?? number
                state.action = nil
            }
            return (state.received == nil, state.action)
        }
        guard isFirst else { Self.die(of: number) }
        action?()
    }

    /// Ends the program by the signal itself, so that shells see why and stop their loops.
    package static func die(of number: Int32) -> Never {
        signal(number, SIG_DFL)
        // Threads of Dispatch block most signals.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, number)
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        raise(number)
        _exit(128 + number)
    }
}
