import MartletIMAPCore
import MartletTransport

/// Reads mail from one server, over one connection.
///
///     try await IMAPClient.withConnection(to: server) { imap in
///         let inbox = try await imap.select(.inbox)
///         for try await row in imap.fetch(UIDSet.all, [.envelope, .flags]) { … }
///     }
///
/// Any number of tasks may call it at once; commands are pipelined as far as their answers cannot be mistaken. The
/// connection is made when first needed, and made anew when it was lost: then the mailbox is selected again, and what
/// can be repeated without harm is. Use an `IMAPAccount` for several connections, and for work in several mailboxes at the
/// same time.
public actor IMAPClient {
    /// The server.
    public nonisolated let server: IMAPServer

    /// The loop, which the connection shares: no hop between the two.
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        server.loop.asUnownedSerialExecutor()
    }

    /// What is selected, and selected again on a new connection.
    struct Selection: Sendable {
        var name: MailboxName
        var isReadOnly: Bool
        var uidValidity: UIDValidity?
    }

    var connection: IMAPConnection?
    var selection: Selection?
    /// Counts each time that another mailbox is asked for, so that calls of several commands can tell.
    var selectionNumber = 0
    /// The mailbox was made anew while the connection was lost: until it is selected by a caller, its UIDs mean nothing.
    var lostSelection: IMAPError?
    /// Switched on with ENABLE on each connection.
    var wantedExtensions: [Capability] = []
    private var opening: Opening?
    /// Why the last connection could not be made, for who comes to wait when that is over.
    private var openingFailure: IMAPError?
    /// Read and checked once, also for later connections.
    private var tlsContext: OpenSSLContext?

    /// Prepares a client. Nothing is connected yet.
    public init(_ server: IMAPServer) { self.server = server }

    deinit {
        guard let connection else { return }
        let loop = server.loop
        loop.execute { connection.assumeIsolated { $0.end(IMAPError(kind: .cancelled)) } }
    }

    /// Runs `body` with a client, and closes its connection on every way out.
    public static func withConnection<Result: Sendable>(
        to server: IMAPServer, _ body: (IMAPClient) async throws -> Result
    ) async throws -> Result {
        let client = IMAPClient(server)
        do {
            let result = try await body(client)
            await client.close()
            return result
        } catch {
            await client.close()
            throw error
        }
    }

    // MARK: The connection

    /// Connects and logs in, unless that is done: TCP, TLS, login, ID, compression.
    ///
    /// - Parameter steps: hears of each step as it is done; finished at the end.
    /// - Throws: `IMAPError`. `recovery` says whether to mend the settings, ask for other credentials or try later.
    public func connect(
        steps: AsyncStream<IMAPConnectionStep>.Continuation? = nil
    ) async throws(IMAPError) {
        defer { steps?.finish() }
        _ = try await ready(steps)
    }

    /// What the server offers; nothing before a connection is made.
    public var capabilities: Capabilities {
        get async { await connection?.capabilities ?? Capabilities() }
    }

    /// The mailbox that is selected, as far as the server told; `nil` before `select`.
    public var mailbox: SelectedMailbox? { get async { await connection?.mailbox } }

    /// Whether a connection is open.
    public var isConnected: Bool { get async { await connection?.isOpen ?? false } }

    /// What TLS agreed on; `nil` without TLS.
    public var tls: TLSConnectionInfo? { get async { await connection?.tls } }

    /// What is known of servers like this one; `nil` if nothing.
    public var profile: ServerProfile? { get async { await connection?.profile } }

    /// Finds out whether the connection still stands: for when the network has changed. Else a connection that nobody
    /// uses is found dead only after minutes.
    ///
    /// One that gives no answer is closed: watches open another at once, and so does the next call.
    /// - Returns: whether there is a connection that answers.
    @discardableResult
    public func checkConnection() async -> Bool { await connection?.answers() ?? false }

    /// Says goodbye and closes the connection, whatever happens. A later call opens another.
    public func close() async {
        opening?.task.cancel()
        leaveMailbox()
        guard let old = connection else { return }
        connection = nil
        await old.close()
    }

    /// A connection that is logged in and has the selected mailbox open.
    func ready(
        _ steps: AsyncStream<IMAPConnectionStep>.Continuation? = nil
    ) async throws(IMAPError) -> IMAPConnection {
        if let connection, await connection.isThere() { return connection }
        return try await opened(steps).get()
    }

    /// A connection that is being made, and all who wait for it.
    private struct Opening {
        let task: Task<Void, Never>
        var waiters: [Int: UnsafeContinuation<Result<IMAPConnection, IMAPError>, Never>] = [:]
        var lastWaiter = 0
    }

    /// Waits for the connection that all callers share. Who is cancelled waits no longer; when nobody waits, it is given up.
    private func opened(
        _ steps: AsyncStream<IMAPConnectionStep>.Continuation?
    ) async -> Result<IMAPConnection, IMAPError> {
        beginOpening(steps)
        opening?.lastWaiter += 1
        guard let number = opening?.lastWaiter else { return .failure(cancellation) }
        let loop = server.loop
        return await loop.suspend(
            isolation: self,
            onCancel: { loop.execute { self.assumeIsolated { $0.leaveOpening(number) } } }
        ) { continuation in
            if Task.isCancelled {
                continuation.resume(returning: .failure(cancellation))
                if opening?.waiters.isEmpty == true { opening?.task.cancel() }
            } else if opening != nil {
                opening?.waiters[number] = continuation
            } else if let connection {
                continuation.resume(returning: .success(connection))
            } else {
                continuation.resume(returning: .failure(openingFailure ?? cancellation))
            }
        }
    }

    private var cancellation: IMAPError { IMAPError(kind: .cancelled, server: server.host) }

    private func leaveOpening(_ number: Int) {
        guard let waiter = opening?.waiters.removeValue(forKey: number) else { return }
        waiter.resume(returning: .failure(cancellation))
        if opening?.waiters.isEmpty == true { opening?.task.cancel() }
    }

    private func beginOpening(_ steps: AsyncStream<IMAPConnectionStep>.Continuation?) {
        guard opening == nil else { return }
        // Ends with the connection; `close` and the last waiter that leaves cancel it.
        opening = Opening(
            task: Task {
                let result = await makeConnection(steps)
                let waiters = opening?.waiters ?? [:]
                opening = nil
                if case .failure(let error) = result { openingFailure = error }
                for waiter in waiters.values { waiter.resume(returning: result) }
            })
    }

    private func makeConnection(
        _ steps: AsyncStream<IMAPConnectionStep>.Continuation?
    ) async -> Result<IMAPConnection, IMAPError> {
        do throws(IMAPError) {
            let made = try await IMAPConnection.open(server, tls: try await context(), steps)
            do throws(IMAPError) {
                try await restore(on: made)
                if Task.isCancelled { throw cancellation }
            } catch {
                await made.end(IMAPError(kind: .cancelled))
                throw error
            }
            connection = made
            return .success(made)
        } catch {
            return .failure(error)
        }
    }

    private func restore(on connection: IMAPConnection) async throws(IMAPError) {
        try await Self.enable(wantedExtensions, on: connection)
        guard let selection else { return }
        let opened = try await Self.open(selection, on: connection).mailbox
        guard let old = selection.uidValidity, let new = opened.uidValidity, old != new else {
            return
        }
        lostSelection = IMAPError(
            kind: .uidValidityChanged(from: old, to: new), server: server.host)
    }

    private func context() async throws(IMAPError) -> OpenSSLContext? {
        guard server.security != .plaintext else { return nil }
        if let tlsContext { return tlsContext }
        do throws(TLSFailure) {
            let context = try await Self.makeContext(server.tls)
            tlsContext = context
            return context
        } catch {
            throw IMAPError(
                TransportError(.tls(error), .tlsHandshake, peer: server.host),
                doing: "the TLS handshake")
        }
    }

    // Reads files: not on the loop.
    private nonisolated static func makeContext(
        _ configuration: TLSConfiguration
    ) async throws(TLSFailure) -> OpenSSLContext {
        try OpenSSLContext(client: configuration)
    }

    // MARK: Commands

    /// Runs a command and gives what its answers mean: for commands that have no call of their own.
    ///
    /// A command that `isRepeatable` is sent once more where the connection was lost before its answer came.
    /// - Throws: `IMAPError` when the server refuses it, or the connection fails.
    public func run<Command: IMAPCommand>(
        _ command: Command
    ) async throws(IMAPError) -> Command.Collector.Output {
        try await run(command, within: selectionNumber)
    }

    /// Runs one of several commands of a call, in the mailbox that was selected when the call began.
    func run<Command: IMAPCommand>(
        _ command: Command, within number: Int
    ) async throws(IMAPError) -> Command.Collector.Output {
        var attempt = 1
        while true {
            let connection = try await ready()
            if command.scope == .selected { try checkSelection(number, command.name) }
            do throws(IMAPError) {
                return try await connection.run(command)
            } catch {
                guard let wait = wait(after: error, attempt, isRepeatable: command.isRepeatable)
                else { throw error }
                try await pause(wait)
            }
            attempt += 1
        }
    }

    /// How often a command is sent.
    private static let attemptLimit = 3
    /// The longest wait for a server that asks for one; longer ones are left to the caller.
    private static let longestPause = Duration.seconds(30)

    /// How long to wait before a command is sent once more; `nil`: not at all.
    func wait(after error: IMAPError, _ attempt: Int, isRepeatable: Bool) -> Duration? {
        guard attempt < Self.attemptLimit else { return nil }
        switch (error.kind, error.recovery) {
        case (.cancelled, _): return nil
        // It was refused, so that nothing was done, unless the server stumbled over itself.
        case (.refused, .retry(let wait)) where isRepeatable || error.code != .serverBug,
            (.rejected, .retry(let wait)) where isRepeatable || error.code != .serverBug:
            let wait = wait ?? .seconds(1 << attempt)
            return wait <= Self.longestPause ? wait : nil
        case (_, .reconnect): return isRepeatable && !Task.isCancelled ? .zero : nil
        default: return nil
        }
    }

    func pause(_ duration: Duration) async throws(IMAPError) {
        guard duration > .zero else { return }
        do {
            try await Task.sleep(for: duration)
        } catch {
            throw IMAPError(kind: .cancelled, server: server.host)
        }
    }
}
