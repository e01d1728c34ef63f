import MartletBytes
import MartletSMTP
import MartletTransport

/// Sends the messages, shared out among the sessions.
struct Bench: Sendable {
    private let options: Options
    private let message: OctetArray
    private let envelope: DeliveryEnvelope
    private let server: SMTPServer

    init(_ options: Options) {
        self.options = options
        var octets = Array("From: <bench@example.test>\r\nSubject: bench\r\n\r\n".utf8)
        let line = [UInt8](repeating: 0x78, count: 76) + [13, 10]
        while octets.count + line.count <= options.size { octets += line }
        if octets.count + 2 <= options.size {
            octets += [UInt8](repeating: 0x79, count: options.size - octets.count - 2) + [13, 10]
        }
        message = OctetArray(octets)
        do {
            envelope = DeliveryEnvelope(
                reversePath: try ReversePath("bench@example.test"),
                forwardPaths: [try ForwardPath("sink@example.test")])
            server = try SMTPServer(host: options.host, port: options.port, security: .plaintext)
        } catch {
            fatalError("\(error)")
        }
    }

    /// - Returns: the messages that failed.
    func run() async -> Int {
        await withTaskGroup(of: Int.self) { group in
            for session in 0..<options.sessions {
                let share =
                    options.messages / options.sessions
                    + (session < options.messages % options.sessions ? 1 : 0)
                group.addTask { await send(share) }
            }
            return await group.reduce(0, +)
        }
    }

    private func send(_ count: Int) async -> Int {
        let client = SMTPClient(server)
        guard options.reuse else { return await send(count, through: client) }
        // Two callers: while one hears of its message, the next one is on its way already.
        async let first = send(count / 2, through: client)
        async let second = send(count - count / 2, through: client)
        let failures = await first + second
        await client.close()
        return failures
    }

    private func send(_ count: Int, through client: SMTPClient) async -> Int {
        var failures = 0
        for _ in 0..<count {
            do {
                let report = try await client.send(message, envelope: envelope)
                if !report.allAccepted { failures += 1 }
            } catch {
                failures += 1
            }
            if !options.reuse { await client.close() }
        }
        return failures
    }
}
