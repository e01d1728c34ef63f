import MartletBytes
import MartletSMTPCore
import MartletTransport

/// Sends mail through one server, over one connection that is kept between messages.
///
///     let report = try await SMTPClient.withConnection(to: server) { smtp in
///         try await smtp.send(message)
///     }
///
/// Any number of tasks may call it at once: each message goes through whole, in the order of the calls. The connection
/// is made when first needed, made anew when the server has closed an idle one, and closed on every way out of
/// `withConnection`. Without that, call `close()`; a client that is let go closes its socket too.
///
/// Cancelling a call that waits for its turn changes nothing. Cancelling one whose command is under way closes the
/// connection, since nobody could say where it stands; the next call opens another.
public actor SMTPClient {
    /// The server.
    public nonisolated let server: SMTPServer

    /// The loop, which the connection shares: no hop between the two.
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        server.loop.asUnownedSerialExecutor()
    }

    /// What there is while a connection is open.
    final class Connection {
        let channel: ByteChannel
        let log: WireLog.Connection?
        var session: SMTPSession
        var output = SMTPEncoder()
        /// Whether it was opened for an earlier call: then the server may have closed it meanwhile.
        var isUsed = false
        /// Whether the TLS session of an earlier connection may be offered.
        var resumes = true

        init(_ channel: ByteChannel, _ log: WireLog.Connection?, isEncrypted: Bool) {
            self.channel = channel
            self.log = log
            session = SMTPSession(isEncrypted: isEncrypted)
        }
    }

    var connection: Connection?
    /// Read and checked once, also for later connections.
    var tlsContext: OpenSSLContext?
    private var turns = Turns()

    /// Prepares a client. Nothing is connected yet.
    public init(_ server: SMTPServer) { self.server = server }

    /// Runs `body` with a client, and closes its connection on every way out.
    public static func withConnection<Result: Sendable>(
        to server: SMTPServer, _ body: (SMTPClient) async throws -> Result
    ) async throws -> Result {
        let client = SMTPClient(server)
        do {
            let result = try await body(client)
            await client.close()
            return result
        } catch {
            await client.close()
            throw error
        }
    }

    // MARK: Calls

    /// Connects and logs in, unless that is done: TCP, TLS, EHLO, AUTH.
    ///
    /// - Parameter steps: hears of each step as it is done; finished at the end.
    /// - Throws: `SMTPError`. `recovery` says whether to mend the settings, ask for other credentials or try later.
    public func connect(
        steps: AsyncStream<SMTPConnectionStep>.Continuation? = nil
    ) async throws(SMTPError) {
        defer { steps?.finish() }
        try await takeTurn(.connect)
        defer { turns.give() }
        try await open(steps)
    }

    /// What the server offers; nothing before a connection is made.
    public var capabilities: SMTPCapabilities {
        connection?.session.capabilities ?? SMTPCapabilities()
    }

    /// Whether a connection is open.
    public var isConnected: Bool { connection != nil }

    /// What TLS agreed on; `nil` without TLS.
    public var tls: TLSConnectionInfo? {
        get async { await connection?.channel.tls }
    }

    /// Sends one command and gives what its reply means, such as `try await smtp.run(Noop())`.
    ///
    /// For commands between messages: NOOP, RSET, VRFY, HELP and raw ones.
    /// - Throws: `SMTPError` when the server refuses it, or the connection fails.
    public func run<Command: SMTPCommand>(
        _ command: Command
    ) async throws(SMTPError) -> Command.Success {
        try await takeTurn(command.stage)
        defer { turns.give() }
        try await open()
        return try await exchange(command)
    }

    /// Says goodbye and closes the connection, whatever happens. Waits for calls that are under way.
    public func close() async {
        do throws(SMTPError) {
            try await takeTurn(.quit)
        } catch {
            return await drop()  // cancelled: no time for manners
        }
        defer { turns.give() }
        guard connection != nil else { return }
        _ = try? await exchange(Quit())
        await drop()
    }

    /// Closes the connection now, without a goodbye.
    func drop() async {
        guard let old = connection else { return }
        connection = nil
        old.log?.note("closed")
        await old.channel.close()
    }

    // MARK: One caller at a time

    func takeTurn(_ stage: SMTPStage) async throws(SMTPError) {
        if turns.takeIfFree() { return }
        let id = turns.makeID()
        let loop = server.loop
        let hasTurn: Bool = await loop.suspend(
            isolation: self,
            onCancel: { loop.execute { self.assumeIsolated { $0.turns.cancel(id) } } }
        ) { turns.wait(id, $0) }
        guard hasTurn else { throw SMTPError(kind: .cancelled, stage: stage, server: server.host) }
    }

    func giveTurn() { turns.give() }
}
