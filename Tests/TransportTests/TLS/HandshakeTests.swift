import MartletTestSupport
import Testing

@testable import MartletTransport

@Suite("TLS handshake")
struct HandshakeTests {
    let pki: TestPKI

    init() throws { pki = try TestPKI.shared.get() }

    @Test(
        "secures a connection whatever pieces the octets come in",
        arguments: [1, 7, 100, 1460, 16384, .max], [TLSVersion.tls12, .tls13])
    func pieces(chunk: Int, version: TLSVersion) throws {
        var pair = try pki.pair(server: { $0.maximumVersion = version })
        #expect(pair.client.connectionInfo == nil)
        try pair.shakeHands(chunk: chunk)
        #expect(pair.client.isHandshakeComplete)
        #expect(pair.server.isHandshakeComplete)

        try pair.client.write(Array("EHLO client\r\n".utf8))
        try pair.server.write(Array("250 server\r\n".utf8))
        try pair.carry(chunk: chunk)
        #expect(pair.serverPlaintext == Array("EHLO client\r\n".utf8))
        #expect(pair.clientPlaintext == Array("250 server\r\n".utf8))

        let info = try #require(pair.client.connectionInfo)
        #expect(info.version == version)
        #expect(info.serverName == "mail.example.test")
        #expect(info.peerCertificates.first?.names.contains("mail.example.test") == true)
        #expect(pair.server.connectionInfo?.serverName == "mail.example.test")
    }
}
