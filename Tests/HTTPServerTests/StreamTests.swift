import MartletHTTPServer
import Synchronization
import Testing

@Suite("HTTP streams", .timeLimit(.minutes(2)))
struct StreamTests {
    @Test("come piece by piece, as they are made")
    func live() async throws {
        let (events, source) = AsyncStream<[UInt8]>.makeStream()
        try await withServer(handler: { _ in
            HTTPResponse(.ok, body: .sequence(events))
        }) { server in
            let client = try await RawClient(server)
            try await client.ask("/")
            for number in 0..<20 {
                source.yield(Array("data: \(number)\n\n".utf8))
                // the next is not made before this one is here
                let text = try await client.rest(upTo: 1 << 20, until: "data: \(number)\n\n")
                #expect(String(decoding: text, as: UTF8.self).contains("data: \(number)\n\n"))
            }
            source.finish()
            #expect(
                String(decoding: try await client.rest(upTo: 7), as: UTF8.self).hasSuffix(
                    "0\r\n\r\n"))
            // the connection goes on
            try await client.ask("/")
            #expect(try await client.response().status == 200)
        }
    }

    @Test("come whole, with and without a length", arguments: [true, false], [1, 1_000, 100_000])
    func whole(hasLength: Bool, size: Int) async throws {
        let count = 500_000 / size.clamped(to: 1_000...100_000)
        let body = HTTPBody.stream(length: hasLength ? size * count : nil) { writer in
            for number in 0..<count {
                try await writer.write(
                    [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: size))
                try await writer.write([])
            }
        }
        try await withServer(handler: { _ in HTTPResponse(.ok, body: body) }) { server in
            let client = try await RawClient(server)
            for _ in 0..<2 {
                try await client.ask("/")
                let response = try await client.response()
                #expect(response.body.count == size * count)
                #expect(
                    response.body.enumerated().allSatisfy {
                        $1 == UInt8(truncatingIfNeeded: $0 / size)
                    })
            }
        }
    }

    @Test("of HTTP/1.0 end with the connection")
    func old() async throws {
        let body = HTTPBody.stream { writer in try await writer.write("hello") }
        try await withServer(handler: { _ in HTTPResponse(.ok, body: body) }) { server in
            let client = try await RawClient(server)
            try await client.say("GET / HTTP/1.0\r\n\r\n")
            let text = String(decoding: try await client.rest(), as: UTF8.self)
            #expect(text.hasSuffix("\r\n\r\nhello"))
            #expect(!text.contains("chunked"))
        }
    }

    @Test("are not made faster than the client takes them")
    func backPressure() async throws {
        let made = Mutex(0)
        let waits = Gate()
        let limit = 256 << 20
        let body = HTTPBody.stream { writer in
            let piece = [UInt8](repeating: 0x78, count: 64 << 10)
            while made.withLock({ $0 }) < limit {
                waits.arrive()
                try await writer.write(piece)
                made.withLock { $0 += piece.count }
            }
        }
        try await withServer(handler: { _ in HTTPResponse(.ok, body: body) }) { server in
            let client = try await RawClient(server)
            try await client.ask("/")
            // what the system takes for a client that reads nothing is a few MiB
            var before = -1
            while before != made.withLock({ $0 }) {
                before = made.withLock { $0 }
                try await Task.sleep(for: .milliseconds(500))
            }
            #expect(before < limit / 4)
            let octets = try await client.rest(upTo: before + (4 << 20))
            #expect(octets.count == before + (4 << 20))
            #expect(made.withLock { $0 } > before)
            await client.close()
        }
    }

    struct Trouble: Error {}

    @Test("that break, or end early, break the connection off", arguments: 0..<4)
    func broken(kind: Int) async throws {
        let body = HTTPBody.stream(length: kind % 2 == 0 ? 100 : nil) { writer in
            try await writer.write("only this")
            if kind < 3 { throw Trouble() }
            withUnsafeCurrentTask { $0?.cancel() }
            try await writer.write("not this")
        }
        try await withServer(handler: { _ in HTTPResponse(.ok, body: body) }) { server in
            let client = try await RawClient(server)
            try await client.ask("/")
            let text = String(decoding: try await client.rest(), as: UTF8.self)
            #expect(text.contains("only this"))
            #expect(!text.hasSuffix("0\r\n\r\n"))
            #expect(!text.contains("not this"))
        }
    }

    @Test(
        "that end before their length break the connection off, and what is beyond it is not sent")
    func length() async throws {
        for length in [3, 100] {
            let body = HTTPBody.stream(length: length) { writer in try await writer.write("hello") }
            try await withServer(handler: { _ in HTTPResponse(.ok, body: body) }) { server in
                let client = try await RawClient(server)
                try await client.ask("/")
                if length < 5 {
                    #expect(try await client.response().text == "hel")
                    try await client.ask("/")
                    #expect(try await client.response().text == "hel")
                } else {
                    await #expect(throws: ClosedEarly.self) { try await client.response() }
                }
            }
        }
    }

    @Test("that are empty are no trouble", arguments: [nil, 0])
    func empty(length: Int?) async throws {
        let body = HTTPBody.stream(length: length) { _ in }
        try await withServer(handler: { _ in HTTPResponse(.ok, body: body) }) { server in
            let client = try await RawClient(server)
            for _ in 0..<2 {
                try await client.ask("/")
                #expect(try await client.response().body.isEmpty)
            }
        }
    }
}

extension Int {
    fileprivate func clamped(to range: ClosedRange<Int>) -> Int {
        Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
    }
}
