import CMartletOpenSSL
import MartletCrypto
import MartletBytes
import MartletTestSupport
import Testing

@testable import MartletTransport

@Suite("TLS configuration")
struct TLSConfigurationTests {
    let pki: TestPKI

    init() throws { pki = try TestPKI.shared.get() }

    private func problem(_ body: () throws -> Void) -> String? {
        do { try body() } catch let failure as TLSFailure {
            guard case .invalidConfiguration(let problem) = failure.kind else { return nil }
            #expect(failure.recovery == .fixInput)
            return problem
        } catch {}
        return nil
    }

    private func client(_ change: (inout TLSConfiguration) throws -> Void) throws {
        var configuration = pki.clientConfiguration
        try change(&configuration)
        _ = try OpenSSLContext(client: configuration)
    }

    @Test("names the file that cannot be read")
    func missingFile() throws {
        let path = "/nonexistent/ca.pem"
        #expect(
            problem { try client { $0.trust = .certificateAuthorities(file: path) } }
                == "cannot read \(path)")
        let identity = TLSIdentity(certificateChainFile: path, privateKeyFile: path)
        #expect(problem { try client { $0.identity = identity } } == "cannot read \(path)")
        #expect(
            problem { _ = try OpenSSLContext(server: .init(identity: identity)) }
                == "cannot read \(path)")
        #expect(
            problem { try client { $0.trust = .certificateAuthorities(file: "/dev/null") } }
                == "there is no certificate in /dev/null")
        #expect(
            problem { try client { $0.trust = .certificateAuthorities(file: "/dev/zero") } }
                == "/dev/zero is larger than \(PEM.maximumOctets) octets")
    }

    @Test("refuses authorities that are none, or damaged")
    func damaged() throws {
        for octets in [[], Array("hello".utf8), [0, 1, 2]] as [[UInt8]] {
            #expect(
                problem { try client { $0.trust = .certificateAuthorities(pem: octets) } }
                    == "there is no certificate in the PEM octets given")
        }
        var half = pki.authority.certificatePEM
        half[half.count / 2] = UInt8(ascii: "!")
        for octets in [half, pki.authority.certificatePEM + half] {
            #expect(
                problem { try client { $0.trust = .certificateAuthorities(pem: octets) } }
                    == "a certificate in the PEM octets given is damaged")
        }
    }

    @Test("refuses a key that is missing, damaged or another's")
    func key() throws {
        let chain = try PEM.octets(of: pki.identity.chain)
        let other = try pki.authority.issue(names: ["a"])
        let cases: [(TLSIdentity.Key, String)] = [
            (.octets(Secret("")), "there is no private key in the PEM octets given"),
            (.octets(Secret("junk")), "there is no private key in the PEM octets given"),
            (other.key, "the private key in the PEM octets given does not belong to "),
        ]
        for (key, expected) in cases {
            guard case .octets(let octets) = key else { continue }
            let identity = TLSIdentity(certificateChain: chain, privateKey: octets)
            let found = problem { try client { $0.identity = identity } }
            #expect(found?.hasPrefix(expected) == true, "\(found ?? "nothing")")
        }
    }

    @Test("opens an encrypted key with its passphrase only, and never asks at the terminal")
    func passphrase() throws {
        guard case .octets(let plain) = pki.identity.key else { return }
        let key = try PrivateKey(pem: plain, passphrase: nil, named: "")
        let word = Array("correct horse".utf8)
        let encrypted = try #require(
            OpenSSL.octets { bio in
                key.withPointer {
                    PEM_write_bio_PKCS8PrivateKey(
                        bio, $0, EVP_aes_128_cbc(), word.map { CChar($0) }, Int32(word.count),
                        nil, nil) == 1
                }
            })
        let chain = try PEM.octets(of: pki.identity.chain)
        func use(_ passphrase: Secret?) throws {
            let identity = TLSIdentity(
                certificateChain: chain, privateKey: Secret(octets: encrypted),
                passphrase: passphrase)
            _ = try OpenSSLContext(server: .init(identity: identity))
        }
        try use(Secret("correct horse"))
        #expect(
            problem { try use(nil) }
                == "the private key in the PEM octets given needs its passphrase")
        for wrong in ["", "wrong", String(repeating: "x", count: 5000)] {
            #expect(
                problem { try use(Secret(wrong)) }
                    == "the passphrase does not open the private key in the PEM octets given")
        }
    }

    @Test(
        "refuses a host that is no host name",
        arguments: ["", ".", "[]", "b\u{FC}cher.example", "a b", "a\r\nb", "a\0b"])
    func host(name: String) throws {
        let context = try OpenSSLContext(client: pki.clientConfiguration)
        #expect(problem { _ = try OpenSSLEngine(client: context, host: name, port: 1) } != nil)
        let long = String(repeating: "a", count: 300)
        #expect(problem { _ = try OpenSSLEngine(client: context, host: long, port: 1) } != nil)
    }

    @Test("refuses the other role's context and versions that do not exist")
    func roles() throws {
        let client = try OpenSSLContext(client: pki.clientConfiguration)
        let server = try OpenSSLContext(server: pki.serverConfiguration)
        #expect(problem { _ = try OpenSSLEngine(server: client) } != nil)
        #expect(problem { _ = try OpenSSLEngine(client: server, host: "a", port: 1) } != nil)
        #expect(
            problem { try self.client { $0.minimumVersion = TLSVersion(rawValue: 0x0909) } } != nil)
    }

    @Test(
        "a certificate cannot be issued for something that is no name",
        arguments: ["", "a,DNS:b", "a b", "\u{FC}", "1:2:3", "a\nb"])
    func names(name: String) throws {
        #expect(problem { _ = try pki.authority.issue(names: [name]) } != nil)
    }

    @Test("the system's certificates vouch for one of the system's authorities")
    func system() throws {
        let bundle = "/etc/ssl/certs/ca-certificates.crt"
        guard let octets = try? PEM.octets(of: .file(bundle)) else {
            print("skipped: no \(bundle) on this machine")
            return
        }
        var configuration = TLSConfiguration()
        func vouches() throws -> Bool {
            let context = try OpenSSLContext(client: configuration)
            let root = try Certificate(pem: octets)
            let check = X509_STORE_CTX_new()
            defer { X509_STORE_CTX_free(check) }
            return withExtendedLifetime(context) {
                root.withPointer {
                    X509_STORE_CTX_init(check, SSL_CTX_get_cert_store(context.pointer), $0, nil)
                    context.prepareTrust(for: check!)
                    return X509_verify_cert(check) == 1
                }
            }
        }
        #expect(try vouches())
        configuration.trust = .certificateAuthorities(pem: pki.authority.certificatePEM)
        #expect(try !vouches())
    }

    @Test(
        "moments read as dates",
        arguments: [
            (0, "1970-01-01 00:00:00 UTC"), (-1, "1969-12-31 23:59:59 UTC"),
            (951_782_400, "2000-02-29 00:00:00 UTC"), (1_796_029_445, "2026-11-30 09:04:05 UTC"),
            (4_107_542_399, "2100-02-28 23:59:59 UTC"), (4_107_542_400, "2100-03-01 00:00:00 UTC"),
            (253_402_300_799, "9999-12-31 23:59:59 UTC"),
        ] as [(Int64, String)])
    func dates(seconds: Int64, text: String) {
        #expect(TLSTime(secondsSinceEpoch: seconds).description == text)
    }
}
