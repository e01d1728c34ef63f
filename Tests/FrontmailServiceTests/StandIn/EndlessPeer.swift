import Dispatch
import Foundation
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A peer whose answers never end, and come faster than anybody reads: each connection has a thread of its own, so that it
/// does not wait for the threads of tasks, which are what it is to take away.
final class EndlessPeer: Sendable {
    /// What never ends.
    enum Answer: String, CaseIterable, Sendable, CustomStringConvertible {
        case redirect, trailers, chunkExtension
        var description: String { rawValue }

        fileprivate var begin: String {
            let chunked = "HTTP/1.1 202 Accepted\r\nTransfer-Encoding: chunked\r\n\r\n"
            return switch self {
            case .redirect: "HTTP/1.1 302 Found\r\nLocation: /elsewhere\r\n\r\n"
            case .trailers: chunked + "2\r\n{}\r\n0\r\n"
            case .chunkExtension: chunked + "2;"
            }
        }

        fileprivate var piece: String { self == .trailers ? "X: yyyyyy\r\n" : "xxxxxxxxxxx" }
    }

    struct NoSocket: Error {}

    /// Where it listens.
    let url: URL
    private let answer: Answer
    private let listener: CInt
    /// The connections; `nil` when it is at its end.
    private let connections = Mutex<[CInt]?>([])
    private let threads = DispatchGroup()
    private static let stream: CInt = {
        #if canImport(Glibc)
            CInt(SOCK_STREAM.rawValue)
        #else
            SOCK_STREAM
        #endif
    }()

    init(_ answer: Answer) throws {
        self.answer = answer
        listener = socket(AF_INET, Self.stream, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let number = listener
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(number, $0, length) == 0 && listen(number, 64) == 0
                    && getsockname(number, $0, &length) == 0
            }
        }
        guard isListening,
            let url = URL(string: "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))")
        else { throw NoSocket() }
        self.url = url
        run { $0.acceptAll() }
    }

    /// Connections so far.
    var connectionCount: Int { connections.withLock { $0?.count ?? 0 } }

    /// Closes everything; returns when all threads are at their ends.
    func stop() {
        let taken = connections.withLock { connections in
            defer { connections = nil }
            return connections
        }
        guard let open = taken else { return }
        for number in open + [listener] { shutdown(number, CInt(SHUT_RDWR)) }
        threads.wait()
        for number in open + [listener] { close(number) }
    }

    private func run(_ body: @escaping @Sendable (EndlessPeer) -> Void) {
        threads.enter()
        Thread { [self] in
            body(self)
            threads.leave()
        }.start()
    }

    private func acceptAll() {
        while case let number = accept(listener, nil, nil), number >= 0 {
            let isWanted = connections.withLock { connections in
                connections?.append(number)
                return connections != nil
            }
            guard isWanted else {
                close(number)
                return
            }
            run { $0.serve(number) }
        }
    }

    private func serve(_ number: CInt) {
        var request = [UInt8](repeating: 0, count: 4_096)
        guard recv(number, &request, request.count, 0) > 0 else { return }
        var octets = Array(answer.begin.utf8)
        #if canImport(Glibc)
            let flags = CInt(MSG_NOSIGNAL)
        #else
            let flags: CInt = 0
        #endif
        while send(number, octets, octets.count, flags) == octets.count {
            if octets.count < 100_000 {
                octets = Array(String(repeating: answer.piece, count: 20_000).utf8)
            }
        }
    }
}
