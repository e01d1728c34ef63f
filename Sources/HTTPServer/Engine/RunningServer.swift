import CMartletMicrohttpd
import Dispatch

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// All parts of a server that listens.
///
/// Unchecked: `daemon` is the library's, whose functions may be called from any thread.
final class RunningServer: @unchecked Sendable {
    let core: ServerCore
    private let daemon: OpaquePointer
    private let acceptor: Acceptor
    private let watch: Watch

    /// Takes over a listening socket.
    init(_ socket: CInt, core: ServerCore) throws(SystemFailure) {
        let started = cmartlet_mhd_start(
            core.limits.memoryPerConnection, core.limits.idleSeconds,
            UInt32(clamping: core.limits.connectionCountPerAddress),
            // kept by `self` until the library's thread has ended
            Unmanaged.passUnretained(core).toOpaque(), requestBegan, requestContinues,
            requestCompleted, connectionChanged)
        guard let started else {
            let number = errno
            SystemCalls.close(socket)
            throw SystemFailure(number: number)
        }
        daemon = started
        self.core = core
        watch = Watch(core)
        let library = Library(daemon: started)
        acceptor = Acceptor(
            socket, hasRoom: { core.hasRoom }, handOver: { library.add($0, to: core) })
        core.whenRoomComes { [acceptor] in acceptor.goOn() }
        acceptor.start()
    }

    /// Ends all of it. Once only.
    func shutDown(within grace: Duration) async {
        await acceptor.close()
        core.beginStopping()
        await core.waitUntilAllClosed(for: grace)
        core.cutAll()
        // waits for the library's thread
        await withUnsafeContinuation { done in
            DispatchQueue.global().async { [self] in
                MHD_stop_daemon(daemon)
                done.resume()
            }
        }
        watch.stop()
        core.whenRoomComes(nil)
    }

    /// Unchecked: as above.
    private struct Library: @unchecked Sendable {
        let daemon: OpaquePointer

        func add(_ socket: CInt, to core: ServerCore) {
            var storage = sockaddr_storage()
            var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
            core.accepted()
            SystemCalls.setSendBuffer(core.limits.sendBufferSizeInOctets, of: socket)
            let isTaken = withUnsafeMutablePointer(to: &storage) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                    getpeername(socket, address, &length) == 0
                        // closes the socket if it does not take it
                        ? MHD_add_connection(daemon, socket, address, length) == .YES : nil
                }
            }
            if isTaken == nil { SystemCalls.close(socket) }
            if isTaken != true { core.closedOne() }
        }
    }
}
