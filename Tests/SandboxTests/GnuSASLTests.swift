import MartletBytes
import MartletSandbox
import MartletTestSupport
import Testing

@Suite("Sandbox and GNU SASL", .gnuSASL, .timeLimit(.minutes(1)))
struct GnuSASLTests {
    @Test(
        "it logs in over STARTTLS, bound to the connection where it can be",
        arguments: [
            "SCRAM-SHA-256-PLUS", "SCRAM-SHA-1-PLUS", "SCRAM-SHA-256", "DIGEST-MD5", "CRAM-MD5",
            "PLAIN",
        ])
    func logsIn(mechanism: String) async throws {
        let folder = try TemporaryFolder("gsasl")
        defer { folder.remove() }
        try await withSandbox({ $0.users = ["alice": Secret("correct horse")] }) { sandbox in
            let file = folder.path + "/ca.pem"
            try write(sandbox.certificateAuthorityPEM, toFile: file)
            func run(_ password: String) async throws -> Subprocess.Result {
                try await Subprocess.run(
                    "/usr/bin/setsid",
                    [
                        "--wait", try #require(GnuSASL.path), "--smtp",
                        "--connect=localhost:\(sandbox.smtpPort)", "--starttls",
                        "--x509-ca-file=\(file)", "--mechanism=\(mechanism)",
                        "--authentication-id=alice", "--authorization-id=alice",
                        "--password=\(password)", "--realm=example.test",
                        "--quality-of-protection=qop-auth",
                        // Else it says that it could bind, which shows that the offer was taken away.
                    ] + (mechanism.hasSuffix("-PLUS") ? [] : ["--no-cb"]),
                    environment: ["LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin"])
            }
            let right = try await run("correct horse")
            #expect(right.output.contains("\n235 "), "\(right.output)\n\(right.errors)")
            let wrong = try await run("correct")
            #expect(!wrong.output.contains("\n235 "), "\(wrong.output)\n\(wrong.errors)")
        }
    }
}
