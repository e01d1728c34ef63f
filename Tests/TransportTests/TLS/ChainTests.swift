import CMartletOpenSSL
import MartletBytes
import MartletTestSupport
import Testing

@testable import MartletTransport

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

@Suite("A chain with an intermediate authority")
struct ChainTests {
    let pki: TestPKI
    let root: [UInt8]
    let intermediate: [UInt8]
    let leaf: [UInt8]
    let key: Secret

    init() throws {
        pki = try TestPKI.shared.get()
        let authority: [(nid: Int32, text: String)] = [
            (NID_basic_constraints, "critical,CA:TRUE"),
            (NID_key_usage, "critical,keyCertSign,cRLSign"),
        ]
        func draft(_ name: String) -> CertificateDraft {
            CertificateDraft(commonName: name, validity: -60...3600, extensions: authority)
        }
        /// `issuer` is PEM; `nil` signs itself.
        func sign(
            _ draft: CertificateDraft, for key: borrowing PrivateKey,
            by signer: borrowing PrivateKey, issuer: [UInt8]?
        ) throws -> [UInt8] {
            try key.withPointer { key in
                try signer.withPointer { signer in
                    guard let issuer else {
                        return try draft.signed(for: key, by: signer, issuer: nil)
                    }
                    return try Certificate(pem: issuer).withPointer {
                        try draft.signed(for: key, by: signer, issuer: $0)
                    }
                }
            }
        }
        let rootKey = try PrivateKey()
        let intermediateKey = try PrivateKey()
        let leafKey = try PrivateKey()
        root = try sign(draft("Root"), for: rootKey, by: rootKey, issuer: nil)
        intermediate = try sign(
            draft("Intermediate"), for: intermediateKey, by: rootKey, issuer: root)
        let server = CertificateDraft(
            commonName: "leaf", validity: -60...3600,
            extensions: [(NID_subject_alt_name, "DNS:mail.example.test")])
        leaf = try sign(server, for: leafKey, by: intermediateKey, issuer: intermediate)
        key = try leafKey.pem()
    }

    private func connect(
        trusting authorities: [UInt8], identity: TLSIdentity
    ) throws -> TLSConnectionInfo? {
        var pair = try pki.pair(
            client: { $0.trust = .certificateAuthorities(pem: authorities) },
            server: { $0.identity = identity })
        try pair.shakeHands()
        return pair.client.connectionInfo
    }

    @Test("is good when the server sends it, and shown in order")
    func whole() throws {
        let identity = TLSIdentity(certificateChain: leaf + intermediate, privateKey: key)
        let info = try connect(trusting: root, identity: identity)
        #expect(info?.peerCertificates.map(\.subject) == ["CN=leaf", "CN=Intermediate"])
        #expect(info?.peerCertificates.map(\.issuer) == ["CN=Intermediate", "CN=Root"])
    }

    @Test("is named when the server leaves the intermediate out")
    func leftOut() throws {
        let identity = TLSIdentity(certificateChain: leaf, privateKey: key)
        let failure = #expect(throws: TLSFailure.self) {
            try connect(trusting: root, identity: identity)
        }
        #expect(failure?.kind == .untrustedIssuer(issuer: "CN=Intermediate"))
    }

    @Test("may end in a trusted intermediate")
    func partial() throws {
        let identity = TLSIdentity(certificateChain: leaf, privateKey: key)
        #expect(try connect(trusting: intermediate, identity: identity) != nil)
    }

    @Test("is read from files, both in one too")
    func files() throws {
        func write(_ octets: [UInt8]) throws -> String {
            var template = Array("/tmp/martlet-chain-XXXXXX".utf8CString)
            let descriptor = mkstemp(&template)
            try #require(descriptor >= 0)
            defer { close(descriptor) }
            try #require(writeAll(descriptor, octets) == octets.count)
            return String(
                decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
        let keyOctets = key.withOctets { [UInt8]($0) }
        let authorities = try write(root)
        let chain = try write(leaf + intermediate)
        let keyFile = try write(keyOctets)
        let both = try write(leaf + intermediate + keyOctets)
        defer { for path in [authorities, chain, keyFile, both] { unlink(path) } }
        for (chain, key) in [(chain, keyFile), (both, both)] {
            let identity = TLSIdentity(certificateChainFile: chain, privateKeyFile: key)
            var pair = try pki.pair(
                client: { $0.trust = .certificateAuthorities(file: authorities) },
                server: { $0.identity = identity })
            try pair.shakeHands()
            #expect(pair.client.connectionInfo?.peerCertificates.count == 2)
        }
    }
}

private func writeAll(_ descriptor: Int32, _ octets: [UInt8]) -> Int {
    write(descriptor, octets, octets.count)
}
