import MartletBytes
import MartletSandbox
import MartletTestSupport
import Testing

@Suite("Sandbox and aerc", .needs(.aerc), .timeLimit(.minutes(2)))
struct AercTests {
    /// Starts it on a terminal.
    private func start(
        _ home: ClientHome, _ sandbox: Sandbox, authority: String? = nil
    ) throws -> Subprocess {
        try home.write(
            """
            [it]
            source = imaps://alice:secret@localhost:\(sandbox.ports.imaps ?? 0)
            outgoing = smtps+plain://alice:secret@localhost:\(sandbox.ports.smtps ?? 0)
            default = INBOX
            from = Alice <alice@example.test>
            copy-to = Sent

            """, to: ".config/aerc/accounts.conf")
        try home.write(
            """
            [general]
            log-file = \(home.path)/log
            log-level = info
            [compose]
            editor = /bin/sh -c 'echo Hello from aerc. >>"$0"'

            """, to: ".config/aerc/aerc.conf")
        return try home.program.start(
            ["script", "-qec", "stty rows 40 cols 120; aerc", "/dev/null"], home: home.path,
            variables: ["SSL_CERT_FILE": authority ?? home.authority])
    }

    private func run(_ command: String, _ aerc: Subprocess) {
        aerc.write(Array(":\(command)\r".utf8))
    }

    @Test("on a terminal it lists, flags, copies, moves, deletes, and sends with a copy in Sent")
    func works() async throws {
        try await withSandbox { sandbox in
            try await sandbox.fill()
            try await ClientHome.with(.aerc, sandbox) { home in
                let aerc = try start(home, sandbox)
                // The newest is on top, and selected.
                let shown = await aerc.output { $0.contains("long") && $0.contains("Grüße") }
                #expect(shown.contains("long") && shown.contains("Grüße"), "\(shown.suffix(2_000))")
                func wait(_ condition: () async throws -> Bool) async throws {
                    try await waitUntil(within: .seconds(15)) { (try? await condition()) == true }
                }
                run("flag", aerc)
                try await wait { try await sandbox.letters().last?.flags == ["\\Flagged"] }
                run("cp Drafts", aerc)
                try await wait { try await sandbox.letters(in: "Drafts").count == 1 }
                run("mv Archive", aerc)
                try await wait { try await sandbox.letters().count == 3 }
                #expect(try await sandbox.letters(in: "Archive").map(\.octets) == [Letters.long])
                #expect(try await sandbox.letters(in: "Archive").first?.flags == ["\\Flagged"])
                run("delete", aerc)
                try await wait { try await sandbox.letters().count == 2 }
                run("compose -H \"To: bob@example.test\" -H \"Subject: terminal\"", aerc)
                _ = await aerc.output(containing: "Send this email?")
                run("send", aerc)
                try await wait { try await sandbox.letters(in: "Sent").count == 1 }
                let sent = try #require(try await sandbox.letters(in: "Sent").first)
                #expect(sent.text.contains("Hello from aerc.") && sent.subject == "terminal")
                #expect(sent.flags == ["\\Seen"])
                let arrived = await sandbox.messages(of: "bob@example.test")
                #expect(arrived.count == 1 && arrived.first?.user == "alice@example.test")
                run("quit", aerc)
                #expect(await aerc.result().status == 0)
                #expect(
                    try await sandbox.letters().map(\.octets) == [Letters.plain, Letters.dots])
            }
        }
    }

    @Test("does not trust another authority")
    func distrusts() async throws {
        try await withSandbox { sandbox in
            try await ClientHome.with(.aerc, sandbox) { home in
                let aerc = try start(home, sandbox, authority: home.wrongAuthority)
                let shown = await aerc.output(containing: "x509")
                #expect(
                    shown.contains("x509: certificate signed by unknown"), "\(shown.suffix(1_000))")
                run("quit", aerc)
                #expect(await aerc.result().status == 0)
            }
        }
    }
}
