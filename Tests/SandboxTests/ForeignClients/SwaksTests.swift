import MartletBytes
import MartletSandbox
import MartletTestSupport
import Testing

@Suite("Sandbox and swaks", .needs(.swaks), .timeLimit(.minutes(2)))
struct SwaksTests {
    private static let users = ["alice": Secret("secret"), "bob": Secret("secret")]

    private func send(_ home: ClientHome, _ port: Int?, _ options: [String]) -> [String] {
        [
            "swaks", "--server", "localhost", "--port", "\(port ?? 0)", "--ehlo",
            "client.example.com", "--from", "ann@example.com", "--timeout", "20",
            "--to", "alice@example.test,bob@example.test", "--data", "@letter",
        ] + options
    }

    private static func trust(_ file: String) -> [String] {
        ["--tls-verify", "--tls-ca-path", file]
    }

    @Test(
        "sends after a login by each mechanism that it has, under TLS",
        arguments: ["PLAIN", "LOGIN", "CRAM-MD5"])
    func logsIn(mechanism: String) async throws {
        try await withSandbox({
            $0.users = Self.users
            $0.requiresAuthentication = true
        }) { sandbox in
            try await ClientHome.with(.swaks, sandbox) { home in
                try home.write(Letters.dots, to: "letter")
                for (tls, port) in [
                    ("--tls", sandbox.ports.submission), ("--tls-on-connect", sandbox.ports.smtps),
                ] {
                    let command = send(home, port, [tls] + Self.trust(home.authority))
                    let login = ["--auth", mechanism, "--auth-user", "alice", "--auth-password"]
                    let said = try await home.succeed(command + login + ["secret"])
                    #expect(said.contains("<~  235 2.7.0"))
                    let wrong = try await home.run(command + login + ["wrong"])
                    #expect(wrong.status == 28 && wrong.output.contains("<~* 535 5.7.8"))
                    let without = try await home.run(command)
                    #expect(without.output.contains("530 5.7.0"), "\(without.output)")
                }
                let kept = await sandbox.messages(of: "bob@example.test")
                // swaks adds a line end of its own to DATA.
                #expect(
                    kept.map { Letters.asFile($0.octets) }
                        == [1, 2].map { _ in Letters.asFile(Letters.dots) + [ASCII.lf] })
                #expect(kept.allSatisfy { $0.user == "alice@example.test" })
            }
        }
    }

    @Test("delivers by LMTP, with a reply for each recipient")
    func lmtp() async throws {
        try await withSandbox { sandbox in
            try await ClientHome.with(.swaks, sandbox) { home in
                try home.write(Letters.plain, to: "letter")
                let said = try await home.succeed(
                    send(home, sandbox.ports.lmtp, ["--protocol", "LMTP"]))
                #expect(said.contains(" -> LHLO client.example.com"))
                #expect(said.matches(of: #/<-  250 2\.0\.0 kept/#).count == 2)
                #expect(try await sandbox.letters(of: "bob").count == 1)
            }
        }
    }

    @Test("does not trust another authority")
    func distrusts() async throws {
        try await withSandbox { sandbox in
            try await ClientHome.with(.swaks, sandbox) { home in
                try home.write(Letters.plain, to: "letter")
                let result = try await home.run(
                    send(
                        home, sandbox.ports.smtps,
                        ["--tls-on-connect"] + Self.trust(home.wrongAuthority)))
                #expect(result.status == 29, "\(result.output)\n\(result.errors)")
                #expect(await sandbox.messages.isEmpty)
            }
        }
    }
}
