import MartletBytes
import MartletSMTP
import MartletSandbox
import MartletTestSupport
import MartletTransport
import Synchronization
import Testing

/// What a scripted server has heard.
final class HeardLines: Sendable {
    private let lines = Mutex<[String]>([])
    var all: [String] { lines.withLock { $0 } }
    func append(_ line: String) { lines.withLock { $0.append(line) } }
}

@Suite("Logging in", .timeLimit(.minutes(1)))
struct LoginTests {
    /// A server that answers each line by a rule, after a greeting and an EHLO that offers `mechanisms`.
    static func script(
        _ mechanisms: String, _ lines: HeardLines,
        _ answer: @escaping @Sendable (String) -> String?
    ) -> @Sendable (ScriptedPeer) async throws -> Void {
        { peer in
            try await peer.say("220 mx\r\n")
            while true {
                let line = try await peer.line()
                lines.append(line)
                if line.hasPrefix("EHLO") {
                    try await peer.say("250-mx\r\n250 AUTH \(mechanisms)\r\n")
                } else if line == "QUIT" {
                    return try await peer.say("221 bye\r\n")
                } else if let reply = answer(line) {
                    try await peer.say(reply + "\r\n")
                } else {
                    return await peer.close()
                }
            }
        }
    }

    /// Connects, and gives the error, if there is one, and the mechanism, if it went through.
    static func connect(_ server: SMTPServer) async -> (error: SMTPError?, mechanism: String?) {
        let client = SMTPClient(server)
        let (steps, continuation) = AsyncStream.makeStream(of: SMTPConnectionStep.self)
        var failure: SMTPError?
        do throws(SMTPError) {
            try await client.connect(steps: continuation)
        } catch {
            failure = error
        }
        var mechanism: String?
        for await case .authenticated(let name) in steps { mechanism = name }
        await client.close()
        return (failure, mechanism)
    }

    static func server(_ port: Int, _ credentials: Credentials) throws -> SMTPServer {
        var server = try SMTPServer(host: "127.0.0.1", port: port, security: .plaintext)
        server.allowsPlaintextAuthentication = true
        server.credentials = credentials
        return server
    }

    static let alice = Credentials(user: "alice") { Secret("pw") }

    @Test(
        "is done by the strongest mechanism, bound to TLS where there is some, and without TLS by no plaintext one",
        arguments: [
            (ConnectionSecurity.implicitTLS, "SCRAM-SHA-512-PLUS"),
            (.startTLS, "SCRAM-SHA-512-PLUS"), (.plaintext, "SCRAM-SHA-512"),
        ])
    func strongest(security: ConnectionSecurity, expected: String) async throws {
        var configuration = Sandbox.Configuration.freePorts
        configuration.users = ["alice": Secret("pw")]
        let sandbox = try await Sandbox.start(configuration)
        var server = try SMTPServer(
            host: "localhost",
            port: security == .implicitTLS ? sandbox.smtpsPort : sandbox.smtpPort,
            security: security)
        server.tls.trust = .certificateAuthorities(pem: sandbox.certificateAuthorityPEM)
        server.credentials = Self.alice
        let done = await Self.connect(server)
        #expect(done.error == nil, "\(String(describing: done.error))")
        #expect(done.mechanism == expected)
        server.credentials = Credentials(user: "alice") { Secret("wrong") }
        let failed = await Self.connect(server)
        #expect(failed.error?.recovery == .authenticate)
        await sandbox.stop()
    }

    @Test(
        "goes through to the sandbox by each mechanism",
        arguments: [
            "SCRAM-SHA-256-PLUS", "SCRAM-SHA-1", "DIGEST-MD5", "CRAM-MD5", "NTLM", "PLAIN",
            "LOGIN",
        ])
    func each(mechanism: String) async throws {
        var configuration = Sandbox.Configuration.freePorts
        configuration.users = ["älice": Secret("pä ss")]
        let sandbox = try await Sandbox.start(configuration)
        var server = try SMTPServer(
            host: "localhost", port: sandbox.smtpsPort, security: .implicitTLS)
        server.tls.trust = .certificateAuthorities(pem: sandbox.certificateAuthorityPEM)
        server.credentials = Credentials(user: "älice") { Secret("pä ss") }
        server.credentials?.mechanisms = [mechanism]
        let done = await Self.connect(server)
        #expect(done.error == nil, "\(String(describing: done.error))")
        #expect(done.mechanism == mechanism)
        await sandbox.stop()
    }

