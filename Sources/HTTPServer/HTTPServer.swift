import Synchronization

/// An HTTP/1.1 server: complete requests in, responses and streams out. A thin face of libmicrohttpd.
///
///     let server = try HTTPServer.start(on: .loopback(port: 8025)) { request in
///         switch (request.method, request.target.components) {
///         case (.get, ["health"]): .text("ok")
///         default: .text("There is nothing here.\n", status: .notFound)
///         }
///     }
///
/// One thread waits for all connections. A handler is an ordinary task, however many there are. It is cancelled when
/// its client goes away (also if the client only closes its sending side), when it takes too long, and when the server
/// stops. No TLS: a reverse proxy in front has it.
///
/// What no handler sees, since the server answers it and closes the connection: malformed requests and those that
/// another program on the way could understand in another way (400, 501, 505), headers and bodies over a limit (413,
/// 414, 431). A connection also ends behind a request with a chunked body.
public final class HTTPServer: Sendable {
    /// Makes the response to a request.
    public typealias Handler = @Sendable (HTTPRequest) async -> HTTPResponse

    /// Where it listens; the port is the real one, also when 0 was asked for.
    public let address: HTTPEndpoint

    private let running: RunningServer
    private let end = Mutex<Task<Void, Never>?>(nil)

    private init(address: HTTPEndpoint, running: RunningServer) {
        self.address = address
        self.running = running
    }

    /// Listens and serves from now on, until `stop` is called or the server is released.
    ///
    /// - Parameters:
    ///   - address: a numeric address and a port; port 0 means any free one. Loopback, unless others shall reach it.
    ///   - limits: what is taken from clients, and how long they are waited for.
    ///   - handler: called for each request, any number of them at a time.
    /// - Throws: `HTTPServerError`: `.addressInUse`, `.permissionDenied`, `.noSuchAddress`.
    public static func start(
        on address: HTTPEndpoint = .loopback(port: 0), limits: HTTPServerLimits = .standard,
        handler: @escaping Handler
    ) throws(HTTPServerError) -> HTTPServer {
        do throws(SystemFailure) {
            let socket = try SystemCalls.listen(at: address).get()
            let bound = HTTPEndpoint(of: socket, SystemCalls.ownAddress)
            let running = try RunningServer(
                socket, core: ServerCore(limits: limits, handler: handler))
            return HTTPServer(address: bound ?? address, running: running)
        } catch {
            throw HTTPServerError(number: error.number, address: address)
        }
    }

    /// Connections that are open.
    public var connectionCount: Int { running.core.openCount }

    /// Stops: takes no more connections, closes idle ones, lets requests that are under way finish for `grace`, then
    /// cuts them and cancels their handlers. When it returns, all sockets and the thread are gone; a handler that
    /// does not heed its cancellation may still run.
    ///
    /// May be called again: all callers wait for the same end. It is a task like any other: handlers that block the threads which
    /// tasks run on, instead of waiting, hold it up for as long as they do.
    public func stop(within grace: Duration = .seconds(10)) async {
        let task = end.withLock { end in
            // Not cancelled: a server that is half stopped is of no use.
            let task = end ?? Task { [running] in await running.shutDown(within: grace) }
            end = task
            return task
        }
        await task.value
    }

    deinit {
        let isStopped = end.withLock { $0 != nil }
        // Ends by itself, at once.
        if !isStopped { Task { [running] in await running.shutDown(within: .zero) } }
    }
}
