import Foundation
import MartletBytes
import MartletMIME
import MartletTestSupport
import Testing

@testable import MartletSignatures

private let openssl = Subprocess.program(
    "/usr/bin/openssl", "/usr/local/bin/openssl", "/opt/homebrew/bin/openssl")

/// The program `openssl` as a second opinion: its own reading and writing of messages around the same library.
@Suite("openssl cms", .enabled(if: openssl != nil, "the program openssl is not on this machine"))
struct OpenSSLComparisonTests {
    private let people: [(address: String, certificate: [UInt8], key: Secret)]

    init() throws {
        people = try [("jane@example.org", .ellipticCurve), ("max@example.com", .rsa)].map {
            address, kind in
            let files = try People.authority.files(address, kind: kind)
            return (address, files.certificate, files.key)
        }
    }

    private static let content = crlf("Content-Type: text/plain\n\nHello  there,\n\n.\nbye \n")

    private static func message(from address: String) -> [UInt8] {
        Array("From: \(address)\r\nTo: b@example.com\r\nSubject: Hi\r\n".utf8) + content
    }

    /// Runs `openssl` in a folder that has the files and gives `out`.
    private func run(
        _ arguments: String..., files: [String: [UInt8]]
    ) async throws -> (status: Int32, output: [UInt8], errors: String) {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        for (name, octets) in files {
            try Data(octets).write(to: URL(fileURLWithPath: folder.path + "/" + name))
        }
        let arguments = arguments.map {
            $0.hasPrefix("@") ? folder.path + "/" + $0.dropFirst() : $0
        }
        let result = try await Subprocess.run(openssl!, arguments)
        let output = try? Data(contentsOf: URL(fileURLWithPath: folder.path + "/out"))
        return (result.status, output.map { [UInt8]($0) } ?? [], result.errors)
    }

    private func pem(_ key: Secret) -> [UInt8] { key.withOctets { [UInt8]($0) } }

    @Test("verifies what we sign", arguments: [SMIMESigner.Form.detached, .opaque])
    func verifies(form: SMIMESigner.Form) async throws {
        for person in people {
            let identity = try SMIMEIdentity(certificates: person.certificate, key: person.key)
            let signed = try SMIMESigner(identity, form: form).sign(
                Self.message(from: person.address))
            let result = try await run(
                "cms", "-verify", "-in", "@in", "-CAfile", "@ca", "-out", "@out",
                files: ["in": signed, "ca": People.authority.certificatePEM])
            #expect(result.status == 0, "\(result.errors)")
            #expect(result.output == Self.content)
        }
    }

    @Test("signs what we verify", arguments: ["", "-nodetach"])
    func signs(option: String) async throws {
        for person in people {
            let result = try await run(
                "cms", "-sign", "-in", "@in", "-signer", "@certificate", "-inkey", "@key", "-out",
                "@out", "-from",
                person.address, "-subject", "Hi", option.isEmpty ? "-binary" : option, "-binary",
                files: [
                    "in": Self.content, "certificate": person.certificate, "key": pem(person.key),
                ])
            try #require(result.status == 0, "\(result.errors)")
            let message = Message(parsing: result.output)
            let verification = try People.verifier.verify(message.root)
            #expect(verification.isValid && verification.signers.map(\.matchesFrom) == [true])
            let octets = verification.content.octets
            #expect(octets[0..<octets.count] == Self.content)
        }
    }

    @Test("decrypts what we encrypt", arguments: [SMIMEEncryptor.Cipher.aes256GCM, .aes256CBC])
    func decrypts(cipher: SMIMEEncryptor.Cipher) async throws {
        let recipients = try people.map {
            try SMIMECertificate.certificates(pem: $0.certificate)[0]
        }
        let encrypted = try SMIMEEncryptor(for: recipients, cipher: cipher).encrypt(
            Self.message(from: "a@example.org"))
        for person in people {
            let result = try await run(
                "cms", "-decrypt", "-in", "@in", "-recip", "@certificate", "-inkey", "@key", "-out",
                "@out",
                files: ["in": encrypted, "certificate": person.certificate, "key": pem(person.key)])
            #expect(result.status == 0, "\(result.errors)")
            #expect(result.output == Self.content)
        }
    }

    @Test("encrypts what we decrypt", arguments: ["-aes256", "-aes-256-gcm", "-des3"])
    func encrypts(cipher: String) async throws {
        let files = [
            "in": Self.content, "one": people[0].certificate, "two": people[1].certificate,
        ]
        let result = try await run(
            "cms", "-encrypt", cipher, "-stream", "-in", "@in", "-binary", "-out", "@out", "@one",
            "@two",
            files: files)
        try #require(result.status == 0, "\(result.errors)")
        let message = Message(parsing: result.output)
        for person in people {
            let identity = try SMIMEIdentity(certificates: person.certificate, key: person.key)
            let decrypted = try SMIMEDecryptor([identity]).decrypt(message.root)
            #expect(decrypted.content.octets[0..<10_000] == Self.content)
            #expect(decrypted.isAuthenticated == (cipher == "-aes-256-gcm"))
        }
    }

    @Test("packs identities as PKCS #12 that we read")
    func pkcs12() async throws {
        let person = people[1]
        let result = try await run(
            "pkcs12", "-export", "-in", "@certificate", "-inkey", "@key", "-certfile", "@ca",
            "-passout", "pass:secret",
            "-out", "@out",
            files: [
                "certificate": person.certificate, "key": pem(person.key),
                "ca": People.authority.certificatePEM,
            ])
        try #require(result.status == 0, "\(result.errors)")
        let identity = try SMIMEIdentity(pkcs12: result.output, password: Secret("secret"))
        #expect(identity.certificate.emailAddresses == [person.address])
        #expect(identity.chain == [People.authority.certificate])
        let signed = try SMIMESigner(identity).sign(Self.message(from: person.address))
        #expect(try People.verifier.verify(Message(parsing: signed).root).isValid)
        #expect(throws: SignatureError.self) {
            try SMIMEIdentity(pkcs12: result.output, password: Secret("wrong"))
        }
    }
}
