import MartletBytes
import MartletTestSupport

@testable import MartletTransport

/// Two engines wired back to back, without a socket.
struct EnginePair {
    let client: OpenSSLEngine
    let server: OpenSSLEngine
    var clientPlaintext: [UInt8] = []
    var serverPlaintext: [UInt8] = []

    init(client: OpenSSLEngine, server: OpenSSLEngine) {
        self.client = client
        self.server = server
    }

    init(
        client: OpenSSLContext, server: OpenSSLContext, host: String = "mail.example.test"
    ) throws {
        self.client = try OpenSSLEngine(client: client, host: host, port: 465)
        self.server = try OpenSSLEngine(server: server)
    }

    /// Carries everything that waits, in chunks, until nothing does.
    mutating func carry(chunk: Int = .max) throws {
        while client.pendingCiphertextCount + server.pendingCiphertextCount > 0 {
            let toServer = client.takeCiphertext(atMost: chunk)
            try server.receive(toServer, into: &serverPlaintext)
            let toClient = server.takeCiphertext(atMost: chunk)
            try client.receive(toClient, into: &clientPlaintext)
        }
    }

    /// Starts both and carries the handshake.
    mutating func shakeHands(chunk: Int = .max) throws {
        try server.start()
        try client.start()
        try carry(chunk: chunk)
    }
}

/// An authority and the contexts of a client and a server that trust it, made once: keys are slow.
struct TestPKI {
    static let shared = Result { try TestPKI() }

    let authority: CertificateAuthority
    let identity: TLSIdentity

    init() throws {
        authority = try CertificateAuthority(commonName: "Test CA")
        identity = try authority.issue(
            names: ["mail.example.test", "*.wild.example.test", "127.0.0.1", "::1"])
    }

    var clientConfiguration: TLSConfiguration {
        var configuration = TLSConfiguration()
        configuration.trust = .certificateAuthorities(pem: authority.certificatePEM)
        configuration.sessionCache = nil
        return configuration
    }

    var serverConfiguration: TLSServerConfiguration { TLSServerConfiguration(identity: identity) }

    func pair(
        host: String = "mail.example.test",
        client change: (inout TLSConfiguration) throws -> Void = { _ in },
        server changeServer: (inout TLSServerConfiguration) throws -> Void = { _ in }
    ) throws -> EnginePair {
        var client = clientConfiguration
        try change(&client)
        var server = serverConfiguration
        try changeServer(&server)
        return try EnginePair(
            client: OpenSSLContext(client: client), server: OpenSSLContext(server: server),
            host: host)
    }
}
