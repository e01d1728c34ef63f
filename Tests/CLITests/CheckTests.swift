import MartletBytes
import MartletSandbox
import MartletTestSupport
import Testing

@Suite("martlet check smtp")
struct CheckTests {
    private func check(
        _ options: [String], _ environment: [String: String] = [:]
    ) async throws -> Subprocess.Result {
        try await Martlet.run(["check", "smtp"] + options, environment: environment)
    }

    @Test("passes every layer of a good server, by STARTTLS and by TLS from the start")
    func passes() async throws {
        try await SandboxHouse.open { house in
            for options in [house.startTLS, house.implicitTLS] {
                let result = try await check(
                    options + [
                        "--user", "alice", "--password-env", "PW", "--from", "alice@example.test",
                        "--json",
                    ], ["PW": "hunter2"])
                #expect(result.status == 0, "\(result.output)")
                let outcomes = result.output.matches(of: #/"outcome":"([a-z]+)"/#).map(\.output.1)
                #expect(outcomes == Array(repeating: "passed", count: 6))
                #expect(!(result.output + result.errors).contains("hunter2"))
            }
            #expect(await house.sandbox.messages.isEmpty)
        }
    }

    @Test("says which layer failed, why, and what to do")
    func failures() async throws {
        try await SandboxHouse.open(users: ["alice": Secret("right")]) { house in
            let wrong = try await check(
                house.startTLS + [
                    "--user", "alice", "--password-env", "PW", "--from", "a@b.example",
                ],
                ["PW": "wrong"])
            #expect(wrong.status == 77)
            try expectLayers(wrong, "DNS passed, TCP passed, TLS passed, EHLO passed, AUTH failed")
            #expect(wrong.output.contains("535 5.7.8"))
            #expect(wrong.output.contains("not reached"))

            let untrusted = try await check(
                ["--server", "localhost:\(house.sandbox.smtpsPort)", "--tls", "implicit"])
            #expect(untrusted.status == 76)
            try expectLayers(untrusted, "DNS passed, TCP passed, TLS failed, EHLO skipped")

            let plainPort = try await check(
                ["--server", "localhost:\(house.sandbox.smtpPort)", "--tls", "implicit"])
            try expectLayers(plainPort, "TLS failed")
            #expect(plainPort.output.contains("--tls starttls"))
        }
        let host = try await check(["--server", "no-such-host.invalid:587"])
        #expect(host.status == 68)
        try expectLayers(host, "DNS failed, TCP skipped")
        let port = try await check(["--server", "127.0.0.1:9", "--tls", "plaintext"])
        #expect(port.status == 69)
        try expectLayers(port, "DNS skipped, TCP failed, TLS skipped")
    }

    @Test("takes a sender back after trying it")
    func sender() async throws {
        let server = ScriptedSMTP(faults: [.mail: .say("550 5.7.1 not you\r\n")])
        try await withScriptedServer(server.serve) { port in
            let refused = try await check(plaintext(port) + ["--from", "a@b.example"])
            #expect(refused.status == 69)
            try expectLayers(refused, "EHLO passed, AUTH skipped, MAIL FROM failed")
        }
        let good = ScriptedSMTP()
        try await withScriptedServer(good.serve) { port in
            let result = try await check(plaintext(port) + ["--from", "a@b.example", "--json"])
            #expect(result.status == 0)
            #expect(good.lines.suffix(3) == ["MAIL FROM:<a@b.example>", "RSET", "QUIT"])
            try expectGolden(stable(result.output), "check.json")
        }
    }

    /// Compares names and outcomes of neighbouring layers.
    private func expectLayers(
        _ result: Subprocess.Result, _ expected: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let layers = result.output.matches(
            of: #/(?m)^  (DNS|TCP|TLS|EHLO|AUTH|MAIL FROM) +(passed|failed|skipped)/#
        ).map { "\($0.output.1) \($0.output.2)" }.joined(separator: ", ")
        #expect(layers.contains(expected), "\(result.output)", sourceLocation: sourceLocation)
    }
}
