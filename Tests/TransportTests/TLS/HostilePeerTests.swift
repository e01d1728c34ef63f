import MartletBytes
import MartletTestSupport
import Testing

@testable import MartletTransport

@Suite("TLS with a hostile or confused peer")
struct HostilePeerTests {
    let pki: TestPKI

    init() throws { pki = try TestPKI.shared.get() }

    /// Feeds `octets` in chunks; what is thrown.
    private func feed(
        _ octets: [UInt8], to engine: OpenSSLEngine, chunk: Int = .max, closing: Bool = false
    ) -> TLSFailure? {
        do throws(TLSFailure) {
            try engine.start()
            var plaintext: [UInt8] = []
            var rest = octets[...]
            while !rest.isEmpty {
                try engine.receive(Array(rest.prefix(chunk)), into: &plaintext)
                rest = rest.dropFirst(chunk)
            }
            #expect(plaintext.isEmpty)
            if closing { try engine.transportClosed() }
        } catch { return error }
        return nil
    }

    @Test(
        "plain text is quoted, whatever pieces it comes in",
        arguments: [
            "220 mail ESMTP\r\n", "* OK IMAP4rev1\r\n", "+OK\r\n", "EHLO client\r\n",
            "HTTP/1.1 400 Bad\u{7}\r\n",
        ], [1, 2, 5, 1000])
    func plainText(line: String, chunk: Int) throws {
        let pair = try pki.pair()
        for engine in [pair.client, pair.server] {
            let failure = try #require(feed(Array(line.utf8), to: engine, chunk: chunk))
            #expect(failure.kind == .notTLS(firstOctets: Array(line.utf8)))
            let shown = line.dropLast(1).replacing("\u{7}", with: "?")
            #expect("\(failure)".contains("\"\(shown)\""))
            #expect(!engine.isHandshakeComplete)
        }
    }

    @Test("plain text without an end is cut off at the limit, or by the close")
    func endlessText() throws {
        let text = [UInt8](repeating: UInt8(ascii: "a"), count: 100_000)
        let limited = Array(text.prefix(OpenSSLEngine.maximumOpening))
        #expect(
            try feed(text, to: pki.pair().client, chunk: 3)?.kind == .notTLS(firstOctets: limited))
        let short = Array("220 half".utf8)
        #expect(
            try feed(short, to: pki.pair().client, closing: true)?.kind
                == .notTLS(firstOctets: short))
    }

    @Test("an alert in answer to the hello becomes the error")
    func alert() throws {
        let failure = try feed([21, 3, 3, 0, 2, 2, 40], to: pki.pair().client)
        #expect(failure?.kind == .handshakeFailed(.handshakeFailure))
        #expect(try #require(failure).description.contains("handshake_failure"))
    }

    @Test("a handshake message that announces 16 MB is refused")
    func hugeMessage() throws {
        let record: [UInt8] = [22, 3, 3, 0, 8, 2, 0xFF, 0xFF, 0xFF, 3, 3, 0, 0]
        let failure = try feed(record, to: pki.pair().client)
        #expect(failure?.kind == .handshakeFailed(nil))
    }

    @Test("a record longer than allowed is refused")
    func hugeRecord() throws {
        let failure = try feed([22, 3, 3, 0xFF, 0xFF, 2], to: pki.pair().client)
        #expect(failure?.kind == .handshakeFailed(nil))
    }

    @Test("an endless row of empty records is refused", arguments: [20, 21, 22, 23] as [UInt8])
    func emptyRecords(type: UInt8) throws {
        var octets: [UInt8] = []
        for _ in 0..<10_000 { octets += [type, 3, 3, 0, 0] }
        #expect(try feed(octets, to: pki.pair().client) != nil)
    }

    @Test("random octets never open a connection", arguments: 0..<50 as Range<UInt64>)
    func random(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let pair = try pki.pair()
        for engine in [pair.client, pair.server] {
            var octets = (0..<2000).map { _ in UInt8.random(in: 0...255, using: &generator) }
            // Half of them look like TLS at first.
            if seed % 2 == 0 { octets.replaceSubrange(0..<5, with: [22, 3, 3, 1, 0]) }
            _ = feed(octets, to: engine, chunk: Int.random(in: 1...600, using: &generator))
            #expect(!engine.isHandshakeComplete)
            #expect(feed([23, 3, 3, 0, 1, 0], to: engine) != nil)
        }
    }

    @Test(
        "one changed octet anywhere in the handshake is noticed",
        arguments: 0..<60 as Range<UInt64>)
    func changedOctet(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let version: TLSVersion = seed % 2 == 0 ? .tls12 : .tls13
        let pair = try pki.pair(server: { $0.maximumVersion = version })
        let flight = Int.random(in: 0..<3, using: &generator)
        var count = 0
        func pass(_ octets: [UInt8]) -> [UInt8] {
            guard !octets.isEmpty else { return octets }
            defer { count += 1 }
            guard count == flight else { return octets }
            var changed = octets
            // Past the record's header, whose version field is not authenticated.
            let index = Int.random(in: min(5, changed.count - 1)..<changed.count, using: &generator)
            changed[index] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            return changed
        }
        var failures = 0
        var plaintext: [UInt8] = []
        try pair.server.start()
        try pair.client.start()
        for _ in 0..<6 {
            do {
                try pair.server.receive(pass(pair.client.takeCiphertext()), into: &plaintext)
            } catch { failures += 1 }
            do {
                try pair.client.receive(pass(pair.server.takeCiphertext()), into: &plaintext)
            } catch { failures += 1 }
        }
        let isOpen = pair.client.isHandshakeComplete && pair.server.isHandshakeComplete
        #expect(!isOpen || failures > 0, "seed \(seed)")
        #expect(plaintext.isEmpty)
    }

    @Test("a changed record breaks the connection, and nothing of it is handed out")
    func changedRecord() throws {
        var pair = try pki.pair()
        try pair.shakeHands()
        try pair.client.write([UInt8](repeating: 65, count: 1000))
        var octets = pair.client.takeCiphertext()
        octets[500] ^= 1
        let failure = try #require(feed(octets, to: pair.server))
        #expect(failure.kind == .protocolViolation(nil))
        #expect(failure.recovery == .reconnect)
        // The other side is told.
        #expect(
            feed(pair.server.takeCiphertext(), to: pair.client)?.kind
                == .protocolViolation(TLSAlert(rawValue: 20)))
        // And it stays broken.
        #expect(throws: failure) { try pair.server.write([1]) }
        #expect(throws: failure) { try pair.server.transportClosed() }
    }

    @Test("a record played twice breaks the connection")
    func replay() throws {
        var pair = try pki.pair()
        try pair.shakeHands()
        try pair.client.write([1, 2, 3])
        let octets = pair.client.takeCiphertext()
        try pair.server.receive(octets, into: &pair.serverPlaintext)
        #expect(feed(octets, to: pair.server)?.kind == .protocolViolation(nil))
        #expect(pair.serverPlaintext == [1, 2, 3])
    }
}
