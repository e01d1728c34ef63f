import MartletBytes
import MartletSandbox
import MartletTestSupport
import Testing

@Suite("Sandbox and msmtp", .needs(.msmtp), .timeLimit(.minutes(2)))
struct MsmtpTests {
    private func account(_ home: ClientHome, _ port: Int?, _ lines: String) throws -> [String] {
        let file = try home.write(
            """
            account it
            host localhost
            port \(port ?? 0)
            domain client.example.com
            timeout 20
            from ann@example.com
            user alice
            \(lines)
            """, to: "msmtprc")
        return ["msmtp", "-C", file, "-a", "it"]
    }

    /// How it is protected, and how it logs in.
    struct Way: Sendable, CustomTestStringConvertible {
        var mechanism: String
        var startsTLS: Bool
        var testDescription: String { "\(mechanism), STARTTLS: \(startsTLS)" }
    }

    @Test(
        "sends to those in the header, octet for octet",
        arguments: [
            "plain", "login", "cram-md5", "digest-md5", "scram-sha-1", "scram-sha-256",
            "oauthbearer", "xoauth2", "on",
        ].map { Way(mechanism: $0, startsTLS: $0.hasPrefix("s")) })
    func sends(way: Way) async throws {
        try await withSandbox({
            $0.users = ["alice": Secret("secret")]
            $0.requiresAuthentication = true
        }) { sandbox in
            try await ClientHome.with(.msmtp, sandbox) { home in
                let command = try account(
                    home, way.startsTLS ? sandbox.ports.submission : sandbox.ports.smtps,
                    """
                    auth \(way.mechanism)
                    password secret
                    tls on
                    tls_starttls \(way.startsTLS ? "on" : "off")
                    tls_trust_file \(home.authority)
                    """)
                for letter in Letters.all {
                    // It reads files, and makes CRLF of their line ends.
                    try await home.succeed(
                        command + ["--read-recipients", "--", "bob@example.test"],
                        input: Letters.asFile(letter))
                }
                for user in ["alice@example.test", "bob@example.test"] {
                    let kept = await sandbox.messages(of: user)
                    #expect(kept.map(\.octets) == Letters.all)
                    #expect(kept.allSatisfy { $0.user == "alice@example.test" })
                    #expect(
                        kept.allSatisfy { $0.envelope.reversePath.description == "ann@example.com" }
                    )
                }
            }
        }
    }

    @Test("does not trust another authority, nor send after a wrong password")
    func refuses() async throws {
        try await withSandbox({ $0.users = ["alice": Secret("secret")] }) { sandbox in
            try await ClientHome.with(.msmtp, sandbox) { home in
                for (authority, password, status) in [
                    (home.wrongAuthority, "secret", 69 as Int32), (home.authority, "wrong", 77),
                ] {
                    let command = try account(
                        home, sandbox.ports.smtps,
                        """
                        auth on
                        password \(password)
                        tls on
                        tls_starttls off
                        tls_trust_file \(authority)
                        """)
                    let result = try await home.run(
                        command + ["bob@example.test"], input: Letters.plain)
                    #expect(result.status == status, "\(result.errors)")
                }
                #expect(await sandbox.messages.isEmpty)
            }
        }
    }

    @Test("learns what the server can do, and how it is protected")
    func serverInformation() async throws {
        try await withSandbox { sandbox in
            try await ClientHome.with(.msmtp, sandbox) { home in
                let command = try account(
                    home, sandbox.ports.smtp,
                    """
                    tls on
                    tls_starttls on
                    tls_trust_file \(home.authority)
                    """)
                let said = try await home.succeed(command + ["--serverinfo"])
                for word in [
                    "TLS1.3", "CN=localhost", "SIZE 67108864", "PIPELINING", "DSN", "PLAIN",
                ] {
                    #expect(said.contains(word), "\(word): \(said)")
                }
            }
        }
    }
}
