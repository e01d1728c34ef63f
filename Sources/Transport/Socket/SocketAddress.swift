#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// An IPv4 or IPv6 address with a port.
public struct SocketAddress: Sendable, Hashable, CustomStringConvertible {
    /// The kind of address.
    public enum Family: Sendable {
        /// IPv4.
        case ipv4
        /// IPv6.
        case ipv6
    }

    /// The kind of address.
    public let family: Family
    /// The address without its port, in the usual text form: `127.0.0.1`, `fe80::1%2`.
    public let address: String
    /// The port, 0…65535.
    public let port: Int
    private let octets: [UInt8]  // the system's sockaddr

    /// Reads a numeric address such as `127.0.0.1` or `::1`; anything else, such as a name, is `nil`.
    public init?(numeric address: String, port: Int) {
        guard (0...65535).contains(port), !address.utf8.contains(0) else { return nil }
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV
        hints.ai_socktype = streamSocketType
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(address, String(port), &hints, &list) == 0, let first = list else {
            return nil
        }
        defer { freeaddrinfo(list) }
        guard let made = SocketAddress(first.pointee.ai_addr, length: first.pointee.ai_addrlen)
        else {
            return nil
        }
        self = made
    }

    package init?(_ pointer: UnsafePointer<sockaddr>?, length: socklen_t) {
        guard let pointer else { return nil }
        switch CInt(pointer.pointee.sa_family) {
        case AF_INET: family = .ipv4
        case AF_INET6: family = .ipv6
        default: return nil
        }
        octets = [UInt8](UnsafeRawBufferPointer(start: pointer, count: Int(length)))
        var host = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        var service = [CChar](repeating: 0, count: Int(NI_MAXSERV))
        guard
            getnameinfo(
                pointer, length, &host, socklen_t(host.count), &service, socklen_t(service.count),
                NI_NUMERICHOST | NI_NUMERICSERV) == 0
        else { return nil }
        address = String(
            decoding: host.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        let digits = String(
            decoding: service.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        port = Int(digits) ?? 0
    }

    /// An end of a socket: `getsockname` gives the own one, `getpeername` the other.
    package init?(
        of socket: CInt,
        _ ask: (CInt, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> CInt
    ) {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let made = withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                ask(socket, address, &length) == 0 ? SocketAddress(address, length: length) : nil
            }
        }
        guard let made else { return nil }
        self = made
    }

    /// `127.0.0.1:25` or `[::1]:25`.
    public var description: String {
        family == .ipv6 ? "[\(address)]:\(port)" : "\(address):\(port)"
    }

    /// Whether the address leads back to this machine: 127.0.0.0/8 or ::1.
    public var isLoopback: Bool {
        family == .ipv4 ? address.hasPrefix("127.") : address == "::1"
    }

    package var systemFamily: CInt { family == .ipv4 ? AF_INET : AF_INET6 }

    package func withSystemAddress<Result>(
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        octets.withUnsafeBytes { raw in
            // The octets were copied from a sockaddr of this size; an array's storage is aligned for it.
            raw.withMemoryRebound(to: sockaddr.self) { pointer in
                guard let base = pointer.baseAddress else { fatalError("an address has octets") }
                return body(base, socklen_t(raw.count))
            }
        }
    }
}

package var streamSocketType: CInt {
    #if canImport(Glibc)
        CInt(SOCK_STREAM.rawValue)
    #else
        SOCK_STREAM
    #endif
}
