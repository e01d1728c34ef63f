import Dispatch

/// The listening socket: hands each connection over, as long as there is room.
///
/// Not the library's own listener: that one cannot be stopped while the server runs without a race inside of it.
///
/// Unchecked: `isResting` and `isClosed` are used on `queue` only.
final class Acceptor: @unchecked Sendable {
    private let socket: CInt
    private let queue = DispatchQueue(label: "martlet.http-listener")
    private let source: any DispatchSourceRead
    private let hasRoom: @Sendable () -> Bool
    private let handOver: @Sendable (CInt) -> Void
    private var isResting = false
    private var isClosed = false

    /// The rest taken when the process is out of descriptors.
    private static let pause = DispatchTimeInterval.milliseconds(100)

    /// Takes over a listening socket. Nothing is accepted before `start`.
    init(
        _ socket: CInt, hasRoom: @escaping @Sendable () -> Bool,
        handOver: @escaping @Sendable (CInt) -> Void
    ) {
        self.socket = socket
        self.hasRoom = hasRoom
        self.handOver = handOver
        source = DispatchSource.makeReadSource(fileDescriptor: socket, queue: queue)
    }

    func start() {
        source.setEventHandler { [self] in acceptAll() }
        source.activate()
    }

    /// There is room again.
    func goOn() {
        queue.async { [self] in
            guard isResting, !isClosed else { return }
            isResting = false
            source.resume()
        }
    }

    /// Stops listening; returns when the port is closed.
    func close() async {
        await withUnsafeContinuation { done in
            queue.async { [self] in
                guard !isClosed else { return done.resume() }
                isClosed = true
                source.setCancelHandler { [socket] in
                    SystemCalls.close(socket)
                    done.resume()
                }
                source.cancel()
                // a source that rests would never come to its end
                if isResting { source.resume() }
            }
        }
    }

    private func acceptAll() {
        while !isClosed {
            guard hasRoom() else {
                rest()
                // Room may have come meanwhile, and nobody would say so again.
                if hasRoom() { goOn() }
                return
            }
            switch SystemCalls.accept(socket) {
            case .success(let connection): handOver(connection)
            case .failure(let failure):
                if SystemCalls.isPassing(failure.number) { continue }
                if !SystemCalls.wouldBlock(failure.number) {
                    rest()
                    queue.asyncAfter(deadline: .now() + Self.pause) { [self] in goOn() }
                }
                return
            }
        }
    }

    private func rest() {
        isResting = true
        source.suspend()
    }
}
