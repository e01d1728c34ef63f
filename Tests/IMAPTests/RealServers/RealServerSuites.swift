import MartletIMAP
import MartletTestSupport
import Testing

// What is claimed stands in the tables of this folder, once for all servers; each server gets what it offers.

@Suite("IMAPClient and Dovecot", .needs(RealIMAPServer.dovecot), .timeLimit(.minutes(5)))
struct DovecotTests {
    @Test("mailboxes", arguments: IMAPClaim.mailboxes.filter { $0.isFor(.dovecot) })
    func mailboxes(claim: IMAPClaim) async throws { try await claim.check(.dovecot) }

    @Test("messages", arguments: IMAPClaim.messages.filter { $0.isFor(.dovecot) })
    func messages(claim: IMAPClaim) async throws { try await claim.check(.dovecot) }

    @Test("searches", arguments: IMAPClaim.searches.filter { $0.isFor(.dovecot) })
    func searches(claim: IMAPClaim) async throws { try await claim.check(.dovecot) }

    @Test(
        "connections", arguments: IMAPClaim.connections(at: .dovecot).filter { $0.isFor(.dovecot) })
    func connections(claim: IMAPClaim) async throws { try await claim.check(.dovecot) }

    @Test("tokens, and one that has expired", arguments: ["XOAUTH2", "OAUTHBEARER"])
    func tokens(mechanism: String) async throws {
        let running = try await RealServers.shared(.dovecot)
        var server = try running.entrance()
        let good = try await running.token()
        let old = try await running.token(validity: .seconds(-60))
        // The first token has expired: a fresh one is asked for once.
        server.credentials = Credentials(
            user: "alice", token: { request in Secret(request.isRepeated ? good : old) })
        server.credentials?.mechanisms = [mechanism]
        try await IMAPClient.withConnection(to: server) { try await $0.noop() }
        server.credentials = Credentials(user: "alice", token: { _ in Secret(old) })
        let error = await failure { try await IMAPClient(server).connect() }
        #expect(error?.recovery == .authenticate)
    }

    @Test("a certificate, and nobody in particular")
    func withoutSecrets() async throws {
        let running = try await RealServers.shared(.dovecot)
        var server = try running.entrance()
        server.tls.identity = running.clientIdentity
        server.credentials = .external()
        try await IMAPClient.withConnection(to: server) { try await $0.noop() }
        server.tls.identity = nil
        server.credentials = .anonymous(trace: "test@example.test")
        try await IMAPClient.withConnection(to: server) { try await $0.noop() }
    }

    @Test("letters beyond ASCII in name and password")
    func letters() async throws {
        let running = try await RealServers.shared(.dovecot)
        try await IMAPClient.withConnection(to: running.entrance(as: .üser)) { try await $0.noop() }
    }

    @Test("a command's pipe in place of a socket")
    func tunnel() async throws {
        let running = try await RealServers.shared(.dovecot)
        var server = try running.entrance(.imap, security: .plaintext)
        server.credentials = nil
        server.tunnel = try running.tunnelCommand(as: .bob)
        try await IMAPClient.withConnection(to: server) { imap in
            let listed = try await imap.mailboxes()
            #expect(listed.contains { $0.entry.name == .inbox })
        }
    }
}

@Suite("IMAPClient and Cyrus", .needs(RealIMAPServer.cyrus), .timeLimit(.minutes(5)))
struct CyrusTests {
    @Test("mailboxes", arguments: IMAPClaim.mailboxes.filter { $0.isFor(.cyrus) })
    func mailboxes(claim: IMAPClaim) async throws { try await claim.check(.cyrus) }

    @Test("messages", arguments: IMAPClaim.messages.filter { $0.isFor(.cyrus) })
    func messages(claim: IMAPClaim) async throws { try await claim.check(.cyrus) }

    @Test("searches", arguments: IMAPClaim.searches.filter { $0.isFor(.cyrus) })
    func searches(claim: IMAPClaim) async throws { try await claim.check(.cyrus) }

    @Test("connections", arguments: IMAPClaim.connections(at: .cyrus).filter { $0.isFor(.cyrus) })
    func connections(claim: IMAPClaim) async throws { try await claim.check(.cyrus) }
}

@Suite("IMAPClient and Courier", .needs(RealIMAPServer.courier), .timeLimit(.minutes(5)))
struct CourierTests {
    @Test("mailboxes", arguments: IMAPClaim.mailboxes.filter { $0.isFor(.courier) })
    func mailboxes(claim: IMAPClaim) async throws { try await claim.check(.courier) }

    @Test("messages", arguments: IMAPClaim.messages.filter { $0.isFor(.courier) })
    func messages(claim: IMAPClaim) async throws { try await claim.check(.courier) }

    @Test("searches", arguments: IMAPClaim.searches.filter { $0.isFor(.courier) })
    func searches(claim: IMAPClaim) async throws { try await claim.check(.courier) }

    @Test(
        "connections", arguments: IMAPClaim.connections(at: .courier).filter { $0.isFor(.courier) })
    func connections(claim: IMAPClaim) async throws { try await claim.check(.courier) }
}
