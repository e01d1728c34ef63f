#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A listening socket: the server's end.
public actor Listener {
    /// The loop that serves the listener and, unless said otherwise, its connections.
    public nonisolated let loop: EventLoop
    /// Where it listens; the port is the real one, also when 0 was asked for.
    public nonisolated let address: SocketAddress

    /// The loop.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private var descriptor: Descriptor?
    private var mayAccept = false
    private var waiter: UnsafeContinuation<Void, Never>?

    /// Connections that the system keeps for `accept`.
    private static let backlog: CInt = 1024
    /// The rest taken when the process is out of descriptors.
    private static let pause: Duration = .milliseconds(100)

    private init(address: SocketAddress, loop: EventLoop) {
        self.address = address
        self.loop = loop
    }

    /// Listens at `address`; port 0 means any free one.
    ///
    /// - Throws: `TransportError`: `.addressInUse`, `.permissionDenied`, `.unreachable` when the machine has no such
    ///   address.
    public static func listen(
        at address: SocketAddress, loop: EventLoop = .shared
    ) async throws(TransportError) -> Listener {
        do throws(TransportError) {
            let socket = try bind(address)
            let bound = SocketAddress(of: socket, getsockname)
            let listener = Listener(address: bound ?? address, loop: loop)
            try await listener.open(socket)
            return listener
        } catch {
            throw error.with(peer: address.description)
        }
    }

    private static func bind(_ address: SocketAddress) throws(TransportError) -> CInt {
        let socket = try Descriptor.makeSocket(address.systemFamily)
        // A port is free again as soon as its server has ended.
        Descriptor.setOption(socket, SOL_SOCKET, SO_REUSEADDR, 1)
        if address.family == .ipv6 {
            Descriptor.setOption(socket, CInt(IPPROTO_IPV6), IPV6_V6ONLY, 1)
        }
        guard address.withSystemAddress({ SystemCalls.bind(socket, $0, $1) }) == 0,
            SystemCalls.listen(socket, backlog) == 0
        else {
            let number = errno
            SystemCalls.close(socket)
            throw .system(number, .listen)
        }
        return socket
    }

    private func open(_ socket: CInt) throws(TransportError) {
        descriptor = try Descriptor(socket, loop: loop, handler: self)
    }

    /// The next connection, or `nil` when the listener was closed or the task cancelled. One caller at a time.
    ///
    /// Out of descriptors, it rests and tries again: connections wait in the system's queue.
    public func accept() async -> ByteChannel? {
        while let descriptor, !Task.isCancelled {
            guard mayAccept else {
                await waitUntilReady()
                continue
            }
            let socket = SystemCalls.accept(descriptor.number)
            if socket >= 0 {
                Descriptor.prepare(socket)
                if let channel = await adopt(socket) { return channel }
                continue
            }
            switch errno {
            case EAGAIN:
                mayAccept = false
                descriptor.rearm(.read)
            case EMFILE, ENFILE, ENOBUFS, ENOMEM: try? await Task.sleep(for: Self.pause)
            default: break  // the connection went away while it waited: the next one
            }
        }
        return nil
    }

    private func adopt(_ socket: CInt) async -> ByteChannel? {
        let remote = SocketAddress(of: socket, getpeername)
        return try? await ByteChannel.adopt(
            socket, loop: loop, peer: remote?.description ?? "a client")
    }

    /// Stops listening: when it returns, the port takes no more connections. Those made so far go on.
    public func close() {
        // The poller may close the descriptor a little later; the port must be free of us now.
        if let descriptor { shutdown(descriptor.number, CInt(SHUT_RDWR)) }
        descriptor = nil
        wake()
    }

    private func waitUntilReady() async {
        await loop.suspend(
            isolation: self,
            onCancel: { [loop] in loop.execute { self.assumeIsolated { $0.wake() } } }
        ) { continuation in
            // On the way here the loop may have run other work.
            if mayAccept || descriptor == nil || Task.isCancelled {
                continuation.resume()
            } else {
                waiter = continuation
            }
        }
    }

    private func wake() {
        waiter?.resume()
        waiter = nil
    }

    private func ready() {
        mayAccept = true
        wake()
    }
}

extension Listener: ReadinessHandler {
    package nonisolated func becameReady(for readiness: Readiness) {
        assumeIsolated { $0.ready() }
    }
}
