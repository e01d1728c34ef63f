import Glibc
import MartletBytes
import Synchronization
import MartletTestSupport
import Testing

@testable import MartletTransport

/// A connected pair over loopback.
func makePair(
    loop: EventLoop = .shared
) async throws -> (client: ByteChannel, server: ByteChannel) {
    let address = try #require(SocketAddress(numeric: "127.0.0.1", port: 0))
    let listener = try await Listener.listen(at: address, loop: loop)
    async let accepted = listener.accept()
    let client = try await ByteChannel.connect(to: listener.address, loop: loop)
    let server = try #require(await accepted)
    await listener.close()
    return (client, server)
}

func readAll(_ channel: ByteChannel) async throws -> [UInt8] {
    var all: [UInt8] = []
    while true {
        let octets = try await channel.read(within: .seconds(20))
        if octets.isEmpty { return all }
        all += octets
    }
}

@Suite("ByteChannel")
struct ByteChannelTests {
    @Test("carries octets both ways")
    func echo() async throws {
        let (client, server) = try await makePair()
        for size in [1, 100, 70_000] {
            let octets = [UInt8](repeating: 7, count: size)
            async let sent: Void = client.write(octets, within: .seconds(5))
            var got: [UInt8] = []
            while got.count < size { got += try await server.read(within: .seconds(5)) }
            try await sent
            #expect(got == octets)
            try await server.write(Array("ok".utf8))
            #expect(try await client.read(within: .seconds(5)) == Array("ok".utf8))
        }
        await client.close()
        await server.close()
    }

    @Test("a slow reader holds a fast writer back, and nothing is lost")
    func backPressure() async throws {
        let (client, server) = try await makePair()
        var generator = SystemRandomNumberGenerator()
        let pieces = (0..<40).map { _ in
            [UInt8](repeating: .random(in: 0...255, using: &generator), count: 333_333)
        }
        let isDone = Atomic(false)
        async let written: Void = {
            try await client.write(pieces.map { $0[...] }, within: .seconds(20))
            isDone.store(true, ordering: .relaxed)
            try await client.finishWriting()
        }()
        _ = try await server.read(within: .seconds(5))
        let wasDone = isDone.load(ordering: .relaxed)
        #expect(!wasDone, "13 MB cannot sit in socket buffers")
        #expect(await client.octetsSent < 13_333_320)
        let rest = try await readAll(server)
        try await written
        let expected = pieces.flatMap { $0 }
        #expect(await server.octetsReceived == expected.count)
        #expect(rest.elementsEqual(expected.suffix(rest.count)))
    }

    @Test("half-close: the end arrives, and the other way still works")
    func halfClose() async throws {
        let (client, server) = try await makePair()
        try await client.write(Array("bye".utf8))
        try await client.finishWriting()
        #expect(try await readAll(server) == Array("bye".utf8))
        try await server.write(Array("late".utf8))
        await server.close()
        #expect(try await readAll(client) == Array("late".utf8))
        await client.close()
    }

