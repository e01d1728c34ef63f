import MartletBytes

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A connected stream of octets: a socket, TLS on a socket, or a child process's standard input and output.
///
/// An actor on an event loop: an actor that shares its loop calls it without a hop. One reader and one writer at a
/// time. Limits of time measure *progress*: they start anew with every octet that moves, so that a slow transfer
/// lives and a stuck one ends.
///
/// Cancelling a read leaves the channel as it was. A write that is cancelled or runs out of time closes the channel,
/// since nobody could say how much of it the peer has. When a write finds the connection broken, what the peer said
/// before can still be read.
public actor ByteChannel {
    /// The loop whose thread serves the channel.
    public nonisolated let loop: EventLoop
    /// The other side as the caller named it, such as `mail.example.org:587`; errors show it.
    public nonisolated let peer: String

    /// The loop.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    var descriptor: Descriptor?
    var engine: (any TLSEngine)?
    /// Decrypted and not read yet.
    var plaintext: [UInt8] = []
    private var child: ChildProcess?
    private var mayRead = false
    private(set) var mayWrite = false
    private var peerFinished = false
    private var reader: Waiter?
    private var writer: Waiter?
    private var lastWait: UInt64 = 0
    private var timer: MonotonicTime?
    private var isWriting = false
    /// Octets read so far, as they came over the network.
    public private(set) var octetsReceived = 0
    /// Octets handed to the system so far, as they go over the network.
    public internal(set) var octetsSent = 0

    private init(loop: EventLoop, peer: String) {
        self.loop = loop
        self.peer = peer
    }

    /// Takes over a non-blocking stream socket, which is closed in any case.
    package static func adopt(
        _ socket: CInt, loop: EventLoop, peer: String, child: ChildProcess? = nil
    ) async throws(TransportError) -> ByteChannel {
        let channel = ByteChannel(loop: loop, peer: peer)
        try await channel.open(socket, child: child)
        return channel
    }

    private func open(_ socket: CInt, child: ChildProcess?) throws(TransportError) {
        self.child = child
        descriptor = try Descriptor(socket, loop: loop, handler: self)
    }

    /// Whether the channel can still be used.
    public var isOpen: Bool { descriptor != nil }

    /// The address of the other side, if it has one.
    public var remoteAddress: SocketAddress? {
        descriptor.flatMap { SocketAddress(of: $0.number, getpeername) }
    }
    /// The own address, if there is one.
    public var localAddress: SocketAddress? {
        descriptor.flatMap { SocketAddress(of: $0.number, getsockname) }
    }

    // MARK: Reading

    /// The next octets, as many as are there, or none when the peer has finished.
    ///
    /// - Parameter limit: how long to wait for the first octet; `nil`: without end.
    /// - Throws: `TransportError`, such as `.timedOut`, `.connectionReset`, `.tls` (also when a TLS peer ended without
    ///   saying so), `.cancelled`.
    public func read(within limit: Duration? = nil) async throws(TransportError) -> [UInt8] {
        precondition(reader == nil, "one reader at a time")
        while true {
            if let octets = try readNow() { return octets }
            try await wait(.read, limit)
        }
    }

    /// What can be read without waiting: octets, none at the end, or `nil` when there is nothing.
    public func readNow() throws(TransportError) -> [UInt8]? {
        if let engine { return try readNow(through: engine) }
        guard let count = try receive() else { return nil }
        return [UInt8](UnsafeRawBufferPointer(rebasing: loop.scratch[..<count]))
    }

    /// Octets that come at once where many follow each other: the system acknowledges those in time by itself.
    private static var bulkInOctets: Int { 16 * 1024 }

    /// Reads into the loop's scratch space: the count, 0 at the end, `nil` when it would block.
    func receive() throws(TransportError) -> Int? {
        guard let descriptor else { throw failure(.closed, .read) }
        guard mayRead else { return nil }
        while true {
            let count = recv(descriptor.number, loop.scratch.baseAddress, loop.scratch.count, 0)
            if count >= 0 {
                octetsReceived += count
                if engine != nil, count < Self.bulkInOctets { descriptor.acknowledgeNow() }
                // Less than asked for: the socket is drained, and the next octets or the end are a new event,
                // unless the end has been announced already.
                if count > 0, count < loop.scratch.count, !peerFinished { blocked(.read) }
                return count
            }
            switch errno {
            case EINTR: continue
            case EAGAIN:
                blocked(.read)
                return nil
            default: throw broken(.read)
            }
        }
    }

    // MARK: Writing

    /// Hands `octets` to the system; returns when it has them all.
    ///
    /// - Parameters:
    ///   - octets: what to write.
    ///   - limit: how long the peer may take no octets; `nil`: without end.
    public func write(_ octets: [UInt8], within limit: Duration? = nil) async throws(TransportError)
    {
        try await write([octets[...]], within: limit)
    }

    /// Hands several pieces to the system, in order and without joining them; returns when it has them all.
    ///
    /// - Parameters:
    ///   - pieces: what to write.
    ///   - limit: how long the peer may take no octets; `nil`: without end.
    public func write(
        _ pieces: [ArraySlice<UInt8>], within limit: Duration? = nil
    ) async throws(TransportError) {
        precondition(!isWriting, "one writer at a time")
        isWriting = true
        defer { isWriting = false }
        do throws(TransportError) {
            if let engine {
                for piece in pieces { try await encrypt(piece, engine, limit) }
            } else {
                try await send(pieces, limit)
            }
        } catch {
            switch error.kind {
            // What the peer said before can still be read.
            case .connectionReset, .closedByPeer: break
            default: close()
            }
            throw error
        }
    }

    private func send(
        _ pieces: [ArraySlice<UInt8>], _ limit: Duration?
    ) async throws(TransportError) {
        var rest = Gather(pieces)
        while !rest.isEmpty {
            guard let descriptor else { throw failure(.closed, .write) }
            let count = mayWrite ? rest.withVectors { sendVectors(descriptor.number, $0) } : -1
            if count >= 0 {
                octetsSent += count
                rest.drop(count)
            } else if mayWrite, errno == EINTR {
                continue
            } else if mayWrite, errno != EAGAIN {
                throw broken(.write)
            } else {
                if mayWrite { blocked(.write) }
                try await wait(.write, limit)
            }
        }
    }

    /// Tells the peer that nothing more will come (TLS: `close_notify`); reading goes on.
    public func finishWriting(within limit: Duration? = nil) async throws(TransportError) {
        if let engine {
            engine.closeNotify()
            try await flush(engine, limit)
        }
        if let descriptor { shutdown(descriptor.number, CInt(SHUT_WR)) }
    }

    /// Closes the channel now. Whoever waits gets `.closed`. May be called again.
    public func close() {
        guard descriptor != nil else { return }
        if let engine {
            // The peer should know that nothing was cut off; if the system has no room for it, so be it.
            engine.closeNotify()
            sendNow(engine)
        }
        self.descriptor = nil
        child?.end()
        child = nil
        wake(.read, .closed)
        wake(.write, .closed)
    }

    // MARK: Waiting

    enum Direction {
        case read
        case write
    }

    private enum Outcome {
        case ready
        case timedOut
        case cancelled
        case closed
    }

    private struct Waiter {
        var continuation: UnsafeContinuation<Outcome, Never>
        var id: UInt64
        var deadline: MonotonicTime?
    }

    /// Waits until the direction may be tried again.
    func wait(
        _ direction: Direction, _ limit: Duration?, stage: TransportError.Stage? = nil
    ) async throws(TransportError) {
        if direction == .read ? mayRead : mayWrite { return }
        lastWait += 1
        let id = lastWait
        let deadline = limit.map { MonotonicTime.now.advanced(by: $0) }
        let outcome: Outcome = await loop.suspend(
            isolation: self,
            onCancel: { [loop] in loop.execute { self.assumeIsolated { $0.cancelWait(id) } } }
        ) { continuation in
            // Looked at here and not before: on the way here the loop may have run other work.
            if descriptor == nil {
                continuation.resume(returning: .closed)
            } else if direction == .read ? mayRead : mayWrite {
                continuation.resume(returning: .ready)
            } else if Task.isCancelled {
                continuation.resume(returning: .cancelled)
            } else {
                let waiter = Waiter(continuation: continuation, id: id, deadline: deadline)
                if direction == .read { reader = waiter } else { writer = waiter }
                if let deadline { setTimer(for: deadline) }
            }
        }
        switch outcome {
        case .ready: return
        case .timedOut:
            throw failure(.timedOut(after: limit ?? .zero), stage ?? direction.stage)
        case .cancelled: throw failure(.cancelled, stage ?? direction.stage)
        case .closed: throw failure(.closed, stage ?? direction.stage)
        }
    }

    private func cancelWait(_ id: UInt64) {
        if reader?.id == id { wake(.read, .cancelled) }
        if writer?.id == id { wake(.write, .cancelled) }
    }

    private func wake(_ direction: Direction, _ outcome: Outcome) {
        let waiter = direction == .read ? reader : writer
        if direction == .read { reader = nil } else { writer = nil }
        waiter?.continuation.resume(returning: outcome)
    }

    /// Whether somebody waits for octets.
    package var hasReader: Bool { reader != nil }

    func blocked(_ direction: Direction) {
        if direction == .read { mayRead = false } else { mayWrite = false }
        descriptor?.rearm(direction == .read ? .read : .write)
    }

    /// The system says so, although no event did.
    func assumeWritable() { mayWrite = true }

    private func ready(_ readiness: Readiness) {
        if readiness.contains(.end) { peerFinished = true }
        if readiness.contains(.read) {
            mayRead = true
            wake(.read, .ready)
        }
        if readiness.contains(.write) {
            mayWrite = true
            wake(.write, .ready)
        }
    }

    // One timer at a time, at the earliest moment that anything could run out. Deadlines that move on are not
    // rescheduled one by one: the timer looks when it comes up.
    private func setTimer(for deadline: MonotonicTime) {
        if let timer, timer <= deadline { return }
        timer = deadline
        loop.schedule(at: deadline, Timer(channel: self, time: deadline))
    }

    private struct Timer: TimerHandler {
        weak var channel: ByteChannel?
        var time: MonotonicTime

        func timeCame() { channel?.assumeIsolated { $0.timerCame(set: time) } }
    }

    private func timerCame(set time: MonotonicTime) {
        guard timer == time else { return }
        timer = nil
        let now = MonotonicTime.now
        if let deadline = reader?.deadline, deadline <= now { wake(.read, .timedOut) }
        if let deadline = writer?.deadline, deadline <= now { wake(.write, .timedOut) }
        let rest = [reader?.deadline, writer?.deadline].compactMap { $0 }
        if let next = rest.min() { setTimer(for: next) }
    }

    // MARK: Errors

    func failure(_ kind: TransportError.Kind, _ stage: TransportError.Stage) -> TransportError {
        TransportError(kind, stage, peer: peer)
    }

    func broken(_ stage: TransportError.Stage) -> TransportError {
        .system(errno, stage).with(peer: peer)
    }
}

extension ByteChannel: ReadinessHandler {
    package nonisolated func becameReady(for readiness: Readiness) {
        assumeIsolated { $0.ready(readiness) }
    }
}

extension ByteChannel.Direction {
    fileprivate var stage: TransportError.Stage { self == .read ? .read : .write }
}
