import MartletBytes
import MartletSandbox
import MartletTestSupport
import Testing

@Suite("Exit status")
struct ExitStatusTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var status: Int32
        var words: [String]
        var input = ""
        var says: String
        var testDescription: String { "\(status): \(says)" }
    }

    private static let nowhere = ["--server", "127.0.0.1:9", "--tls", "plaintext"]

    static let cases = [
        Case(status: 64, words: [], says: "a command is missing"),
        Case(status: 64, words: ["sned"], says: "Did you mean \"send\"?"),
        Case(status: 64, words: ["send"], says: "--server HOST:PORT is missing"),
        Case(status: 64, words: send(["--server", "mail.example.org"]), says: "lacks a port"),
        Case(status: 64, words: send(["--server", "a:2525"]), says: "add --tls"),
        Case(status: 64, words: send(nowhere, to: []), says: "there is no recipient"),
        Case(
            status: 64, words: ["send"] + nowhere + ["--to", "a@b.example"], says: "--from ADDRESS"),
        Case(status: 64, words: send(nowhere) + ["--read-recipients"], says: "add --raw"),
        Case(
            status: 64,
            words: ["send"] + nowhere + ["--raw", "--subject", "x", "--to", "a@b.example"],
            says: "--subject is for composing"),
        Case(status: 64, words: ["send"] + nowhere + ["--raw"], says: "--to ADDRESS or --read"),
        Case(
            status: 64,
            words: ["send"] + nowhere + ["--raw", "--to", "a@b.example", "--read-recipients"],
            says: "exclude each other"),
        Case(
            status: 64, words: send(nowhere) + ["--password-file", "x"], says: "needs --user"),
        Case(
            status: 64,
            words: send(nowhere) + ["-u", "a", "--password-file", "x", "--password-env", "Y"],
            says: "exclude each other"),
        Case(status: 65, words: send(nowhere, to: ["bob"]), says: "is not a mail address"),
        Case(
            status: 65, words: send(nowhere, to: ["a@b.example\r\nDATA"]),
            says: "not a mail address"),
        Case(
            status: 65, words: send(nowhere) + ["--envelope-from", "a@b>c"],
            says: "is not a mail address"),
        Case(
            status: 65, words: ["send"] + nowhere + ["--raw", "--read-recipients"],
            input: "From: a@b.example\nSubject: x\n\n", says: "names no recipient"),
        Case(
            status: 65, words: ["send"] + nowhere + ["--raw", "--read-recipients"],
            input: "From: a@b.example\nTo: b@c.example, what is this\n\n",
            says: "\"what is this\", which is no address"),
        Case(
            status: 66, words: send(nowhere) + ["--attach", "/nowhere/file"],
            says: "\"/nowhere/file\" could not be opened: No such file or directory"),
        Case(status: 66, words: send(nowhere) + ["--attach", "/"], says: "\"/\" is a folder"),
        Case(status: 66, words: send(nowhere) + ["/nowhere/body"], says: "\"/nowhere/body\""),
        Case(status: 66, words: send(nowhere) + ["--html", "/dev/null"], says: "is a device"),
        Case(
            status: 68, words: send(["--server", "no-such-host.invalid:465"]),
            says: "there is no host named no-such-host.invalid"),
        Case(
            status: 68, words: ["check", "smtp", "--server", "no-such-host.invalid:465"], says: ""),
        Case(status: 69, words: send(nowhere), says: "nothing listens at 127.0.0.1:9"),
        Case(status: 69, words: ["check", "smtp"] + nowhere, says: ""),
        Case(
            status: 69, words: ["smtp", "raw"] + nowhere, says: "nothing listens at 127.0.0.1:9"),
        Case(
            status: 65, words: ["sandbox", "--accounts", "/proc/version"],
            says: "is not NAME:PASSWORD"),
        Case(
            status: 66, words: ["sandbox", "--accounts", "/nowhere"], says: "could not be opened"),
        Case(status: 64, words: ["sandbox", "--account", "alice:hunter2"], says: "--accounts"),
    ]

    @Test("tells scripts what happened, and a sentence tells people", arguments: cases)
    func status(testCase: Case) async throws {
        let result = try await Martlet.run(testCase.words, input: testCase.input)
        #expect(result.status == testCase.status, "\(result.errors)")
        #expect(result.errors.contains(testCase.says), "\(result.errors)")
        #expect(!result.errors.contains("hunter2"))
    }

    struct Faulty: Sendable, CustomTestStringConvertible {
        var status: Int32
        var stage: ScriptedSMTP.Stage
        var fault: ScriptedSMTP.Fault
        var says: String
        var testDescription: String { "\(status) at \(stage): \(says)" }
    }

    static let faulty = [
        Faulty(status: 65, stage: .end, fault: .say("552 5.3.4 too big\r\n"), says: "552 5.3.4"),
        Faulty(
            status: 67, stage: .rcpt, fault: .say("550 5.1.1 unknown\r\n"),
            says: "550 5.1.1 \"unknown\""),
        Faulty(status: 69, stage: .greeting, fault: .sayAndClose("554 no\r\n"), says: "554"),
        Faulty(status: 69, stage: .mail, fault: .say("550 5.7.1 not you\r\n"), says: "550 5.7.1"),
        Faulty(status: 69, stage: .end, fault: .say("554 5.7.1 spam\r\n"), says: "\"spam\""),
        Faulty(
            status: 75, stage: .greeting, fault: .sayAndClose("421 busy\r\n"), says: "421 \"busy\""),
        Faulty(status: 75, stage: .greeting, fault: .close, says: "closed the connection"),
        Faulty(status: 75, stage: .rcpt, fault: .say("450 4.2.1 later\r\n"), says: "for now"),
        Faulty(status: 75, stage: .end, fault: .say("451 4.3.0 later\r\n"), says: "451 4.3.0"),
        Faulty(status: 76, stage: .greeting, fault: .say("hello\r\n"), says: "martlet: "),
        // Nobody knows whether it was taken: nothing may tell a script to send it again.
        Faulty(status: 76, stage: .end, fault: .close, says: "look before sending it again"),
        Faulty(status: 77, stage: .mail, fault: .say("530 5.7.0 log in\r\n"), says: "530 5.7.0"),
    ]

    @Test("follows what the server did", arguments: faulty)
    func serverFaults(testCase: Faulty) async throws {
        let server = ScriptedSMTP(faults: [testCase.stage: testCase.fault])
        try await withScriptedServer(server.serve) { port in
            let result = try await Martlet.run(send(plaintext(port)) + ["--json"], input: "hi\n")
            #expect(result.status == testCase.status, "\(result.errors)")
            #expect(result.errors.contains(testCase.says), "\(result.errors)")
            #expect(result.output.contains("\"exitStatus\":\(testCase.status)"))
        }
    }

    @Test("is 76 where TLS fails, in each way")
    func tls() async throws {
        try await SandboxHouse.open { house in
            let plain = ["--server", "localhost:\(house.sandbox.smtpPort)"]
            let secure = ["--server", "localhost:\(house.sandbox.smtpsPort)"]
            let wrongName = ["--server", "[::1]:\(house.sandbox.smtpsPort)"]
            let cases: [([String], String)] = [
                (plain + ["--tls", "starttls"], "Martlet sandbox authority, which is not trusted"),
                (plain + ["--tls", "implicit", "--ca-file", house.authorityFile], "STARTTLS"),
                (secure + ["--tls", "implicit"], "which is not trusted"),
            ]
            for (options, says) in cases {
                let result = try await Martlet.run(send(options), input: "hi\n")
                #expect(result.status == 76, "\(options)")
                #expect(result.errors.contains(says), "\(result.errors)")
            }
            // An address is checked like a name, and this certificate has it.
            let address = wrongName + ["--tls", "implicit", "--ca-file", house.authorityFile]
            #expect([0, 69].contains(try await Martlet.run(send(address), input: "hi\n").status))
            let noAuthority = secure + ["--tls", "implicit", "--ca-file", "/nowhere.pem"]
            #expect(try await Martlet.run(send(noAuthority), input: "hi\n").status == 66)
            #expect(await house.sandbox.messages.count <= 1)
        }
    }

    @Test("is 76 where the server offers no STARTTLS")
    func noStartTLS() async throws {
        try await withScriptedServer(ScriptedSMTP().serve) { port in
            let options = ["--server", "127.0.0.1:\(port)", "--tls", "starttls"]
            let result = try await Martlet.run(send(options), input: "hi\n")
            #expect(result.status == 76)
            #expect(result.errors.contains("does not offer STARTTLS"))
        }
    }

    @Test("is 67 for a partial delivery, and each refused recipient is named")
    func partial() async throws {
        // The second RCPT is refused: the third has its copy.
        let script: @Sendable (ScriptedPeer) async throws -> Void = { peer in
            try await peer.say("220 mx\r\n")
            while true {
                let line = try await peer.line()
                switch line.prefix(4) {
                case "RCPT" where line.contains("bad"): try await peer.say("550 5.1.1 unknown\r\n")
                case "RCPT" where line.contains("busy"): try await peer.say("450 4.2.1 busy\r\n")
                case "DATA":
                    try await peer.say("354 go\r\n")
                    _ = try await peer.message()
                    try await peer.say("250 2.0.0 queued\r\n")
                default: try await peer.say("250 2.0.0 ok\r\n")
                }
            }
        }
        try await withScriptedServer(script) { port in
            let words = send(
                plaintext(port),
                to: ["a@x.example", "bad@x.example", "busy@x.example", "c@x.example"])
            let result = try await Martlet.run(words + ["--json"], input: "hi\n")
            #expect(result.status == 67)
            try expectGolden(stable(result.output), "send-partial.json")
            try expectGolden(stable(result.errors), "send-partial.txt")
        }
    }

    @Test("is 0 to 77 with credentials: accepted, refused, absent, and in the clear")
    func credentials() async throws {
        try await SandboxHouse.open(users: ["alice": Secret("right")], requiresLogin: true) {
            house in
            func run(_ password: String?, _ options: [String]) async throws -> Subprocess.Result {
                let login = password == nil ? [] : ["--user", "alice", "--password-env", "PW"]
                return try await Martlet.run(
                    send(options) + login, input: "hi\n",
                    environment: password.map { ["PW": $0] } ?? [:])
            }
            #expect(try await run("right", house.startTLS).status == 0)
            #expect(try await run("right", house.implicitTLS).status == 0)
            let wrong = try await run("wrong", house.startTLS)
            #expect(wrong.status == 77)
            #expect(wrong.errors.contains("535 5.7.8"))
            #expect(try await run(nil, house.startTLS).status == 77)
            // A digest tells nobody the password.
            #expect(try await run("right", house.plaintext).status == 0)
            #expect(await house.sandbox.messages.count == 3)
        }
    }

    @Test("is 64 for a password that would go in the clear")
    func passwordInTheClear() async throws {
        // Where any password is right, no digest can be offered.
        try await SandboxHouse.open(requiresLogin: true) { house in
            let words = send(house.plaintext + ["--user", "alice", "--password-env", "PW"])
            func run(_ options: [String]) async throws -> Subprocess.Result {
                try await Martlet.run(words + options, input: "hi\n", environment: ["PW": "secret"])
            }
            let refused = try await run([])
            #expect(refused.status == 64)
            #expect(refused.errors.contains("--allow-plaintext-login"))
            #expect(await house.sandbox.messages.isEmpty)
            #expect(try await run(["--allow-plaintext-login"]).status == 0)
            #expect(await house.sandbox.messages.count == 1)
        }
    }
}
