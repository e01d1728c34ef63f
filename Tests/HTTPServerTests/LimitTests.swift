import MartletHTTPServer
import MartletTestSupport
import MartletTransport
import Testing

@Suite("HTTP server limits", .timeLimit(.minutes(2)))
struct LimitTests {
    @Test(
        "a body of the largest size is taken, one octet more is refused", arguments: [true, false])
    func body(isChunked: Bool) async throws {
        let limits = limits { $0.bodySizeInOctets = 1_000 }
        try await withServer(limits: limits, handler: { .text("\($0.body.count)") }) { server in
            for size in [1_000, 1_001] {
                let client = try await RawClient(server)
                let body = String(repeating: "x", count: size)
                try await client.say(
                    "POST / HTTP/1.1\r\nHost: a.test\r\n"
                        + (isChunked
                            ? "Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n"
                                + String(size - 1, radix: 16)
                                + "\r\n\(body.dropLast())\r\n0\r\n\r\n"
                            : "Content-Length: \(size)\r\n\r\n\(body)"))
                let response = try await client.response()
                #expect(response.status == (size == 1_000 ? 200 : 413))
                if size > 1_000 {
                    #expect(response["connection"] == "close")
                    #expect(response["date"] != nil)
                    #expect(response.text.contains("1000"))
                    #expect(try await client.isClosed())
                }
                await client.close()
            }
        }
    }

    @Test("a Content-Length over the limit is refused before the body is there")
    func declared() async throws {
        try await withServer(handler: { _ in
            Issue.record("the handler ran")
            return .text("")
        }) { server in
            for length in [
                "16777217", "9223372036854775807", "18446744073709551615",
                "99999999999999999999999",
            ] {
                let client = try await RawClient(server)
                try await client.say(
                    "POST / HTTP/1.1\r\nHost: a.test\r\nContent-Length: \(length)\r\n\r\n")
                #expect(try await client.response().status == 413)
                await client.close()
            }
        }
    }

    @Test("who goes on sending a refused body can still read why", arguments: [true, false])
    func lingering(isChunked: Bool) async throws {
        let limits = limits { $0.bodySizeInOctets = 1_000 }
        try await withServer(limits: limits) { server in
            let client = try await RawClient(server)
            let piece = [UInt8](repeating: 0x78, count: 1 << 20)
            try await client.say(
                "POST / HTTP/1.1\r\nHost: a.test\r\n"
                    + (isChunked ? "Transfer-Encoding: chunked" : "Content-Length: \(8 << 20)")
                    + "\r\n\r\n")
            for _ in 0..<8 {
                if isChunked { try await client.say("100000\r\n") }
                try await client.say(piece)
                if isChunked { try await client.say("\r\n") }
            }
            if isChunked { try await client.say("0\r\n\r\n") }
            #expect(try await client.response().status == 413)
            #expect(try await client.isClosed())
            try await waitUntil { server.connectionCount == 0 }
        }
    }

