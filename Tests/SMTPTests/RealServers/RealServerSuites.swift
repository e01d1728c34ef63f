import MartletTestSupport
import Testing

// What is claimed stands in the tables of this folder, once for all servers.

@Suite("SMTPClient and Postfix", .needs(.postfix), .timeLimit(.minutes(3)))
struct PostfixTests {
    @Test("logins", arguments: RealServerClaim.logins(at: .postfix))
    func logins(claim: RealServerClaim) async throws { try await claim.check(.postfix) }

    @Test("certificates", arguments: RealServerClaim.certificates)
    func certificates(claim: RealServerClaim) async throws { try await claim.check(.postfix) }

    @Test("recipients", arguments: RealServerClaim.recipients)
    func recipients(claim: RealServerClaim) async throws { try await claim.check(.postfix) }

    @Test("content", arguments: RealServerClaim.content)
    func content(claim: RealServerClaim) async throws { try await claim.check(.postfix) }

    @Test("sizes", .serialized, arguments: RealServerClaim.sizes)
    func sizes(claim: RealServerClaim) async throws { try await claim.check(.postfix) }
}

@Suite("SMTPClient and Exim", .needs(.exim), .timeLimit(.minutes(3)))
struct EximTests {
    @Test("logins", arguments: RealServerClaim.logins(at: .exim))
    func logins(claim: RealServerClaim) async throws { try await claim.check(.exim) }

    @Test("certificates", arguments: RealServerClaim.certificates)
    func certificates(claim: RealServerClaim) async throws { try await claim.check(.exim) }

    @Test("recipients", arguments: RealServerClaim.recipients)
    func recipients(claim: RealServerClaim) async throws { try await claim.check(.exim) }

    @Test("content", arguments: RealServerClaim.content)
    func content(claim: RealServerClaim) async throws { try await claim.check(.exim) }

    @Test("sizes", .serialized, arguments: RealServerClaim.sizes)
    func sizes(claim: RealServerClaim) async throws { try await claim.check(.exim) }
}

@Suite("SMTPClient and OpenSMTPD", .needs(.openSMTPD), .timeLimit(.minutes(3)))
struct OpenSMTPDTests {
    @Test("no TLS, no login", arguments: RealServerClaim.logins(at: .openSMTPD))
    func logins(claim: RealServerClaim) async throws { try await claim.check(.openSMTPD) }

    @Test("recipients", arguments: RealServerClaim.recipients)
    func recipients(claim: RealServerClaim) async throws { try await claim.check(.openSMTPD) }

    @Test("content", arguments: RealServerClaim.content)
    func content(claim: RealServerClaim) async throws { try await claim.check(.openSMTPD) }

    @Test("sizes", .serialized, arguments: RealServerClaim.sizes)
    func sizes(claim: RealServerClaim) async throws { try await claim.check(.openSMTPD) }
}

@Suite("SMTPClient and aiosmtpd", .needs(.aiosmtpd), .timeLimit(.minutes(3)))
struct AiosmtpdTests {
    @Test("logins", arguments: RealServerClaim.logins(at: .aiosmtpd))
    func logins(claim: RealServerClaim) async throws { try await claim.check(.aiosmtpd) }

    @Test("certificates", arguments: RealServerClaim.certificates)
    func certificates(claim: RealServerClaim) async throws { try await claim.check(.aiosmtpd) }

    @Test("recipients", arguments: RealServerClaim.recipients)
    func recipients(claim: RealServerClaim) async throws { try await claim.check(.aiosmtpd) }

    @Test("content", arguments: RealServerClaim.content)
    func content(claim: RealServerClaim) async throws { try await claim.check(.aiosmtpd) }

    @Test("sizes", .serialized, arguments: RealServerClaim.sizes)
    func sizes(claim: RealServerClaim) async throws { try await claim.check(.aiosmtpd) }
}
