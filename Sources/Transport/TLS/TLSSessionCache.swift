import MartletBytes
import Synchronization

/// Sessions of earlier connections, so that the next one to the same server is quicker. RFC 8446
/// §2.2, RFC 5077.
///
/// A session is only offered under the very settings it was made with: host, port, trust, pins,
/// client certificate and oldest version. What is kept is in memory only, and zeroed when it goes.
public final class TLSSessionCache: Sendable {
    /// How many servers are remembered; the one unused the longest goes first.
    public static let maximumServers = 256
    /// How many sessions are kept for each: those of TLS 1.3 are good for one connection.
    public static let maximumSessionsPerServer = 4
    /// How long a session is used, in seconds: a certificate that was revoked or has expired
    /// meanwhile is noticed no later than that.
    public static let maximumAgeInSeconds = 3600

    /// The cache that configurations use unless they are given another.
    public static let shared = TLSSessionCache()

    struct Session: Sendable {
        let octets: Secret
        let isSingleUse: Bool
        let createdAt: Int
    }

    private struct Entry {
        var sessions: [Session]
        var lastUse: UInt64
    }

    private struct State {
        var entries: [[UInt8]: Entry] = [:]
        var uses: UInt64 = 0
    }

    private let state = Mutex(State())

    /// An empty cache.
    public init() {}

    /// Forgets everything.
    public func removeAll() { state.withLock { $0.entries = [:] } }

    func remove(_ key: [UInt8]) { state.withLock { $0.entries[key] = nil } }

    func store(_ session: Session, for key: [UInt8]) {
        state.withLock { state in
            state.uses += 1
            var entry = state.entries[key] ?? Entry(sessions: [], lastUse: 0)
            entry.lastUse = state.uses
            entry.sessions.append(session)
            if entry.sessions.count > Self.maximumSessionsPerServer { entry.sessions.removeFirst() }
            state.entries[key] = entry
            if state.entries.count > Self.maximumServers,
                let oldest = state.entries.min(by: { $0.value.lastUse < $1.value.lastUse })
            {
                state.entries[oldest.key] = nil
            }
        }
    }

    /// The newest session that is not too old at `now`, seconds since 1970. One that is good for a
    /// single connection leaves the cache.
    func take(for key: [UInt8], now: Int) -> Session? {
        state.withLock { state in
            state.uses += 1
            guard var entry = state.entries[key] else { return nil }
            entry.sessions.removeAll { now - $0.createdAt >= Self.maximumAgeInSeconds }
            guard let session = entry.sessions.last else {
                state.entries[key] = nil
                return nil
            }
            if session.isSingleUse { entry.sessions.removeLast() }
            entry.lastUse = state.uses
            state.entries[key] = entry.sessions.isEmpty ? nil : entry
            return session
        }
    }
}
