import MartletIMAPCore

/// Everybody who hears of what a server tells.
struct EventHub {
    typealias Stream = AsyncThrowingStream<MailboxEvent, any Error>

    /// Events that wait for a slow listener; then the rest is summed up as `numbersLost`.
    static let backlogLimit = 10_000

    private var listeners: [Int: Stream.Continuation] = [:]
    private var lastID = 0
    private var overflowed: Set<Int> = []

    /// A new listener. `onEnd` is called when it goes.
    mutating func listen(onEnd: @escaping @Sendable (Int) -> Void) -> Stream {
        lastID += 1
        let id = lastID
        let (stream, continuation) = Stream.makeStream(
            bufferingPolicy: .bufferingOldest(Self.backlogLimit))
        continuation.onTermination = { _ in onEnd(id) }
        listeners[id] = continuation
        return stream
    }

    mutating func remove(_ id: Int) {
        listeners[id] = nil
        overflowed.remove(id)
    }

    mutating func send(_ event: MailboxEvent) {
        for (id, listener) in listeners {
            // Who missed something hears that first, as soon as there is room.
            if overflowed.contains(id) {
                guard case .enqueued = listener.yield(.numbersLost) else { continue }
                overflowed.remove(id)
            }
            if case .dropped = listener.yield(event) { overflowed.insert(id) }
        }
    }

    mutating func finish(_ error: IMAPError) {
        for listener in listeners.values { listener.finish(throwing: error) }
        listeners = [:]
    }
}
