import MartletBytes
import MartletSandbox
import MartletTestSupport
import Testing

@Suite("Sandbox and fetchmail", .needs(.fetchmail), .timeLimit(.minutes(2)))
struct FetchmailTests {
    private func command(
        _ home: ClientHome, _ poll: String, _ options: String, authority: String? = nil
    ) throws -> [String] {
        home.makeFolder("none")
        let file = try home.write(
            """
            set no bouncemail
            set invisible
            set postmaster "nobody"
            poll localhost \(poll) timeout 20 no dns
              user alice password secret
              sslcertck sslcertfile \(authority ?? home.authority) sslcertpath \(home.path)/none
              \(options)
            """, to: "fetchmailrc")
        return [
            "fetchmail", "-f", file, "--nodetach", "--nosyslog", "--pidfile", home.path + "/pid",
            "-i", home.path + "/ids",
        ]
    }

    /// By which way it fetches.
    struct Way: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var poll: String
        var tls: String
        var port: @Sendable (Sandbox.Ports) -> Int?
    }

    private static let ways = [
        Way(
            testDescription: "POP3", poll: "protocol pop3 uidl", tls: "ssl", port: { $0.pop3s }),
        Way(
            testDescription: "POP3, STLS", poll: "protocol pop3", tls: "sslproto TLS1.2+",
            port: { $0.pop3 }),
        Way(testDescription: "IMAP", poll: "protocol imap", tls: "ssl", port: { $0.imaps }),
        Way(
            testDescription: "IMAP, STARTTLS", poll: "protocol imap", tls: "sslproto TLS1.2+",
            port: { $0.imap }),
    ]

    @Test("fetches all, takes them away, and hands them on by SMTP", arguments: ways)
    func fetches(way: Way) async throws {
        try await withSandbox { sandbox in
            try await sandbox.fill()
            try await ClientHome.with(.fetchmail, sandbox) { home in
                let command = try command(
                    home, "service \(way.port(sandbox.ports) ?? 0) \(way.poll)",
                    """
                    \(way.tls) is bob here no rewrite fetchall
                      smtphost localhost/\(sandbox.smtpPort) smtpname bob@example.test
                    """)
                try await home.succeed(command)
                #expect(try await sandbox.letters().isEmpty)
                // It adds one line end of its own where the last one is missing, and none here.
                #expect(try await sandbox.letters(of: "bob").map(\.octets) == Letters.all)
                // Nothing to fetch is what it says by 1.
                #expect(try await home.run(command).status == 1)
            }
        }
    }

    @Test("what it keeps is fetched once", arguments: [ways[0], ways[2]])
    func keeps(way: Way) async throws {
        try await withSandbox { sandbox in
            try await sandbox.fill()
            try await ClientHome.with(.fetchmail, sandbox) { home in
                let command = try command(
                    home, "service \(way.port(sandbox.ports) ?? 0) \(way.poll)",
                    "\(way.tls) is bob here keep no rewrite mda \"/bin/cat >>\(home.path)/got\"")
                try await home.succeed(command)
                #expect(try await sandbox.letters().count == Letters.all.count)
                let got = try home.read("got")
                for letter in Letters.all {
                    #expect(text(got).contains(text(Letters.asFile(letter))))
                }
                #expect(try await home.run(command).status == 1)
                #expect(try home.read("got") == got)
            }
        }
    }

    @Test("does not trust another authority")
    func distrusts() async throws {
        try await withSandbox { sandbox in
            try await sandbox.fill()
            try await ClientHome.with(.fetchmail, sandbox) { home in
                let result = try await home.run(
                    command(
                        home, "service \(sandbox.ports.imaps ?? 0) protocol imap",
                        "ssl is bob here mda \"/bin/cat >>\(home.path)/got\"",
                        authority: home.wrongAuthority))
                #expect(result.status == 2, "\(result.errors)")
                #expect(try await sandbox.letters().count == Letters.all.count)
            }
        }
    }
}
