#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A non-blocking socket that an event loop watches, closed when it is let go.
///
/// Every descriptor is closed on `exec`, so that no child process keeps a connection open.
package final class Descriptor: Sendable {
    package let number: CInt
    private let loop: EventLoop
    private let token: UInt64

    /// Takes over `number`. On the loop's thread only.
    package init(_ number: CInt, loop: EventLoop, handler: any ReadinessHandler)
        throws(TransportError)
    {
        self.number = number
        self.loop = loop
        do throws(TransportError) {
            token = try loop.register(number, handler: handler)
        } catch {
            close(number)
            throw error
        }
    }

    deinit { loop.removeAndClose(number, token: token) }

    /// An operation would have blocked: its readiness is news again.
    package func rearm(_ readiness: Readiness) { loop.poller.rearm(token, for: readiness) }

    /// A new non-blocking stream socket.
    package static func makeSocket(_ family: CInt) throws(TransportError) -> CInt {
        let number = SystemCalls.socket(family, streamSocketType)
        guard number >= 0 else { throw .system(errno, .connect) }
        prepare(number)
        return number
    }

    /// Two connected sockets: the first non-blocking, the second as a child process expects it.
    package static func makePair() throws(TransportError) -> (CInt, CInt) {
        var pair: [CInt] = [-1, -1]
        #if os(Linux)
            let pairType = streamSocketType | CInt(SOCK_CLOEXEC.rawValue)
        #else
            let pairType = streamSocketType
        #endif
        guard socketpair(AF_UNIX, pairType, 0, &pair) == 0 else {
            throw .system(errno, .connect)
        }
        prepare(pair[0])
        _ = fcntl(pair[1], F_SETFD, FD_CLOEXEC)
        return (pair[0], pair[1])
    }

    /// Non-blocking, closed on `exec`, without Nagle's delay: a command is one segment at once.
    package static func prepare(_ number: CInt) {
        _ = fcntl(number, F_SETFD, FD_CLOEXEC)
        _ = fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK)
        setOption(number, CInt(IPPROTO_TCP), TCP_NODELAY, 1)
    }

    package static func setOption(_ number: CInt, _ level: CInt, _ name: CInt, _ value: CInt) {
        var value = value
        _ = setsockopt(number, level, name, &value, socklen_t(MemoryLayout<CInt>.size))
    }

    /// Acknowledges what has come now, instead of up to 40 ms later.
    ///
    /// After a TLS 1.3 handshake many servers send session tickets, and their next reply waits (Nagle, RFC 9293 §3.7.4)
    /// until those are acknowledged. The system takes the wish for a while only, so it is repeated.
    package func acknowledgeNow() {
        #if os(Linux)
            Self.setOption(number, CInt(IPPROTO_TCP), TCP_QUICKACK, 1)
        #endif
    }

    /// Whether writing would not block, or a connection attempt has ended, by asking the system.
    package var isWritable: Bool {
        var question = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
        return poll(&question, 1, 0) > 0
    }

    /// The error that a connection attempt ended with; 0 is success.
    package var pendingError: CInt {
        var error: CInt = 0
        var length = socklen_t(MemoryLayout<CInt>.size)
        guard getsockopt(number, SOL_SOCKET, SO_ERROR, &error, &length) == 0 else { return errno }
        return error
    }
}
