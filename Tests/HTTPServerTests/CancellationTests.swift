import MartletHTTPServer
import MartletTestSupport
import Testing

@Suite("HTTP handlers are cancelled", .timeLimit(.minutes(2)))
struct CancellationTests {
    @Test("when the client goes away, and the connection is gone at once")
    func clientGone() async throws {
        let (begun, cancelled) = (Gate(), Gate())
        try await withServer(handler: { _ in
            begun.arrive()
            await untilCancelled()
            #expect(Task.isCancelled)
            cancelled.arrive()
            return .text("nobody hears it")
        }) { server in
            let client = try await RawClient(server)
            try await client.ask("/")
            await begun.wait(for: 1)
            await client.close()
            await cancelled.wait(for: 1)
            try await waitUntil { server.connectionCount == 0 }
        }
    }

    @Test("not so that a handler which does not heed it holds the connection")
    func heedless() async throws {
        let (begun, gate) = (Gate(), Gate())
        try await withServer(handler: { _ in
            begun.arrive()
            await gate.pass()
            return .text("nobody hears it")
        }) { server in
            let client = try await RawClient(server)
            try await client.ask("/")
            await begun.wait(for: 1)
            await client.close()
            try await waitUntil { server.connectionCount == 0 }
            gate.open()
        }
    }

    @Test("when the client goes away in a stream that has nothing to send")
    func streamGone() async throws {
        let cancelled = Gate()
        let body = HTTPBody.stream { writer in
            try await writer.write("first")
            await untilCancelled()
            cancelled.arrive()
            await #expect(throws: HTTPClientGone.self) { try await writer.write("second") }
            cancelled.arrive()
        }
        try await withServer(handler: { _ in HTTPResponse(.ok, body: body) }) { server in
            let client = try await RawClient(server)
            try await client.ask("/")
            _ = try await client.rest(upTo: 1 << 20, until: "first")
            await client.close()
            await cancelled.wait(for: 2)
            try await waitUntil { server.connectionCount == 0 }
        }
    }

    @Test("when the server stops")
    func stopping() async throws {
        let (begun, cancelled) = (Gate(), Gate())
        let server = try HTTPServer.start { _ in
            begun.arrive()
            await untilCancelled()
            cancelled.arrive()
            return .text("")
        }
        let client = try await RawClient(server)
        try await client.ask("/")
        await begun.wait(for: 1)
        await server.stop(within: .zero)
        await cancelled.wait(for: 1)
        #expect(try await client.isClosed())
    }

    @Test("not when all is well")
    func well() async throws {
        try await withServer(handler: { _ in
            try? await Task.sleep(for: .milliseconds(600))
            return .text("\(Task.isCancelled)")
        }) { server in
            let client = try await RawClient(server)
            for _ in 0..<2 {
                try await client.ask("/")
                #expect(try await client.response().text == "false")
            }
        }
    }
}
