import MartletBytes
import MartletTestSupport
import Testing

@testable import MartletTransport

@Suite("TLS session resumption")
struct ResumptionTests {
    let pki: TestPKI

    init() throws { pki = try TestPKI.shared.get() }

    private static let versions = [TLSVersion.tls12, .tls13]

    /// Connects once; whether an earlier session was taken up.
    @discardableResult
    private func connect(
        _ client: OpenSSLContext, _ server: OpenSSLContext, host: String = "mail.example.test",
        port: Int = 465
    ) throws -> Bool {
        let engine = try OpenSSLEngine(client: client, host: host, port: port)
        var pair = EnginePair(client: engine, server: try OpenSSLEngine(server: server))
        try pair.shakeHands()
        let info = try #require(engine.connectionInfo)
        #expect(info.peerCertificates.first?.names.contains("mail.example.test") == true)
        #expect(pair.server.connectionInfo?.isResumed == info.isResumed)
        return info.isResumed
    }

    private func server(_ version: TLSVersion = .tls13) throws -> OpenSSLContext {
        var configuration = pki.serverConfiguration
        configuration.maximumVersion = version
        return try OpenSSLContext(server: configuration)
    }

    private func client(
        _ cache: TLSSessionCache?, _ change: (inout TLSConfiguration) throws -> Void = { _ in }
    ) throws -> OpenSSLContext {
        var configuration = pki.clientConfiguration
        configuration.sessionCache = cache
        try change(&configuration)
        return try OpenSSLContext(client: configuration)
    }

    @Test("takes up the session of an earlier connection, again and again", arguments: versions)
    func resumes(version: TLSVersion) throws {
        let server = try server(version)
        let cache = TLSSessionCache()
        let first = try client(cache)
        #expect(try !connect(first, server))
        #expect(try connect(first, server))
        #expect(try connect(first, server))
        // Another context with the same settings shares it.
        #expect(try connect(client(cache), server))
        cache.removeAll()
        #expect(try !connect(first, server))
    }

    @Test("does not happen without a cache")
    func without() throws {
        let server = try server()
        let client = try client(nil)
        #expect(try !connect(client, server))
        #expect(try !connect(client, server))
    }

    @Test("keeps hosts, ports and settings apart", arguments: versions)
    func apart(version: TLSVersion) throws {
        let server = try server(version)
        let cache = TLSSessionCache()
        try connect(client(cache), server)
        try connect(client(cache), server)
        #expect(try !connect(client(cache), server, host: "a.wild.example.test"))
        #expect(try !connect(client(cache), server, port: 587))
        #expect(try !connect(client(cache, { $0.trust = .system.adding($0.trust) }), server))
        let pin = try #require(
            TLSCertificate(pem: pki.authority.certificatePEM)?.publicKeyPin)
        #expect(try !connect(client(cache, { $0.pins = [pin] }), server))
        let identity = try pki.authority.issue(names: [], commonName: "a", purpose: .client)
        #expect(try !connect(client(cache, { $0.identity = identity }), server))
        // A session made without verification never serves one with it.
        let careless = TLSSessionCache()
        try connect(client(careless, { $0.verification = .dangerouslyUnverified }), server)
        #expect(try !connect(client(careless), server))
    }

    @Test("falls back to a full handshake when the server forgot", arguments: versions)
    func forgotten(version: TLSVersion) throws {
        let client = try client(TLSSessionCache())
        try connect(client, server(version))
        #expect(try !connect(client, server(version)))
    }

    @Test("keeps the client's certificate known to the server", arguments: versions)
    func clientCertificate(version: TLSVersion) throws {
        let identity = try pki.authority.issue(names: [], commonName: "alice", purpose: .client)
        var configuration = pki.serverConfiguration
        configuration.maximumVersion = version
        configuration.clientVerification = .required(
            .certificateAuthorities(pem: pki.authority.certificatePEM))
        let server = try OpenSSLContext(server: configuration)
        let client = try client(TLSSessionCache()) { $0.identity = identity }
        for isResumed in [false, true] {
            var pair = try EnginePair(client: client, server: server)
            try pair.shakeHands()
            let info = try #require(pair.server.connectionInfo)
            #expect(info.isResumed == isResumed)
            #expect(info.peerCertificates.first?.subject == "CN=alice")
        }
    }

    private func session(_ number: UInt8, singleUse: Bool = true, at time: Int = 0)
        -> TLSSessionCache.Session
    {
        .init(octets: Secret(octets: [number]), isSingleUse: singleUse, createdAt: time)
    }

    private func number(_ session: TLSSessionCache.Session?) -> UInt8? {
        session?.octets.withOctets { $0.first }
    }

    @Test("the cache gives the newest, keeps four, and forgets the old")
    func cache() {
        let cache = TLSSessionCache()
        for index in 0..<6 { cache.store(session(UInt8(index)), for: [1]) }
        #expect((0..<5).map { _ in number(cache.take(for: [1], now: 1)) } == [5, 4, 3, 2, nil])
        cache.store(session(7, singleUse: false), for: [2])
        #expect(number(cache.take(for: [2], now: 1)) == 7)
        #expect(number(cache.take(for: [2], now: TLSSessionCache.maximumAgeInSeconds - 1)) == 7)
        #expect(number(cache.take(for: [2], now: TLSSessionCache.maximumAgeInSeconds)) == nil)
    }

    @Test("the cache forgets the server that was unused the longest")
    func eviction() {
        let cache = TLSSessionCache()
        func key(_ index: Int) -> [UInt8] { [UInt8(index / 256), UInt8(index % 256)] }
        for index in 0..<TLSSessionCache.maximumServers {
            cache.store(session(1, singleUse: false), for: key(index))
        }
        #expect(cache.take(for: key(0), now: 1) != nil)
        cache.store(session(1, singleUse: false), for: key(1000))
        #expect(cache.take(for: key(0), now: 1) != nil)
        #expect(cache.take(for: key(1), now: 1) == nil)
    }
}
