import MartletBytes
import MartletHTTPServer
import Testing

@Suite("HTTP responses", .timeLimit(.minutes(2)))
struct ResponseTests {
    private func answer(
        _ response: HTTPResponse, to method: String = "GET"
    ) async throws -> RawResponse {
        try await withServer(handler: { _ in response }) { server in
            let client = try await RawClient(server)
            try await client.ask("/", method: method)
            return try await client.response(toHEAD: method == "HEAD")
        }
    }

    @Test("carry status, fields in their order, and body")
    func whole() async throws {
        var response = HTTPResponse.json(Array("{}".utf8), status: .created)
        try response.fields.append(HTTPField(.location, "/new"))
        try response.fields.append(HTTPField(.setCookie, "a=1"))
        try response.fields.append(HTTPField(.setCookie, "b=2"))
        try response.fields.append(HTTPField(#require(HTTPField.Name("X-Empty")), ""))
        try response.fields.append(HTTPField(.eTag, "\"ä\""))
        let came = try await answer(response)
        #expect(came.statusLine == "HTTP/1.1 201 Created")
        #expect(came.text == "{}")
        #expect(
            came.lines.dropFirst() == [
                "Content-Type: application/json", "Location: /new", "Set-Cookie: a=1",
                "Set-Cookie: b=2", "X-Empty:  ", "ETag: \"ä\"", "Content-Length: 2",
            ])
    }

    @Test("leave the fields of the connection to the server")
    func framing() async throws {
        var response = HTTPResponse.text("hello")
        for (name, value) in [
            ("content-length", "3"), ("Transfer-Encoding", "chunked"), ("Connection", "upgrade"),
            ("Date", "today"), ("Trailer", "x"), ("Upgrade", "x"),
        ] {
            try response.fields.append(HTTPField(#require(HTTPField.Name(name)), value))
        }
        let came = try await answer(response)
        #expect(came.text == "hello")
        #expect(came.lines.count == 3)
        #expect(came["date"] != "today")
    }

    @Test("have no body for HEAD, but its length")
    func head() async throws {
        let came = try await answer(.text("hello"), to: "HEAD")
        #expect(came["content-length"] == "5")
        let octets = [UInt8](repeating: 0, count: 1 << 20)
        let large = try await answer(HTTPResponse(.ok, body: HTTPBody(octets)), to: "HEAD")
        #expect(large["content-length"] == "1048576")
        // a stream does not even begin
        let stream = HTTPBody.stream(length: 7) { _ in Issue.record("the stream ran") }
        let none = try await answer(HTTPResponse(.ok, body: stream), to: "HEAD")
        #expect(none["content-length"] == "7")
    }

    @Test("to HEAD, and those without a body, leave the connection in step, or close it")
    func inStep() async throws {
        try await withServer(handler: { request in
            let stream = HTTPBody.stream { _ in Issue.record("the stream ran") }
            return switch request.target.components {
            case ["stream"]: HTTPResponse(.ok, body: stream)
            case ["204"]: HTTPResponse(.noContent, body: HTTPBody("not sent"))
            case ["204", "stream"]: HTTPResponse(.noContent, body: stream)
            case ["205"]: HTTPResponse(.resetContent, body: HTTPBody("not sent"))
            case ["205", "stream"]: HTTPResponse(.resetContent, body: stream)
            case ["304"]: HTTPResponse(.notModified, body: HTTPBody("not sent"))
            case ["304", "stream"]: HTTPResponse(.notModified, body: stream)
            default: .text("hello")
            }
        }) { server in
            for (method, target, isInStep) in [
                ("HEAD", "/", true), ("HEAD", "/stream", false),
                ("GET", "/204", true), ("HEAD", "/204", true),
                ("GET", "/204/stream", true), ("HEAD", "/204/stream", true),
                ("GET", "/205", true), ("HEAD", "/205", true),
                ("GET", "/205/stream", true), ("HEAD", "/205/stream", true),
                ("GET", "/304", true), ("HEAD", "/304", true),
                ("GET", "/304/stream", false), ("HEAD", "/304/stream", false),
            ] {
                let client = try await RawClient(server)
                try await client.ask(target, method: method)
                let response = try await client.response(toHEAD: method == "HEAD")
                #expect(response.body == [] && response["transfer-encoding"] == nil)
                if isInStep {
                    try await client.ask("/")
                    #expect(try await client.response().text == "hello", "\(method) \(target)")
                } else {
                    #expect(try await client.isClosed(), "\(method) \(target)")
                }
                await client.close()
            }
        }
    }

    @Test("of any size come whole", arguments: [0, 1, 65_536, 65_537, 5 << 20])
    func sizes(size: Int) async throws {
        let body = [UInt8]((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 7 >> 2) })
        let came = try await answer(HTTPResponse(.ok, body: HTTPBody(body)))
        #expect(came.body == body)
    }

    @Test("of a source come whole")
    func source() async throws {
        struct Source: OctetSource {
            let octets: [UInt8]
            var sizeInOctets: Int { octets.count }
            func makeReader() -> any OctetReader { OctetArray(octets).makeReader() }
        }
        let octets = [UInt8]((0..<300_000).map { UInt8(truncatingIfNeeded: $0 >> 4) })
        let came = try await answer(HTTPResponse(.ok, body: .source(Source(octets: octets))))
        #expect(came.body == octets)
        #expect(came["content-length"] == "300000")
        #expect(
            try await answer(HTTPResponse(.ok, body: .source(OctetArray([1, 2])))).body == [1, 2])
    }

    @Test("may close the connection")
    func closes() async throws {
        var response = HTTPResponse.text("bye")
        response.closesConnection = true
        let closing = response
        try await withServer(handler: { _ in closing }) { server in
            let client = try await RawClient(server)
            try await client.ask("/")
            #expect(try await client.response()["connection"] == "close")
            #expect(try await client.isClosed())
        }
    }

    @Test("with too large a header become an error, not silence")
    func tooLarge() async throws {
        var response = HTTPResponse.text("hello")
        try response.fields.append(
            HTTPField(.eTag, String(repeating: "x", count: HTTPResponse.headerLimitInOctets)))
        #expect(try await answer(response).status == 500)
        response.fields = try HTTPFields([
            HTTPField(.eTag, String(repeating: "x", count: HTTPResponse.headerLimitInOctets - 8))
        ])
        #expect(try await answer(response).status == 200)
    }
}
