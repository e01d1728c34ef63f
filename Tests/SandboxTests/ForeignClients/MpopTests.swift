import MartletBytes
import MartletSandbox
import MartletTestSupport
import Testing

@Suite("Sandbox and mpop", .needs(.mpop), .timeLimit(.minutes(2)))
struct MpopTests {
    private func account(
        _ home: ClientHome, _ port: Int?, _ lines: String, authority: String? = nil
    ) throws -> [String] {
        for folder in ["mail", "mail/cur", "mail/new", "mail/tmp"] { home.makeFolder(folder) }
        let file = try home.write(
            """
            account it
            host localhost
            port \(port ?? 0)
            timeout 20
            user alice
            password secret
            tls on
            tls_trust_file \(authority ?? home.authority)
            uidls_file \(home.path)/uidls
            delivery maildir \(home.path)/mail
            received_header off
            \(lines)
            """, to: "mpoprc")
        return ["mpop", "-C", file, "it"]
    }

    private func fetched(_ home: ClientHome) throws -> Set<[UInt8]> {
        Set(try namesInFolder(home.path + "/mail/new").map { try home.read("mail/new/" + $0) })
    }

    @Test(
        "fetches all once, and leaves them, by each mechanism",
        arguments: [
            "user", "apop", "plain", "login", "cram-md5", "digest-md5", "scram-sha-1",
            "scram-sha-256",
        ], ["auto", "off"])
    func fetches(mechanism: String, pipelining: String) async throws {
        try await withSandbox({ $0.users = ["alice": Secret("secret")] }) { sandbox in
            try await sandbox.fill()
            try await ClientHome.with(.mpop, sandbox) { home in
                let startsTLS = pipelining == "auto"
                let command = try account(
                    home, startsTLS ? sandbox.ports.pop3 : sandbox.ports.pop3s,
                    """
                    auth \(mechanism)
                    tls_starttls \(startsTLS ? "on" : "off")
                    pipelining \(pipelining)
                    keep on
                    """)
                try await home.succeed(command)
                #expect(try fetched(home) == Set(Letters.all.map(Letters.asFile)))
                try await sandbox.fill([Letters.letter("new", "New.\n")])
                let said = try await home.succeed(command)
                #expect(said.contains("new: 1 message"), "\(said)")
                #expect(try fetched(home).count == 5)
                #expect(try await sandbox.letters().count == 5)
            }
        }
    }

    @Test("takes away what it has, and keeps a large message whole")
    func deletes() async throws {
        try await withSandbox { sandbox in
            let large = Letters.letter(
                "large", (0..<20_000).map { ".line \($0)\n" }.joined())
            try await sandbox.fill(Letters.all + [large])
            try await ClientHome.with(.mpop, sandbox) { home in
                let command = try account(
                    home, sandbox.ports.pop3s, "tls_starttls off\nkeep off")
                try await home.succeed(command)
                #expect(try fetched(home) == Set((Letters.all + [large]).map(Letters.asFile)))
                #expect(try await sandbox.letters().isEmpty)
            }
        }
    }

    @Test("does not trust another authority")
    func distrusts() async throws {
        try await withSandbox { sandbox in
            try await sandbox.fill()
            try await ClientHome.with(.mpop, sandbox) { home in
                let result = try await home.run(
                    account(
                        home, sandbox.ports.pop3s, "tls_starttls off",
                        authority: home.wrongAuthority))
                #expect(result.status != 0 && result.errors.contains("certificate"))
                #expect(try fetched(home).isEmpty)
            }
        }
    }
}
