import MartletHTTPServer
import MartletTestSupport
import Testing

@Suite("HTTP garbage", .timeLimit(.minutes(3)))
struct GarbageTests {
    /// Pieces of requests, right and wrong.
    private static let words = [
        "GET ", "POST ", "/", "?a=b", "%", " HTTP/1.1", " HTTP/1.0", "\r\n", "\r\n", "\r\n\r\n",
        "\n", "\r", "\0",
        "Host: a.test\r\n", "Host", ":", " ", "\t", "Content-Length: 3\r\n",
        "Content-Length: 99999999999\r\n",
        "Transfer-Encoding: chunked\r\n", "Expect: 100-continue\r\n", "Connection: close\r\n",
        "Cookie: a=b;;=\"\r\n",
        "3\r\nabc\r\n", "0\r\n\r\n", "ffffffffffffffff\r\n", ";", "abc", "é",
        "GET / HTTP/1.1\r\nHost: a.test\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a.test\r\nTransfer-Encoding: chunked\r\n\r\n",
    ].map { [UInt8]($0.utf8) }

    private func octets(_ random: inout SeededGenerator, _ seed: UInt64) -> [UInt8] {
        switch seed % 3 {
        case 0:
            return (0..<Int.random(in: 1...2_000, using: &random)).map { _ in
                .random(in: 0...255, using: &random)
            }
        case 1:
            return (0..<Int.random(in: 1...40, using: &random)).flatMap { _ in
                Self.words.randomElement(using: &random) ?? []
            }
        default:
            // a right request with a few octets changed
            var octets = [UInt8](
                "POST /a?b=c HTTP/1.1\r\nHost: a.test\r\nContent-Length: 3\r\nX: y\r\n\r\nabc".utf8)
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                octets[Int.random(in: 0..<octets.count, using: &random)] = .random(
                    in: 0...255, using: &random)
            }
            return octets
        }
    }

    @Test("is answered or closed in time, and the server lives", arguments: 0..<8)
    func garbage(part: UInt64) async throws {
        let limits = limits {
            $0.headerTime = .milliseconds(300)
            $0.bodyTime = .milliseconds(300)
            $0.lingerTime = .milliseconds(300)
            $0.idleTime = .seconds(1)
            $0.bodySizeInOctets = 1_000
        }
        try await withServer(limits: limits, handler: echo) { server in
            try await withThrowingTaskGroup { group in
                for seed in part * 100..<part * 100 + 100 {
                    group.addTask {
                        var random = SeededGenerator(seed: seed)
                        let client = try await RawClient(server)
                        try? await client.say(self.octets(&random, seed))
                        // nobody waits longer than `RawClient.patience`
                        _ = try await client.rest()
                        await client.close()
                    }
                }
                try await group.waitForAll()
            }
            try await waitUntil { server.connectionCount == 0 }
            let client = try await RawClient(server)
            try await client.ask("/")
            #expect(try await client.response().status == 200)
        }
    }
}
