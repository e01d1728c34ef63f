import Dispatch
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Hears on the loop's thread that its descriptor is ready.
package protocol ReadinessHandler: AnyObject, Sendable {
    func becameReady(for readiness: Readiness)
}

/// Hears on the loop's thread that a time has come.
package protocol TimerHandler: Sendable {
    func timeCame()
}

/// One thread that waits for sockets and runs the actors pinned to it.
///
/// Connections are actors whose executor is a loop, so that what a socket says and what their methods do happen
/// on one thread, in order, without locks or hops. Code of a caller never runs here: password closures, file
/// reads and consumers run on ordinary executors.
///
/// Most programs use `EventLoop.shared`. A loop of one's own runs until `shutDown()`.
public final class EventLoop: SerialExecutor, @unchecked Sendable {
    // @unchecked: `inbox` is behind its lock; `state` is touched by the loop's thread only (`isCurrent`).

    /// How the thread waits for descriptors.
    public enum Backend: String, CaseIterable, Sendable {
        #if os(Linux)
            /// Linux `epoll`, edge-triggered.
            case epoll
        #endif
        /// Dispatch sources: for systems without `epoll`.
        case dispatch

        /// `epoll` where there is one. The environment variable `MARTLET_POLLER` can name another.
        public static var preferred: Backend {
            if let name = getenv("MARTLET_POLLER"),
                let named = Backend(rawValue: String(cString: name))
            {
                return named
            }
            #if os(Linux)
                return .epoll
            #else
                return .dispatch
            #endif
        }
    }

    /// The loop that connections use unless they are given another. Never shut down.
    public static let shared: EventLoop = {
        do { return try EventLoop() } catch { fatalError("no event loop: \(error)") }
    }()

    /// Rounds of work that follows from work, before sockets and timers get their turn.
    private static let roundsBeforePolling = 32

    enum Work {
        case job(UnownedJob)
        /// A job of a task that waits in `suspend`.
        case resumption(UnownedJob)
        case closure(@Sendable () -> Void)
    }

    private struct Inbox {
        var work: [Work] = []
        var isAsleep = false
        var hasEnded = false
    }

    private struct State {
        var handlers: [UInt64: HandlerBox] = [:]
        var lastToken: UInt64 = 0
        var timers = TimerQueue()
        var local: [Work] = []
        var isEnding = false
    }

    private struct HandlerBox {
        weak var handler: (any ReadinessHandler)?
    }

    package let poller: any Poller
    private let inbox = Mutex(Inbox())
    private let thread = Atomic<UInt>(0)
    private var state = State()
    private let resumptions = Resumptions()
    /// A place for one read, shared by all connections of the loop.
    package let scratch = UnsafeMutableRawBufferPointer.allocate(
        byteCount: 256 * 1024, alignment: 16)

    /// Starts a thread of its own.
    ///
    /// - Throws: `TransportError` when the process has no descriptors left.
    public init(backend: Backend = .preferred) throws(TransportError) {
        switch backend {
        #if os(Linux)
            case .epoll: poller = try EpollPoller()
        #endif
        case .dispatch: poller = DispatchPoller()
        }
        resumptions.loop = self
        // A serial queue has a thread of its own for as long as its one block runs, on every system.
        DispatchQueue(label: "martlet.event-loop", qos: .userInitiated).async { self.run() }
    }

    deinit { scratch.deallocate() }

    /// The loop as the preferred executor of tasks that wait in `suspend`. An object of its own: a task that has no
    /// preference would change executors at every call between actors if the loop itself were both kinds.
    private final class Resumptions: TaskExecutor, @unchecked Sendable {
        // @unchecked: set once, before the loop's thread starts.
        unowned var loop: EventLoop!

        func enqueue(_ job: consuming ExecutorJob) { loop.add(.resumption(UnownedJob(job))) }
    }

    /// Ends the thread as soon as nothing is open on it: connections and listeners live on until they are closed.
    ///
    /// Calling an actor of the loop after that is a mistake that traps.
    public func shutDown() {
        execute { [self] in state.isEnding = true }
    }

    // MARK: SerialExecutor

    /// Takes a job of an actor or task.
    public func enqueue(_ job: consuming ExecutorJob) { add(.job(UnownedJob(job))) }

    /// Whether the caller runs on the loop's thread.
    public var isCurrent: Bool {
        thread.load(ordering: .relaxed) == currentThread()
    }

    /// Traps when the caller is not on the loop's thread.
    public func checkIsolated() {
        precondition(isCurrent, "this must run on the event loop's thread")
    }

    /// Whether the caller runs on the loop's thread.
    public func isIsolatingCurrentContext() -> Bool? { isCurrent }

    /// Waits for a continuation that is resumed on the loop's thread, and goes on there.
    ///
    /// A resumed task starts on its preferred executor before it finds its actor. Without a preference that is the
    /// pool, at the price of two changes of thread for each wait.
    ///
    /// - Parameter body: must look itself whether there is still something to wait for, and whether the task was
    ///   cancelled: the loop may run other work before it is called, the news of both among it.
    package func suspend<Result>(
        isolation: isolated (any Actor)?, onCancel: @escaping @Sendable () -> Void,
        _ body: (UnsafeContinuation<Result, Never>) -> Void
    ) async -> Result {
        await withTaskExecutorPreference(resumptions, isolation: isolation) {
            await withTaskCancellationHandler(
                operation: {
                    await withUnsafeContinuation(isolation: isolation, body)
                }, onCancel: onCancel, isolation: isolation)
        }
    }

