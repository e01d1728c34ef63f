import MartletTransport

/// One connection of a scripted server: says what the test wants, hears what the client says.
public actor ScriptedPeer {
    /// The connection.
    public nonisolated let channel: ByteChannel
    private var buffer: [UInt8] = []
    private var octetsLeft: Int
    private var pieceInOctets = Int.max

    /// How long a script waits for its client before it gives up.
    public static let patience: Duration = .seconds(30)

    /// - Parameter cut: octets after which the connection is closed, wherever that is.
    public init(_ channel: ByteChannel, cutAfter cut: Int = .max) {
        self.channel = channel
        octetsLeft = cut
    }

    /// The next line without its line end.
    ///
    /// - Throws: `PeerGone` when the client closed.
    public func line() async throws -> String {
        while true {
            if let end = buffer.firstIndex(of: 0x0A) {
                let line = buffer[..<end]
                buffer.removeSubrange(...end)
                return String(decoding: line.last == 0x0D ? line.dropLast() : line, as: UTF8.self)
            }
            try await fill()
        }
    }

    /// Everything up to and with the line that holds a single dot.
    public func message() async throws -> [UInt8] {
        let end: [UInt8] = Array("\r\n.\r\n".utf8)
        while true {
            if buffer.starts(with: Array(".\r\n".utf8)) {
                buffer.removeFirst(3)
                return []
            }
            if let start = buffer.firstRange(of: end) {
                let message = [UInt8](buffer[..<start.upperBound])
                buffer.removeSubrange(..<start.upperBound)
                return message
            }
            try await fill()
        }
    }

    /// Everything up to and with `end`.
    ///
    /// - Throws: `PeerGone` when the client closed.
    public func octets(through end: String) async throws -> [UInt8] {
        while true {
            if let found = buffer.firstRange(of: Array(end.utf8)) {
                defer { buffer.removeSubrange(..<found.upperBound) }
                return [UInt8](buffer[..<found.upperBound])
            }
            try await fill()
        }
    }

    /// Whatever the client says until it closes.
    public func rest() async -> [UInt8] {
        while (try? await fill()) != nil {}
        defer { buffer = [] }
        return buffer
    }

    /// What has come and was not asked for yet.
    public var pending: [UInt8] { buffer }

    /// From now on, what is said is written in pieces of so many octets.
    public func speak(inPiecesOf octets: Int) { pieceInOctets = max(1, octets) }

    /// Says `text`, line ends as given.
    public func say(_ text: String) async throws { try await say(Array(text.utf8)) }

    /// Says `octets`.
    public func say(_ octets: [UInt8]) async throws {
        let part = octets.prefix(octetsLeft)
        octetsLeft -= part.count
        var start = part.startIndex
        while start < part.endIndex {
            let end = min(part.endIndex - start, pieceInOctets) + start
            try await channel.write([part[start..<end]], within: Self.patience)
            start = end
        }
        if octetsLeft == 0 {
            await channel.close()
            throw PeerGone()
        }
    }

    /// Closes the connection.
    public func close() async { await channel.close() }

    private func fill() async throws {
        let octets = try await channel.read(within: Self.patience)
        guard !octets.isEmpty else { throw PeerGone() }
        buffer += octets
    }
}

/// The client closed its connection, or a script did.
public struct PeerGone: Error {
    /// Ends a script.
    public init() {}
}

/// Serves each connection to a loopback port by `script`, as long as `body` runs.
public func withScriptedServer<Result>(
    _ script: @escaping @Sendable (ScriptedPeer) async throws -> Void,
    isolation: isolated (any Actor)? = #isolation,
    _ body: (_ port: Int) async throws -> Result
) async throws -> Result {
    guard let address = SocketAddress(numeric: "127.0.0.1", port: 0) else { fatalError("loopback") }
    let listener = try await Listener.listen(at: address)
    let serving = Task {
        await withDiscardingTaskGroup { group in
            while let channel = await listener.accept() {
                group.addTask {
                    // A client that goes away in the middle is what many scripts are about.
                    try? await script(ScriptedPeer(channel))
                    await channel.close()
                }
            }
        }
    }
    do {
        let result = try await body(listener.address.port)
        serving.cancel()
        await listener.close()
        await serving.value
        return result
    } catch {
        serving.cancel()
        await listener.close()
        await serving.value
        throw error
    }
}
