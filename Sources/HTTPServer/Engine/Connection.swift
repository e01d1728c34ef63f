import CMartletMicrohttpd
import MartletBytes
import Synchronization

/// One client's connection, from accepting it to closing it.
///
/// The library's thread calls in for each step of a request; handlers' tasks and the `Watch` come from elsewhere. All
/// meet in `state`. A connection is suspended, which is to say out of the library's hands, while its handler runs
/// (`handling`) and while its stream has nothing to send (`starving`), and never otherwise: whoever leaves one of these
/// stages resumes it, under the lock, so that it happens once.
///
/// Unchecked: `handle` is used under the lock, and only before `closed`.
final class Connection: @unchecked Sendable {
    /// Where the connection stands.
    enum Stage {
        /// For a request. → receiving, closed
        case waiting
        /// The header or body of one. → handling, sending (a refusal), draining, closed
        case receiving(Exchange)
        /// Suspended: its handler runs. → answering
        case handling(Exchange, Task<Void, Never>?)
        /// Resumed: the library will ask for the response; without one the connection ends. → sending, closed
        case answering(Exchange, Task<Void, Never>?, HTTPResponse?)
        /// The library sends, and asks for more of the body. → starving, waiting, closed
        case sending(Exchange, Task<Void, Never>?)
        /// Suspended: the stream has nothing to send. → sending
        case starving(Exchange, Task<Void, Never>?)
        /// The request was refused while its body came: it is dropped until its end. → closed
        case draining
        case closed
    }

    struct State {
        var stage = Stage.waiting
        /// When the client or handler has to be done with it.
        var deadline: ContinuousClock.Instant?
        /// The response's stream.
        var stream: StreamBuffer?
        /// Whether the server is at its end, so that nothing may be suspended any more.
        var isCut = false
    }

    let core: ServerCore
    let handle: OpaquePointer
    let socket: CInt
    let remoteAddress: HTTPEndpoint
    let state: Mutex<State>

    init(core: ServerCore, handle: OpaquePointer, socket: CInt, remoteAddress: HTTPEndpoint) {
        self.core = core
        self.handle = handle
        self.socket = socket
        self.remoteAddress = remoteAddress
        state = Mutex(State(deadline: .now + core.limits.headerTime))
    }

    // MARK: What the library reports, on its thread

    /// The first line of a request was read.
    func began(_ exchange: Exchange) {
        state.withLock { state in
            state.stage = .receiving(exchange)
            // behind an earlier request, silence is over now
            let end = ContinuousClock.now + core.limits.headerTime
            state.deadline = min(state.deadline ?? end, end)
        }
    }

    /// The body is expected from now on.
    func awaitsBody() {
        state.withLock { $0.deadline = .now + core.limits.bodyTime }
    }

    /// The request is over, well or badly.
    func completed() {
        let task = state.withLock { state in
            let task = state.stream?.isFinished == true ? nil : state.stage.task
            state.stream?.finish(broken: true)
            state.stream = nil
            state.stage = .waiting
            state.deadline = .now + core.limits.idleTime + core.limits.headerTime
            if core.isStopping { SystemCalls.cut(socket) }
            return task
        }
        core.cancel(task)
    }

    /// The socket will be closed when this returns.
    func closed() {
        state.withLock { state in
            state.stage = .closed
            state.deadline = nil
        }
    }

    /// The request is complete: its handler starts, and the library lets the connection rest.
    ///
    /// - Returns: whether the connection goes on.
    func startHandling(_ exchange: Exchange, _ request: HTTPRequest) -> Bool {
        state.withLock { state in
            guard !state.isCut else { return false }
            MHD_suspend_connection(handle)
            // Cancelled by `completed`, `abandon` and `expire`.
            let task = Task { await core.run(request, exchange, on: self) }
            state.stage = .handling(exchange, task)
            state.deadline = .now + core.limits.handlerTime
            return true
        }
    }

    /// The response that the library was told to ask for; `nil` ends the connection.
    func takeResponse() -> HTTPResponse? {
        state.withLock { state in
            guard case .answering(let exchange, let task, let response) = state.stage else {
                return nil
            }
            state.stage = .sending(exchange, task)
            state.deadline = .now + core.limits.writeTime
            return response
        }
    }

    /// The library asks for octets of the stream.
    ///
    /// - Returns: how many there are, or one of the library's two words for an end. 0: the connection rests.
    func readStream(into target: UnsafeMutableRawBufferPointer) -> Int {
        state.withLock { state in
            guard case .sending(let exchange, let task) = state.stage, state.stream != nil else {
                return Self.endWithError
            }
            let count =
                state.stream?.read(into: target, limit: core.limits.streamBufferSizeInOctets) ?? 0
            state.deadline = .now + core.limits.writeTime
            if count > 0 { return count }
            if let stream = state.stream, stream.isFinished {
                return stream.isBroken ? Self.endWithError : Self.endOfStream
            }
            guard !state.isCut else { return Self.endWithError }
            MHD_suspend_connection(handle)
            state.stage = .starving(exchange, task)
            state.deadline = nil
            return 0
        }
    }

    /// The library asks for octets of a body in memory: the client took the ones before.
    func madeProgress() {
        state.withLock { $0.deadline = .now + core.limits.writeTime }
    }

    /// Says why a request is refused whose body is still on its way, and drops what comes.
    ///
    /// Not through the library: it would close the connection at once, and a system that closes one with unread octets
    /// tells the client to forget what was said.
    func refuseAndDrain(_ response: [UInt8]) {
        state.withLock { state in
            SystemCalls.sayLast(response, to: socket)
            state.stage = .draining
            state.deadline = .now + core.limits.lingerTime
        }
    }

    /// Whether a request is being read.
    var isReceiving: Bool {
        state.withLock { state in
            if case .receiving = state.stage { true } else { false }
        }
    }

    /// Whether the request was refused, and what still comes of it is dropped.
    var isDraining: Bool {
        state.withLock { state in
            if case .draining = state.stage { true } else { false }
        }
    }

    // `MHD_CONTENT_READER_END_OF_STREAM` and its neighbour, which Swift does not import.
    static let endOfStream = -1
    static let endWithError = -2
}

extension Connection.Stage {
    /// The request that is under way.
    var exchange: Exchange? {
        switch self {
        case .receiving(let exchange), .handling(let exchange, _), .answering(let exchange, _, _),
            .sending(let exchange, _), .starving(let exchange, _):
            exchange
        case .waiting, .draining, .closed: nil
        }
    }

    /// Its handler's task.
    var task: Task<Void, Never>? {
        switch self {
        case .handling(_, let task), .answering(_, let task, _), .sending(_, let task),
            .starving(_, let task):
            task
        case .waiting, .receiving, .draining, .closed: nil
        }
    }

    var isResting: Bool {
        switch self {
        case .handling, .starving: true
        default: false
        }
    }
}
