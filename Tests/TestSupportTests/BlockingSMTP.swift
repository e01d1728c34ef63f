import Glibc

/// Just enough of an SMTP client to see that a server answers: a blocking socket, a line at a time.
struct BlockingSMTP: ~Copyable {
    private let descriptor: Int32
    private var received: [UInt8] = []

    /// Connects to a loopback port and takes the greeting.
    init(port: Int) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
        let status = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else { throw Closed() }
        _ = try reply()
    }

    deinit { close(descriptor) }

    struct Closed: Error {}

    /// Sends octets and returns the last line of the reply.
    mutating func say(_ octets: String) throws -> String {
        var rest = Array(octets.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw Closed() }
            rest.removeFirst(count)
        }
        return try reply()
    }

    private mutating func reply() throws -> String {
        while true {
            if let end = received.firstIndex(of: 0x0A) {
                let line = String(decoding: received[..<end], as: UTF8.self)
                received.removeSubrange(...end)
                if line.dropFirst(3).first != "-" { return line }
                continue
            }
            var buffer = [UInt8](repeating: 0, count: 4096)
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { throw Closed() }
            received += buffer[..<count]
        }
    }
}
