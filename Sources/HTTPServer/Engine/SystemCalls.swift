// The header of the library brings the types of sockets along, which then count as its own.
import CMartletMicrohttpd

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The system's calls and error numbers that a server needs.
enum SystemCalls {
    static var lastError: CInt { errno }
    static let addressInUse = EADDRINUSE

    static func isDenied(_ number: CInt) -> Bool { number == EACCES || number == EPERM }
    static func isUnknownAddress(_ number: CInt) -> Bool {
        number == EADDRNOTAVAIL || number == EAFNOSUPPORT
    }
    static func isOutOfDescriptors(_ number: CInt) -> Bool { number == EMFILE || number == ENFILE }
    /// Whether `accept` may be called again at once: the connection it was to give went away.
    static func isPassing(_ number: CInt) -> Bool { number == ECONNABORTED || number == EINTR }
    static func wouldBlock(_ number: CInt) -> Bool { number == EAGAIN || number == EWOULDBLOCK }

    /// The system's own words, such as `Address already in use`.
    static func text(of number: CInt) -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
            guard let start = buffer.baseAddress, strerror_r(number, start, 256) == 0 else {
                return "error \(number)"
            }
            return String(cString: start)
        }
    }

    /// A socket that listens at `endpoint` and does not block; the error number, if there is none.
    static func listen(at endpoint: HTTPEndpoint) -> Result<CInt, SystemFailure> {
        #if canImport(Glibc)
            let type = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
        #else
            let type = SOCK_STREAM
        #endif
        let listener = socket(endpoint.family, type, 0)
        guard listener >= 0 else { return .failure(SystemFailure(number: errno)) }
        prepare(listener)
        // A port is free again as soon as its server has ended.
        set(SO_REUSEADDR, of: listener, at: SOL_SOCKET)
        if endpoint.family == AF_INET6 {
            set(IPV6_V6ONLY, of: listener, at: CInt(IPPROTO_IPV6))
        }
        guard endpoint.withSystemAddress({ bind(listener, $0, $1) }) == 0,
            systemListen(listener, backlog) == 0
        else {
            let number = errno
            close(listener)
            return .failure(SystemFailure(number: number))
        }
        return .success(listener)
    }

    /// The next connection of a listener; the library makes it non-blocking.
    static func accept(_ listener: CInt) -> Result<CInt, SystemFailure> {
        let connection = systemAccept(listener, nil, nil)
        guard connection >= 0 else { return .failure(SystemFailure(number: errno)) }
        prepare(connection)
        return .success(connection)
    }

    /// The own end of a socket.
    static let ownAddress = getsockname

    static func close(_ descriptor: CInt) { _ = systemClose(descriptor) }

    /// Limits what the system takes ahead of a client. By itself it takes megabytes for a slow one, and says that there
    /// is room again only when a third of them is gone: nobody could tell that client from one that reads nothing.
    static func setSendBuffer(_ count: Int, of socket: CInt) {
        var size = CInt(clamping: count)
        setsockopt(socket, SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<CInt>.size))
    }

    /// Ends a connection for both sides: whoever waits for it finds out.
    static func cut(_ socket: CInt) { _ = shutdown(socket, CInt(SHUT_RDWR)) }

    /// Says a few octets to a client that has room for them, and that no more will come. They may be lost.
    static func sayLast(_ octets: [UInt8], to socket: CInt) {
        #if canImport(Glibc)
            let flags = CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT)
        #else
            let flags = CInt(MSG_DONTWAIT)
        #endif
        _ = octets.withUnsafeBytes { send(socket, $0.baseAddress, $0.count, flags) }
        _ = shutdown(socket, CInt(SHUT_WR))
    }

    /// Which of the sockets' clients closed their side, or are lost.
    static func gone(of sockets: [CInt]) -> [Bool] {
        #if os(Linux)
            let asked = Int16(0x2000)  // POLLRDHUP: the client's side is closed, whatever is unread
        #else
            let asked = Int16(0)  // POLLHUP is reported unasked
        #endif
        var entries = sockets.map { pollfd(fd: $0, events: asked, revents: 0) }
        guard poll(&entries, nfds_t(entries.count), 0) > 0 else {
            return [Bool](repeating: false, count: sockets.count)
        }
        return entries.map { $0.revents != 0 }
    }

    /// This moment as HTTP writes it: `Sun, 06 Nov 1994 08:49:37 GMT` (IMF-fixdate, RFC 9110 §5.6.7).
    static var dateText: String {
        var (now, parts) = (time(nil), tm())
        gmtime_r(&now, &parts)
        let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
        let months = [
            "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
        ]
        func two(_ number: CInt) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let day = "\(days[Int(parts.tm_wday)]), \(two(parts.tm_mday))"
        let clock = "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))"
        return "\(day) \(months[Int(parts.tm_mon)]) \(1900 + parts.tm_year) \(clock) GMT"
    }

    /// Connections that the system keeps for `accept`.
    private static let backlog: CInt = 1024

    private static func prepare(_ descriptor: CInt) {
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    }

    private static func set(_ option: CInt, of socket: CInt, at level: CInt) {
        var one: CInt = 1
        setsockopt(socket, level, option, &one, socklen_t(MemoryLayout<CInt>.size))
    }
}

/// The error number of a call that failed.
struct SystemFailure: Error {
    let number: CInt
}

private let systemListen = listen
private let systemAccept = accept
private let systemClose = close
