import MartletBytes
import MartletSMTP
import MartletTestSupport
import Synchronization
import Testing

@testable import MartletTransport

extension RealServerClaim {
    static let certificates = [strangeAuthority, selfSigned, wrongHost, resumed]

    /// Tries to log in as somebody the server has never heard of, and shows that it does not hear of it now.
    private static func failure(
        at server: RunningServer, _ door: Door, _ change: (inout TLSConfiguration) -> Void
    ) async throws -> TLSFailure.Kind? {
        let lines = WireLines()
        let user = "unseen-\(Address.fresh("user"))"
        let asked = Atomic(0)
        var entrance = try server.entrance(door, log: lines.log())
        entrance.credentials = Credentials(user: user) {
            asked.add(1, ordering: .relaxed)
            return Secret("alicepw")
        }
        entrance.tls.sessionCache = nil
        change(&entrance.tls)
        let client = SMTPClient(entrance)
        let error = try await #require(throws: SMTPError.self) { try await client.connect() }
        #expect(error.stage == .tlsHandshake)
        #expect(error.recovery == .fixInput)
        entrance.log?.flush()
        #expect(lines.count(of: "C: EHLO") == (door == .implicitTLS ? 0 : 1))
        #expect(lines.count(of: "AUTH PLAIN") + lines.count(of: "C: AUTH") == 0)
        let count = asked.load(ordering: .relaxed)
        #expect(count == 0, "the password was asked for")
        #expect(!server.log.contains(user))
        guard case .tls(let failure) = (error.underlying as? TransportError)?.kind else {
            Issue.record("\(error.debugDescription)")
            return nil
        }
        return failure.kind
    }

    private static let strangeAuthority = RealServerClaim(
        "a certificate of an authority that is not trusted ends it before the login"
    ) { server in
        for door in [Door.submission, .implicitTLS] {
            let kind = try await failure(at: server, door) { $0.trust = .system }
            #expect(kind == .untrustedIssuer(issuer: "CN=Martlet test CA"))
        }
    }

    private static let selfSigned = RealServerClaim(
        "a certificate signed by itself ends it before the login"
    ) { server in
        let identity = try CertificateAuthority.selfSignedIdentity(
            names: ["localhost", "127.0.0.1"])
        guard case .octets(let chain) = identity.chain, case .octets(let key) = identity.key
        else {
            Issue.record("an identity in files")
            return
        }
        let certificates = RealServers.Certificates(
            authority: chain, chain: chain, key: key.withOctets { Array($0) })
        try await RealServers.withServer(server.kind, certificates: certificates) { server in
            for door in [Door.submission, .implicitTLS] {
                let kind = try await failure(at: server, door) { $0.trust = .system }
                guard case .selfSigned = kind else {
                    Issue.record("\(String(describing: kind))")
                    continue
                }
            }
            // Trusted by its file, it is good.
            let recipient = Address.fresh("own")
            let message = try compose("trusted", to: [recipient])
            try await SMTPClient.withConnection(to: server.entrance(.submission)) { client in
                try await client.send(message)
                try await server.expectArrival(
                    of: message.octets(for: client.capabilities), for: recipient)
            }
        }
    }

    private static let wrongHost = RealServerClaim(
        "a certificate for another name ends it before the login"
    ) { server in
        for door in [Door.submission, .implicitTLS] {
            let kind = try await failure(at: server, door) { $0.hostName = "mail.other.test" }
            guard case .wrongHost(expected: "mail.other.test", let names) = kind else {
                Issue.record("\(String(describing: kind))")
                continue
            }
            #expect(names.contains("mail.example.test"))
        }
    }

    private static let resumed = RealServerClaim(
        "a second connection takes up the first's TLS session"
    ) {
        server in
        for door in [Door.startTLS, .implicitTLS] {
            var entrance = try server.entrance(door)
            entrance.tls.sessionCache = TLSSessionCache()
            for isResumed in [false, true] {
                let wasResumed = try await SMTPClient.withConnection(to: entrance) { client in
                    try await client.connect()
                    try await client.run(Noop())  // by then the ticket has come
                    return await client.tls?.isResumed
                }
                #expect(wasResumed == isResumed, "\(door)")
            }
        }
    }
}
