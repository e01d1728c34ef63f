import MartletBytes
import MartletSandbox
import MartletTransport
import Testing

/// A connection to a service of the sandbox on which a test says what it likes, and hears line by line.
final class WireDialogue {
    private let channel: ByteChannel
    private var buffer: [UInt8] = []

    private init(_ channel: ByteChannel) { self.channel = channel }

    /// Connects without TLS.
    static func open(_ port: Int?) async throws -> WireDialogue {
        WireDialogue(
            try await ByteChannel.connect(
                to: "127.0.0.1", port: try #require(port), within: .seconds(20)))
    }

    /// Connects to SMTP or LMTP, and says hello.
    static func mailTransfer(_ port: Int?, _ hello: String = "EHLO c") async throws -> WireDialogue
    {
        let dialogue = try await open(port)
        _ = try await dialogue.line()
        _ = try await dialogue.run(hello)
        return dialogue
    }

    /// Says lines.
    func say(_ text: String) async throws {
        try await channel.write(Array((text + "\r\n").utf8), within: .seconds(20))
    }

    /// The next line; `(closed)` at the end.
    func line() async throws -> String {
        while true {
            if let end = buffer.firstIndex(of: ASCII.lf) {
                let line = buffer[..<end]
                buffer.removeFirst(end + 1)
                return String(decoding: line.dropLast(), as: UTF8.self)
            }
            guard let octets = try? await channel.read(within: .seconds(20)), !octets.isEmpty
            else { return "(closed)" }
            buffer += octets
        }
    }

    /// Says a line, and hears a reply of SMTP: its last line.
    func run(_ text: String) async throws -> String {
        try await say(text)
        return try await reply().last ?? ""
    }

    /// A reply of SMTP.
    func reply() async throws -> [String] {
        var lines: [String] = []
        while true {
            lines.append(try await line())
            if lines[lines.count - 1].dropFirst(3).first != "-" { return lines }
        }
    }

    /// Lines up to one with a dot, or to the end of the connection.
    func lines() async throws -> [String] {
        var lines: [String] = []
        while true {
            let line = try await line()
            if line == "." { return lines }
            lines.append(line)
            if line == "(closed)" { return lines }
        }
    }

    /// The next octets, so many.
    func octets(_ count: Int) async throws -> [UInt8] {
        while buffer.count < count {
            guard let octets = try? await channel.read(within: .seconds(20)), !octets.isEmpty
            else { break }
            buffer += octets
        }
        defer { buffer.removeFirst(min(count, buffer.count)) }
        return Array(buffer.prefix(count))
    }

    /// All octets up to the end of the connection.
    func octetsToEnd() async throws -> [UInt8] {
        while let octets = try? await channel.read(within: .seconds(20)), !octets.isEmpty {
            buffer += octets
        }
        return buffer
    }

    /// Whether nothing comes for a while, not even the end.
    func hearsNothing() async -> Bool {
        guard buffer.isEmpty else { return false }
        do throws(TransportError) {
            _ = try await channel.read(within: .milliseconds(200))
            return false
        } catch {
            if case .timedOut = error.kind { return true }
            return false
        }
    }

    func close() async { await channel.close() }
}

extension Sandbox {
    /// Waits for a fault to strike, and takes all other events before it.
    func nextStrike() async -> FaultStrike? {
        for await event in events {
            if case .fault(let strike) = event { return strike }
        }
        return nil
    }
}
