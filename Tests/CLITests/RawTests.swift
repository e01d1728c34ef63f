import MartletSandbox
import MartletTestSupport
import Testing

@Suite("martlet smtp raw")
struct RawTests {
    @Test("walks through a message in a pipe, over TLS in both ways")
    func walk() async throws {
        try await SandboxHouse.open { house in
            for options in [house.startTLS, house.implicitTLS] {
                let result = try await Martlet.run(
                    ["smtp", "raw"] + options,
                    input: """
                        EHLO me.example
                        MAIL FROM:<a@example.test>
                        RCPT TO:<b@example.test>
                        DATA
                        Subject: by hand

                        ..one dot
                        .
                        NOOP
                        QUIT

                        """)
                #expect(result.status == 0, "\(result.errors)")
                let codes = result.output.split(separator: "\n").filter { !$0.hasPrefix("250-") }
                    .map { $0.prefix(3) }
                #expect(codes == ["220", "250", "250", "250", "354", "250", "250", "221"])
            }
            let messages = await house.sandbox.messages(of: "b")
            #expect(
                messages.map(\.text)
                    == Array(repeating: "Subject: by hand\r\n\r\n.one dot\r\n", count: 2))
        }
    }

    @Test("waits for each reply where the server takes one command at a time")
    func inStep() async throws {
        let script: @Sendable (ScriptedPeer) async throws -> Void = { peer in
            try await peer.say("220 mx\r\n")
            while true {
                let line = try await peer.line()
                #expect(await peer.pending.isEmpty, "\(line)")
                try await peer.say(line == "QUIT" ? "221 bye\r\n" : "250-one\r\n250 two\r\n")
            }
        }
        try await withScriptedServer(script) { port in
            let result = try await Martlet.run(
                ["smtp", "raw"] + plaintext(port), input: "NOOP\nNOOP 1\nNOOP 2\n")
            #expect(result.status == 0)
            #expect(result.output == "220 mx\n" + String(repeating: "250-one\n250 two\n", count: 3))
            #expect(result.errors == "C: QUIT\nS: 221 bye\n")
        }
    }

    @Test("does the handshake of a STARTTLS that is typed, and hides nothing of the rest")
    func typedStartTLS() async throws {
        try await SandboxHouse.open { house in
            let options = [
                "--server", "localhost:\(house.sandbox.smtpPort)", "--tls", "plaintext",
                "--ca-file",
                house.authorityFile,
            ]
            let result = try await Martlet.run(
                ["smtp", "raw"] + options,
                input: "EHLO a\nSTARTTLS\nEHLO b\nAUTH LOGIN\nYWxpY2U=\ncHc=\nQUIT\n")
            #expect(result.status == 0, "\(result.errors)")
            let codes = result.output.split(separator: "\n").filter { !$0.hasPrefix("250-") }
                .map { $0.prefix(3) }
            #expect(codes == ["220", "250", "220", "250", "334", "334", "235", "221"])
        }
    }

    @Test("never finishes a message that the input left unfinished")
    func unfinished() async throws {
        try await SandboxHouse.open { house in
            let result = try await Martlet.run(
                ["smtp", "raw"] + house.startTLS,
                input: "EHLO a\nMAIL FROM:<a@example.test>\nRCPT TO:<b@example.test>\nDATA\nhalf\n")
            #expect(result.status == 65)
            #expect(result.errors.contains("ended inside the message"))
            #expect(await house.sandbox.messages.isEmpty)
        }
    }

    @Test("refuses lines that are no command, and goes on")
    func garbage() async throws {
        try await withScriptedServer(ScriptedSMTP().serve) { port in
            let result = try await Martlet.run(
                ["smtp", "raw"] + plaintext(port), input: "\nNO\u{1}OP\nBDAT 5\nNOOP\n")
            #expect(result.status == 65)
            #expect(result.output.hasSuffix("250 2.0.0 ok\n"))
            #expect(result.errors.matches(of: #/It was not sent/#).count == 3)
        }
    }

    @Test("ends when the server closes, though the input is still open")
    func closedByServer() async throws {
        let server = ScriptedSMTP(faults: [.mail: .sayAndClose("421 4.3.2 going down\r\n")])
        try await withScriptedServer(server.serve) { port in
            let process = try Subprocess(
                Martlet.path, ["smtp", "raw"] + plaintext(port), environment: Martlet.complete([:]))
            process.write(Array("MAIL FROM:<a@b.example>\n".utf8))
            let result = await process.result()
            #expect(result.status == 75)
            #expect(result.output.hasSuffix("421 4.3.2 going down\n"))
        }
    }

    @Test("does not show what is typed after a 334")
    func hidden() async throws {
        try await SandboxHouse.open { house in
            let terminal = try Terminal()
            let process = try Subprocess(
                Martlet.path, ["smtp", "raw"] + house.implicitTLS,
                environment: Martlet.complete([:]), terminal: terminal.path)
            _ = await process.output(containing: "220 ")
            terminal.type("EHLO a\n")
            _ = await process.output(containing: "250 ")
            terminal.type("AUTH LOGIN\n")
            _ = await terminal.text(containing: "(not shown)")
            terminal.type("YWxpY2U=\n")
            _ = await process.output(containing: "UGFzc3dvcmQ6")
            _ = await terminal.text(containing: "(not shown) \r\n(not shown) ")
            terminal.type("aHVudGVyMg==\n")
            _ = await process.output(containing: "235 ")
            terminal.type("QUIT\n")
            #expect(await process.result().status == 0)
            let shown = await terminal.text(containing: "QUIT")
            #expect(shown.contains("AUTH LOGIN"))
            #expect(!shown.contains("aHVudGVyMg"))
        }
    }
}
