import Testing

@testable import MartletTransport

@Suite("Listener", .timeLimit(.minutes(1)))
struct ListenerTests {
    @Test("listens on both families", arguments: ["127.0.0.1", "::1"])
    func families(host: String) async throws {
        let listener = try await Listener.listen(
            at: #require(SocketAddress(numeric: host, port: 0)))
        #expect(listener.address.port > 0)
        #expect(listener.address.isLoopback)
        async let accepted = listener.accept()
        let client = try await ByteChannel.connect(to: host, port: listener.address.port)
        let server = try #require(await accepted)
        try await server.write([1, 2, 3])
        #expect(try await client.read(within: .seconds(5)) == [1, 2, 3])
        await listener.close()
    }

    @Test("a port that is taken is an error that says so")
    func taken() async throws {
        let first = try await Listener.listen(
            at: #require(SocketAddress(numeric: "127.0.0.1", port: 0)))
        let error = await #expect(throws: TransportError.self) {
            _ = try await Listener.listen(at: first.address)
        }
        #expect(error?.kind == .addressInUse)
        #expect(error?.description.contains(first.address.description) == true)
        await first.close()
    }

    @Test("closing or cancelling ends a waiting accept")
    func ends() async throws {
        let listener = try await Listener.listen(
            at: #require(SocketAddress(numeric: "127.0.0.1", port: 0)))
        let cancelled = Task { await listener.accept() }
        cancelled.cancel()
        let none = await cancelled.value
        #expect(none === nil)
        let waiting = Task { await listener.accept() }
        await listener.close()
        let stillNone = await waiting.value
        #expect(stillNone === nil)
    }

    @Test("closing means that the port takes nothing more", arguments: EventLoop.Backend.allCases)
    func closed(backend: EventLoop.Backend) async throws {
        let loop = try EventLoop(backend: backend)
        for _ in 0..<100 {
            let listener = try await Listener.listen(
                at: #require(SocketAddress(numeric: "127.0.0.1", port: 0)), loop: loop)
            await listener.close()
            let error = await #expect(throws: TransportError.self) {
                _ = try await ByteChannel.connect(to: listener.address, within: .seconds(20))
            }
            #expect(error?.kind == .connectionRefused)
        }
        loop.shutDown()
    }
}
