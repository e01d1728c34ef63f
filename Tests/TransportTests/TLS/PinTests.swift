import MartletTestSupport
import Testing

@testable import MartletTransport
import MartletCrypto

@Suite("Public key pins")
struct PinTests {
    let pki: TestPKI
    let own: PublicKeyPin
    let authority: PublicKeyPin

    init() throws {
        pki = try TestPKI.shared.get()
        own = try #require(
            TLSCertificate(pem: PEM.octets(of: pki.identity.chain))?
                .publicKeyPin)
        authority = try #require(
            TLSCertificate(pem: pki.authority.certificatePEM)?.publicKeyPin)
    }

    private func result(_ change: (inout TLSConfiguration) -> Void) throws -> TLSFailure.Kind? {
        var pair = try pki.pair(client: change)
        do {
            try pair.shakeHands()
        } catch let failure as TLSFailure {
            return failure.kind
        }
        return nil
    }

    @Test("of the server or of its authority let it pass")
    func match() throws {
        #expect(try result { $0.pins = [own] } == nil)
        #expect(try result { $0.pins = [authority] } == nil)
        let unrelated = try #require(PublicKeyPin(sha256: [UInt8](repeating: 1, count: 32)))
        #expect(try result { $0.pins = [unrelated, own] } == nil)
    }

    @Test("of others refuse it, and its own are named")
    func mismatch() throws {
        let unrelated = try #require(PublicKeyPin(sha256: [UInt8](repeating: 1, count: 32)))
        #expect(
            try result { $0.pins = [unrelated] } == .pinMismatch(presented: [own, authority]))
    }

    @Test("come on top of the other checks")
    func both() throws {
        var pair = try pki.pair(host: "other.example.test", client: { $0.pins = [own] })
        #expect(throws: TLSFailure.self) { try pair.shakeHands() }
    }

    @Test("without verification only the server's own key counts")
    func unverified() throws {
        #expect(
            try result {
                $0.trust = .system
                $0.verification = .dangerouslyUnverified
            } == nil)
        #expect(
            try result {
                $0.verification = .dangerouslyUnverified
                $0.pins = [own]
            } == nil)
        #expect(
            try result {
                $0.verification = .dangerouslyUnverified
                $0.pins = [authority]
            } == .pinMismatch(presented: [own]))
    }

    @Test("are read from hexadecimal digits and written back")
    func text() throws {
        #expect(PublicKeyPin(own.description) == own)
        #expect(PublicKeyPin(String(own.description.dropFirst(7)).uppercased()) == own)
        let octets = String(repeating: "ab:", count: 32).dropLast()
        #expect(PublicKeyPin(String(octets))?.sha256 == [UInt8](repeating: 0xAB, count: 32))
        for text in ["", "sha256:", "ab", own.description + "0", own.description + "00", "zz"] {
            #expect(PublicKeyPin(text) == nil, "\(text)")
        }
        #expect(PublicKeyPin(sha256: [1]) == nil)
    }

    @Test("agree with the digest of the key as OpenSSL's own tool gives it")
    func knownCertificate() throws {
        let parsed = try #require(TLSCertificate(pem: Array(Self.knownPEM.utf8)))
        #expect(parsed.publicKeyPin.description == Self.knownPin)
        #expect(parsed.subject == "CN=known.example.test,O=Known")
        #expect(parsed.names == ["known.example.test", "192.0.2.1", "2001:db8::1"])
        #expect(parsed.notBefore.description == "2026-11-30 03:43:24 UTC")
        #expect(parsed.notAfter.description == "2126-11-06 03:43:24 UTC")
        #expect(TLSCertificate(der: parsed.der) == parsed)
        #expect(TLSCertificate(der: Array(parsed.der.dropLast())) == nil)
        #expect(TLSCertificate(der: []) == nil)
    }

    private static let knownPin =
        "sha256:e9874c12ddbc8e73613d11856a616ecd6ae0b82baf6aedd1f68778edb7847c23"
    private static let knownPEM = """
        -----BEGIN CERTIFICATE-----
        MIIB7zCCAZWgAwIBAgIUfwsLiUEIv7Bnfgm/R+v8SGLnSrYwCgYIKoZIzj0EAwIw
        LTEOMAwGA1UECgwFS25vd24xGzAZBgNVBAMMEmtub3duLmV4YW1wbGUudGVzdDAg
        Fw0yNjExMzAwMzQzMjRaGA8yMTI2MTEwNjAzNDMyNFowLTEOMAwGA1UECgwFS25v
        d24xGzAZBgNVBAMMEmtub3duLmV4YW1wbGUudGVzdDBZMBMGByqGSM49AgEGCCqG
        SM49AwEHA0IABPsvNKAAUXi+EZtACGDxkOD/WV6NRfBmYcXsHPC/D1Ao9kbha9/K
        1RapokgOGi/tRiq6F10DntfYbS2dFTFQHtKjgZAwgY0wHQYDVR0OBBYEFOzLrSXx
        Q1bmqIYGkWcHhQKM5gntMB8GA1UdIwQYMBaAFOzLrSXxQ1bmqIYGkWcHhQKM5gnt
        MA8GA1UdEwEB/wQFMAMBAf8wOgYDVR0RBDMwMYISa25vd24uZXhhbXBsZS50ZXN0
        hwTAAAIBhxAgAQ24AAAAAAAAAAAAAAABgQNhQGIwCgYIKoZIzj0EAwIDSAAwRQIg
        UrWACbGS4WOn+9Ou3J5iuJA6dwAbYI/JiiCnpto+IjMCIQC4SJMpQtSE39+K5+Lc
        TM/4/BU2+9Aa/YK44FBNPibvfA==
        -----END CERTIFICATE-----
        """
}
