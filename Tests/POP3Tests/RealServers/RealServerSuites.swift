import MartletTestSupport
import Testing

// What is claimed stands in `POP3Claims.swift`, once for all servers.

@Suite("POP3Client and real servers", .timeLimit(.minutes(5)))
struct RealPOP3ServerTests {
    @Test("Dovecot", .needs(RealIMAPServer.dovecot))
    func dovecot() async throws { try await POP3Claim.checkAll(.dovecot) }

    @Test("Cyrus", .needs(RealIMAPServer.cyrus))
    func cyrus() async throws { try await POP3Claim.checkAll(.cyrus) }

    @Test("Courier", .needs(RealIMAPServer.courier))
    func courier() async throws { try await POP3Claim.checkAll(.courier) }
}
