import MartletBytes
import MartletSandbox
import MartletTransport

/// A connection on which a test says what it likes.
final class IMAPDialogue {
    private let channel: ByteChannel
    private var buffer: [UInt8] = []
    private var lastTag = 0

    private init(_ channel: ByteChannel) { self.channel = channel }

    /// Connects without TLS and takes the greeting; logs in as `user` if there is one.
    static func open(_ sandbox: Sandbox, as user: String? = "alice") async throws -> IMAPDialogue {
        let channel = try await ByteChannel.connect(
            to: "127.0.0.1", port: sandbox.ports.imap ?? 0, within: .seconds(10))
        let dialogue = IMAPDialogue(channel)
        _ = try await dialogue.line()
        if let user { _ = try await dialogue.run("LOGIN \(user) secret") }
        return dialogue
    }

    /// Sends a command and gives what comes back up to its end; the last line is `OK …`, `NO …` or `BAD …`.
    func run(_ command: String) async throws -> [String] {
        lastTag += 1
        let tag = "t\(lastTag)"
        try await send("\(tag) \(command)\r\n")
        return try await rest(of: tag)
    }

    /// What is still to come of the last command.
    func rest(of tag: String? = nil) async throws -> [String] {
        let tag = tag ?? "t\(lastTag)"
        var lines: [String] = []
        while true {
            let line = try await line()
            guard line.hasPrefix(tag + " ") else {
                lines.append(line)
                continue
            }
            lines.append(String(line.dropFirst(tag.count + 1)))
            return lines
        }
    }

    /// Sends octets as they are.
    func send(_ text: String) async throws {
        try await channel.write(Array(text.utf8), within: .seconds(10))
    }

    /// The next line, with what it announces as literals; `(closed)` at the end.
    func line() async throws -> String {
        var line: [UInt8] = []
        while true {
            guard let end = buffer.firstIndex(of: ASCII.lf) else {
                let octets = try await channel.read(within: .seconds(20))
                if octets.isEmpty { return "(closed)" }
                buffer += octets
                continue
            }
            line += buffer[...end]
            buffer.removeFirst(end + 1)
            guard let size = Self.announced(line) else {
                return String(decoding: line.dropLast(2), as: UTF8.self)
            }
            while buffer.count < size {
                let octets = try await channel.read(within: .seconds(20))
                if octets.isEmpty { return "(closed)" }
                buffer += octets
            }
            line += buffer.prefix(size)
            buffer.removeFirst(size)
        }
    }

    private static func announced(_ line: [UInt8]) -> Int? {
        let text = String(decoding: line, as: UTF8.self)
        return text.suffix(20).firstMatch(of: #/\{([0-9]+)\}\r\n$/#).flatMap { Int($0.output.1) }
    }

    /// Closes without a word.
    func close() async { await channel.close() }
}