    /// Lets all other work of the loop that is due have its turn, and goes on behind it: for whoever always finds more to do.
    package func passTurn(isolation: isolated (any Actor)?) async {
        await suspend(isolation: isolation, onCancel: {}) { continuation in
            execute { continuation.resume() }
        }
    }

    // MARK: Work, descriptors, timers

    /// Runs `body` on the loop's thread, in order with all other work.
    package func execute(_ body: @escaping @Sendable () -> Void) { add(.closure(body)) }

    /// Watches `descriptor` and tells `handler`, which is not kept alive. On the loop's thread only.
    package func register(
        _ descriptor: CInt, handler: any ReadinessHandler
    ) throws(TransportError) -> UInt64 {
        checkIsolated()
        state.lastToken += 1
        let token = state.lastToken
        state.handlers[token] = HandlerBox(handler: handler)
        do throws(TransportError) {
            try poller.add(descriptor, token: token)
        } catch {
            state.handlers[token] = nil
            throw error
        }
        return token
    }

    /// Ends watching and closes `descriptor`. From any thread.
    package func removeAndClose(_ descriptor: CInt, token: UInt64) {
        guard isCurrent else {
            return execute { [self] in removeAndClose(descriptor, token: token) }
        }
        state.handlers[token] = nil
        poller.removeAndClose(descriptor, token: token)
    }

    /// Calls `handler` once at `time` or a little later. On the loop's thread only.
    package func schedule(at time: MonotonicTime, _ handler: any TimerHandler) {
        checkIsolated()
        state.timers.insert(.init(time: time, handler: handler))
    }

    // MARK: The thread

    private func add(_ work: Work) {
        if isCurrent { return state.local.append(work) }
        let mustWake = inbox.withLock { inbox in
            guard !inbox.hasEnded else {
                // What is left to tidy up went with the thread; a task, though, would wait for ever.
                if case .closure = work { return false }
                fatalError("this event loop was shut down; close what uses it before")
            }
            inbox.work.append(work)
            defer { inbox.isAsleep = false }
            return inbox.isAsleep
        }
        if mustWake { poller.wake() }
    }

    private func run() {
        thread.store(currentThread(), ordering: .relaxed)
        var work: [Work] = []
        var events: [PollEvent] = []
        while !state.isEnding || !state.handlers.isEmpty {
            var rounds = 0
            repeat {
                takeWork(&work)
                for item in work { perform(item) }
                work.removeAll(keepingCapacity: true)
                rounds += 1
            } while !state.local.isEmpty && rounds < Self.roundsBeforePolling
            poller.wait(nanoseconds: sleepTime(), into: &events)
            inbox.withLock { $0.isAsleep = false }
            for event in events {
                let handler = state.handlers[event.token]?.handler
                handler?.becameReady(for: event.readiness)
            }
            events.removeAll(keepingCapacity: true)
            fireTimers()
        }
        repeat {
            takeWork(&work)
            for item in work { perform(item) }
            work.removeAll(keepingCapacity: true)
        } while !endIfIdle()
        thread.store(0, ordering: .relaxed)
        poller.close()
    }

    /// Takes no more work, unless there is some.
    private func endIfIdle() -> Bool {
        inbox.withLock { inbox in
            inbox.hasEnded = inbox.work.isEmpty && state.local.isEmpty
            return inbox.hasEnded
        }
    }

    private func takeWork(_ work: inout [Work]) {
        swap(&work, &state.local)
        inbox.withLock { inbox in
            if !inbox.work.isEmpty {
                work.append(contentsOf: inbox.work)
                inbox.work.removeAll(keepingCapacity: true)
            }
        }
    }

    private func perform(_ work: Work) {
        switch work {
        case .job(let job): job.runSynchronously(on: asUnownedSerialExecutor())
        case .resumption(let job):
            job.runSynchronously(
                isolatedTo: asUnownedSerialExecutor(),
                taskExecutor: resumptions.asUnownedTaskExecutor())
        case .closure(let body): body()
        }
    }

    /// How long the poller may wait: not at all with work left, else until the next timer.
    private func sleepTime() -> UInt64? {
        guard state.local.isEmpty, !state.isEnding || !state.handlers.isEmpty else { return 0 }
        let isIdle = inbox.withLock { inbox in
            inbox.isAsleep = inbox.work.isEmpty
            return inbox.isAsleep
        }
        guard isIdle else { return 0 }
        guard let next = state.timers.next else { return nil }
        let now = MonotonicTime.now
        return next <= now ? 0 : next.nanoseconds - now.nanoseconds
    }

    private func fireTimers() {
        guard state.timers.next != nil else { return }
        let now = MonotonicTime.now
        while let due = state.timers.popDue(at: now) { due.handler.timeCame() }
    }
}

/// The thread's identity as a number: a number on one system, a pointer on another.
private func currentThread() -> UInt {
    withUnsafeBytes(of: pthread_self()) { $0.load(as: UInt.self) }
}
