import MartletTransport
import Synchronization

/// Watches a resolver: what it found, and how long that took.
final class TimedLookUps: Sendable {
    /// What was found so far.
    struct Result: Sendable {
        var addresses: [SocketAddress] = []
        /// From the first question to the last answer; `nil` when nothing was asked.
        var duration: Duration?
    }

    private struct State {
        var start: ContinuousClock.Instant?
        var result = Result()
    }

    private let state = Mutex(State())

    var result: Result { state.withLock { $0.result } }

    /// The same resolver, watched.
    func timing(_ resolver: Resolver) -> Resolver {
        Resolver { [self] host, port, family throws(TransportError) in
            begin()
            defer { end() }
            let addresses = try await resolver.lookUp(host, port, family)
            state.withLock { $0.result.addresses += addresses }
            return addresses
        }
    }

    private func begin() {
        state.withLock { $0.start = $0.start ?? .now }
    }

    private func end() {
        state.withLock { state in
            guard let start = state.start else { return }
            state.result.duration = ContinuousClock.now - start
        }
    }
}
