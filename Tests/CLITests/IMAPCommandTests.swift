import MartletTestSupport
import Testing

/// The commands as people run them, on a server that none of us wrote.
@Suite("martlet imap", .needs(.dovecot), .timeLimit(.minutes(5)))
struct IMAPCommandTests {
    /// The program and a server for it.
    private struct House: Sendable {
        let server: RunningIMAPServer

        func run(
            _ words: [String], input: String = ""
        ) async throws -> Subprocess.Result {
            try await Martlet.run(words + options, input: input, environment: ["PW": "alicepw"])
        }

        var options: [String] {
            [
                "--server", "localhost:\(server.ports[.imaps] ?? 0)", "--tls", "implicit",
                "--ca-file", server.certificateAuthorityFile, "--user", "alice", "--password-env",
                "PW",
            ]
        }

        /// Runs one that must go well; gives its lines.
        func lines(
            _ words: String..., input: String = "",
            sourceLocation: SourceLocation = #_sourceLocation
        ) async throws -> [String] {
            let result = try await run(["imap"] + words, input: input)
            #expect(result.status == 0, "\(result.errors)", sourceLocation: sourceLocation)
            return result.output.split(separator: "\n").map(String.init)
        }
    }

    private static let letter = """
        From: Ann Ä <ann@example.com>
        To: bob@example.org
        Subject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=
        Date: Mon, 30 Nov 2026 10:00:00 +0100
        Message-ID: <letter@example.com>
        MIME-Version: 1.0
        Content-Type: multipart/mixed; boundary=b

        --b
        Content-Type: text/plain; charset=utf-8
        Content-Transfer-Encoding: quoted-printable

        Gr=C3=BC=C3=9Fe
        --b
        Content-Type: application/pdf; name=a.pdf
        Content-Transfer-Encoding: base64

        aGVsbG8gd29ybGQ=
        --b--

        """

    private func withHouse(_ body: (House) async throws -> Void) async throws {
        try await RealServers.withServer(.dovecot) { try await body(House(server: $0)) }
    }

