import MartletHTTPServer
import MartletTestSupport
import Testing

private let program = Subprocess.program("/usr/bin/curl", "/usr/local/bin/curl", "/bin/curl")

/// A client that others wrote.
@Suite(
    "HTTP with curl", .timeLimit(.minutes(2)),
    .enabled(if: program != nil, "curl is not installed"))
struct CurlTests {
    private func curl(_ arguments: String..., input: [UInt8] = []) async throws -> Subprocess.Result
    {
        let program = try #require(program)
        return try await Subprocess.run(
            program, ["-sS", "--noproxy", "*", "--max-time", "60"] + arguments, input: input)
    }

    @Test("gets, heads, posts, uploads and reads a stream")
    func roundTrips() async throws {
        try await withServer(handler: { request in
            switch request.target.path {
            case "/stream":
                HTTPResponse(
                    .ok,
                    body: .stream { writer in
                        for number in 0..<100 { try await writer.write("line \(number)\n") }
                    })
            default: .text("\(request.method) \(request.body.count)\n")
            }
        }) { server in
            let url = "http://\(server.address)/"
            #expect(try await curl(url).output == "GET 0\n")
            #expect(try await curl("-I", url).output.contains("Content-Length: 7\r\n"))
            #expect(try await curl("-d", "abc", url).output == "POST 3\n")
            let body = [UInt8](repeating: 0x78, count: 3 << 20)
            // with Expect: 100-continue, which curl sends for large bodies
            #expect(try await curl("-T", "-", url, input: body).output == "PUT \(body.count)\n")
            #expect(
                try await curl(
                    "-H", "Expect: 100-continue", "--data-binary", "@-", url, input: body
                ).output
                    == "POST \(body.count)\n")
            let lines = try await curl(url + "stream").output.split(separator: "\n")
            #expect(lines == (0..<100).map { "line \($0)" })
            // one connection for all
            let both = try await curl("-w", "%{num_connects}\n", url, url).output
            #expect(both == "GET 0\n1\nGET 0\n0\n")
        }
    }

    @Test("hears why a body is refused", arguments: [true, false])
    func refused(isChunked: Bool) async throws {
        let limits = limits { $0.bodySizeInOctets = 1_000 }
        try await withServer(limits: limits) { server in
            let body = [UInt8](repeating: 0x78, count: 4 << 20)
            let result = try await curl(
                "-w", "%{http_code}", "-H", "Expect:", "-H",
                isChunked ? "Transfer-Encoding: chunked" : "X: y",
                "--data-binary", "@-", "http://\(server.address)/", input: body)
            #expect(result.output.hasSuffix("\n413"))
        }
    }
}
