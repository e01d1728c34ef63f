import MartletTestSupport
import Testing

@testable import MartletTransport
import MartletCrypto

@Suite("TLS channel binding")
struct ChannelBindingTests {
    let pki: TestPKI

    init() throws { pki = try TestPKI.shared.get() }

    @Test(
        "is the same on both sides, and there only after the handshake",
        arguments: TLSChannelBinding.allCases, [TLSVersion.tls12, .tls13])
    func same(kind: TLSChannelBinding, version: TLSVersion) throws {
        var pair = try pki.pair(server: { $0.maximumVersion = version })
        #expect(pair.client.channelBinding(kind) == nil)
        try pair.shakeHands()
        let binding = try #require(pair.client.channelBinding(kind))
        #expect(pair.server.channelBinding(kind) == binding)
        #expect(binding.count >= 12)

        var other = try pki.pair(server: { $0.maximumVersion = version })
        try other.shakeHands()
        // The server's certificate is the same in both connections, the rest is not.
        #expect((other.client.channelBinding(kind) == binding) == (kind == .tlsServerEndPoint))
    }

    @Test("is the same on both sides of a resumed session", arguments: [TLSVersion.tls12, .tls13])
    func resumed(version: TLSVersion) throws {
        var configuration = pki.clientConfiguration
        configuration.sessionCache = TLSSessionCache()
        var serverConfiguration = pki.serverConfiguration
        serverConfiguration.maximumVersion = version
        let client = try OpenSSLContext(client: configuration)
        let server = try OpenSSLContext(server: serverConfiguration)
        var seen: Set<[UInt8]> = []
        for isResumed in [false, true] {
            var pair = try EnginePair(client: client, server: server)
            try pair.shakeHands()
            #expect(pair.client.connectionInfo?.isResumed == isResumed)
            for kind in TLSChannelBinding.allCases {
                let binding = try #require(pair.client.channelBinding(kind))
                #expect(pair.server.channelBinding(kind) == binding)
                seen.insert(binding)
            }
        }
        #expect(seen.count == 5)
    }

    @Test("to the server's end point is the digest of its certificate")
    func endPoint() throws {
        var pair = try pki.pair()
        try pair.shakeHands()
        let der = try #require(pair.client.connectionInfo?.peerCertificates.first?.der)
        #expect(pair.client.channelBinding(.tlsServerEndPoint) == OpenSSL.sha256(der))
    }

    @Test(
        "are told best first: what is made for the version, what is unique, what is common",
        arguments: [
            (TLSVersion.tls12, [TLSChannelBinding.tlsUnique, .tlsExporter, .tlsServerEndPoint]),
            (.tls13, [.tlsExporter, .tlsUnique, .tlsServerEndPoint]),
        ])
    func order(version: TLSVersion, kinds: [TLSChannelBinding]) throws {
        var pair = try pki.pair(server: { $0.maximumVersion = version })
        try pair.shakeHands()
        let client = TLSChannelBindings(pair.client, isTLS13: version == .tls13)
        let server = TLSChannelBindings(pair.server, isTLS13: version == .tls13)
        #expect(client.all.map(\.kind) == kinds)
        #expect(client == server)
        for kind in kinds { #expect(client[kind] == pair.client.channelBinding(kind)) }
    }

    @Test("to the first Finished message has its length, by the version")
    func finished() throws {
        var pair = try pki.pair(server: { $0.maximumVersion = .tls12 })
        try pair.shakeHands()
        #expect(pair.client.channelBinding(.tlsUnique)?.count == 12)
        #expect(pair.client.channelBinding(.tlsExporter)?.count == 32)
    }
}
