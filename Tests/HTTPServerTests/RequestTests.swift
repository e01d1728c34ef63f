import MartletHTTPServer
import MartletTransport
import Testing

@Suite("HTTP requests", .timeLimit(.minutes(2)))
struct RequestTests {
    @Test("reach the handler with method, target, fields in their order, and body")
    func whole() async throws {
        try await withServer(handler: echo) { server in
            let client = try await RawClient(server)
            try await client.say(
                "POST /a%20b?c=d HTTP/1.1\r\nHost: a.test\r\nX-B: 1\r\nx-a:\t2 \t\r\nX-B: 3\r\nX-E:\r\n"
                    + "Content-Length: 4\r\n\r\nbody")
            let response = try await client.response()
            #expect(response.statusLine == "HTTP/1.1 200 OK")
            #expect(
                response.text
                    == "POST /a%20b?c=d\nHost: a.test\nX-B: 1\nx-a: 2\nX-B: 3\nX-E: \nContent-Length: 4\nbody"
            )
            let date = try #require(response["date"])
            #expect(date.wholeMatch(of: #/\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT/#) != nil)
        }
    }

    @Test("follow each other on a connection, also a cut at each octet")
    func keepAlive() async throws {
        try await withServer(handler: echo) { server in
            let client = try await RawClient(server)
            for number in 0..<20 {
                try await client.ask("/\(number)")
                #expect(try await client.response().text.hasPrefix("GET /\(number)\n"))
            }
            let request = "PUT /slow HTTP/1.1\r\nHost: a.test\r\nContent-Length: 3\r\n\r\nabc"
            for octet in request.utf8 { try await client.say([octet]) }
            #expect(try await client.response().text.hasSuffix("\nabc"))
            #expect(server.connectionCount == 1)
        }
    }

    @Test("that are sent without waiting are answered in order")
    func pipelining() async throws {
        try await withServer(handler: { request in
            // the first takes longest
            if request.target.path == "/0" { try? await Task.sleep(for: .milliseconds(50)) }
            return echo(request)
        }) { server in
            let client = try await RawClient(server)
            let requests = (0..<50).map { "GET /\($0) HTTP/1.1\r\nHost: a.test\r\n\r\n" }
            try await client.say(requests.joined())
            for number in 0..<50 {
                #expect(try await client.response().text.hasPrefix("GET /\(number)\n"))
            }
        }
    }

    @Test("of HTTP/1.0 and with Connection: close end the connection")
    func closing() async throws {
        try await withServer { server in
            for request in [
                "GET / HTTP/1.0\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\r\n",
            ] {
                let client = try await RawClient(server)
                try await client.say(request)
                let response = try await client.response()
                #expect(response.text == "hello")
                #expect(response["connection"] == "close")
                #expect(try await client.isClosed())
            }
        }
    }

    @Test("with a chunked body come without the chunks and end the connection")
    func chunked() async throws {
        try await withServer(handler: echo) { server in
            let client = try await RawClient(server)
            let request =
                "POST / HTTP/1.1\r\nHost: a.test\r\nTransfer-Encoding: Chunked\r\n\r\n"
                + "3\r\nabc\r\n10;name=value\r\n0123456789abcdef\r\n0\r\nTrailer: x\r\n\r\n"
            for octet in request.utf8 { try await client.say([octet]) }
            let response = try await client.response()
            #expect(response.text.hasSuffix("\nabc0123456789abcdef"))
            #expect(!response.text.contains("Trailer"))
            #expect(response["connection"] == "close")
            #expect(try await client.isClosed())
        }
    }

    @Test("of 15 MiB arrive whole", arguments: [true, false])
    func large(isChunked: Bool) async throws {
        let body = [UInt8]((0..<15 << 20).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) })
        try await withServer(handler: { request in
            .text(request.body == body ? "same" : "other")
        }) { server in
            let client = try await RawClient(server)
            try await client.say(
                "POST / HTTP/1.1\r\nHost: a.test\r\n"
                    + (isChunked
                        ? "Transfer-Encoding: chunked\r\n\r\n"
                        : "Content-Length: \(body.count)\r\n\r\n"))
            if isChunked {
                for start in stride(from: 0, to: body.count, by: 1 << 20) {
                    let piece = body[start..<min(start + 1 << 20, body.count)]
                    try await client.say("\(String(piece.count, radix: 16))\r\n")
                    try await client.say([UInt8](piece))
                    try await client.say("\r\n")
                }
                try await client.say("0\r\n\r\n")
            } else {
                try await client.say(body)
            }
            #expect(try await client.response().text == "same")
        }
    }

    @Test("that expect 100 Continue are told to go on")
    func continues() async throws {
        try await withServer(handler: echo) { server in
            let client = try await RawClient(server)
            try await client.say(
                "POST / HTTP/1.1\r\nHost: a.test\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n"
            )
            #expect(try await client.response().statusLine == "HTTP/1.1 100 Continue")
            try await client.say("ok")
            #expect(try await client.response().text.hasSuffix("\nok"))
            // the connection goes on
            try await client.ask("/next")
            #expect(try await client.response().status == 200)
        }
    }

    @Test("that expect 100 Continue for too much, or something else, are refused")
    func refusesExpectation() async throws {
        try await withServer { server in
            for (fields, status) in [
                ("Content-Length: 99999999\r\nExpect: 100-continue", 413),
                ("Content-Length: 2\r\nExpect: tea", 417),
            ] {
                let client = try await RawClient(server)
                try await client.say("POST / HTTP/1.1\r\nHost: a.test\r\n\(fields)\r\n\r\n")
                let response = try await client.response()
                #expect(response.status == status)
                #expect(response["connection"] == "close")
                await client.close()
            }
        }
    }

    @Test("tell the handler whose they are")
    func address() async throws {
        try await withServer(handler: { .text($0.remoteAddress.description) }) { server in
            let client = try await RawClient(server)
            try await client.ask("/")
            let own = try #require(await client.channel.localAddress)
            #expect(try await client.response().text == own.description)
        }
        let server = try HTTPServer.start(on: #require(HTTPEndpoint(numeric: "::1", port: 0))) {
            .text($0.remoteAddress.host)
        }
        let client = try await RawClient(server)
        try await client.ask("/")
        #expect(try await client.response().text == "::1")
        await server.stop(within: .zero)
    }
}
