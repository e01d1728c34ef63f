import MartletBytes
import MartletCompression
import MartletIMAPCore
import MartletTransport

/// One connection to a server: commands in, answers and events out. `IMAPClient` opens it, and opens it anew.
///
/// One reader runs as long as the connection lives, so that what the server tells is heard at once. Any number of tasks
/// may run commands at the same time; the session pipelines them as far as their answers cannot be mistaken.
public actor IMAPConnection {
    /// The server.
    public nonisolated let server: IMAPServer

    /// The loop, which the channel shares: no hop between the two.
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        server.loop.asUnownedSerialExecutor()
    }

    let channel: ByteChannel
    let log: WireLog.Connection?
    var session: IMAPSession
    var inflater: Inflater?
    var deflater: Deflater?
    /// What is known of servers like this one.
    public internal(set) var profile: ServerProfile?
    /// Why the connection is over.
    var failure: IMAPError?

    // Callers that wait for a command's end, or for more of a stream.
    var waiters: [CommandID: Waiter] = [:]
    var openingWaiter: UnsafeContinuation<Void, Never>?
    var writerWaiter: UnsafeContinuation<Void, Never>?
    var readerWaiter: UnsafeContinuation<Void, Never>?
    var streams: [CommandID: Stream] = [:]
    var streamsRipenSoon = false
    var greeting: UntaggedCondition?
    var sentSecrets = SentSecrets()
    var pendingChallenge: (id: CommandID, octets: [UInt8])?
    var tlsIsDue = false
    /// Whether the TLS session of an earlier connection may be offered.
    var resumes = true
    var compressedStart: [UInt8]?

    // Watching.
    var subscribers = EventHub()
    var watchers = 0
    var idleBegan: MonotonicTime?
    var idling = Idling()
    var lastHeard = MonotonicTime.now
    var timer: MonotonicTime?
    var patience: Duration
    /// Whether the connection is logged in and all else that opening it takes is done.
    var isReady = false

    private var tasks: [Task<Void, Never>] = []

    init(
        _ channel: ByteChannel, server: IMAPServer, log: WireLog.Connection?, isEncrypted: Bool
    ) {
        self.channel = channel
        self.server = server
        self.log = log
        session = IMAPSession(isEncrypted: isEncrypted, limits: server.limits)
        session.tracesFrames = log != nil
        patience = server.timeouts.greeting
    }

    /// Starts reading and writing; both end with the connection: `end` cancels them.
    func start() {
        precondition(tasks.isEmpty, "started once")
        tasks = [
            Task { await self.readToEnd() },
            Task { await self.writeToEnd() },
        ]
        watchTime()
    }

    /// What the server offers.
    public var capabilities: Capabilities { session.usableCapabilities }
    /// What was switched on with ENABLE.
    public var enabled: Set<Capability> { session.enabled }
    /// The mailbox that is selected.
    public var mailbox: SelectedMailbox? { session.mailbox }
    /// Whether the connection can be used.
    public var isOpen: Bool { failure == nil && !session.isOver }
    /// What TLS agreed on; `nil` without TLS.
    public var tls: TLSConnectionInfo? { get async { await channel.tls } }

    // MARK: Commands

    /// Who waits for a command.
    struct Waiter {
        var continuation: UnsafeContinuation<Outcome, Never>?
        var outcome: Outcome?
    }

    enum Outcome: Sendable {
        case completed(any ResponseCollector, TaggedResponse)
        case failed(IMAPError)
        /// A login's challenge.
        case challenge([UInt8])
        /// More rows of a stream.
        case grown
    }

    /// Runs a command and gives what its answers mean.
    ///
    /// Cancelling it gives up the answer; the connection stays in step, or is closed where a message was being sent.
    /// - Throws: `IMAPError` when the server refuses it, or the connection fails.
    public func run<Command: IMAPCommand>(
        _ command: Command
    ) async throws(IMAPError) -> Command.Collector.Output {
        let id = try submit(command)
        switch await outcome(of: id) {
        case .completed(let collector, let end):
            return try result(of: command, collector, end)
        case .failed(let error): throw error.doing(command.name, server.host)
        case .challenge, .grown: preconditionFailure("nothing asked for a challenge or rows")
        }
    }

    /// Hands a command to the session.
    func submit(_ command: some IMAPCommand) throws(IMAPError) -> CommandID {
        if let failure { throw failure.doing(command.name, server.host) }
        if !session.isBusy || session.isIdling { lastHeard = .now }
        let id = session.submit(command)
        waiters[id] = Waiter()
        settle()
        return id
    }

    /// Waits until a command ended, or has more to say.
    func outcome(of id: CommandID) async -> Outcome {
        let loop = server.loop
        return await loop.suspend(
            isolation: self,
            onCancel: { loop.execute { self.assumeIsolated { $0.cancel(id) } } }
        ) { continuation in
            guard var waiter = waiters[id] else {
                return continuation.resume(returning: .failed(IMAPError(kind: .cancelled)))
            }
            if let outcome = waiter.outcome {
                waiter.outcome = nil
                waiters[id] = outcome.isLast ? nil : waiter
                continuation.resume(returning: outcome)
            } else if Task.isCancelled {
                waiters[id] = nil
                abandon(id)
                continuation.resume(returning: .failed(IMAPError(kind: .cancelled)))
            } else {
                waiter.continuation = continuation
                waiters[id] = waiter
            }
        }
    }

    func result<Command: IMAPCommand>(
        of command: Command, _ collector: any ResponseCollector, _ end: TaggedResponse
    ) throws(IMAPError) -> Command.Collector.Output {
        var end = end
        if end.condition != .ok { end.text = sentSecrets.masked(end.text) }
        let kind: IMAPError.Kind
        switch end.condition {
        case .ok:
            guard let collector = collector as? Command.Collector else {
                preconditionFailure("a command's collector is its own")
            }
            do throws(IMAPError) {
                return try collector.finish(end.text)
            } catch {
                throw error.doing(command.name, server.host)
            }
        case .no:
            kind =
                command.effect == .authenticate
                ? .authenticationRefused(end.text) : .refused(end.text)
        case .bad: kind = .rejected(end.text)
        }
        throw IMAPError(kind: kind, command: command.name, server: server.host)
    }

    /// Tells whoever waits for a command.
    func tell(_ id: CommandID, _ outcome: Outcome) {
        guard var waiter = waiters[id] else { return }
        if let continuation = waiter.continuation {
            waiter.continuation = nil
            waiters[id] = outcome.isLast ? nil : waiter
            continuation.resume(returning: outcome)
        } else {
            // An end is worth more than more rows.
            if !outcome.isLast, waiter.outcome?.isLast == true { return }
            waiter.outcome = outcome
            waiters[id] = waiter
        }
    }

    private func cancel(_ id: CommandID) {
        guard let continuation = waiters[id]?.continuation else { return }
        waiters[id] = nil
        abandon(id)
        continuation.resume(returning: .failed(IMAPError(kind: .cancelled)))
    }

    /// Nobody waits for the command any more.
    func abandon(_ id: CommandID) {
        waiters[id] = nil
        streams[id] = nil
        readerWakes()
        switch session.abandon(id) {
        case .neverSent, .inStep: settle()
        case .mustClose: end(session.cancelled())
        }
    }

    // MARK: The end

    /// Says goodbye and closes, whatever happens.
    public func close() async {
        guard isOpen else { return end(IMAPError(kind: .cancelled)) }
        patience = server.timeouts.logout
        endUnlessDone(within: server.timeouts.logout) { _ in false }
        _ = try? await run(IMAP.Logout())
        end(IMAPError(kind: .cancelled))
    }

    /// Closes now: everybody who waits gets `error`.
    func end(_ error: IMAPError) {
        guard failure == nil else { return }
        failure = error.doing(nil, server.host)
        log?.note("closed")
        _ = stop()
        let left = waiters
        waiters = [:]
        for (id, waiter) in left {
            var error = error
            error.mayHaveBeenDone = session.mayHaveDone(id)
            if let continuation = waiter.continuation {
                continuation.resume(returning: .failed(error))
            } else {
                // Whoever comes later still finds it.
                waiters[id] = Waiter(
                    outcome: waiter.outcome?.isLast == true ? waiter.outcome : .failed(error))
            }
        }
        wakeAll()
        subscribers.finish(error)
        Task { await channel.close() }  // ends by itself
    }

    /// Ends reading and writing, as soon as the tasks that do it hear of it.
    func stop() -> [Task<Void, Never>] {
        let ended = tasks
        for task in ended { task.cancel() }
        tasks = []
        writerWakes()
        readerWakes()
        return ended
    }

    private func wakeAll() {
        openingWaiter?.resume()
        openingWaiter = nil
        writerWakes()
        readerWakes()
    }

    func writerWakes() {
        writerWaiter?.resume()
        writerWaiter = nil
    }

    func readerWakes() {
        readerWaiter?.resume()
        readerWaiter = nil
    }
}

extension IMAPConnection.Outcome {
    /// Whether nothing comes after it.
    var isLast: Bool {
        switch self {
        case .completed, .failed: true
        case .challenge, .grown: false
        }
    }
}

extension IMAPError {
    /// The error with the command and server named, where they are not.
    func doing(_ command: String?, _ server: String?) -> IMAPError {
        var copy = self
        copy.command = copy.command ?? command
        copy.server = copy.server ?? server
        return copy
    }
}
