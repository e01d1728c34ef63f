import Dispatch
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Turns host names into addresses.
public struct Resolver: Sendable {
    /// Looks the addresses of one family up, in order of preference. Throws `TransportError` with `.hostNotFound`
    /// when there are none.
    public typealias LookUp =
        @Sendable (_ host: String, _ port: Int, _ family: SocketAddress.Family)
        async throws(TransportError)
        -> [SocketAddress]

    /// How it looks up.
    public var lookUp: LookUp

    /// A resolver of one's own, as for tests.
    public init(lookUp: @escaping LookUp) { self.lookUp = lookUp }

    /// The system's: `getaddrinfo`, which blocks, on a thread of its own. A cancelled look-up returns at once; its
    /// thread ends when the system answers.
    public static let system = Resolver { host, port, family throws(TransportError) in
        guard !host.utf8.contains(0), !host.isEmpty else {
            throw TransportError(.hostNotFound, .resolve)
        }
        if isLocalhost(host) {
            let loopback = SocketAddress(numeric: family == .ipv4 ? "127.0.0.1" : "::1", port: port)
            return loopback.map { [$0] } ?? []
        }
        let answer = Answer()
        let result = await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                answer.await(continuation)
                DispatchQueue.global().async { answer.give(blockingLookUp(host, port, family)) }
            }
        } onCancel: {
            answer.give(.failure(TransportError(.cancelled, .resolve)))
        }
        return try result.get()
    }

    /// `localhost` and what ends in it is this machine, whatever a name service says. RFC 6761 §6.3.
    private static func isLocalhost(_ host: String) -> Bool {
        let name = host.lowercased()
        return name == "localhost" || name == "localhost." || name.hasSuffix(".localhost")
    }

    private typealias Outcome = Result<[SocketAddress], TransportError>

    /// The first answer, given once, whichever comes first: the waiter or the answer.
    private final class Answer: Sendable {
        private enum State {
            case open
            case awaited(UnsafeContinuation<Outcome, Never>)
            case early(Outcome)
            case given
        }

        private let state = Mutex(State.open)

        func await(_ continuation: UnsafeContinuation<Outcome, Never>) {
            let early: Outcome? = state.withLock { state in
                if case .early(let outcome) = state {
                    state = .given
                    return outcome
                }
                state = .awaited(continuation)
                return nil
            }
            if let early { continuation.resume(returning: early) }
        }

        func give(_ outcome: Outcome) {
            let waiter: UnsafeContinuation<Outcome, Never>? = state.withLock { state in
                switch state {
                case .open:
                    state = .early(outcome)
                    return nil
                case .awaited(let continuation):
                    state = .given
                    return continuation
                case .early, .given: return nil
                }
            }
            waiter?.resume(returning: outcome)
        }
    }

    private static func blockingLookUp(
        _ host: String, _ port: Int, _ family: SocketAddress.Family
    ) -> Outcome {
        var hints = addrinfo()
        hints.ai_family = family == .ipv4 ? AF_INET : AF_INET6
        hints.ai_socktype = streamSocketType
        hints.ai_flags = AI_NUMERICSERV
        var list: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host, String(port), &hints, &list)
        guard code == 0 else { return .failure(error(code)) }
        defer { freeaddrinfo(list) }
        var addresses: [SocketAddress] = []
        var next = list
        while let entry = next?.pointee {
            if let address = SocketAddress(entry.ai_addr, length: entry.ai_addrlen),
                !addresses.contains(address)
            {
                addresses.append(address)
            }
            next = entry.ai_next
        }
        return .success(addresses)
    }

    private static func error(_ code: CInt) -> TransportError {
        switch code {
        case EAI_AGAIN, EAI_MEMORY: TransportError(.nameServiceUnavailable, .resolve)
        case EAI_SYSTEM: .system(errno, .resolve)
        default: TransportError(.hostNotFound, .resolve)
        }
    }
}
