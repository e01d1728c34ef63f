import MartletSMTP
import MartletTestSupport
import Testing

@Suite("SMTP through a tunnel", .timeLimit(.minutes(1)))
struct TunnelTests {
    @Test("a command's standard input and output are the connection")
    func tunnel() async throws {
        let script = ScriptedSMTP()
        try await withScriptedServer(script.serve) { port in
            var server = plainServer(1)  // the tunnel knows where to go
            server.tunnel = [
                "bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/\(port); cat <&3 & exec cat >&3",
            ]
            let report = try await SMTPClient.withConnection(to: server) {
                try await $0.send(hello, envelope: to("bob@example.test"))
            }
            #expect(report.allAccepted)
        }
        #expect(script.lines.first?.hasPrefix("EHLO [") == true)
        #expect(script.messages.count == 1)
    }

    @Test("a command that ends at once is a connection that closed")
    func ended() async throws {
        var server = plainServer(1)
        server.tunnel = ["true"]
        let error = await #expect(throws: SMTPError.self) { try await SMTPClient(server).connect() }
        guard case .unexpectedClose = error?.kind else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("a command that does not exist is named")
    func missing() async throws {
        var server = plainServer(1)
        server.tunnel = ["/nonexistent/tunnel"]
        let error = await #expect(throws: SMTPError.self) { try await SMTPClient(server).connect() }
        #expect(error?.description.contains("/nonexistent/tunnel") == true)
        #expect(error?.recovery == .fixInput)
    }
}
