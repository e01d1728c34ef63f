/// What a descriptor is ready for.
package struct Readiness: OptionSet, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Reading will not block: octets, a connection to accept, or the end.
    package static let read = Readiness(rawValue: 1)
    /// Writing will not block, or a connection attempt has ended.
    package static let write = Readiness(rawValue: 2)
    /// The peer has finished sending: a read will come to the end.
    package static let end = Readiness(rawValue: 4)
}

/// One descriptor's news.
package struct PollEvent: Sendable {
    package var token: UInt64
    package var readiness: Readiness
}

/// How an event loop's thread waits for descriptors: the seam between systems.
///
/// Edge-triggered: after `add`, an event comes once for each kind of readiness, and again only after an
/// operation would have blocked and `rearm` was called. `wake` is called from any thread, everything
/// else from the loop's thread.
package protocol Poller: Sendable {
    /// Begins to watch `descriptor` for reading and writing.
    func add(_ descriptor: CInt, token: UInt64) throws(TransportError)

    /// An operation on `descriptor` would have blocked: the next readiness is news again.
    func rearm(_ token: UInt64, for readiness: Readiness)

    /// Ends watching and closes `descriptor`, as soon as the system allows.
    func removeAndClose(_ descriptor: CInt, token: UInt64)

    /// Waits for events, a `wake`, or until `nanoseconds` have passed (`nil`: without end).
    func wait(nanoseconds: UInt64?, into events: inout [PollEvent])

    /// Ends a `wait` that is under way, or the next one.
    func wake()

    /// Frees the poller's own descriptors, when its loop has ended.
    func close()
}
