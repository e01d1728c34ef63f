import CMartletMicrohttpd
import Dispatch
import Synchronization

/// What all connections of a server share.
final class ServerCore: Sendable {
    struct Table {
        var connections: [ObjectIdentifier: Connection] = [:]
        /// Sockets that were accepted and are not closed; the library may not have begun with all of them.
        var openCount = 0
        var isStopping = false
        var isCut = false
        /// The server's end waits for the last connection, or until then.
        var lastWaiter: UnsafeContinuation<Void, Never>?
        var patienceEnd: ContinuousClock.Instant?
        /// What to do when there is room for a connection again.
        var roomCame: (@Sendable () -> Void)?
    }

    let limits: HTTPServerLimits
    let handler: HTTPServer.Handler
    private let table = Mutex(Table())
    private let bodyOctets = Atomic<Int>(0)
    private let queue = DispatchQueue(label: "martlet.http-cancelling")

    init(limits: HTTPServerLimits, handler: @escaping HTTPServer.Handler) {
        self.limits = limits
        self.handler = handler
    }

    /// Cancels a handler, elsewhere: what its code does then must hold up neither the library nor the watch.
    func cancel(_ task: Task<Void, Never>?) {
        if let task { queue.async { task.cancel() } }
    }

    /// Runs a handler and, behind it, the stream of its response. The task is the request's own.
    func run(_ request: HTTPRequest, _ exchange: Exchange, on connection: Connection) async {
        let response = await handler(request)
        var produce: (@Sendable (HTTPBodyWriter) async throws -> Void)?
        if case .stream(_, let closure) = response.body.content,
            request.method != .head, !response.status.excludesBody
        {
            produce = closure
        }
        guard connection.answer(exchange, response, isStreamed: produce != nil), let produce
        else { return }
        do {
            try await produce(HTTPBodyWriter(connection: connection, exchange: exchange))
            connection.finishStream(exchange, broken: false)
        } catch {
            connection.finishStream(exchange, broken: true)
        }
    }

    // MARK: Memory of bodies

    /// Whether there is room for as many octets more of a body; they are counted then.
    func reserveBody(_ count: Int) -> Bool {
        let (_, all) = bodyOctets.add(count, ordering: .relaxed)
        guard all > limits.allBodiesSizeInOctets else { return true }
        releaseBody(count)
        return false
    }

    func releaseBody(_ count: Int) { bodyOctets.subtract(count, ordering: .relaxed) }

    // MARK: Connections

    var hasRoom: Bool { table.withLock { $0.openCount < limits.connectionCount } }
    var openCount: Int { table.withLock { $0.openCount } }
    var isStopping: Bool { table.withLock { $0.isStopping } }
    var connections: [Connection] { table.withLock { Array($0.connections.values) } }

    /// A socket was accepted.
    func accepted() { table.withLock { $0.openCount += 1 } }

    /// An accepted socket is closed, or is about to be.
    func closedOne() {
        let roomCame = table.withLock { table in
            table.openCount -= 1
            if table.openCount == 0 {
                table.lastWaiter?.resume()
                table.lastWaiter = nil
            }
            return table.openCount == limits.connectionCount - 1 ? table.roomCame : nil
        }
        roomCame?()
    }

    /// Sets what to do when there is room for a connection after there was none.
    func whenRoomComes(_ action: (@Sendable () -> Void)?) {
        table.withLock { $0.roomCame = action }
    }

    /// The library began with a connection.
    func add(_ connection: Connection) {
        let (isStopping, isCut) = table.withLock { table in
            table.connections[ObjectIdentifier(connection)] = connection
            return (table.isStopping, table.isCut)
        }
        if isCut { connection.cut() } else if isStopping { connection.endIfWaiting() }
    }

    func remove(_ connection: Connection) {
        table.withLock { $0.connections[ObjectIdentifier(connection)] = nil }
    }

    // MARK: The end

    /// From now on connections end with the request that is under way.
    func beginStopping() {
        table.withLock { $0.isStopping = true }
        for connection in connections { connection.endIfWaiting() }
    }

    /// Waits until all connections are closed, or for `patience`.
    func waitUntilAllClosed(for patience: Duration) async {
        await withUnsafeContinuation { done in
            table.withLock { table in
                guard table.openCount > 0, patience > .zero else { return done.resume() }
                table.lastWaiter = done
                table.patienceEnd = .now + patience
            }
        }
    }

    /// Looks whether the patience of `waitUntilAllClosed` is over.
    func lookAtPatience(_ now: ContinuousClock.Instant) {
        table.withLock { table in
            guard let end = table.patienceEnd, now >= end else { return }
            table.lastWaiter?.resume()
            table.lastWaiter = nil
        }
    }

    /// Ends all connections, those to come too.
    func cutAll() {
        table.withLock { $0.isCut = true }
        for connection in connections { connection.cut() }
    }
}
