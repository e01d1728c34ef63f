import MartletBytes
import MartletPOP3Core
import MartletTransport

/// Fetches mail from one server, over one connection.
///
///     try await POP3Client.withConnection(to: server) { pop in
///         let listed = try await pop.messages()
///         try await pop.retrieve(listed.map(\.number)) { message in … }
///         try await pop.delete(listed.map(\.number))
///     }
///
/// *Deleting* takes two steps: `delete` marks messages, `disconnect()` has them deleted. A connection that ends in any other
/// way, by an error, by `abandon()` or by the network, deletes nothing. RFC 1939 §6.
///
/// *Numbers* of messages hold for one connection only. When it is lost, calls that name messages throw `.numbersVoid` and send
/// nothing; `connect()`, `messages()` and `status()` make it anew.
///
/// Any number of tasks may call a client at once: calls go through whole, in the order in which they came. Cancelling a call
/// that waits for its turn changes nothing. Cancelling one whose command is under way closes the connection, since nobody could
/// say where it stands.
public actor POP3Client {
    /// The server.
    public nonisolated let server: POP3Server

    /// The loop, which the connection shares: no hop between the two.
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        server.loop.asUnownedSerialExecutor()
    }

    /// What there is while a connection is open.
    final class Connection {
        let channel: ByteChannel
        let log: WireLog.Connection?
        var session: POP3Session
        var output = POP3Encoder()
        var greeting: POP3Greeting?
        /// Whether the maildrop can be used.
        var isReady = false
        /// Whether the TLS session of an earlier connection may be offered.
        var resumes = true
        /// Messages that are being fetched.
        var retrieval: Retrieval?
        /// Octets of the message that is coming, for the log.
        var messageOctets = 0

        init(_ channel: ByteChannel, _ log: WireLog.Connection?, isEncrypted: Bool) {
            self.channel = channel
            self.log = log
            session = POP3Session(isEncrypted: isEncrypted)
        }
    }

    var connection: Connection?
    /// Whether numbers that callers hold are those of a connection that is gone.
    var numbersAreVoid = false
    /// Marks that went with it.
    var lostDeletionCount = 0
    /// When the server lets this client log in again. RFC 2449 §6.5.
    var nextLogin: ContinuousClock.Instant?
    /// Read and checked once, also for later connections.
    var tlsContext: OpenSSLContext?
    private var turns = Turns()

    /// Prepares a client. Nothing is connected yet.
    public init(_ server: POP3Server) { self.server = server }

    /// Runs `body` with a client, then ends its connection.
    ///
    /// Where `body` returns, messages that it marked are deleted; where it throws, nothing is.
    public nonisolated(nonsending) static func withConnection<Result: Sendable>(
        to server: POP3Server, _ body: (POP3Client) async throws -> Result
    ) async throws -> Result {
        let client = POP3Client(server)
        do {
            let result = try await body(client)
            try await client.disconnect()
            return result
        } catch {
            await client.abandon()
            throw error
        }
    }

    // MARK: Calls

    /// Connects and logs in, unless that is done: TCP, TLS, CAPA, the login. This is the account check, too.
    ///
    /// - Parameter steps: hears of each step as it is done; finished at the end.
    /// - Throws: `POP3Error`. `recovery` says whether to mend the settings, ask for other credentials or try later: after the
    ///   time that the server asks for (LOGIN-DELAY), or when another program has left the maildrop (IN-USE).
    public func connect(
        steps: AsyncStream<POP3ConnectionStep>.Continuation? = nil
    ) async throws(POP3Error) {
        defer { steps?.finish() }
        try await takeTurn("the connection")
        defer { giveTurn() }
        try await open(steps)
    }

    /// What the server offers; nothing before a connection is made. `expiry` says how long it keeps mail.
    public var capabilities: POP3Capabilities {
        connection?.session.capabilities ?? POP3Capabilities()
    }

    /// The server's first words; `nil` before a connection is made.
    public var greeting: POP3Greeting? { connection?.greeting }

    /// Whether a connection is open.
    public var isConnected: Bool { connection?.isReady ?? false }

    /// Messages that are marked for deletion in this connection.
    public var markedCount: Int { connection?.session.markedCount ?? 0 }

    /// What TLS agreed on; `nil` without TLS.
    public var tls: TLSConnectionInfo? {
        get async { await connection?.channel.tls }
    }

    /// Sends one command and gives what its reply means, such as `try await pop.run(POP3.Lang("de"))`.
    ///
    /// A message that a raw command asks for is in the reply's body, up to `messageLimitInOctets`.
    /// - Throws: `POP3Error` when the server refuses it, or the connection fails or was lost before.
    public func run<Command: POP3Command>(
        _ command: Command
    ) async throws(POP3Error) -> Command.Success {
        try await takeTurn(command.name)
        defer { giveTurn() }
        try await openForNumbers(command.name)
        return try await exchange(command)
    }

    /// Asks whether the server is there; keeps the connection alive, which servers end after ten minutes of silence or less.
    public func noop() async throws(POP3Error) { try await run(POP3.Noop()) }

    /// Says goodbye and closes: the server deletes what is marked. Waits for calls that are under way. Without a connection it
    /// does nothing.
    ///
    /// - Throws: `POP3Error` when the server could not delete all that was marked, or nobody knows whether it did
    ///   (`deletionIsUncertain`): list the messages anew.
    public func disconnect() async throws(POP3Error) {
        try await takeTurn("QUIT")
        defer { giveTurn() }
        guard let old = connection else {
            let lost = lostDeletionCount
            lostDeletionCount = 0
            // Who did not hear that the connection was lost must hear now that nothing was deleted.
            guard lost > 0 else { return }
            var error = POP3Error(kind: .numbersVoid, command: "the goodbye", server: server.host)
            error.lostDeletionCount = lost
            throw error
        }
        let marked = old.session.markedCount
        do throws(POP3Error) {
            try await exchange(POP3.Quit())
        } catch {
            await drop()
            lostDeletionCount = 0
            // A goodbye that nothing hangs on needs no answer.
            guard marked > 0 else { return }
            var error = error
            error.lostDeletionCount = marked
            throw error
        }
        await drop()
    }

    /// Closes without a goodbye: nothing is deleted. Calls that are under way fail.
    public func abandon() async {
        await drop()
        lostDeletionCount = 0
    }

    /// Closes the connection now.
    func drop() async {
        guard let old = connection else { return }
        connection = nil
        if old.isReady {
            numbersAreVoid = true
            lostDeletionCount += old.session.markedCount
        }
        old.log?.note("closed")
        await old.channel.close()
    }

    // MARK: One caller at a time

    func takeTurn(_ command: String) async throws(POP3Error) {
        if turns.takeIfFree() { return }
        let id = turns.makeID()
        let loop = server.loop
        let hasTurn: Bool = await loop.suspend(
            isolation: self,
            onCancel: { loop.execute { self.assumeIsolated { $0.turns.cancel(id) } } }
        ) { turns.wait(id, $0) }
        guard hasTurn else {
            throw POP3Error(kind: .cancelled, command: command, server: server.host)
        }
    }

    func giveTurn() { turns.give() }
}
