import MartletTestSupport
import Testing

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

@Suite("martlet imap ends with")
struct IMAPExitStatusTests {
    private func run(
        _ words: [String], _ server: ScriptedIMAP, login: Bool = true
    ) async throws -> Subprocess.Result {
        var result: Subprocess.Result?
        try await withScriptedServer(server.serve) { port in
            let options =
                plaintext(port)
                + (login
                    ? ["--user", "alice", "--password-env", "PW", "--allow-plaintext-login"] : [])
            result = try await Martlet.run(
                ["imap"] + words + options, environment: ["PW": "secret"])
        }
        return try #require(result)
    }

    @Test(
        "the number for what a server answers",
        arguments: [
            ("NO [NONEXISTENT] no such mailbox", Int32(65)),
            ("NO no mailbox of that name", 65), ("NO [UNAVAILABLE] later", 75),
            ("NO [NOPERM] not yours", 69), ("BAD what", 69),
        ])
    func refusals(answer: String, status: Int32) async throws {
        let server = ScriptedIMAP { command, peer in
            guard command.words.hasPrefix("EXAMINE") else { return false }
            try await peer.say("\(command.tag) \(answer)\r\n")
            return true
        }
        let result = try await run(["search"], server)
        #expect(result.status == status, "\(result.errors)")
        let words =
            answer.split(separator: "] ").last?.split(separator: "BAD ").last?.trimmingPrefix("NO ")
            ?? ""
        #expect(result.errors.contains(words), "\(result.errors)")
    }

    @Test("64 where nobody logs in and the server asks who reads")
    func nobody() async throws {
        let result = try await run(["list"], ScriptedIMAP(), login: false)
        #expect(result.status == 64)
        #expect(result.errors.contains("add --user"), "\(result.errors)")
    }

    @Test("64 for a password that would go in the clear, which is not sent")
    func clear() async throws {
        let server = ScriptedIMAP()
        try await withScriptedServer(server.serve) { port in
            let result = try await Martlet.run(
                ["imap", "list", "--user", "alice", "--password-env", "PW"] + plaintext(port),
                environment: ["PW": "secret"])
            #expect(result.status == 64)
            #expect(result.errors.contains("--allow-plaintext-login"))
        }
        #expect(!server.words.contains { $0.contains("AUTHENTICATE") || $0.contains("LOGIN") })
    }

    @Test("77 for a wrong password, 75 where the connection ends without a word")
    func login() async throws {
        let refusing = ScriptedIMAP { command, peer in
            guard command.words.hasPrefix("AUTHENTICATE") else { return false }
            try await peer.say("\(command.tag) NO [AUTHENTICATIONFAILED] no\r\n")
            return true
        }
        #expect(try await run(["list"], refusing).status == 77)
        let leaving = ScriptedIMAP { command, peer in
            guard command.words.hasPrefix("EXAMINE") else { return false }
            await peer.close()
            return true
        }
        #expect(try await run(["search"], leaving).status == 75)
    }

    @Test("the words of the command line that cannot be followed, before anybody is asked anything")
    func usage() async throws {
        let server = ["--server", "127.0.0.1:9", "--tls", "plaintext"]
        for (words, says) in [
            (["fetch"], "UIDS is missing"), (["fetch", "x"], "is not UIDs"),
            (["fetch", "--json", "1"], "--folder"),
            (["fetch", "--part", "x", "1"], "part's number"),
            (["flag", "1"], "nothing to change"), (["flag", "--add", "a b", "1"], "is no flag"),
            (["search", "--since", "yesterday"], "is no day"),
            (["search", "--query", "OR FROM"], "is no search: SP expected at octet 7"),
            (["append", "--date", "noon", "x.eml"], "is no date"),
        ] {
            let result = try await Martlet.run(["imap"] + words + server)
            #expect(result.status == 64, "\(words)")
            #expect(result.errors.contains(says), "\(words): \(result.errors)")
        }
    }

    @Test("the signal that ended it, with the connection in order")
    func interrupted() async throws {
        let server = ScriptedIMAP()
        try await withScriptedServer(server.serve) { port in
            let process = try Subprocess(
                Martlet.path,
                [
                    "imap", "watch", "--json", "--user", "alice", "--password-env", "PW",
                    "--allow-plaintext-login",
                ] + plaintext(port), environment: Martlet.complete(["PW": "secret"]))
            process.closeInput()
            try await waitUntil { server.words.contains("IDLE") }
            process.send(signal: SIGINT)
            let result = await process.result()
            #expect(result.status == 130)
            #expect(result.output.hasPrefix(#"{"event":"opened","messages":3}"#))
            #expect(result.output.contains(#""kind":"cancelled""#))
        }
    }

    @Test("no terminal moved by what a server says")
    func escapes() async throws {
        let server = ScriptedIMAP { command, peer in
            guard command.words.hasPrefix("LIST") else { return false }
            try await peer.say(
                "* LIST () \"/\" \"\u{1B}[2Jevil\"\r\n\(command.tag) OK done\r\n")
            return true
        }
        let result = try await run(["list"], server)
        #expect(result.status == 0, "\(result.errors)")
        #expect(!result.output.contains("\u{1B}"))
    }
}
