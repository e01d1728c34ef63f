import MartletBytes
import MartletTransport

/// A connection of lines, on which a test says what it likes: POP3, LMTP, SMTP.
final class LineDialogue {
    private let channel: ByteChannel
    private var buffer: [UInt8] = []

    /// Connects without TLS and takes the greeting.
    init(_ port: Int?) async throws {
        channel = try await ByteChannel.connect(
            to: "127.0.0.1", port: port ?? 0, within: .seconds(10))
        _ = try await line()
    }

    /// Sends a line, and gives the next that comes.
    func ask(_ line: String) async throws -> String {
        try await send(line + "\r\n")
        return try await self.line()
    }

    /// Sends a line, and gives the lines that come up to a dot; only the first when it is no `+OK`.
    func askForLines(_ line: String) async throws -> [String] {
        var lines = [try await ask(line)]
        guard lines[0].hasPrefix("+OK") else { return lines }
        while lines.last != "." { lines.append(try await self.line()) }
        return lines.dropLast()
    }

    func send(_ text: String) async throws {
        try await channel.write(Array(text.utf8), within: .seconds(10))
    }

    /// The next line without its end; `(closed)` at the end.
    func line() async throws -> String {
        while true {
            if let end = buffer.firstIndex(of: ASCII.lf) {
                let line = buffer[..<end]
                buffer.removeFirst(end + 1)
                return String(
                    decoding: line.last == ASCII.cr ? line.dropLast() : line, as: UTF8.self)
            }
            let octets = try await channel.read(within: .seconds(20))
            if octets.isEmpty { return "(closed)" }
            buffer += octets
        }
    }

    /// Closes without a word.
    func close() async { await channel.close() }
}
