import MartletTestSupport
import Testing

@testable import MartletTransport

@Suite("The end of a TLS connection")
struct ClosingTests {
    let pki: TestPKI

    init() throws { pki = try TestPKI.shared.get() }

    @Test("is clean after close_notify", arguments: [TLSVersion.tls12, .tls13])
    func clean(version: TLSVersion) throws {
        var pair = try pki.pair(server: { $0.maximumVersion = version })
        try pair.shakeHands()
        try pair.server.write([1, 2, 3])
        pair.server.closeNotify()
        pair.server.closeNotify()
        #expect(!pair.client.hasReceivedCloseNotify)
        try pair.carry()
        #expect(pair.client.hasReceivedCloseNotify)
        #expect(pair.clientPlaintext == [1, 2, 3])
        try pair.client.transportClosed()
        #expect(throws: TLSFailure(.notOpen)) { try pair.server.write([4]) }
    }

    @Test("leaves the other direction open")
    func halfClose() throws {
        var pair = try pki.pair()
        try pair.shakeHands()
        pair.client.closeNotify()
        try pair.carry()
        #expect(pair.server.hasReceivedCloseNotify)
        try pair.server.write([7])
        try pair.carry()
        #expect(pair.clientPlaintext == [7])
    }

    @Test("without close_notify is a truncation")
    func truncated() throws {
        var pair = try pki.pair()
        try pair.shakeHands()
        #expect(throws: TLSFailure(.truncated)) { try pair.client.transportClosed() }
        #expect(TLSFailure(.truncated).recovery == .reconnect)
    }

    @Test("after one's own close_notify may come without the peer's")
    func impolite() throws {
        var pair = try pki.pair()
        try pair.shakeHands()
        pair.client.closeNotify()
        try pair.client.transportClosed()
    }

    @Test("during the handshake says so, wherever it comes")
    func handshake() throws {
        for cut in [0, 1, 50, 500] {
            var pair = try pki.pair()
            try pair.client.start()
            try pair.server.receive(pair.client.takeCiphertext(), into: &pair.serverPlaintext)
            let octets = pair.server.takeCiphertext(atMost: cut)
            try pair.client.receive(octets, into: &pair.clientPlaintext)
            #expect(throws: TLSFailure(.closedDuringHandshake)) {
                try pair.client.transportClosed()
            }
        }
    }

    @Test("before the handshake is complete nothing can be written")
    func early() throws {
        let pair = try pki.pair()
        #expect(throws: TLSFailure(.notOpen)) { try pair.client.write([1]) }
        try pair.client.start()
        #expect(throws: TLSFailure(.notOpen)) { try pair.client.write([1]) }
        pair.client.closeNotify()
        _ = pair.client.takeCiphertext()
        #expect(pair.client.pendingCiphertextCount == 0)
    }
}
