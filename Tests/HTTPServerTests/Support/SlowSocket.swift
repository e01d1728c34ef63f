import Dispatch

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A client for which the system takes little ahead, so that its server feels how slow it is.
final class SlowSocket: Sendable {
    private let number: CInt

    struct NoConnection: Error {}

    init(port: Int) throws {
        #if canImport(Glibc)
            number = socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        #else
            number = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        var size: CInt = 64 * 1024
        setsockopt(number, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<CInt>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
        let (number, length) = (number, socklen_t(MemoryLayout<sockaddr_in>.size))
        let result = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(number, $0, length)
            }
        }
        guard result == 0 else { throw NoConnection() }
    }

    deinit { close(number) }

    func say(_ text: String) { _ = send(number, text, text.utf8.count, 0) }

    /// Reads to the end, `limit` octets at a time with a pause behind each, on a thread of its own: what keeps the
    /// threads of tasks busy must not make the client slower than it means to be.
    ///
    /// - Returns: how many octets came.
    func readAll(atMost limit: Int, pause: Duration) async -> Int {
        await withCheckedContinuation { done in
            DispatchQueue(label: "slow client").async { [self] in
                var buffer = [UInt8](repeating: 0, count: limit)
                var all = 0
                while case let count = recv(number, &buffer, limit, 0), count > 0 {
                    all += count
                    usleep(UInt32(pause / .microseconds(1)))
                }
                done.resume(returning: all)
            }
        }
    }
}
