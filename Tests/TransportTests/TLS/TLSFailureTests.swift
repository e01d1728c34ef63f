import MartletBytes
import MartletCrypto
import MartletTestSupport
import Testing

@testable import MartletTransport

@Suite("TLS failures")
struct TLSFailureTests {
    let pki: TestPKI

    init() throws { pki = try TestPKI.shared.get() }

    private static let versions = [TLSVersion.tls12, .tls13]

    /// What the client throws while it shakes hands.
    private func clientFailure(_ pair: EnginePair) -> TLSFailure? {
        var pair = pair
        do throws(TLSFailure) {
            try pair.server.start()
            try pair.client.start()
            var rest: [UInt8] = []
            for _ in 0..<8 {
                try? pair.server.receive(pair.client.takeCiphertext(), into: &pair.serverPlaintext)
                try pair.client.receive(pair.server.takeCiphertext(), into: &rest)
            }
        } catch {
            #expect(!pair.client.isHandshakeComplete || error.kind != .closedDuringHandshake)
            return error
        }
        return nil
    }

    /// What the server throws while it shakes hands.
    private func serverFailure(_ pair: EnginePair) -> TLSFailure? {
        do throws(TLSFailure) {
            try pair.server.start()
            try? pair.client.start()
            var rest: [UInt8] = []
            for _ in 0..<8 {
                try pair.server.receive(pair.client.takeCiphertext(), into: &rest)
                try? pair.client.receive(pair.server.takeCiphertext(), into: &rest)
            }
        } catch { return error }
        return nil
    }

    @Test("a self-signed certificate is named as such", arguments: versions)
    func selfSigned(version: TLSVersion) throws {
        let identity = try CertificateAuthority.selfSignedIdentity(names: ["mail.example.test"])
        let pair = try pki.pair(server: {
            $0.identity = identity
            $0.maximumVersion = version
        })
        let failure = try #require(clientFailure(pair))
        #expect(failure.kind == .selfSigned(subject: "CN=mail.example.test"))
        #expect(failure.recovery == .fixInput)
    }

    @Test("a self-signed certificate is good where it is trusted itself")
    func selfSignedTrusted() throws {
        let identity = try CertificateAuthority.selfSignedIdentity(names: ["mail.example.test"])
        var pair = try pki.pair(
            client: {
                $0.trust = .certificateAuthorities(pem: try PEM.octets(of: identity.chain))
            }, server: { $0.identity = identity })
        try pair.shakeHands()
        #expect(pair.client.isHandshakeComplete)
    }

    @Test("an authority nobody trusts is named, whether it is sent along or not")
    func untrusted() throws {
        let other = try CertificateAuthority(commonName: "Other, Inc.")
        let identity = try other.issue(names: ["mail.example.test"])
        guard case .octets(let key) = identity.key else { return }
        let withRoot = TLSIdentity(
            certificateChain: try PEM.octets(of: identity.chain) + other.certificatePEM,
            privateKey: key)
        for identity in [identity, withRoot] {
            let failure = try #require(clientFailure(pki.pair(server: { $0.identity = identity })))
            #expect(failure.kind == .untrustedIssuer(issuer: "CN=Other\\, Inc."))
        }
    }

    @Test("nothing but the given authorities is trusted, and by default the system's are")
    func systemTrust() throws {
        let failure = try #require(clientFailure(pki.pair(client: { $0.trust = .system })))
        #expect(failure.kind == .untrustedIssuer(issuer: "CN=Test CA"))
        var both = try pki.pair(client: { $0.trust = .system.adding($0.trust) })
        try both.shakeHands()
        #expect(both.client.isHandshakeComplete)
    }

