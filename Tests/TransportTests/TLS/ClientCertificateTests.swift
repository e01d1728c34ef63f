import MartletBytes
import MartletTestSupport
import Testing

@testable import MartletTransport

@Suite("TLS client certificates")
struct ClientCertificateTests {
    let pki: TestPKI
    let trust: TLSTrust

    init() throws {
        pki = try TestPKI.shared.get()
        trust = .certificateAuthorities(pem: pki.authority.certificatePEM)
    }

    private static let versions = [TLSVersion.tls12, .tls13]

    private func pair(
        _ version: TLSVersion, _ verification: TLSServerConfiguration.ClientVerification,
        _ identity: TLSIdentity?
    ) throws -> EnginePair {
        try pki.pair(
            client: { $0.identity = identity },
            server: {
                $0.maximumVersion = version
                $0.clientVerification = verification
            })
    }

    /// What either side throws, the client's failure read after the server's.
    private func failures(_ pair: EnginePair) -> (client: TLSFailure?, server: TLSFailure?) {
        var result: (client: TLSFailure?, server: TLSFailure?)
        var rest: [UInt8] = []
        for _ in 0..<8 {
            do throws(TLSFailure) {
                try pair.client.start()
                try pair.client.receive(pair.server.takeCiphertext(), into: &rest)
            } catch { result.client = error }
            do throws(TLSFailure) {
                try pair.server.receive(pair.client.takeCiphertext(), into: &rest)
            } catch { result.server = error }
        }
        return result
    }

    @Test("are shown when asked for", arguments: versions)
    func shown(version: TLSVersion) throws {
        let identity = try pki.authority.issue(names: [], commonName: "alice", purpose: .client)
        for verification in [
            TLSServerConfiguration.ClientVerification.required(trust), .optional(trust),
        ] {
            var pair = try pair(version, verification, identity)
            try pair.shakeHands()
            #expect(
                pair.server.connectionInfo?.peerCertificates.map(\.subject) == ["CN=alice"])
        }
        var unasked = try self.pair(version, .none, identity)
        try unasked.shakeHands()
        #expect(unasked.server.connectionInfo?.peerCertificates.isEmpty == true)
    }

    @Test("may be absent where they are optional", arguments: versions)
    func optional(version: TLSVersion) throws {
        var pair = try pair(version, .optional(trust), nil)
        try pair.shakeHands()
        #expect(pair.server.isHandshakeComplete)
    }

    @Test("that are missing are asked for in words, on both sides", arguments: versions)
    func missing(version: TLSVersion) throws {
        let failures = try failures(pair(version, .required(trust), nil))
        #expect(failures.client?.kind == .clientCertificateRequired)
        #expect(failures.server?.kind == .clientCertificateRequired)
        #expect(failures.client?.recovery == .fixInput)
    }

    @Test("that the server does not trust are refused, on both sides", arguments: versions)
    func refused(version: TLSVersion) throws {
        let other = try CertificateAuthority(commonName: "Other")
        let identity = try other.issue(names: [], commonName: "mallory", purpose: .client)
        let failures = try failures(pair(version, .required(trust), identity))
        #expect(failures.client?.kind == .clientCertificateRefused(TLSAlert(rawValue: 48)))
        #expect(failures.server?.kind == .untrustedIssuer(issuer: "CN=Other"))
    }

    @Test("of a server do not make a client", arguments: versions)
    func purpose(version: TLSVersion) throws {
        let failures = try failures(pair(version, .required(trust), pki.identity))
        guard case .clientCertificateRefused = failures.client?.kind,
            case .badCertificate = failures.server?.kind
        else {
            Issue.record("\(failures)")
            return
        }
    }
}
