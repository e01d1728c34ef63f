import Glibc
import MartletTestSupport
import Testing

@testable import MartletTransport

@Suite("TLS on a ByteChannel", .timeLimit(.minutes(1)))
struct TLSChannelTests {
    let authority: CertificateAuthority
    let server: TLSServerConfiguration
    var client = TLSConfiguration()

    init() throws {
        authority = try CertificateAuthority(commonName: "Test authority")
        server = TLSServerConfiguration(
            identity: try authority.issue(names: ["localhost", "127.0.0.1"]))
        client.trust = .certificateAuthorities(pem: authority.certificatePEM)
        client.sessionCache = TLSSessionCache()
    }

    func makeTLSPair() async throws -> (client: ByteChannel, server: ByteChannel) {
        let pair = try await makePair()
        async let served: Void = pair.server.startTLS(server: server)
        try await pair.client.startTLS(client, host: "localhost", port: 1)
        try await served
        return pair
    }

    @Test("carries octets both ways, large and small")
    func echo() async throws {
        let (client, server) = try await makeTLSPair()
        #expect(await client.tls?.version == .tls13)
        for size in [1, 100, 70_000, 5_000_000] {
            let octets = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }
            async let sent: Void = client.write(octets, within: .seconds(5))
            var got: [UInt8] = []
            while got.count < size { got += try await server.read(within: .seconds(5)) }
            try await sent
            #expect(got == octets)
            try await server.write([9])
            #expect(try await client.read(within: .seconds(5)) == [9])
        }
    }

    @Test("a clean end is an end, and the other way still works")
    func halfClose() async throws {
        let (client, server) = try await makeTLSPair()
        try await client.write(Array("last words".utf8))
        try await client.finishWriting()
        #expect(try await readAll(server) == Array("last words".utf8))
        try await server.write(Array("good night".utf8))
        await server.close()
        #expect(try await readAll(client) == Array("good night".utf8))
    }

    @Test("a connection cut off is not an end")
    func truncation() async throws {
        let pair = try await makePair()
        let descriptor = try #require(await pair.server.descriptor)
        async let served: Void = pair.server.startTLS(server: server)
        try await pair.client.startTLS(client, host: "localhost", port: 1)
        try await served
        try await pair.server.write(Array("half".utf8))
        #expect(try await pair.client.read(within: .seconds(5)) == Array("half".utf8))
        descriptor.shutDownForTests()
        let error = await #expect(throws: TransportError.self) {
            try await pair.client.read(within: .seconds(5))
        }
        guard case .tls(let failure) = error?.kind else {
            Issue.record("not a TLS error: \(String(describing: error))")
            return
        }
        #expect(failure.kind == .truncated)
    }

    @Test("plain text on a TLS port is named as such")
    func notTLS() async throws {
        let pair = try await makePair()
        try await pair.server.write(Array("220 mail.example.test ESMTP\r\n".utf8))
        let error = await #expect(throws: TransportError.self) {
            try await pair.client.startTLS(client, host: "localhost", port: 1)
        }
        #expect(error?.description.contains("220 mail.example.test") == true)
        #expect(await !pair.client.isOpen)
        #expect(try await readAll(pair.server).count > 0, "the hello went out, then the end")
    }

    @Test("a peer that is silent in the handshake is given up after the limit")
    func silence() async throws {
        let pair = try await makePair()
        let error = await #expect(throws: TransportError.self) {
            try await pair.client.startTLS(
                client, host: "localhost", port: 1, within: .milliseconds(80))
        }
        #expect(error?.kind == .timedOut(after: .milliseconds(80)))
        #expect(error?.stage == .tlsHandshake)
    }

    @Test("a peer that drips a handshake is given up after the limit")
    func drip() async throws {
        let pair = try await makePair()
        let dripping = Task {
            // The head of a long handshake record, then an octet at a time.
            try await pair.server.write([0x16, 0x03, 0x03, 0x3F, 0xFF])
            while !Task.isCancelled {
                try await pair.server.write([2])
                try await Task.sleep(for: .milliseconds(10))
            }
        }
        let error = await #expect(throws: TransportError.self) {
            try await pair.client.startTLS(
                client, host: "localhost", port: 1, within: .milliseconds(200))
        }
        #expect(error?.kind == .timedOut(after: .milliseconds(200)))
        dripping.cancel()
    }

    @Test("the wrong name is refused, and the server hears of it")
    func wrongName() async throws {
        let pair = try await makePair()
        let served = Task { [server] in try await pair.server.startTLS(server: server) }
        let error = await #expect(throws: TransportError.self) {
            try await pair.client.startTLS(client, host: "other.example.test", port: 1)
        }
        guard case .tls(let failure) = error?.kind, case .wrongHost = failure.kind else {
            Issue.record("not a wrong host: \(String(describing: error))")
            return
        }
        await #expect(throws: TransportError.self) { try await served.value }
    }

    @Test("cancelling a handshake ends it at once")
    func cancel() async throws {
        let pair = try await makePair()
        let task = Task { [client] in
            try await pair.client.startTLS(client, host: "localhost", port: 1)
        }
        try await waitUntil { await pair.client.hasReader }
        task.cancel()
        let error = await #expect(throws: TransportError.self) { try await task.value }
        #expect(error?.kind == .cancelled)
    }
}

extension Descriptor {
    /// Ends the connection under TLS's feet.
    func shutDownForTests() { shutdown(number, CInt(SHUT_RDWR)) }
}
