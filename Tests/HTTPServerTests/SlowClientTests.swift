import MartletHTTPServer
import MartletTestSupport
import MartletTransport
import Testing

/// Each would wait for ever, or for the minutes of the standard limits, if its limit did nothing.
@Suite("HTTP clients that are slow", .timeLimit(.minutes(2)))
struct SlowClientTests {
    /// Says an octet every few milliseconds until the server has enough of it.
    private func drip(_ client: RawClient, _ octets: String) async {
        for octet in octets.utf8 {
            guard (try? await client.say([octet])) != nil else { return }
            try? await Task.sleep(for: .milliseconds(5))
        }
        Issue.record("the client was never cut")
    }

    @Test("with the header are cut, however steadily they drip")
    func header() async throws {
        let limits = limits { $0.headerTime = .milliseconds(300) }
        try await withServer(limits: limits) { server in
            let client = try await RawClient(server)
            await drip(
                client,
                "GET / HTTP/1.1\r\nHost: a.test\r\n" + String(repeating: "A: b\r\n", count: 4_000))
            #expect(try await client.isClosed())
            try await waitUntil { server.connectionCount == 0 }
        }
    }

    @Test("that say nothing at all are cut")
    func silent() async throws {
        let limits = limits { $0.headerTime = .milliseconds(300) }
        try await withServer(limits: limits) { server in
            let client = try await RawClient(server)
            #expect(try await client.isClosed())
        }
    }

    @Test("with the header of a second request are cut")
    func secondHeader() async throws {
        let limits = limits {
            $0.headerTime = .milliseconds(300)
            $0.idleTime = .seconds(1)
        }
        try await withServer(limits: limits) { server in
            let client = try await RawClient(server)
            try await client.ask("/")
            #expect(try await client.response().status == 200)
            await drip(
                client,
                "GET / HTTP/1.1\r\nHost: a.test\r\n" + String(repeating: "A: b\r\n", count: 4_000))
            #expect(try await client.isClosed())
        }
    }

    @Test("with the body are cut, however steadily they drip", arguments: [true, false])
    func body(isChunked: Bool) async throws {
        let limits = limits { $0.bodyTime = .milliseconds(300) }
        try await withServer(limits: limits) { server in
            let client = try await RawClient(server)
            try await client.say(
                "POST / HTTP/1.1\r\nHost: a.test\r\n"
                    + (isChunked ? "Transfer-Encoding: chunked" : "Content-Length: 100000")
                    + "\r\n\r\n")
            await drip(client, String(repeating: "1\r\nx\r\n", count: 4_000))
            #expect(try await client.isClosed())
        }
    }

    @Test("between two requests are closed, and those in time are not")
    func idle() async throws {
        let limits = limits { $0.idleTime = .seconds(2) }
        try await withServer(limits: limits) { server in
            let client = try await RawClient(server)
            var last = ContinuousClock.now
            for _ in 0..<3 {
                try await client.ask("/")
                do {
                    #expect(try await client.response().status == 200)
                } catch is ClosedEarly {
                    // a machine that was busy for so long made the client late
                    #expect(ContinuousClock.now - last > .seconds(1))
                    return
                }
                last = .now
                try await Task.sleep(for: .milliseconds(500))
            }
            #expect(try await client.isClosed())
        }
    }

    @Test(
        "with a response are cut: in memory, of a stream, and of one without end", arguments: 0..<3)
    func response(kind: Int) async throws {
        let limits = limits { $0.writeTime = .milliseconds(300) }
        let ended = Gate()
        let piece = [UInt8](repeating: 0x78, count: 1 << 20)
        let body: HTTPBody =
            kind == 0
            ? HTTPBody([UInt8](repeating: 0x78, count: 64 << 20))
            : .stream(length: kind == 1 ? 1 << 40 : nil) { writer in
                defer { ended.arrive() }
                while true { try await writer.write(piece) }
            }
        try await withServer(limits: limits, handler: { _ in HTTPResponse(.ok, body: body) }) {
            server in
            let client = try await RawClient(server)
            try await client.ask("/")
            // reads nothing
            try await waitUntil { server.connectionCount == 0 }
            if kind > 0 { await ended.wait(for: 1) }
            await client.close()
        }
    }

    @Test("but steady with a response are not cut, though they take far longer than the limit")
    func steady() async throws {
        let limits = limits { $0.writeTime = .seconds(3) }
        let size = 4 << 20
        let body = HTTPBody([UInt8](repeating: 0x78, count: size))
        try await withServer(limits: limits, handler: { _ in HTTPResponse(.ok, body: body) }) {
            server in
            // what the client's system takes ahead would hide how slow it is
            let socket = try SlowSocket(port: server.address.port)
            socket.say("GET / HTTP/1.0\r\n\r\n")
            let begin = ContinuousClock.now
            let count = await socket.readAll(atMost: 20_000, pause: .milliseconds(30))
            #expect(count > size)
            #expect(ContinuousClock.now - begin > .seconds(5))
        }
    }

    @Test("are answered for a handler that takes too long, and the handler is cancelled")
    func handler() async throws {
        let limits = limits { $0.handlerTime = .milliseconds(300) }
        let cancelled = Gate()
        try await withServer(
            limits: limits,
            handler: { request in
                guard request.target.path == "/slow" else { return .text("quick") }
                await untilCancelled()
                cancelled.arrive()
                return .text("too late")
            }
        ) { server in
            let client = try await RawClient(server)
            try await client.ask("/slow")
            let response = try await client.response()
            #expect(response.status == 503)
            #expect(try await client.isClosed())
            await cancelled.wait(for: 1)
            let other = try await RawClient(server)
            try await other.ask("/")
            #expect(try await other.response().text == "quick")
        }
    }
}
