/// The race of RFC 8305: both families are looked up at once, addresses take turns, and a new attempt starts
/// while the earlier ones go on. The first connection wins; the others are closed.
struct HappyEyeballs: Sendable {
    typealias Attempt = @Sendable (SocketAddress) async throws(TransportError) -> ByteChannel

    /// How long IPv4 waits for the look-up of IPv6. RFC 8305 §3.
    var resolutionDelay: Duration = .milliseconds(50)
    /// How long an attempt has before the next one starts beside it. RFC 8305 §5.
    var attemptDelay: Duration = .milliseconds(250)
    /// Attempts at most, however many addresses a name has.
    var attemptLimit = 16

    var resolver: Resolver
    var attempt: Attempt

    init(resolver: Resolver, attempt: @escaping Attempt) {
        self.resolver = resolver
        self.attempt = attempt
    }

    private enum Event {
        case resolved(SocketAddress.Family, Result<[SocketAddress], TransportError>)
        case resolutionDelayOver
        case attemptDelayOver(Int)
        case attempted(Result<ByteChannel, TransportError>)
        case outOfTime
        case nothing  // a delay that was cancelled
    }

    func run(
        host: String, port: Int, within limit: Duration
    ) async throws(TransportError) -> ByteChannel {
        let outcome = await withTaskGroup(of: Event.self) { group in
            let outcome = await race(in: &group, host, port, limit)
            group.cancelAll()
            for await event in group {
                // A second connection that came about in the same moment.
                if case .attempted(.success(let spare)) = event { await spare.close() }
            }
            return outcome
        }
        return try outcome.get()
    }

    private func race(
        in group: inout TaskGroup<Event>, _ host: String, _ port: Int, _ limit: Duration
    ) async -> Result<ByteChannel, TransportError> {
        for family in [SocketAddress.Family.ipv6, .ipv4] {
            group.addTask { await lookUp(host, port, family) }
        }
        addDelay(limit, .outOfTime, to: &group)
        var state = Progress()
        for await event in group {
            switch event {
            case .resolved(let family, let result):
                state.resolved(family, result)
                if family == .ipv4, state.isLookingUp, !state.waiting.isEmpty {
                    addDelay(resolutionDelay, .resolutionDelayOver, to: &group)
                } else if state.running == 0 {
                    startNext(&state, in: &group)
                }
            case .resolutionDelayOver:
                if state.started == 0 { startNext(&state, in: &group) }
            case .attemptDelayOver(let number):
                if number == state.started { startNext(&state, in: &group) }
            case .attempted(.success(let channel)): return .success(channel)
            case .attempted(.failure(let error)):
                state.running -= 1
                state.errors.append(error)
                startNext(&state, in: &group)
            case .outOfTime:
                let stage: TransportError.Stage = state.started == 0 ? .resolve : .connect
                return .failure(TransportError(.timedOut(after: limit), stage))
            case .nothing: break
            }
            if state.isOver { return .failure(state.verdict) }
        }
        return .failure(TransportError(.cancelled, .connect))
    }

    private func lookUp(_ host: String, _ port: Int, _ family: SocketAddress.Family) async -> Event
    {
        do throws(TransportError) {
            return .resolved(family, .success(try await resolver.lookUp(host, port, family)))
        } catch {
            return .resolved(family, .failure(error))
        }
    }

    private func addDelay(_ delay: Duration, _ event: Event, to group: inout TaskGroup<Event>) {
        group.addTask {
            do {
                try await Task.sleep(for: delay)
                return event
            } catch {
                return .nothing
            }
        }
    }

    private func startNext(_ state: inout Progress, in group: inout TaskGroup<Event>) {
        guard state.started < attemptLimit, let address = state.next() else { return }
        state.started += 1
        state.running += 1
        group.addTask {
            do throws(TransportError) {
                return .attempted(.success(try await attempt(address)))
            } catch {
                return .attempted(.failure(error))
            }
        }
        addDelay(attemptDelay, .attemptDelayOver(state.started), to: &group)
    }

    /// What has been looked up, tried and refused so far.
    private struct Progress {
        var waiting: [SocketAddress] = []
        var families = 2
        var started = 0
        var running = 0
        var errors: [TransportError] = []
        private var lookUpErrors: [TransportError] = []

        var isLookingUp: Bool { families > 0 }
        var isOver: Bool { !isLookingUp && running == 0 && waiting.isEmpty }

        /// Joins new addresses, the families in turn, IPv6 first. RFC 8305 §4.
        mutating func resolved(
            _ family: SocketAddress.Family, _ result: Result<[SocketAddress], TransportError>
        ) {
            families -= 1
            switch result {
            case .failure(let error): lookUpErrors.append(error)
            case .success(let addresses):
                let first = family == .ipv6 ? addresses : waiting
                let second = family == .ipv6 ? waiting : addresses
                waiting = []
                for index in 0..<max(first.count, second.count) {
                    if index < first.count { waiting.append(first[index]) }
                    if index < second.count { waiting.append(second[index]) }
                }
            }
        }

        mutating func next() -> SocketAddress? { waiting.isEmpty ? nil : waiting.removeFirst() }

        /// The error to show when nothing worked: the first attempt's, else the look-up's. That there is no way to one
        /// family is worth less than what the other one said.
        var verdict: TransportError {
            if let first = errors.first(where: { $0.kind != .unreachable }) ?? errors.first {
                return first
            }
            let temporary = lookUpErrors.first { $0.kind != .hostNotFound }
            return temporary ?? TransportError(.hostNotFound, .resolve)
        }
    }
}