    @Test("silence ends a read after its limit, and the channel lives on")
    func readTimeout() async throws {
        let (client, server) = try await makePair()
        let start = ContinuousClock.now
        let error = await #expect(throws: TransportError.self) {
            try await client.read(within: .milliseconds(80))
        }
        #expect(error?.kind == .timedOut(after: .milliseconds(80)))
        #expect(error?.stage == .read)
        #expect(ContinuousClock.now - start < .seconds(2))
        try await server.write([42])
        #expect(try await client.read(within: .seconds(5)) == [42])
    }

    @Test("a slow reader keeps a write alive: the limit measures progress")
    func progress() async throws {
        let (client, server) = try await makePair()
        let octets = [UInt8](repeating: 1, count: 40_000_000)
        let start = ContinuousClock.now
        async let written: Void = client.write(octets, within: .seconds(4))
        var count = 0
        var pauses = 0
        while count < octets.count {
            let piece = try await server.read(within: .seconds(20))
            if piece.isEmpty { break }  // the write failed, and says why below
            count += piece.count
            if pauses < 10, count > pauses * 4_000_000 {
                pauses += 1
                try await Task.sleep(for: .milliseconds(500))
            }
        }
        try await written
        #expect(ContinuousClock.now - start > .seconds(4), "the whole took longer than the limit")
    }

    @Test("a peer that takes nothing ends a write after its limit")
    func writeTimeout() async throws {
        let (client, server) = try await makePair()
        let error = await #expect(throws: TransportError.self) {
            try await client.write(
                [UInt8](repeating: 0, count: 50_000_000), within: .milliseconds(100))
        }
        #expect(error?.kind == .timedOut(after: .milliseconds(100)))
        #expect(error?.stage == .write)
        #expect(await !client.isOpen, "nobody knows how much the peer has")
        _ = server
    }

    @Test("cancelling a read returns at once and leaves the channel in step")
    func cancelRead() async throws {
        let (client, server) = try await makePair()
        for round in 0..<50 {
            let reading = Task { try await client.read() }
            if round % 2 == 0 { await Task.yield() }
            reading.cancel()
            let result = await reading.result
            #expect(throws: TransportError.self) { try result.get() }
        }
        try await server.write([9])
        #expect(try await client.read(within: .seconds(5)) == [9])
    }

    @Test("closing wakes a reader")
    func closeWakes() async throws {
        let (client, server) = try await makePair()
        let reading = Task { try await client.read() }
        try await waitUntil { await client.hasReader }
        await client.close()
        let error = await #expect(throws: TransportError.self) { try await reading.value }
        #expect(error?.kind == .closed)
        #expect(try await server.read(within: .seconds(5)).isEmpty)
    }

    @Test("a channel that is let go closes its socket")
    func letGo() async throws {
        var client: ByteChannel?
        let server: ByteChannel
        (client, server) = try await makePair()
        #expect(await client?.isOpen == true)
        client = nil
        #expect(try await server.read(within: .seconds(5)).isEmpty)
    }

    @Test("500 connections at once, each with its own octets")
    func many() async throws {
        let address = try #require(SocketAddress(numeric: "127.0.0.1", port: 0))
        let listener = try await Listener.listen(at: address)
        let serving = Task {
            await withDiscardingTaskGroup { group in
                while let channel = await listener.accept() {
                    group.addTask {
                        while let octets = try? await channel.read(), !octets.isEmpty {
                            try? await channel.write(octets)
                        }
                        await channel.close()
                    }
                }
            }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<500 {
                group.addTask {
                    let channel = try await ByteChannel.connect(to: listener.address)
                    let octets = Array("connection \(number)".utf8)
                    for _ in 0..<5 {
                        try await channel.write(octets)
                        var got: [UInt8] = []
                        while got.count < octets.count {
                            got += try await channel.read(within: .seconds(20))
                        }
                        #expect(got == octets)
                    }
                    await channel.close()
                }
            }
            try await group.waitForAll()
        }
        await listener.close()
        await serving.value
    }

    @Test("a child process is a channel")
    func tunnel() async throws {
        let channel = try await ByteChannel.tunnel(to: ["cat"])
        try await channel.write(Array("through a pipe".utf8))
        #expect(try await channel.read(within: .seconds(5)) == Array("through a pipe".utf8))
        try await channel.finishWriting()
        #expect(try await channel.read(within: .seconds(5)).isEmpty)
        await channel.close()
    }

    @Test("a tunnel's command hears that it shall end")
    func tunnelEnds() async throws {
        let folder = try TemporaryFolder("tunnel")
        defer { folder.remove() }
        let (ready, told) = (folder.path + "/ready", folder.path + "/told")
        let channel = try await ByteChannel.tunnel(to: [
            "bash", "-c",
            "trap 'touch \(told); exit' TERM; touch \(ready); while :; do sleep 0.05; done",
        ])
        try await waitUntil { access(ready, F_OK) == 0 }
        await channel.close()
        try await waitUntil { access(told, F_OK) == 0 }
    }

    @Test("a command that does not exist is an error that names it")
    func noCommand() async throws {
        let error = await #expect(throws: TransportError.self) {
            _ = try await ByteChannel.tunnel(to: ["/nonexistent/command"])
        }
        #expect(error?.kind == .cannotStartCommand)
        #expect(error?.description.contains("/nonexistent/command") == true)
    }
}
