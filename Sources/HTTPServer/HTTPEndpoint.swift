// The header of the library brings the types of sockets along, which then count as its own.
import CMartletMicrohttpd

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A numeric IPv4 or IPv6 address and a port.
public struct HTTPEndpoint: Sendable, Hashable, CustomStringConvertible {
    /// The address without its port: `127.0.0.1`, `::1`.
    public let host: String
    /// The port, 0…65535; to listen at 0 means any free one.
    public let port: Int
    private let isIPv6: Bool

    /// Reads a numeric address; anything else, such as a name, is `nil`.
    public init?(numeric host: String, port: Int) {
        guard (0...65535).contains(port), !host.utf8.contains(0) else { return nil }
        var (ipv4, ipv6) = (in_addr(), in6_addr())
        if inet_pton(AF_INET, host, &ipv4) == 1 {
            isIPv6 = false
        } else if inet_pton(AF_INET6, host, &ipv6) == 1 {
            isIPv6 = true
        } else {
            return nil
        }
        self.host = host
        self.port = port
    }

    private init(host: String, port: Int, isIPv6: Bool) {
        self.host = host
        self.port = port
        self.isIPv6 = isIPv6
    }

    /// 127.0.0.1: only programs of this machine can reach it.
    public static func loopback(port: Int) -> HTTPEndpoint {
        HTTPEndpoint(host: "127.0.0.1", port: port, isIPv6: false)
    }

    /// `127.0.0.1:80` or `[::1]:80`.
    public var description: String { isIPv6 ? "[\(host)]:\(port)" : "\(host):\(port)" }

    var family: CInt { isIPv6 ? AF_INET6 : AF_INET }
}

extension HTTPEndpoint {
    /// An end of a socket: `getsockname` gives the own one, `getpeername` the other.
    init?(
        of socket: CInt,
        _ ask: (CInt, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> CInt
    ) {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let made = withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                ask(socket, address, &length) == 0 ? HTTPEndpoint(address) : nil
            }
        }
        guard let made else { return nil }
        self = made
    }

    /// The address must be as large as its family says.
    private init?(_ address: UnsafeMutablePointer<sockaddr>) {
        let raw = UnsafeMutableRawPointer(address)
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        switch CInt(address.pointee.sa_family) {
        case AF_INET:
            let ipv4 = raw.assumingMemoryBound(to: sockaddr_in.self)
            inet_ntop(AF_INET, &ipv4.pointee.sin_addr, &text, socklen_t(text.count))
            port = Int(UInt16(bigEndian: ipv4.pointee.sin_port))
            isIPv6 = false
        case AF_INET6:
            let ipv6 = raw.assumingMemoryBound(to: sockaddr_in6.self)
            inet_ntop(AF_INET6, &ipv6.pointee.sin6_addr, &text, socklen_t(text.count))
            port = Int(UInt16(bigEndian: ipv6.pointee.sin6_port))
            isIPv6 = true
        default: return nil
        }
        host = text.withUnsafeBufferPointer { characters in
            String(
                decoding: characters.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        }
    }

    /// Calls `body` with the address as the system has it.
    func withSystemAddress<Result>(
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        var storage = sockaddr_storage()
        let size = isIPv6 ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size
        return withUnsafeMutablePointer(to: &storage) { pointer in
            let raw = UnsafeMutableRawPointer(pointer)
            if isIPv6 {
                let address = raw.assumingMemoryBound(to: sockaddr_in6.self)
                address.pointee.sin6_family = sa_family_t(AF_INET6)
                address.pointee.sin6_port = in_port_t(port).bigEndian
                inet_pton(AF_INET6, host, &address.pointee.sin6_addr)
            } else {
                let address = raw.assumingMemoryBound(to: sockaddr_in.self)
                address.pointee.sin_family = sa_family_t(AF_INET)
                address.pointee.sin_port = in_port_t(port).bigEndian
                inet_pton(AF_INET, host, &address.pointee.sin_addr)
            }
            return body(raw.assumingMemoryBound(to: sockaddr.self), socklen_t(size))
        }
    }
}
