import MartletTestSupport
import Testing

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

@Suite("martlet sandbox")
struct SandboxCommandTests {
    private static let services = [
        "smtp", "submission", "smtps", "imap", "imaps", "pop3", "pop3s", "http",
    ]
    private static let anyPorts =
        ["sandbox"] + services.flatMap { ["--\($0)-port", "0"] }

    private static func send(_ options: [String]) -> [String] {
        ["send"] + options
            + ["--from", "alice@example.test", "--to", "bob@example.test", "--subject", "Hi"]
    }

    /// The value of a member in a line of JSON.
    private func member(_ name: String, of json: some StringProtocol) -> String? {
        let text = String(json)
        guard let start = text.firstRange(of: "\"\(name)\":")?.upperBound else { return nil }
        let value = text[start...]
        return value.first == "\""
            ? String(value.dropFirst().prefix { $0 != "\"" })
            : String(value.prefix { $0 != "," && $0 != "}" })
    }

    @Test("takes mail for everybody, says so, and stops in order", arguments: [SIGINT, SIGTERM])
    func whole(signal: Int32) async throws {
        let folder = try MartletTestSupport.TemporaryFolder("sandbox")
        defer { folder.remove() }
        let ready = folder.path + "/ready.json"
        let process = try Subprocess(
            Martlet.path,
            Self.anyPorts + [
                "--json", "--ready-file", ready, "--mail-folder", folder.path + "/mail",
            ],
            environment: Martlet.complete([:]))
        let start = await process.output(where: { $0.contains("\n") })
        let port = try #require(member("smtpsPort", of: start))
        let authority = try #require(member("caFile", of: start))
        // Written before anything is said, so that whoever waits for the file finds the ports open.
        #expect(String(decoding: try octets(ofFile: ready), as: UTF8.self) == start)

        let result = try await Martlet.run(
            Self.send([
                "--server", "localhost:\(port)", "--tls", "implicit", "--ca-file", authority,
                "--user", "alice", "--password-env", "PW",
            ]), input: "hello\n", environment: ["PW": "anything"])
        #expect(result.status == 0, "\(result.errors)")
        let output = await process.output(containing: "\"event\":\"message\"")
        let line = try #require(output.split(separator: "\n").last)
        #expect(member("from", of: line) == "alice@example.test")
        #expect(member("user", of: line) == "alice@example.test")
        #expect(line.contains("\"to\":[\"bob@example.test\"]"))

        let message = try octets(ofFile: folder.path + "/mail/1.eml")
        #expect(String(decoding: message, as: UTF8.self).hasSuffix("hello\r\n"))

        process.send(signal: signal)
        let end = await process.result()
        #expect(end.status == 0)
        #expect(end.output.hasSuffix("{\"event\":\"stopped\"}\n"))
        #expect(access(ready, F_OK) != 0)
        #expect(access(authority, F_OK) != 0)
    }

    @Test("lets only those in who are in the accounts file, and shows no password")
    func accounts() async throws {
        let folder = try MartletTestSupport.TemporaryFolder("sandbox")
        defer { folder.remove() }
        let users = folder.path + "/users"
        try MartletTestSupport.write(Array("# who\nalice:se:cret\r\n\n".utf8), toFile: users)
        let process = try Subprocess(
            Martlet.path,
            Self.anyPorts + ["--accounts", users, "--state-folder", folder.path + "/state"],
            environment: Martlet.complete([:]))
        let start = await process.output(containing: "ca.pem")
        #expect(start.contains("alice") && !start.contains("cret"))
        let port = try #require(start.firstMatch(of: #/SMTP +port ([0-9]+)/#)?.output.1)
        for (password, status) in [("se:cret", 0 as Int32), ("other", 77)] {
            let result = try await Martlet.run(
                Self.send([
                    "--server", "127.0.0.1:\(port)", "--tls", "starttls", "--ca-file",
                    folder.path + "/state/ca.pem", "--user", "alice", "--password-env", "PW",
                ]), input: "hello\n", environment: ["PW": password])
            #expect(result.status == status, "\(result.errors)")
        }
        let output = await process.output(containing: "refused")
        #expect(output.contains("alice@example.test → bob@example.test"))
        #expect(output.contains("logged in as alice@example.test"))
        process.send(signal: SIGTERM)
        #expect(await process.result().status == 0)
        // A folder that was asked for stays.
        #expect(access(folder.path + "/state/ca.pem", F_OK) == 0)
    }

    @Test("says which port is taken")
    func taken() async throws {
        try await withScriptedServer(ScriptedSMTP().serve) { port in
            let result = try await Martlet.run([
                "sandbox", "--listen", "127.0.0.1", "--smtp-port", "\(port)",
            ])
            #expect(result.status == 69)
            #expect(result.errors.contains("127.0.0.1:\(port) is taken by another program"))
        }
    }
}
