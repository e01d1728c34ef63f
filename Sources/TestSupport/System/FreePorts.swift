import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Loopback ports on which nothing listens, for servers that cannot choose one themselves.
public enum FreePorts {
    /// Below the ports that the system gives to outgoing connections.
    private static let range = 20_000..<32_000
    private static let given = Mutex<Set<Int>>([])

    /// The first of `count` neighbouring ports that are free now, and given to nobody else in this process.
    public static func first(of count: Int) throws(SystemFailure) -> Int {
        for _ in 0..<1_000 {
            let base = Int.random(in: range.lowerBound..<(range.upperBound - count))
            let ports = base..<(base + count)
            let isNew = given.withLock { given in
                guard given.isDisjoint(with: ports) else { return false }
                given.formUnion(ports)
                return true
            }
            if isNew && ports.allSatisfy(isFree) { return base }
        }
        throw SystemFailure("No free ports were found", number: EADDRINUSE)
    }

    /// Whether a listener could be opened on the loopback port.
    public static func isFree(_ port: Int) -> Bool {
        let descriptor = loopbackSocket()
        defer { close(descriptor) }
        return withLoopbackAddress(port: port) { bind(descriptor, $0, $1) } == 0
    }

    /// Whether something accepts connections on the loopback port.
    public static func isListening(_ port: Int) -> Bool {
        let descriptor = loopbackSocket()
        defer { close(descriptor) }
        return withLoopbackAddress(port: port) { connect(descriptor, $0, $1) } == 0
    }
}

/// A blocking TCP socket.
func loopbackSocket() -> Int32 {
    #if canImport(Glibc)
        socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    #else
        socket(AF_INET, SOCK_STREAM, 0)
    #endif
}

/// Calls `body` with the address 127.0.0.1 and a port.
func withLoopbackAddress<Result>(
    port: Int, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
) -> Result {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
    return withUnsafePointer(to: address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
    }
}
