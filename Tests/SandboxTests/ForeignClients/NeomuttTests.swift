import MartletBytes
import MartletSandbox
import MartletTestSupport
import Testing

@Suite("Sandbox and neomutt", .needs(.neomutt), .timeLimit(.minutes(2)))
struct NeomuttTests {
    private func settings(
        _ home: ClientHome, _ sandbox: Sandbox, _ lines: String, authority: String? = nil
    ) throws -> String {
        // What a person would have put on: it writes there where it is asked to.
        try home.write("", to: "certificates")
        return try home.write(
            """
            set folder = "imaps://localhost:\(sandbox.ports.imaps ?? 0)/"
            set imap_user = "alice"
            set imap_pass = "secret"
            set ssl_ca_certificates_file = "\(authority ?? home.authority)"
            set certificate_file = "\(home.path)/certificates"
            set ssl_force_tls = yes
            set from = "alice@example.test"
            set realname = "Alice"
            set hostname = "client.example.com"
            set use_envelope_from = yes
            set smtp_url = "smtps://alice@localhost:\(sandbox.ports.smtps ?? 0)/"
            set smtp_pass = "secret"
            set smtp_authenticators = "plain"
            set spoolfile = "=INBOX"
            set record = "=Sent"
            set copy = yes
            set quit = yes
            set delete = yes
            set confirmappend = no
            set confirmcreate = no
            set abort_unmodified = no
            set fast_reply = yes
            set editor = "echo Hello from the terminal. >>"
            set wait_key = no
            set sleep_time = 0
            set resolve = no
            \(lines)
            """, to: "muttrc")
    }

    /// Runs it on a terminal until its keys have made it end.
    private func press(_ keys: String, _ home: ClientHome, _ sandbox: Sandbox) async throws {
        let file = try settings(home, sandbox, "push \"\(keys)\"")
        // A terminal whose input does not end.
        let process = try home.program.start(
            [
                "script", "-qec", "stty rows 40 cols 120; neomutt -n -F \(file) -f =INBOX",
                "/dev/null",
            ], home: home.path)
        let result = await process.result()
        process.closeInput()
        #expect(result.status == 0, "\(result.output.suffix(1_000))")
    }

    @Test("in batch mode it sends, with a file and words of any script")
    func sends() async throws {
        try await withSandbox({
            $0.users = ["alice": Secret("secret")]
            $0.requiresAuthentication = true
        }) { sandbox in
            try await ClientHome.with(.neomutt, sandbox) { home in
                let file = try settings(home, sandbox, "unset record")
                try home.write([0, 1, 2, 0xFF, 13, 10], to: "data.bin")
                try await home.succeed(
                    [
                        "neomutt", "-n", "-F", file, "-s", "Grüße", "-a", "data.bin", "--",
                        "bob@example.test",
                    ], input: Array("Schöne Grüße.\n.\nEnde\n".utf8))
                let kept = await sandbox.messages(of: "bob@example.test")
                let message = text(kept.first?.octets ?? [])
                #expect(message.contains("Subject: =?utf-8?B?R3LDvMOfZQ==?="), "\(message)")
                #expect(message.contains("AAEC/w0K"))
                #expect(kept.first?.envelope.reversePath.description == "alice@example.test")
                #expect(kept.first?.user == "alice@example.test")
            }
        }
    }

    @Test("on a terminal it reads, flags, copies, moves and deletes")
    func moves() async throws {
        try await withSandbox { sandbox in
            try await sandbox.fill()
            try await ClientHome.with(.neomutt, sandbox) { home in
                try await press(
                    "<first-entry><display-message><exit>"
                        + "<next-entry><flag-message><copy-message>=New<enter>"
                        + "<next-entry><save-message>=Archive<enter>"
                        + "<last-entry><delete-message><sync-mailbox><exit>", home, sandbox)
                let inbox = try await sandbox.letters()
                #expect(inbox.map(\.octets) == [Letters.plain, Letters.dots])
                #expect(inbox.map(\.flags) == [["\\Seen"], ["\\Flagged"]])
                #expect(try await sandbox.letters(in: "New").map(\.octets) == [Letters.dots])
                #expect(try await sandbox.letters(in: "Archive").map(\.octets) == [Letters.utf8])
            }
        }
    }

    @Test("on a terminal it writes a message, and puts a copy into Sent")
    func writes() async throws {
        try await withSandbox { sandbox in
            try await sandbox.fill([Letters.plain])
            try await ClientHome.with(.neomutt, sandbox) { home in
                try await press(
                    "<mail>bob@example.test<enter>From a terminal<enter><send-message><exit>",
                    home, sandbox)
                let sent = try await sandbox.letters(in: "Sent")
                #expect(sent.map(\.flags) == [["\\Seen"]])
                #expect(sent.first?.text.contains("Hello from the terminal.") == true)
                let arrived = await sandbox.messages(of: "bob@example.test")
                #expect(arrived.count == 1)
                let message = text(arrived.first?.octets ?? [])
                #expect(message.contains("Subject: From a terminal"))
            }
        }
    }

    @Test("does not trust another authority")
    func distrusts() async throws {
        try await withSandbox { sandbox in
            try await ClientHome.with(.neomutt, sandbox) { home in
                let file = try settings(
                    home, sandbox, "unset record", authority: home.wrongAuthority)
                let result = try await home.run(
                    ["neomutt", "-n", "-F", file, "-s", "no", "--", "bob@example.test"],
                    input: Array("no\n".utf8))
                #expect(result.status != 0, "\(result.errors)")
                #expect(await sandbox.messages.isEmpty)
            }
        }
    }
}
