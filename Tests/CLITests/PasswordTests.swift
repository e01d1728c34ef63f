import MartletBytes
import MartletSandbox
import MartletTestSupport
import Testing

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

@Suite("Password")
struct PasswordTests {
    @Test("comes from the first line of a command, a file, a pipe or the environment")
    func sources() async throws {
        try await SandboxHouse.open(users: ["alice": Secret("pässwort 1")]) { house in
            let file = try house.write("pässwort 1\r\nsecond line\n", "password")
            let sources: [[String]] = [
                ["--password-command", "printf 'pässwort 1\nmore\n'; exec >/dev/null"],
                ["--password-command", "cat \(file)"],
                ["--password-file", file],
                ["--password-env", "PW"],
            ]
            for source in sources {
                let result = try await Martlet.run(
                    send(house.startTLS) + ["--user", "alice"] + source, input: "hi\n",
                    environment: ["PW": "pässwort 1"])
                #expect(result.status == 0, "\(source): \(result.errors)")
            }
            #expect(await house.sandbox.messages.allSatisfy { $0.user == "alice@example.test" })
            #expect(await house.sandbox.messages.count == 4)
        }
    }

    @Test("command does not eat the message, and its failure is shown")
    func command() async throws {
        try await SandboxHouse.open { house in
            let words = send(house.startTLS) + ["--user", "alice", "--password-command"]
            let greedy = try await Martlet.run(words + ["cat; echo pw"], input: "the message\n")
            #expect(greedy.status == 0)
            #expect(await house.sandbox.messages.first?.text.contains("the message") == true)
            let failing = try await Martlet.run(
                words + ["echo 'vault is locked' >&2; exit 3"], input: "hi\n")
            #expect(failing.status == 69)
            #expect(
                failing.errors
                    == "vault is locked\nmartlet: The password command ended with status 3.\n")
            let empty = try await Martlet.run(words + ["true"], input: "hi\n")
            #expect(empty.status == 69)
            #expect(empty.errors.contains("no password in the first line"))
        }
    }

    @Test(
        "command that never stops printing is ended, and one that leaves an agent behind is not waited for"
    )
    func endless() async throws {
        try await SandboxHouse.open { house in
            let words = send(house.startTLS) + ["--user", "alice", "--password-command"]
            let endless = try await Martlet.run(words + ["yes pw"], input: "hi\n")
            #expect(endless.status == 69)
            #expect(endless.errors.contains("prints more than 65536 octets"))
            let start = ContinuousClock.now
            let agent = try await Martlet.run(
                words + ["sleep 60 2>/dev/null & echo pw"], input: "hi\n")
            #expect(agent.status == 0)
            #expect(ContinuousClock.now - start < .seconds(50))
        }
    }

    @Test("command is ended with the program")
    func interrupted() async throws {
        try await SandboxHouse.open { house in
            let started = house.folder.path + "/started"
            let process = try Subprocess(
                Martlet.path,
                send(house.startTLS) + [
                    "--user", "alice", "--password-command", "touch '\(started)'; exec sleep 60",
                ], environment: Martlet.complete([:]))
            process.closeInput()
            try await waitUntil { access(started, F_OK) == 0 }
            let start = ContinuousClock.now
            process.send(signal: SIGTERM)
            #expect(await process.result().status == 128 + SIGTERM)
            #expect(ContinuousClock.now - start < .seconds(50))
        }
    }

    @Test("source that holds none is named")
    func none() async throws {
        try await SandboxHouse.open { house in
            let words = send(house.startTLS) + ["--user", "alice"]
            let file = try house.write("\nsecond\n", "empty")
            let cases: [([String], Int32, String)] = [
                (["--password-file", file], 66, "first line of \"\(file)\""),
                (["--password-file", "/nowhere"], 66, "\"/nowhere\" could not be opened"),
                (["--password-env", "UNSET"], 64, "UNSET is not set"),
            ]
            for (source, status, says) in cases {
                let result = try await Martlet.run(words + source, input: "hi\n")
                #expect(result.status == status)
                #expect(result.errors.contains(says), "\(result.errors)")
            }
            #expect(await house.sandbox.messages.isEmpty)
        }
    }

    @Test(
        "on the command line is refused and not repeated",
        arguments: [["--password", "hunter2"], ["--password=hunter2"], ["-phunter2"]])
    func refused(words: [String]) async throws {
        for command in [["send"], ["check", "smtp"], ["smtp", "raw"], ["sandbox"]] {
            let result = try await Martlet.run(command + words)
            #expect(result.status == 64)
            #expect(!(result.errors + result.output).contains("hunter2"))
        }
    }

    @Test(
        "is on no command line while it is used",
        .enabled(if: access("/proc/self/cmdline", R_OK) == 0))
    func processList() async throws {
        // The server says nothing after AUTH, so that everything can be looked at.
        let ehlo = "250-mx\r\n250 AUTH PLAIN\r\n"
        let server = ScriptedSMTP(ehlo: ehlo, faults: [.auth: .silence])
        try await withScriptedServer(server.serve) { port in
            let folder = try MartletTestSupport.TemporaryFolder("password")
            defer { folder.remove() }
            try MartletTestSupport.write(Array("hunter2".utf8), toFile: folder.path + "/pw")
            let process = try Subprocess(
                Martlet.path,
                send(plaintext(port)) + [
                    "--allow-plaintext-login", "--user", "alice", "--password-command",
                    "cat \(folder.path)/pw",
                ], environment: Martlet.complete([:]))
            process.closeInput()
            while !server.lines.contains(where: { $0.hasPrefix("AUTH") }) { await Task.yield() }
            for name in ["cmdline", "environ"] {
                let octets = try MartletTestSupport.octets(
                    ofFile: "/proc/\(process.processID)/\(name)")
                #expect(!octets.isEmpty)
                #expect(!String(decoding: octets, as: UTF8.self).contains("hunter2"))
            }
            process.send(signal: SIGKILL)
            _ = await process.result()
        }
    }

    @Test("is asked for on the terminal and not shown")
    func typed() async throws {
        try await SandboxHouse.open(users: ["alice": Secret("gehäim")]) { house in
            let terminal = try Terminal()
            let body = try house.write("body\n", "body")
            let process = try Subprocess(
                Martlet.path, send(house.startTLS) + ["--user", "alice", body],
                environment: Martlet.complete([:]), terminal: terminal.path)
            #expect(await terminal.text(containing: "Password of alice: ").contains("alice"))
            // A slip is taken back: Backspace takes the whole letter.
            terminal.type("gehä\u{7F}äim\r")
            let result = await process.result()
            #expect(result.status == 0)
            let shown = await terminal.text(containing: "Sent.")
            #expect(!shown.contains("geh"))
            #expect(shown.contains("Sending"))
            #expect(await house.sandbox.messages.first?.user == "alice@example.test")
        }
    }

    @Test("that is not given after all ends the program by 130")
    func cancelled() async throws {
        let terminal = try Terminal()
        let process = try Subprocess(
            Martlet.path,
            send(["--server", "127.0.0.1:9", "--tls", "plaintext"]) + [
                "--user", "alice", #filePath,
            ],
            environment: Martlet.complete([:]), terminal: terminal.path)
        _ = await terminal.text(containing: "Password")
        terminal.type("\u{3}")
        #expect(await process.result().status == 130)
    }
}