    @Test("puts, lists, finds, fetches, flags, moves and removes messages")
    func ordinaryDay() async throws {
        try await withHouse { house in
            // The file has the line ends of Unix; mail has not.
            #expect(
                try await house.lines(
                    "append", "--flag", "seen", "--flag", "$Work", input: Self.letter)
                    == ["1"])
            _ = try await house.lines("append", input: "Subject: plain\n\nhello\n")
            #expect(
                try await house.lines("list", "--counts").contains { line in
                    line.hasPrefix("INBOX") && line.hasSuffix("2 messages, 1 unread")
                })
            #expect(
                try await house.lines("status").contains {
                    $0.hasPrefix("  unseen ") && $0.hasSuffix(" 1")
                })
            #expect(try await house.lines("search", "--from", "ann", "--with", "$Work") == ["1"])
            #expect(try await house.lines("search", "--without", "seen") == ["2"])
            #expect(try await house.lines("search", "--subject", "grüße") == ["1"])
            #expect(
                try await house.lines("search", "--query", "OR SUBJECT plain FROM ann") == [
                    "1", "2",
                ])
            let list = try await house.lines("fetch", "--list", "1:*")
            #expect(list.count == 2)
            #expect(list.first?.contains("2026-11-30 Ann Ä") == true)
            #expect(list.first?.hasSuffix("Grüße") == true)
            #expect(list.last?.hasPrefix("2       N") == true)
            let parts = try await house.lines("fetch", "--structure", "1").dropFirst()
            #expect(parts.last?.contains("2        application/pdf") == true)
            #expect(parts.last?.hasSuffix("\"a.pdf\"") == true)

            let whole = try await house.run(["imap", "fetch", "1"])
            #expect(whole.output == Self.letter.replacing("\n", with: "\r\n"))
            #expect(
                try await house.run(["imap", "fetch", "--part", "2", "1"]).output == "hello world")
            #expect(try await house.run(["imap", "fetch", "--part", "1", "1"]).output == "Grüße")
            let header = try await house.run(["imap", "fetch", "--header", "2"])
            #expect(header.output == "Subject: plain\r\n\r\n")
            // Looking changes nothing unless told to.
            #expect(try await house.lines("search", "--without", "seen") == ["2"])
            _ = try await house.lines("fetch", "--mark-seen", "2")
            #expect(try await house.lines("search", "--without", "seen") == [])

            #expect(
                try await house.lines("flag", "--add", "flagged", "--remove", "$Work", "1:2")
                    == ["1       \\Flagged \\Seen", "2       \\Flagged \\Seen"])
            #expect(try await house.lines("flag", "--set", "draft", "2") == ["2       \\Draft"])
            let refused = try await house.run(["imap", "move", "--to", "Büro", "1"])
            #expect(refused.status == 65)
            #expect(try await house.lines("move", "--to", "Büro", "--create", "1") == ["1       1"])
            #expect(try await house.lines("move", "--to", "Büro", "--copy", "2") == ["2       2"])
            #expect(try await house.lines("list", "B*") == ["Büro"])
            #expect(
                try await house.lines("flag", "--add", "deleted", "--expunge", "2")
                    == ["2       removed"])
            #expect(try await house.lines("search") == [])
            #expect(try await house.lines("search", "-m", "Büro") == ["1", "2"])
        }
    }

    @Test("fetches many messages into files, and leaves what is there")
    func files() async throws {
        try await withHouse { house in
            for number in 1...3 {
                _ = try await house.lines("append", input: "Subject: \(number)\n\ntext\n")
            }
            let folder = try TemporaryFolder("fetch")
            defer { folder.remove() }
            let several = try await house.run(["imap", "fetch", "1:*"])
            #expect(several.status == 64)
            #expect(several.errors.contains("--folder"))
            let fetched = try await house.lines("fetch", "--folder", folder.path, "--json", "2:9")
            #expect(
                fetched.map { $0.replacing(folder.path, with: "F") } == [
                    #"{"uid":2,"file":"F/2.eml","sizeInOctets":20}"#,
                    #"{"uid":3,"file":"F/3.eml","sizeInOctets":20}"#,
                ])
            let again = try await house.run(["imap", "fetch", "--folder", folder.path, "3"])
            #expect(again.status == 65)
            #expect(again.errors.contains("--overwrite"))
            _ = try await house.lines("fetch", "--folder", folder.path, "--overwrite", "3")
            let nowhere = try await house.run(["imap", "fetch", "--folder", "/nowhere", "3"])
            #expect(nowhere.status == 66)
        }
    }

    @Test("gives objects to programs, for errors too")
    func json() async throws {
        try await withHouse { house in
            let appended = try await house.lines("append", "--json", input: Self.letter)
            let stable = appended.map {
                $0.replacing(#/"uidValidity":[0-9]+/#, with: "\"uidValidity\":0")
            }
            #expect(stable == [#"{"ok":true,"mailbox":"INBOX","uidValidity":0,"uid":1}"#])
            let listed = try await house.lines("fetch", "--list", "--json", "1")
            #expect(
                listed.first?.contains(
                    #""subject":"Grüße","from":[{"name":"Ann Ä","address":"ann@example.com"}]"#)
                    == true)
            let missing = try await house.run(["imap", "fetch", "--list", "--json", "77"])
            #expect(missing.status == 65)
            #expect(
                missing.output
                    == #"{"ok":false,"exitStatus":65,"error":{"kind":"noSuchMessage","stage":null,"message":"there is no message with UID 77 in \"INBOX\".","recovery":"fixInput"}}"#
                    + "\n")
            let moved = try await house.lines("move", "--to", "Archive", "--json", "1")
            #expect(moved.first?.hasSuffix(#""uids":[{"from":1,"to":1}]}"#) == true)
            let status = try await house.lines("status", "--json", "-m", "Archive", "-m", "INBOX")
            #expect(
                status.first?.contains(#"{"name":"Archive","status":{"messages":1,"unseen":1"#)
                    == true)
        }
    }

    @Test("tells what happens while it happens", .timeLimit(.minutes(2)))
    func watch() async throws {
        try await withHouse { house in
            let process = try Subprocess(
                Martlet.path, ["imap", "watch", "--count", "3"] + house.options,
                environment: Martlet.complete(["PW": "alicepw"]))
            process.closeInput()
            _ = await process.errors { $0.contains("Watching INBOX: 0 messages.") }
            _ = try await house.lines("append", input: Self.letter)
            _ = await process.output(containing: "new ")
            _ = try await house.lines("flag", "--add", "answered", "1")
            _ = await process.output(containing: "flags ")
            _ = try await house.lines("flag", "--add", "deleted", "--expunge", "1")
            let result = await process.result()
            #expect(result.status == 0)
            let lines = result.output.split(separator: "\n")
            #expect(
                lines.first?.hasSuffix("Ann Ä                        Grüße") == true, "\(lines)")
            #expect(lines.dropFirst().first?.hasPrefix("flags    1       ") == true, "\(lines)")
            #expect(
                lines.last == "removed  1" || lines.last?.contains("\\Deleted") == true, "\(lines)")
        }
    }

    @Test("takes commands by hand: literals, IDLE, and refuses what nobody could read")
    func raw() async throws {
        try await withHouse { house in
            let result = try await house.run(
                ["imap", "raw"],
                input: """
                    CREATE by-hand
                    APPEND by-hand {20}
                    Subject: x

                    text

                    EXAMINE by-hand
                    FETCH 1 BODY.PEEK[TEXT]
                    SEARCH SUBJECT {1}
                    x ALL
                    IDLE
                    DONE
                    STARTTLS
                    BOGUS

                    """)
            #expect(result.status == 65)  // STARTTLS
            let lines = result.output.split(separator: "\n").map(String.init)
            for (tag, answer) in ["OK", "OK", "OK", "OK", "OK", "OK", "BAD"].enumerated() {
                #expect(lines.contains { $0.hasPrefix("r\(tag + 1) \(answer)") }, "\(lines)")
            }
            #expect(result.output.contains("* 1 FETCH (BODY[TEXT] {6}\ntext\n)"))
            #expect(lines.contains("* SEARCH 1"))
            #expect(result.errors.contains("It was not sent."))
        }
    }

    @Test("check imap passes every layer, names what is known, and finds the layer that fails")
    func check() async throws {
        try await withHouse { house in
            let good = try await house.run(["check", "imap", "--json"])
            #expect(good.status == 0, "\(good.output)")
            let outcomes = good.output.matches(of: #/"outcome":"([a-z]+)"/#).map(\.output.1)
            #expect(outcomes == Array(repeating: "passed", count: 8))
            #expect(good.output.contains(#""profile":"Dovecot""#))
            #expect(good.output.contains(#""UIDPLUS""#))

            let wrong = try await Martlet.run(
                ["check", "imap"] + house.options, environment: ["PW": "wrong"])
            #expect(wrong.status == 77)
            #expect(layers(wrong).contains("OFFERS passed, LOGIN failed, SERVER skipped"))
            let startTLS = try await Martlet.run(
                [
                    "check", "imap", "--server", "localhost:\(house.server.ports[.imap] ?? 0)",
                    "--tls", "starttls", "--ca-file", house.server.certificateAuthorityFile,
                ])
            #expect(startTLS.status == 0)
            #expect(
                layers(startTLS).contains(
                    "TLS passed, GREETING passed, OFFERS passed, LOGIN skipped"))
            let untrusted = try await Martlet.run(
                [
                    "check", "imap", "--server", "localhost:\(house.server.ports[.imaps] ?? 0)",
                    "--tls", "implicit",
                ])
            #expect(untrusted.status == 76)
            #expect(layers(untrusted).contains("TCP passed, TLS failed, GREETING skipped"))
        }
        let host = try await Martlet.run(["check", "imap", "--server", "no-such-host.invalid:993"])
        #expect(host.status == 68)
        #expect(layers(host).contains("DNS failed, TCP skipped"))
    }

    private func layers(_ result: Subprocess.Result) -> String {
        result.output.matches(of: #/(?m)^  ([A-Z]+) +(passed|failed|skipped)/#)
            .map { "\($0.output.1) \($0.output.2)" }.joined(separator: ", ")
    }
}