    @Test("shows a fresh token where the first is refused, and a long one on a line of its own")
    func tokens() async throws {
        var configuration = Sandbox.Configuration.freePorts
        let fresh = String(repeating: "t", count: 3_000)
        configuration.users = ["alice": Secret(fresh)]
        let sandbox = try await Sandbox.start(configuration)
        let lines = WireLines()
        for mechanism in ["XOAUTH2", "OAUTHBEARER"] {
            var server = try SMTPServer(
                host: "localhost", port: sandbox.smtpsPort, security: .implicitTLS)
            server.tls.trust = .certificateAuthorities(pem: sandbox.certificateAuthorityPEM)
            server.log = lines.log()
            server.credentials = Credentials(
                user: "alice",
                token: { request in
                    #expect(request.host == "localhost")
                    return Secret(request.isRepeated ? fresh : "stale")
                })
            server.credentials?.mechanisms = [mechanism]
            let done = await Self.connect(server)
            #expect(done.error == nil, "\(String(describing: done.error))")
            #expect(done.mechanism == mechanism)

            server.credentials = Credentials(user: "alice", token: { _ in Secret("stale") })
            server.credentials?.mechanisms = [mechanism]
            let failed = await Self.connect(server)
            #expect(failed.error?.recovery == .authenticate)
            let words = failed.error?.description ?? ""
            #expect(words.contains("token status"), "\(words)")
            #expect(words.contains("wanted scope mail"), "\(words)")
            server.log?.flush()
            // the stale one fits in the command, the fresh one does not
            #expect(lines.count(of: "C: AUTH \(mechanism) •••") == 3)
        }
        #expect(lines.count(of: fresh) == 0)
        await sandbox.stop()
    }

    @Test("by EXTERNAL says an empty identity as such")
    func external() async throws {
        let lines = HeardLines()
        let script = Self.script("PLAIN EXTERNAL", lines) { _ in "235 welcome" }
        try await withScriptedServer(script) { port in
            let done = await Self.connect(try Self.server(port, .external()))
            #expect(done.mechanism == "EXTERNAL")
        }
        #expect(lines.all == ["EHLO [127.0.0.1]", "AUTH EXTERNAL =", "QUIT"])
    }

    @Test(
        "goes on to the next mechanism after a refusal, and the first reply is not lost",
        arguments: ["504 5.5.4 not here", "535 5.7.8 no", "534 5.7.9 too weak", "500 what"])
    func fallback(reply: String) async throws {
        let lines = HeardLines()
        let script = Self.script("SCRAM-SHA-256 PLAIN", lines) { line in
            line.hasPrefix("AUTH SCRAM") ? reply : "235 welcome"
        }
        try await withScriptedServer(script) { port in
            let done = await Self.connect(try Self.server(port, Self.alice))
            #expect(done.mechanism == "PLAIN")
        }
        #expect(lines.all.contains("AUTH PLAIN AGFsaWNlAHB3"))
    }

    @Test(
        "does not go on where nothing would help",
        arguments: ["454 4.7.0 later", "535 5.7.139 SmtpClientAuthentication is disabled"])
    func final(reply: String) async throws {
        let lines = HeardLines()
        let script = Self.script("CRAM-MD5 PLAIN", lines) { _ in reply }
        try await withScriptedServer(script) { port in
            let done = await Self.connect(try Self.server(port, Self.alice))
            #expect(done.error?.reply?.code == Int(reply.prefix(3)))
        }
        #expect(lines.all.filter { $0.hasPrefix("AUTH") } == ["AUTH CRAM-MD5"])
    }