    @Test("an expired certificate tells when it expired")
    func expired() throws {
        let identity = try pki.authority.issue(
            names: ["mail.example.test"], validity: -7200...(-3600))
        let failure = try #require(clientFailure(pki.pair(server: { $0.identity = identity })))
        let notAfter = try #require(
            TLSCertificate(pem: PEM.octets(of: identity.chain))?.notAfter)
        #expect(failure.kind == .expired(subject: "CN=mail.example.test", notAfter: notAfter))
        #expect(failure.recovery == .giveUp)
        #expect("\(failure)".contains("\(notAfter)"))
    }

    @Test("a certificate of the future tells from when it is valid")
    func notYetValid() throws {
        let identity = try pki.authority.issue(names: ["mail.example.test"], validity: 3600...7200)
        let failure = try #require(clientFailure(pki.pair(server: { $0.identity = identity })))
        guard case .notYetValid("CN=mail.example.test", _) = failure.kind else {
            Issue.record("\(failure)")
            return
        }
    }

    @Test(
        "a certificate for other names lists them",
        arguments: [
            "other.example.test", "example.test", "a.b.wild.example.test", "wild.example.test",
            "127.0.0.2", "::2", "mail.example.test.evil",
        ])
    func wrongHost(host: String) throws {
        let failure = try #require(clientFailure(pki.pair(host: host)))
        #expect(
            failure.kind
                == .wrongHost(
                    expected: host,
                    presented: ["mail.example.test", "*.wild.example.test", "127.0.0.1", "::1"]))
        #expect("\(failure)".contains(host))
    }

    @Test(
        "the names a certificate carries are accepted",
        arguments: [
            "mail.example.test", "MAIL.example.test", "mail.example.test.", "a.wild.example.test",
            "127.0.0.1", "::1", "[::1]", "0:0:0:0:0:0:0:1", "::1%lo",
        ])
    func rightHost(host: String) throws {
        var pair = try pki.pair(host: host)
        try pair.shakeHands()
        #expect(pair.client.isHandshakeComplete)
        let isAddress = host.contains(":") || host.first == "1"
        #expect((pair.server.connectionInfo?.serverName == nil) == isAddress)
    }

    @Test("the common name is no host name")
    func commonName() throws {
        let identity = try pki.authority.issue(names: [], commonName: "mail.example.test")
        let failure = try #require(clientFailure(pki.pair(server: { $0.identity = identity })))
        #expect(failure.kind == .wrongHost(expected: "mail.example.test", presented: []))
    }

    @Test("the configured host name replaces the one connected to")
    func hostName() throws {
        var pair = try pki.pair(host: "10.0.0.1", client: { $0.hostName = "mail.example.test" })
        try pair.shakeHands()
        #expect(pair.server.connectionInfo?.serverName == "mail.example.test")
    }

    @Test("a client's certificate does not make a server")
    func purpose() throws {
        let identity = try pki.authority.issue(names: ["mail.example.test"], purpose: .client)
        let failure = try #require(clientFailure(pki.pair(server: { $0.identity = identity })))
        guard case .badCertificate = failure.kind else {
            Issue.record("\(failure)")
            return
        }
    }

    @Test("a revoked certificate is refused, and others of the issuer are not")
    func revoked() throws {
        let revoked = try pki.authority.issue(names: ["mail.example.test"])
        let list = try pki.authority.revocationListPEM(revoking: [revoked])
        let failure = try #require(
            clientFailure(
                pki.pair(
                    client: { $0.trust = $0.trust.checking(revocationListsPEM: list) },
                    server: { $0.identity = revoked })))
        #expect(failure.kind == .revoked(subject: "CN=mail.example.test"))
        var good = try pki.pair(client: {
            $0.trust = $0.trust.checking(revocationListsPEM: list)
        })
        try good.shakeHands()
        #expect(good.client.isHandshakeComplete)
    }

    @Test("a server of the past is too old", arguments: [TLSVersion.tls10, .tls11])
    func oldServer(version: TLSVersion) throws {
        let pair = try pki.pair(server: {
            $0.minimumVersion = .tls10
            $0.maximumVersion = version
        })
        let failure = try #require(clientFailure(pair))
        #expect(failure.kind == .tooOldProtocol(peer: nil))
        #expect(failure.recovery == .giveUp)
    }

    @Test(
        "a server of the past that answers with its own version is told by it",
        arguments: [TLSVersion.tls10, .tls11])
    func oldHello(version: TLSVersion) throws {
        let low = UInt8(version.rawValue & 0xFF)
        let hello = [2, 0, 0, 38, 3, low] + [UInt8](repeating: 9, count: 32) + [0, 0xC0, 0x14, 0]
        let engine = try pki.pair().client
        try engine.start()
        var plaintext: [UInt8] = []
        let failure = #expect(throws: TLSFailure.self) {
            try engine.receive([22, 3, low, 0, UInt8(hello.count)] + hello, into: &plaintext)
        }
        #expect(failure?.kind == .tooOldProtocol(peer: version))
        #expect(failure?.description.contains("\(version)") == true)
    }

    @Test("a server of the past is spoken to where that is asked for")
    func oldServerAllowed() throws {
        var pair = try pki.pair(
            client: { $0.minimumVersion = .tls11 },
            server: {
                $0.minimumVersion = .tls10
                $0.maximumVersion = .tls11
            })
        try pair.shakeHands()
        #expect(pair.client.connectionInfo?.version == .tls11)
    }

    @Test("both sides tell when there is no version in common")
    func noCommonVersion() throws {
        func pair() throws -> EnginePair {
            try pki.pair(
                client: { $0.minimumVersion = .tls13 }, server: { $0.maximumVersion = .tls12 })
        }
        #expect(try clientFailure(pair())?.kind == .tooOldProtocol(peer: nil))
        #expect(try serverFailure(pair())?.kind == .tooOldProtocol(peer: nil))
    }

    @Test("the server tells that the client does not trust it", arguments: versions)
    func serverRefused(version: TLSVersion) throws {
        let pair = try pki.pair(
            client: { $0.trust = .system }, server: { $0.maximumVersion = version })
        let failure = try #require(serverFailure(pair))
        #expect(failure.kind == .serverCertificateRefused(TLSAlert(rawValue: 48)))
        #expect("\(failure)".contains("unknown_ca"))
    }

    @Test("the sentences are different and say something")
    func sentences() throws {
        let time = TLSTime(secondsSinceEpoch: 0)
        let kinds: [TLSFailure.Kind] = [
            .selfSigned(subject: "CN=a"), .untrustedIssuer(issuer: "CN=a"),
            .expired(subject: "CN=a", notAfter: time),
            .notYetValid(subject: "CN=a", notBefore: time),
            .wrongHost(expected: "a", presented: ["b"]), .revoked(subject: "CN=a"),
            .badCertificate("weak"), .pinMismatch(presented: []), .tooOldProtocol(peer: .tls11),
            .tooOldProtocol(peer: nil), .notTLS(firstOctets: []), .clientCertificateRequired,
            .clientCertificateRefused(.handshakeFailure),
            .serverCertificateRefused(.handshakeFailure), .handshakeFailed(nil),
            .closedDuringHandshake, .truncated, .protocolViolation(nil),
            .invalidConfiguration("x"), .notOpen,
        ]
        let sentences = kinds.map { "\(TLSFailure($0))" }
        #expect(Set(sentences).count == kinds.count)
        for sentence in sentences {
            #expect(sentence.hasSuffix("."))
            #expect(sentence.count > 30)
        }
    }
}
