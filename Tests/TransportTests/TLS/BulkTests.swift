import CMartletOpenSSL
import MartletTestSupport
import Testing

@testable import MartletTransport

@Suite("TLS in bulk")
struct BulkTests {
    @Test("carries 50 MB unchanged, in pieces of any size", arguments: [TLSVersion.tls12, .tls13])
    func bulk(version: TLSVersion) throws {
        var pair = try TestPKI.shared.get().pair(server: { $0.maximumVersion = version })
        try pair.shakeHands()
        var generator = SeededGenerator(seed: 50)
        // A block of random octets, sent from another offset each time, so that no two records match.
        let block = [UInt8](unsafeUninitializedCapacity: 1 << 20) { buffer, count in
            for index in buffer.indices {
                buffer[index] = UInt8(truncatingIfNeeded: generator.next())
            }
            count = buffer.count
        }
        var remaining = 50 << 20
        var received: [UInt8] = []
        while remaining > 0 {
            let size = min(Int.random(in: 1...200_000, using: &generator), remaining)
            let offset = Int.random(in: 0...(block.count - size), using: &generator)
            try block.withUnsafeBytes { octets in
                try pair.client.write(
                    UnsafeRawBufferPointer(rebasing: octets[offset..<offset + size]))
            }
            received.removeAll(keepingCapacity: true)
            while pair.client.pendingCiphertextCount > 0 {
                let limit = Int.random(in: 1...70_000, using: &generator)
                try pair.server.receive(pair.client.takeCiphertext(atMost: limit), into: &received)
            }
            try #require(received.count == size)
            // By the library, since a debug build compares octet by octet.
            let isEqual = block.withUnsafeBytes { block in
                received.withUnsafeBytes {
                    CRYPTO_memcmp($0.baseAddress, block.baseAddress! + offset, size) == 0
                }
            }
            try #require(isEqual)
            remaining -= size
        }
    }

    @Test("keeps no large buffer when nothing waits")
    func buffer() throws {
        var pair = try TestPKI.shared.get().pair()
        try pair.shakeHands()
        try pair.client.write([UInt8](repeating: 1, count: 4 << 20))
        #expect(pair.client.pendingCiphertextCount > 4 << 20)
        try pair.carry()
        #expect(pair.serverPlaintext.count == 4 << 20)
        #expect(pair.client.pipe.pointee.output_capacity <= OpenSSLEngine.retainedOutput)
    }

    @Test("a short answer does not reserve room for a full record")
    func shortAnswer() throws {
        var pair = try TestPKI.shared.get().pair()
        try pair.shakeHands()
        try pair.server.write(Array("250 OK\r\n".utf8))
        var answer: [UInt8] = []
        try pair.client.receive(pair.server.takeCiphertext(), into: &answer)
        #expect(answer == Array("250 OK\r\n".utf8))
        #expect(answer.capacity < 16384)
    }

    @Test("what the socket did not take is sent next time")
    func partial() throws {
        var pair = try TestPKI.shared.get().pair()
        try pair.shakeHands()
        try pair.client.write([1, 2, 3])
        var seen: [[UInt8]] = []
        for sent in [0, 5, 1] {
            pair.client.sendCiphertext { octets in
                seen.append([UInt8](octets))
                return sent
            }
        }
        #expect(seen[0] == seen[1])
        #expect(Array(seen[1].dropFirst(5)) == seen[2])
        #expect(pair.client.pendingCiphertextCount == seen[0].count - 6)
    }
}
