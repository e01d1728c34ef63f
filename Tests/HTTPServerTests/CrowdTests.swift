import MartletHTTPServer
import MartletTestSupport
import Testing

@Suite("HTTP crowds", .timeLimit(.minutes(3)))
struct CrowdTests {
    @Test(
        "of 2,000 requests wait at the same time, on one thread of the server's",
        .enabled(if: OpenFiles.allowed >= 5_000, "the process may not have 5,000 files (ulimit -n)")
    )
    func waiting() async throws {
        let count = 2_000
        let (begun, gate) = (Gate(), Gate())
        let limits = limits { $0.connectionCount = count }
        try await withServer(
            limits: limits,
            handler: { request in
                begun.arrive()
                await gate.pass()
                return echo(request)
            }
        ) { server in
            try await withThrowingTaskGroup { group in
                for number in 0..<count {
                    group.addTask {
                        let client = try await RawClient(server)
                        try await client.ask("/\(number)")
                        let text = try await client.response().text
                        await client.close()
                        return text.hasPrefix("GET /\(number)\n")
                    }
                }
                await begun.wait(for: count)
                #expect(server.connectionCount == count)
                gate.open()
                for try await isRight in group { #expect(isRight) }
            }
        }
    }
}
