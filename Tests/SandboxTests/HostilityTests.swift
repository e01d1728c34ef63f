import MartletBytes
import MartletSandbox
import MartletTestSupport
import MartletTransport
import Testing

/// A connection to a service of the sandbox on which a test says what it likes.
private struct Dialogue {
    let channel: ByteChannel

    static func open(_ port: Int?) async throws -> Dialogue {
        Dialogue(
            channel: try await ByteChannel.connect(
                to: "127.0.0.1", port: try #require(port), within: .seconds(20)))
    }

    func say(_ text: String) async throws {
        try await channel.write(Array(text.utf8), within: .seconds(20))
    }

    /// What comes until the text ends a line, or until the connection ends.
    func hear(until end: String) async throws -> String {
        var heard = ""
        while !heard.contains(end) {
            guard let octets = try? await channel.read(within: .seconds(20)), !octets.isEmpty else {
                return heard + "(closed)"
            }
            heard += String(decoding: octets, as: UTF8.self)
        }
        return heard
    }
}

/// A service, and a command that costs it nothing.
struct Service: Sendable, CustomTestStringConvertible {
    var name: String
    var port: @Sendable (Sandbox) -> Int?
    var noop: String
    var answer: String
    var refusal: String

    var testDescription: String { name }

    static let all = [
        Service(
            name: "SMTP", port: { $0.ports.smtp }, noop: "NOOP\r\n", answer: "250",
            refusal: "421 4.3.2"),
        Service(
            name: "LMTP", port: { $0.ports.lmtp }, noop: "NOOP\r\n", answer: "250",
            refusal: "421 4.3.2"),
        Service(
            name: "IMAP", port: { $0.ports.imap }, noop: "x NOOP\r\n", answer: "x OK",
            refusal: "* BYE"),
        Service(
            name: "POP3", port: { $0.ports.pop3 }, noop: "CAPA\r\n", answer: "\r\n.\r\n",
            refusal: "-ERR [SYS/TEMP]"),
    ]
}

@Suite("Sandbox and bad clients", .serialized, .timeLimit(.minutes(3)))
struct HostilityTests {
    @Test(
        "who sends an octet now and then is sent away as if silent",
        arguments: Service.all)
    func slowloris(service: Service) async throws {
        try await withSandbox({
            $0.silenceLimit = .milliseconds(600)
            $0.loginLimit = .milliseconds(600)
        }) { sandbox in
            let dialogue = try await Dialogue.open(service.port(sandbox))
            _ = try await dialogue.hear(until: "\r\n")
            let start = ContinuousClock.now
            // Each octet comes well within the limit; a line never does.
            let speaker = Task {
                for _ in 0..<600 {
                    try await dialogue.say("N")
                    try await Task.sleep(for: .milliseconds(50))
                }
            }
            let goodbye = try await dialogue.hear(until: "(never)")
            #expect(ContinuousClock.now - start < .seconds(20))
            #expect(goodbye.hasSuffix("(closed)"))
            speaker.cancel()
            await dialogue.channel.close()
        }
    }

    @Test("who sends a message slowly, and steadily, is not sent away")
    func slowMessage() async throws {
        try await withSandbox({ $0.silenceLimit = .milliseconds(600) }) { sandbox in
            let dialogue = try await Dialogue.open(sandbox.ports.smtp)
            _ = try await dialogue.hear(until: "\r\n")
            try await dialogue.say(
                "EHLO x\r\nMAIL FROM:<a@example.test>\r\nRCPT TO:<b@example.test>\r\nDATA\r\n")
            _ = try await dialogue.hear(until: "354")
            // 1.2 seconds in all, a limit's worth of octets in each half of one
            let line = String(repeating: "x", count: 98) + "\r\n"
            for _ in 0..<12 {
                try await dialogue.say(String(repeating: line, count: 400))
                try await Task.sleep(for: .milliseconds(100))
            }
            try await dialogue.say(".\r\n")
            #expect(try await dialogue.hear(until: "250").contains("kept as 1"))
            await dialogue.channel.close()
        }
    }

    @Test(
        "ten thousand commands at once are all answered, whether or not anybody listens",
        arguments: Service.all)
    func pipeline(service: Service) async throws {
        try await withSandbox({ $0.writeLimit = .seconds(1) }) { sandbox in
            let dialogue = try await Dialogue.open(service.port(sandbox))
            let commands = String(repeating: service.noop, count: 10_000)
            let speaker = Task { try await dialogue.say(commands) }
            var count = 0
            while count < 10_000 {
                let octets = try await dialogue.channel.read(within: .seconds(20))
                if octets.isEmpty { break }
                // The end of each answer is a line of its own, or begins one.
                let mark: UInt8 = UInt8(ascii: "\n")
                count += octets.count { $0 == mark }
            }
            #expect(count >= 10_000)
            _ = try? await speaker.value
            await dialogue.channel.close()

            // Nobody takes the answers to these: the connection ends, and the sandbox goes on.
            let deaf = try await Dialogue.open(service.port(sandbox))
            while (try? await deaf.say(commands)) != nil {}
            await deaf.channel.close()
            let next = try await Dialogue.open(service.port(sandbox))
            _ = try await next.hear(until: "\r\n")
            try await next.say(service.noop)
            #expect(try await next.hear(until: service.answer).contains(service.answer))
            await next.channel.close()
        }
    }

    @Test("a line of 10 MB, and octets that are none of the protocol", arguments: Service.all)
    func garbage(service: Service) async throws {
        try await withSandbox { sandbox in
            let garbage: [[UInt8]] = [
                [UInt8](repeating: 0x41, count: 10_000_000) + [13, 10],
                [UInt8](repeating: 0, count: 100_000),
                (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 7 ^ $0 >> 3) },
                [0x16, 0x03, 0x01, 0x02, 0x00, 0x01] + [UInt8](repeating: 0xFF, count: 300),
            ]
            for octets in garbage {
                let dialogue = try await Dialogue.open(service.port(sandbox))
                let speaker = Task {
                    try? await dialogue.channel.write(octets, within: .seconds(20))
                    try? await dialogue.channel.finishWriting()
                }
                _ = try await dialogue.hear(until: "(never)")
                await speaker.value
                await dialogue.channel.close()
            }
            let next = try await Dialogue.open(service.port(sandbox))
            _ = try await next.hear(until: "\r\n")
            try await next.say(service.noop)
            #expect(try await next.hear(until: service.answer).contains(service.answer))
            await next.channel.close()
        }
    }

    @Test(
        "ten thousand connections that are left silent cost little, and end",
        .enabled(
            if: OpenFiles.allowed >= 12_000, "the process may not have 12,000 files (ulimit -n)")
    )
    func silence() async throws {
        // one after the other: there are not files enough for all at once
        for service in Service.all {
            try await withSandbox({
                $0.silenceLimit = .seconds(2)
                $0.loginLimit = .seconds(2)
            }) { sandbox in
                try await crowd(service, sandbox)
            }
        }
    }

    private func crowd(_ service: Service, _ sandbox: Sandbox) async throws {
        let address = try #require(
            SocketAddress(numeric: "127.0.0.1", port: service.port(sandbox) ?? 0))
        let before = try residentKibibytes()
        var channels: [ByteChannel] = []
        for _ in 0..<10_000 { channels.append(try await ByteChannel.connect(to: address)) }
        #expect(try residentKibibytes() - before < 100 << 10)
        // The first is sent away for its silence, and makes room.
        _ = try await Dialogue(channel: channels[0]).hear(until: "(never)")
        try await waitUntil {
            guard let next = try? await Dialogue.open(service.port(sandbox)),
                let greeting = try? await next.hear(until: "\r\n")
            else { return false }
            await next.channel.close()
            return !greeting.hasPrefix(service.refusal)
        }
        for channel in channels { await channel.close() }
    }
}

/// The memory of this process that is in use.
private func residentKibibytes() throws -> Int {
    let status = String(decoding: try octets(ofFile: "/proc/self/status"), as: UTF8.self)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") })
    return Int(line.filter(\.isNumber)) ?? 0
}
