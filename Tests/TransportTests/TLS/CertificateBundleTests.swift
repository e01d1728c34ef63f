import CMartletOpenSSL
import MartletCrypto
import MartletTestSupport
import Testing

@testable import MartletTransport

@Suite("A bundle of trusted certificates")
struct CertificateBundleTests {
    let pki: TestPKI
    /// More than are parsed at once.
    let others: [UInt8]

    init() throws {
        pki = try TestPKI.shared.get()
        others = try Self.others.get()
    }

    private static let others = Result {
        var pem: [UInt8] = []
        while pem.count <= CertificateBundle.threshold {
            pem += try CertificateAuthority(commonName: "Authority \(pem.count)").certificatePEM
        }
        return pem
    }

    private func storeCount(_ context: OpenSSLContext) -> Int {
        withExtendedLifetime(context) {
            let all = X509_STORE_get1_all_certs(SSL_CTX_get_cert_store(context.pointer))
            defer { martlet_chain_free(all) }
            return Int(martlet_chain_count(all))
        }
    }

    @Test("gives the one certificate that a chain needs, and parses no other")
    func lazy() throws {
        var configuration = pki.clientConfiguration
        configuration.trust = .certificateAuthorities(
            pem: others + pki.authority.certificatePEM + others)
        let client = try OpenSSLContext(client: configuration)
        #expect(storeCount(client) == 0)
        for _ in 0..<2 {
            var pair = try EnginePair(
                client: client, server: OpenSSLContext(server: pki.serverConfiguration))
            try pair.shakeHands()
            #expect(pair.client.isHandshakeComplete)
            #expect(storeCount(client) == 1)
        }
    }

    @Test("gives everything when no name matches octet for octet, and still refuses strangers")
    func fallback() throws {
        var configuration = pki.clientConfiguration
        configuration.trust = .certificateAuthorities(pem: others)
        let client = try OpenSSLContext(client: configuration)
        var pair = try EnginePair(
            client: client, server: OpenSSLContext(server: pki.serverConfiguration))
        let failure = #expect(throws: TLSFailure.self) { try pair.shakeHands() }
        #expect(failure?.kind == .untrustedIssuer(issuer: "CN=Test CA"))
        #expect(storeCount(client) > 20)
    }

    @Test("trusts a server's own certificate too")
    func ownCertificate() throws {
        let identity = try CertificateAuthority.selfSignedIdentity(names: ["mail.example.test"])
        var pair = try pki.pair(
            client: {
                $0.trust = .certificateAuthorities(
                    pem: try PEM.octets(of: identity.chain) + others)
            }, server: { $0.identity = identity })
        try pair.shakeHands()
        #expect(pair.client.isHandshakeComplete)
    }

    @Test("is only made of plain certificates")
    func plain() throws {
        let pem = pki.authority.certificatePEM
        #expect(CertificateBundle(pem: pem) != nil)
        #expect(CertificateBundle(pem: []) == nil)
        let list = try pki.authority.revocationListPEM(revoking: [])
        #expect(CertificateBundle(pem: pem + list) == nil)
        let trusted = String(decoding: pem, as: UTF8.self)
            .replacing(" CERTIFICATE", with: " TRUSTED CERTIFICATE")
        #expect(CertificateBundle(pem: Array(trusted.utf8)) == nil)
        var damaged = others + pem
        damaged[damaged.count - 100] = UInt8(ascii: "!")
        #expect(CertificateBundle(pem: damaged) == nil)
        var configuration = TLSConfiguration()
        configuration.trust = .certificateAuthorities(pem: damaged)
        #expect(throws: TLSFailure.self) { try OpenSSLContext(client: configuration) }
    }

    @Test("finds the subject where OpenSSL finds it, and never reads beyond the octets")
    func subject() throws {
        let identity = try pki.authority.issue(names: ["a.example.test"])
        let der = try #require(TLSCertificate(pem: PEM.octets(of: identity.chain))).der
        let range = try #require(CertificateBundle.subject(of: der))
        let expected = try Certificate(pem: PEM.octets(of: identity.chain)).withPointer {
            var octets: UnsafePointer<UInt8>?
            var count = 0
            X509_NAME_get0_der(X509_get_subject_name($0), &octets, &count)
            return [UInt8](UnsafeBufferPointer(start: octets, count: count))
        }
        #expect(Array(der[range]) == expected)
        for cut in 0..<der.count {
            let found = CertificateBundle.subject(of: Array(der[..<cut]))
            #expect(found == nil)
        }
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<5000 {
            var changed = der
            for _ in 0..<3 {
                changed[Int.random(in: 0..<200, using: &generator)] = UInt8.random(
                    in: 0...255, using: &generator)
            }
            if let found = CertificateBundle.subject(of: changed) {
                #expect(found.upperBound <= changed.count)
            }
        }
    }
}