    @Test("who never stops sending a refused body is cut")
    func endless() async throws {
        let limits = limits {
            $0.bodySizeInOctets = 1_000
            $0.lingerTime = .milliseconds(200)
        }
        try await withServer(limits: limits) { server in
            let client = try await RawClient(server)
            try await client.say(
                "POST / HTTP/1.1\r\nHost: a.test\r\nTransfer-Encoding: chunked\r\n\r\n")
            await #expect(throws: TransportError.self) {
                let piece =
                    [UInt8]("10000\r\n".utf8) + [UInt8](repeating: 0x78, count: 0x10000) + [
                        0x0D, 0x0A,
                    ]
                while true { try await client.say(piece) }
            }
        }
    }

    @Test("bodies of all requests together have one, and free it again")
    func allBodies() async throws {
        let limits = limits {
            $0.bodySizeInOctets = 1_000
            $0.allBodiesSizeInOctets = 2_500
        }
        let (begun, gate) = (Gate(), Gate())
        try await withServer(
            limits: limits,
            handler: { request in
                begun.arrive()
                await gate.pass()
                return .text("\(request.body.count)")
            }
        ) { server in
            let request =
                "POST / HTTP/1.1\r\nHost: a.test\r\nContent-Length: 1000\r\n\r\n"
                + String(repeating: "x", count: 1_000)
            let (first, second, third) = (
                try await RawClient(server), try await RawClient(server),
                try await RawClient(server)
            )
            try await first.say(request)
            try await second.say(request)
            await begun.wait(for: 2)
            try await third.say(request)
            #expect(try await third.response().status == 503)
            gate.open()
            #expect(try await first.response().text == "1000")
            #expect(try await second.response().text == "1000")
            for _ in 0..<5 {
                try await first.say(request)
                #expect(try await first.response().text == "1000")
            }
        }
    }

    @Test("a header that is too large is refused")
    func header() async throws {
        let limits = limits { $0.headerSizeInOctets = 4_000 }
        try await withServer(limits: limits) { server in
            for (request, status) in [
                (
                    "GET / HTTP/1.1\r\nHost: a.test\r\nX: \(String(repeating: "x", count: 3_900))\r\n\r\n",
                    200
                ),
                (
                    "GET / HTTP/1.1\r\nHost: a.test\r\nX: \(String(repeating: "x", count: 4_000))\r\n\r\n",
                    431
                ),
                (
                    "GET / HTTP/1.1\r\nHost: a.test\r\nX: \(String(repeating: "x", count: 400_000))\r\n\r\n",
                    431
                ),
                (
                    "GET /\(String(repeating: "x", count: 4_000)) HTTP/1.1\r\nHost: a.test\r\n\r\n",
                    431
                ),
                (
                    "GET /\(String(repeating: "x", count: 400_000)) HTTP/1.1\r\nHost: a.test\r\n\r\n",
                    414
                ),
            ] {
                let client = try await RawClient(server)
                // the server may close before it has all
                try? await client.say(request)
                let answer = String(decoding: try await client.rest(upTo: 12), as: UTF8.self)
                #expect(answer == "HTTP/1.1 \(status)", "to \(request.prefix(30))")
                await client.close()
            }
        }
    }

    @Test(
        "query items and cookies beyond the memory of a connection end it",
        arguments: [true, false])
    func small(isQuery: Bool) async throws {
        // the library loses its way there, but not for longer than a header may take
        let limits = limits { $0.headerTime = .seconds(1) }
        try await withServer(limits: limits) { server in
            for count in [100, 14_000] {
                let client = try await RawClient(server)
                let (query, cookies) = isQuery ? ("&", "") : ("", ";")
                try? await client.ask(
                    "/?" + String(repeating: query, count: count),
                    fields: "Cookie: a" + String(repeating: cookies, count: count) + "\r\n")
                let answer = String(decoding: try await client.rest(upTo: 12), as: UTF8.self)
                #expect(count < 1_000 ? answer == "HTTP/1.1 200" : answer != "HTTP/1.1 200")
                await client.close()
            }
        }
    }

    /// What libmicrohttpd refuses by itself, in words and with a status of its own: 500 for an extension, the header twice for the
    /// others. Nothing of ours is asked before or after.
    private static let refusedByLibrary = [
        "Transfer-Encoding: chunked\r\n\r\n3;" + String(repeating: "x", count: 100_000),
        "Cookie: " + String(repeating: "a=b; ", count: 1_500) + "\r\n\r\n",
        "Content-Length: 18446744073709551616\r\n\r\nabc",
    ]

    @Test("what the library itself cannot hold ends the connection, unhandled")
    func refusedByLibrary() async throws {
        try await withServer(handler: { _ in
            Issue.record("the handler ran")
            return .text("")
        }) { server in
            for rest in Self.refusedByLibrary {
                let client = try await RawClient(server)
                try? await client.say("POST / HTTP/1.1\r\nHost: a.test\r\n" + rest)
                let text = String(decoding: try await client.rest(), as: UTF8.self)
                #expect(text.isEmpty || text.contains(#/^HTTP\/1\.1 [45]\d\d /#), "\(text)")
                await client.close()
            }
        }
    }

    @Test("too many fields are refused")
    func fields() async throws {
        try await withServer { server in
            for (count, status) in [(99, 200), (100, 431)] {
                let client = try await RawClient(server)
                try await client.ask("/", fields: String(repeating: "A: b\r\n", count: count))
                #expect(try await client.response().status == status)
                await client.close()
            }
        }
    }

    @Test("connections wait until there is room")
    func connections() async throws {
        let limits = limits { $0.connectionCount = 3 }
        try await withServer(limits: limits) { server in
            var clients: [RawClient] = []
            for _ in 0..<3 {
                let client = try await RawClient(server)
                try await client.ask("/")
                #expect(try await client.response().status == 200)
                clients.append(client)
            }
            for _ in 0..<5 {
                let next = try await RawClient(server)
                try await next.ask("/")
                #expect(server.connectionCount == 3)
                await clients.removeFirst().close()
                #expect(try await next.response().status == 200)
                clients.append(next)
            }
        }
    }

    @Test("connections of one address have one")
    func connectionsOfAnAddress() async throws {
        let limits = limits { $0.connectionCountPerAddress = 2 }
        try await withServer(limits: limits) { server in
            let (first, second) = (try await RawClient(server), try await RawClient(server))
            for client in [first, second] {
                try await client.ask("/")
                #expect(try await client.response().status == 200)
            }
            let third = try await RawClient(server)
            #expect(try await third.isClosed())
            await first.close()
            // room again, once the server has noticed
            while true {
                let next = try await RawClient(server)
                try? await next.ask("/")
                if (try? await next.response())?.status == 200 { break }
            }
        }
    }
}
