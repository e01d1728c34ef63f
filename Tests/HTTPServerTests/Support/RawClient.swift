import MartletHTTPServer
import MartletTransport

/// A client that says exactly the octets a test wants.
struct RawClient: Sendable {
    let channel: ByteChannel
    private let reader: Reader

    /// How long a test waits for what must come; generous, since machines are loaded.
    static let patience: Duration = .seconds(40)

    init(_ server: HTTPServer) async throws {
        channel = try await ByteChannel.connect(
            to: server.address.host, port: server.address.port, within: Self.patience)
        reader = Reader(channel)
    }

    /// Says `text`, line ends as given.
    func say(_ text: String) async throws { try await say([UInt8](text.utf8)) }

    /// Says `octets`.
    func say(_ octets: [UInt8]) async throws {
        try await channel.write(octets, within: Self.patience)
    }

    /// Says a whole request without a body.
    func ask(_ target: String, method: String = "GET", fields: String = "") async throws {
        try await say("\(method) \(target) HTTP/1.1\r\nHost: a.test\r\n\(fields)\r\n")
    }

    /// The next response.
    func response(toHEAD isHEAD: Bool = false) async throws -> RawResponse {
        try await reader.response(toHEAD: isHEAD)
    }

    /// Octets that come until the server closes the connection, or breaks it off.
    func rest() async throws -> [UInt8] { try await reader.rest(upTo: .max, until: nil) }

    /// The next octets: so many, or up to and with `text`, or fewer if the server closes the connection.
    func rest(upTo count: Int, until text: String? = nil) async throws -> [UInt8] {
        try await reader.rest(upTo: count, until: text.map { [UInt8]($0.utf8) })
    }

    /// Whether the server closes the connection without another octet.
    func isClosed() async throws -> Bool { try await rest().isEmpty }

    func close() async { await channel.close() }

    /// What has come and was not asked for yet.
    private actor Reader {
        private let channel: ByteChannel
        private var buffer: [UInt8] = []

        init(_ channel: ByteChannel) { self.channel = channel }

        private func fill() async throws {
            let octets = try await channel.read(within: RawClient.patience)
            guard !octets.isEmpty else { throw ClosedEarly(after: buffer) }
            buffer += octets
        }

        private func line() async throws -> String {
            while true {
                if let end = buffer.firstRange(of: [0x0D, 0x0A]) {
                    defer { buffer.removeSubrange(..<end.upperBound) }
                    return String(decoding: buffer[..<end.lowerBound], as: UTF8.self)
                }
                try await fill()
            }
        }

        private func octets(_ count: Int) async throws -> [UInt8] {
            while buffer.count < count { try await fill() }
            defer { buffer.removeSubrange(..<count) }
            return [UInt8](buffer[..<count])
        }

        func rest(upTo count: Int, until text: [UInt8]?) async throws -> [UInt8] {
            var end: Int?
            do {
                while true {
                    if buffer.count >= count { end = count }
                    if let text, let found = buffer.firstRange(of: text) { end = found.upperBound }
                    if end != nil { break }
                    try await fill()
                }
            } catch let error as TransportError where error.kind != .connectionReset {
                throw error
            } catch {}
            let taken = end ?? buffer.count
            defer { buffer.removeSubrange(..<taken) }
            return [UInt8](buffer[..<taken])
        }

        func response(toHEAD isHEAD: Bool) async throws -> RawResponse {
            var response = RawResponse(statusLine: try await line())
            while true {
                let line = try await line()
                if line.isEmpty { break }
                response.lines.append(line)
            }
            guard !isHEAD, ![100, 204, 304].contains(response.status) else { return response }
            if response["transfer-encoding"] == "chunked" {
                while true {
                    let count = Int(try await line(), radix: 16) ?? 0
                    response.body += try await octets(count)
                    _ = try await line()
                    if count == 0 { return response }
                }
            }
            response.body = try await octets(Int(response["content-length"] ?? "") ?? 0)
            return response
        }
    }
}

/// The server closed the connection in the middle of a response.
struct ClosedEarly: Error {
    let after: [UInt8]
}

/// A response as it came.
struct RawResponse: Sendable {
    let statusLine: String
    var lines: [String] = []
    var body: [UInt8] = []

    var status: Int { Int(statusLine.split(separator: " ").dropFirst().first ?? "") ?? 0 }
    var text: String { String(decoding: body, as: UTF8.self) }

    /// The first value of that name, given in lower case.
    subscript(name: String) -> String? {
        lines.first { $0.lowercased().hasPrefix(name + ":") }?.dropFirst(name.count + 1)
            .drop { $0 == " " }.description
    }
}