    @Test("tells of the refusal where the server closes the connection after it")
    func closes() async throws {
        let lines = HeardLines()
        let script = Self.script("CRAM-MD5 PLAIN", lines) { line in
            line == "AUTH CRAM-MD5" ? "535 5.7.8 no such secret" : nil
        }
        try await withScriptedServer(script) { port in
            let done = await Self.connect(try Self.server(port, Self.alice))
            #expect(done.error?.reply?.code == 535)
            #expect(done.error?.recovery == .authenticate)
            #expect(done.error?.description.contains("no such secret") == true)
        }
    }

    @Test("tells what was tried, where that is more than one thing")
    func story() async throws {
        let lines = HeardLines()
        let script = Self.script("CRAM-MD5 PLAIN LOGIN", lines) { line in
            line == "AUTH CRAM-MD5" ? "334 PDFAeD4=" : "535 5.7.8 wrong"
        }
        try await withScriptedServer(script) { port in
            let done = await Self.connect(try Self.server(port, Self.alice))
            #expect(
                done.error?.description
                    == "127.0.0.1 refused the login: 535 5.7.8 \"wrong\". Check user name and password; "
                    + "some providers want an app password. Tried in this order: "
                    + "CRAM-MD5 (535 5.7.8 \"wrong\"), PLAIN (535 5.7.8 \"wrong\").")
        }
    }

    @Test(
        "does not believe a server that says yes without the proof that is due",
        arguments: ["235 welcome", "334 dj1BQUFB"])
    func untrue(last: String) async throws {
        let lines = HeardLines()
        let script = Self.script("SCRAM-SHA-1 PLAIN", lines) { line in
            guard line.hasPrefix("AUTH SCRAM-SHA-1 ") else { return last }
            let said = String(
                decoding: Base64.decode(Array(line.utf8.dropFirst(17))) ?? [], as: UTF8.self)
            let nonce = said.split(separator: "r=").last ?? ""
            let first = Array("r=\(nonce)x,s=AAAA,i=4096".utf8)
            return "334 " + String(decoding: Base64.encode(first), as: UTF8.self)
        }
        try await withScriptedServer(script) { port in
            let done = await Self.connect(try Self.server(port, Self.alice))
            guard case .protocolViolation = done.error?.kind else {
                Issue.record("\(String(describing: done.error))")
                return
            }
            #expect(done.error?.recovery == .giveUp)
            #expect(done.error?.description.contains("could not prove") == true)
        }
        #expect(!lines.all.contains { $0.hasPrefix("AUTH PLAIN") })
    }

    @Test("gives a challenge up that makes no sense, and tries the next one")
    func cancels() async throws {
        let lines = HeardLines()
        let script = Self.script("SCRAM-SHA-1 PLAIN", lines) { line in
            line.hasPrefix("AUTH SCRAM")
                ? "334 bm9uc2Vuc2U=" : line == "*" ? "501 given up" : "235 ok"
        }
        try await withScriptedServer(script) { port in
            let done = await Self.connect(try Self.server(port, Self.alice))
            #expect(done.mechanism == "PLAIN")
        }
        #expect(lines.all.contains("*"))
    }

    @Test("a mechanism of the caller's own is used")
    func custom() async throws {
        struct Word: SASLMechanism {
            var name: String { "X-WORD" }
            var sendsPlaintextSecret: Bool { false }
            mutating func initialResponse() -> Secret? { nil }
            mutating func respond(to challenge: [UInt8]) -> Secret {
                Secret(octets: challenge + [33])
            }
            mutating func finish(_ additionalData: [UInt8]?) {}
        }
        let lines = HeardLines()
        let script = Self.script("PLAIN X-WORD", lines) { line in
            line == "AUTH X-WORD" ? "334 aGk=" : line == "aGkh" ? "235 ok" : "535 no"
        }
        try await withScriptedServer(script) { port in
            let own = CustomMechanism(name: "x-word", sendsPlaintextSecret: false) { _ in Word() }
            let credentials = Credentials(user: "alice", proof: .custom([own]))
            let done = await Self.connect(try Self.server(port, credentials))
            #expect(done.mechanism == "X-WORD")
        }
    }
}
