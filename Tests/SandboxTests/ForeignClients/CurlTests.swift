import MartletBytes
import MartletSandbox
import MartletTestSupport
import Testing

@Suite("Sandbox and curl", .needs(.curl), .timeLimit(.minutes(2)))
struct CurlTests {
    /// How curl comes in, and where.
    struct Way: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var scheme: String
        var options: [String]
        var port: @Sendable (Sandbox.Ports) -> Int?

        func url(_ sandbox: Sandbox, _ rest: String) -> String {
            "\(scheme)://localhost:\(port(sandbox.ports) ?? 0)/\(rest)"
        }

        static func all(
            _ scheme: String, _ plain: @escaping @Sendable (Sandbox.Ports) -> Int?,
            _ encrypted: @escaping @Sendable (Sandbox.Ports) -> Int?
        ) -> [Way] {
            [
                Way(testDescription: "plain", scheme: scheme, options: [], port: plain),
                Way(
                    testDescription: "TLS on demand", scheme: scheme, options: ["--ssl-reqd"],
                    port: plain),
                Way(
                    testDescription: "TLS from the start", scheme: scheme + "s", options: [],
                    port: encrypted),
            ]
        }
    }

    private func curl(_ home: ClientHome, _ way: Way, user: String? = "alice") -> [String] {
        ["curl", "-sS", "--cacert", home.authority] + way.options
            + (user.map { ["-u", "\($0):secret"] } ?? [])
    }

    @Test(
        "what it sends is kept octet for octet",
        arguments: Way.all("smtp", \.smtp, \.smtps))
    func sends(way: Way) async throws {
        try await withSandbox { sandbox in
            try await ClientHome.with(.curl, sandbox) { home in
                for (index, letter) in Letters.all.enumerated() {
                    try home.write(letter, to: "letter")
                    try await home.succeed(
                        curl(home, way, user: index == 0 ? nil : "ann") + [
                            way.url(sandbox, "client.example.com"),
                            "--mail-from", "ann@example.com",
                            "--mail-rcpt", "alice@example.test",
                            "--mail-rcpt", "bob@example.test", "--upload-file", "letter",
                        ])
                }
                let kept = await sandbox.messages(of: "alice@example.test")
                #expect(kept.map(\.octets) == Letters.all)
                #expect(kept.allSatisfy { $0.clientName == "client.example.com" })
                #expect(kept.map { $0.user != nil } == [false, true, true, true])
                #expect(
                    kept.allSatisfy { ($0.tlsVersion == nil) == (way.testDescription == "plain") })
                #expect(try await sandbox.letters(of: "bob").map(\.octets) == Letters.all)
            }
        }
    }

    @Test(
        "lists, puts, reads, searches and flags by IMAP",
        arguments: Way.all("imap", \.imap, \.imaps))
    func imap(way: Way) async throws {
        try await withSandbox { sandbox in
            try await ClientHome.with(.curl, sandbox) { home in
                let command = curl(home, way)
                for letter in Letters.all {
                    try home.write(letter, to: "letter")
                    try await home.succeed(
                        command + [way.url(sandbox, "INBOX"), "--upload-file", "letter"])
                }
                let listed = try await home.succeed(command + [way.url(sandbox, "")])
                #expect(listed.contains("* LIST (\\HasNoChildren) \"/\" INBOX\r\n"))
                for (index, letter) in Letters.all.enumerated() {
                    let uid = "INBOX;UID=\(index + 1)"
                    let whole = try await home.succeed(command + [way.url(sandbox, uid)])
                    #expect(Array(whole.utf8) == letter)
                    let header = try await home.succeed(
                        command + [
                            way.url(sandbox, "INBOX;MAILINDEX=\(index + 1);SECTION=HEADER")
                        ])
                    #expect(letter.starts(with: Array(header.utf8)) && header.hasSuffix("\r\n\r\n"))
                }
                let found = try await home.succeed(
                    command + [way.url(sandbox, "INBOX?SUBJECT%20dots")])
                #expect(found == "* SEARCH 2\r\n")
                try await home.succeed(
                    command + [
                        way.url(sandbox, "INBOX"), "-X", "UID STORE 2 +FLAGS.SILENT (\\Flagged)",
                    ])
                let rows = try await home.succeed(
                    command + [way.url(sandbox, "INBOX"), "-X", "FETCH 1:2 (UID RFC822.SIZE)"])
                #expect(
                    rows == "* 1 FETCH (UID 1 RFC822.SIZE \(Letters.plain.count))\r\n"
                        + "* 2 FETCH (UID 2 RFC822.SIZE \(Letters.dots.count))\r\n")
                let served = try await sandbox.letters()
                #expect(served.map(\.octets) == Letters.all)
                #expect(served[1].flags == ["\\Seen", "\\Flagged"])
            }
        }
    }

    @Test(
        "lists, reads and deletes by POP3",
        arguments: Way.all("pop3", \.pop3, \.pop3s))
    func pop3(way: Way) async throws {
        try await withSandbox { sandbox in
            try await sandbox.fill()
            try await ClientHome.with(.curl, sandbox) { home in
                let command = curl(home, way)
                let sizes = Letters.all.enumerated().map { "\($0 + 1) \($1.count)\r\n" }.joined()
                #expect(try await home.succeed(command + [way.url(sandbox, "")]) == sizes)
                for (index, letter) in Letters.all.enumerated() {
                    let whole = try await home.succeed(
                        command + [way.url(sandbox, "\(index + 1)")])
                    #expect(Array(whole.utf8) == letter)
                }
                let ids = try await home.succeed(command + [way.url(sandbox, ""), "-X", "UIDL"])
                #expect(Set(ids.split(separator: "\r\n")).count == Letters.all.count)
                let top = try await home.succeed(command + [way.url(sandbox, ""), "-X", "TOP 2 1"])
                #expect(top.hasSuffix("\r\n\r\n.\r\n"))
                try await home.succeed(command + [way.url(sandbox, "2"), "-X", "DELE", "-I"])
                #expect(try await sandbox.letters().map(\.uid) == [1, 3, 4])
            }
        }
    }

    @Test(
        "does not trust another authority, and a wrong password lets nobody in",
        arguments: ["smtp", "imap", "pop3"])
    func refuses(scheme: String) async throws {
        try await withSandbox({ $0.users = ["alice": Secret("secret")] }) { sandbox in
            try await ClientHome.with(.curl, sandbox) { home in
                let port =
                    switch scheme {
                    case "smtp": sandbox.ports.smtps
                    case "imap": sandbox.ports.imaps
                    default: sandbox.ports.pop3s
                    }
                let url = "\(scheme)s://localhost:\(port ?? 0)/"
                let distrusted = try await home.run(
                    ["curl", "-sS", "--cacert", home.wrongAuthority, "-u", "alice:secret", url])
                #expect(distrusted.status == 60, "\(distrusted.errors)")
                let wrong = try await home.run(
                    ["curl", "-sS", "--cacert", home.authority, "-u", "alice:wrong", url])
                #expect(wrong.status == 67, "\(wrong.errors)")
                let right = try await home.run(
                    ["curl", "-sS", "--cacert", home.authority, "-u", "alice:secret", url])
                #expect(right.status == 0, "\(right.errors)")
            }
        }
    }
}
