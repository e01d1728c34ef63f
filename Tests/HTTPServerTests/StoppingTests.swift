import MartletHTTPServer
import MartletTransport
import Testing

@Suite("HTTP server", .timeLimit(.minutes(2)))
struct StoppingTests {
    @Test("lets what is under way finish when it stops, and takes nothing more")
    func graceful() async throws {
        let (begun, gate) = (Gate(), Gate())
        let server = try HTTPServer.start { _ in
            begun.arrive()
            await gate.pass()
            return .text("finished")
        }
        let (busy, idle) = (try await RawClient(server), try await RawClient(server))
        try await busy.ask("/")
        await begun.wait(for: 1)
        async let end: Void = server.stop(within: .seconds(60))
        #expect(try await idle.isClosed())
        await #expect(throws: TransportError.self) { _ = try await RawClient(server) }
        gate.open()
        let response = try await busy.response()
        #expect(response.text == "finished")
        #expect(response["connection"] == "close")
        #expect(try await busy.isClosed())
        await end
        #expect(server.connectionCount == 0)
        // once more is no trouble
        await server.stop()
    }

    @Test("cuts what is under way when its time is over: handlers, streams, bodies, headers")
    func cutting() async throws {
        let (begun, gate) = (Gate(), Gate())
        let server = try HTTPServer.start { request in
            begun.arrive()
            switch request.target.path {
            case "/stream":
                return HTTPResponse(
                    .ok,
                    body: .stream { writer in
                        while true {
                            try await writer.write([UInt8](repeating: 0x78, count: 1 << 16))
                        }
                    })
            case "/silent": return HTTPResponse(.ok, body: .stream { _ in await untilCancelled() })
            default:
                await gate.pass()
                return .text("too late")
            }
        }
        var clients: [RawClient] = []
        for request in [
            "GET / HTTP/1.1\r\nHost: a.test\r\n\r\n",
            "GET /stream HTTP/1.1\r\nHost: a.test\r\n\r\n",
            "GET /silent HTTP/1.1\r\nHost: a.test\r\n\r\n", "GET / HTTP/1.1\r\n",
            "POST / HTTP/1.1\r\nHost: a.test\r\nContent-Length: 5\r\n\r\nab",
            "POST / HTTP/1.1\r\nHost: a.test\r\nContent-Length: 99999999\r\n\r\nab",
        ] {
            let client = try await RawClient(server)
            try await client.say(request)
            clients.append(client)
        }
        await begun.wait(for: 3)
        // all callers wait for the same end
        async let one: Void = server.stop(within: .milliseconds(200))
        async let other: Void = server.stop(within: .seconds(3600))
        _ = await (one, other)
        #expect(server.connectionCount == 0)
        for client in clients { _ = try await client.rest() }
        gate.open()
    }

    @Test("can be stopped with thousands of requests waiting")
    func crowd() async throws {
        let begun = Gate()
        let server = try HTTPServer.start { _ in
            begun.arrive()
            await untilCancelled()
            return .text("")
        }
        var clients: [RawClient] = []
        for _ in 0..<300 {
            let client = try await RawClient(server)
            try await client.ask("/")
            clients.append(client)
        }
        await begun.wait(for: 300)
        await server.stop(within: .zero)
        #expect(server.connectionCount == 0)
        for client in clients { #expect(try await client.isClosed()) }
    }

    @Test("that is released stops by itself")
    func released() async throws {
        var server: HTTPServer? = try HTTPServer.start { _ in .text("hello") }
        let client = try await RawClient(#require(server))
        try await client.ask("/")
        #expect(try await client.response().status == 200)
        server = nil
        #expect(try await client.isClosed())
    }

    @Test("says in a sentence why it cannot listen")
    func errors() async throws {
        let first = try HTTPServer.start { _ in .text("") }
        #expect(first.address.port > 0)
        let taken = #expect(throws: HTTPServerError.self) {
            _ = try HTTPServer.start(on: first.address) { _ in .text("") }
        }
        #expect(taken?.kind == .addressInUse)
        #expect(taken?.recovery == .fixInput)
        #expect(
            taken?.description
                == "\(first.address) is taken by another program. Stop it, or choose another port.")
        await first.stop()
        // and now it is free
        let second = try HTTPServer.start(on: first.address) { _ in .text("") }
        await second.stop()
        let foreign = try #require(HTTPEndpoint(numeric: "192.0.2.1", port: 0))
        let unknown = #expect(throws: HTTPServerError.self) {
            _ = try HTTPServer.start(on: foreign) { _ in .text("") }
        }
        #expect(unknown?.kind == .noSuchAddress)
        #expect(unknown?.description.contains("192.0.2.1") == true)
    }

    @Test("listens at numeric addresses only")
    func endpoints() {
        #expect(HTTPEndpoint(numeric: "localhost", port: 1) == nil)
        #expect(HTTPEndpoint(numeric: "127.0.0.1", port: 65_536) == nil)
        #expect(HTTPEndpoint(numeric: "127.0.0.1", port: -1) == nil)
        #expect(HTTPEndpoint(numeric: "127.0.0.1\0", port: 1) == nil)
        #expect(HTTPEndpoint(numeric: "::1", port: 80)?.description == "[::1]:80")
        #expect(HTTPEndpoint.loopback(port: 80).description == "127.0.0.1:80")
    }
}
