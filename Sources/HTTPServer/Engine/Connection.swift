import CMartletMicrohttpd
import MartletBytes
import Synchronization

/// One client's connection, from accepting it to closing it.
///
/// The library's thread calls in for each step of a request; handlers' tasks and the `Watch` come from elsewhere. All
/// meet in `state`. A connection is suspended, which is to say out of the library's hands, while its handler runs
/// (`handling`) and while its stream has nothing to send (`starving`), and never otherwise: whoever leaves one of these
/// stages resumes it, under the lock, so that it happens once.
final class Connection: @unchecked Sendable {  // `handle` is used under the lock, and only before `closed`
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
        // What a caller's code does when it is cancelled is not done on the library's thread.
        if let task { core.offThread { task.cancel() } }
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

    // MARK: What tasks say, from anywhere

    /// The handler has its response.
    ///
    /// - Returns: whether it is still wanted.
    func answer(_ exchange: Exchange, _ response: HTTPResponse, isStreamed: Bool) -> Bool {
        state.withLock { state in
            guard case .handling(let current, let task) = state.stage, current === exchange
            else { return false }
            if isStreamed { state.stream = StreamBuffer() }
            // Without a stream, the task has nothing left to do that could be cancelled.
            state.stage = .answering(exchange, isStreamed ? task : nil, response)
            state.deadline = nil
            MHD_resume_connection(handle)
            return true
        }
    }

    /// A piece of the stream; `writer` goes on when there is room for more, or the client is gone.
    func write(_ piece: [UInt8], _ exchange: Exchange, _ writer: UnsafeContinuation<Bool, Never>) {
        state.withLock { state in
            guard state.stage.exchange === exchange, state.stream != nil else {
                return writer.resume(returning: false)
            }
            state.stream?.append(piece, limit: core.limits.streamBufferSizeInOctets, writer)
            feed(&state)
        }
    }

    /// The stream is at its end.
    func finishStream(_ exchange: Exchange, broken: Bool) {
        state.withLock { state in
            guard state.stage.exchange === exchange else { return }
            state.stream?.finish(broken: broken)
            feed(&state)
        }
    }

    /// There is something to send, or an end to tell.
    private func feed(_ state: inout State) {
        guard case .starving(let exchange, let task) = state.stage, let stream = state.stream,
            stream.count > 0 || stream.isFinished
        else { return }
        state.stage = .sending(exchange, task)
        state.deadline = .now + core.limits.writeTime
        MHD_resume_connection(handle)
    }

    // MARK: What the watch does, from its own thread

    /// Cuts a client that takes too long, and answers for a handler that does.
    func expire(_ now: ContinuousClock.Instant) {
        let task = state.withLock { state -> Task<Void, Never>? in
            guard let deadline = state.deadline, now >= deadline else { return nil }
            state.deadline = nil
            guard case .handling(let exchange, let task) = state.stage else {
                if case .closed = state.stage { return nil }
                SystemCalls.cut(socket)
                return nil
            }
            let response = HTTPResponse.refusal(
                .serviceUnavailable, "The answer took too long. Try again later.")
            state.stage = .answering(exchange, task, response)
            MHD_resume_connection(handle)
            return task
        }
        task?.cancel()
    }

    /// Whether the connection rests, so that only a look at its socket shows a client that went away.
    var isResting: Bool {
        state.withLock { $0.stage.isResting }
    }

    /// Lets a resting connection end: its client went away.
    func abandon() {
        let task = state.withLock { state in
            let task = state.stage.task
            abandon(&state)
            return task
        }
        task?.cancel()
    }

    private func abandon(_ state: inout State) {
        switch state.stage {
        case .handling(let exchange, let task):
            state.stage = .answering(exchange, task, nil)
            MHD_resume_connection(handle)
        case .starving:
            state.stream?.finish(broken: true)
            feed(&state)
        default: break
        }
    }

    // MARK: What the server's end does

    /// Ends a connection on which nothing is under way.
    func endIfWaiting() {
        state.withLock { state in
            if case .waiting = state.stage { SystemCalls.cut(socket) }
        }
    }

    /// Ends the connection whatever is under way.
    func cut() {
        let task = state.withLock { state -> Task<Void, Never>? in
            state.isCut = true
            if case .closed = state.stage { return nil }
            let task = state.stage.task
            abandon(&state)
            state.stream?.finish(broken: true)
            SystemCalls.cut(socket)
            return task
        }
        task?.cancel()
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
