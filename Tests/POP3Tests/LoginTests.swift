import MartletPOP3
import MartletTestSupport
import Testing

@Suite("Logging in to POP3", .timeLimit(.minutes(1)))
struct LoginTests {
    @Test("falls back to USER and PASS where there is no SASL")
    func user() async throws {
        let server = ScriptedPOP3(capabilities: ["USER", "UIDL"])
        try await withScriptedPOP3(server) { pop in try await pop.connect() }
        #expect(server.lines == ["CAPA", "USER alice", "PASS alicepw", "CAPA"])
    }

    @Test("works with a server that knows nothing but RFC 1939")
    func old() async throws {
        let server = ScriptedPOP3 { command, peer in
            guard command.verb == "CAPA" else { return false }
            try await peer.say("-ERR what?\r\n")
            return true
        }
        try await withScriptedPOP3(server) { pop in
            try await pop.connect()
            #expect(try await pop.messages().count == 3)
            #expect(try await pop.header(of: 1) == octets("Subject: message 1\r\n\r\n"))
        }
        #expect(server.lines.contains("PASS alicepw") && server.lines.contains("TOP 1 0"))
    }

    @Test(
        "never tells a password in the clear unless that is allowed by name",
        arguments: [
            ["USER"], ["SASL PLAIN LOGIN", "USER"], [],
        ])
    func protected(capabilities: [String]) async throws {
        let server = ScriptedPOP3(
            capabilities: capabilities, greeting: "+OK <1.2@pop.example.test>")
        let error = try await withScriptedPOP3(
            server, { $0.allowsPlaintextAuthentication = false }
        ) { pop in await failure { try await pop.connect() } }
        guard case .plaintextAuthenticationNotAllowed? = error?.kind else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(server.lines == ["CAPA"])
    }

    @Test("uses APOP where it is asked for, also in the clear")
    func apop() async throws {
        let server = ScriptedPOP3(greeting: "+OK hello <1896.697170952@dbc.mtview.ca.us>")
        try await withScriptedPOP3(
            server,
            {
                $0.allowsPlaintextAuthentication = false
                $0.credentials = Credentials(user: "mrose") { Secret("tanstaaf") }
                $0.credentials?.mechanisms = ["APOP"]
            }
        ) { pop in try await pop.connect() }
        #expect(server.lines[1] == "APOP mrose c4c9334bac560ecc979e58001b3e22fb")
    }

    @Test("says that there is no APOP where the greeting has no timestamp")
    func noApop() async throws {
        let server = ScriptedPOP3()
        let error = try await withScriptedPOP3(
            server, { $0.credentials?.mechanisms = ["APOP"] }
        ) { pop in await failure { try await pop.connect() } }
        guard case .noCommonMechanism? = error?.kind else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test(
        "does what a server's codes ask for",
        arguments: [
            ("[AUTH] wrong", POP3Recovery.authenticate), ("[IN-USE] busy", .retry(after: nil)),
            ("[LOGIN-DELAY] wait", .retry(after: .seconds(900))), ("[SYS/PERM] broken", .giveUp),
        ])
    func codes(words: String, recovery: POP3Recovery) async throws {
        let server = ScriptedPOP3(capabilities: ["SASL PLAIN", "LOGIN-DELAY 900"]) {
            command, peer in
            guard command.verb == "AUTH" else { return false }
            try await peer.say("-ERR \(words)\r\n")
            return true
        }
        let error = try await withScriptedPOP3(server) { pop in
            await failure { try await pop.connect() }
        }
        #expect(error?.recovery == recovery && error?.server == "127.0.0.1")
        // Nothing else was tried.
        #expect(server.lines.filter { $0.hasPrefix("AUTH") }.count == 1)
    }

    @Test("waits between logins as long as the server asks for")
    func delay() async throws {
        let server = ScriptedPOP3(
            capabilities: ["SASL PLAIN", "LOGIN-DELAY 900 USER", "EXPIRE 30 USER"])
        try await withScriptedPOP3(server) { pop in
            try await pop.connect()
            #expect(await pop.capabilities.expiry == .days(30))
            try await pop.disconnect()
            let error = await failure { try await pop.connect() }
            guard case .retry(let wait?)? = error?.recovery else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(wait > .seconds(600) && wait <= .seconds(900))
        }
        #expect(server.connections == 1)
    }

    @Test("says why, when a server refuses and closes")
    func refusedAndClosed() async throws {
        let server = ScriptedPOP3 { command, peer in
            guard command.verb == "AUTH" else { return false }
            try await peer.say("-ERR [AUTH] no\r\n")
            await peer.close()
            throw PeerGone()
        }
        let error = try await withScriptedPOP3(server) { pop in
            await failure { try await pop.connect() }
        }
        #expect(error?.reply?.code == .authentication && error?.recovery == .authenticate)
    }

    @Test(
        "switches UTF8 on before the login, where it is offered and wanted",
        arguments: [
            true, false,
        ])
    func utf8(isWanted: Bool) async throws {
        let server = ScriptedPOP3(capabilities: ["SASL PLAIN", "UTF8 USER"])
        try await withScriptedPOP3(server, { $0.usesUTF8 = isWanted }) { pop in
            try await pop.connect()
        }
        #expect(server.lines.contains("UTF8") == isWanted)
    }

    @Test("is refused where STLS is asked for and not offered")
    func noTLS() async throws {
        let server = ScriptedPOP3()
        let error = try await withScriptedPOP3(server, { $0.security = .startTLS }) { pop in
            await failure { try await pop.connect() }
        }
        guard case .tlsRequiredButNotOffered? = error?.kind else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(server.lines == ["CAPA"])
    }

    @Test(
        "explains a port that speaks TLS from the start, and one that does not",
        .timeLimit(.minutes(1)))
    func wrongPort() async throws {
        let plain = ScriptedPOP3(greeting: "\u{16}\u{3}\u{3}hello")
        let error = try await withScriptedPOP3(plain) { pop in
            await failure { try await pop.connect() }
        }
        #expect(error?.description.contains("speaks TLS on this port") == true)
        let server = ScriptedPOP3()
        let other = try await withScriptedPOP3(server, { $0.security = .implicitTLS }) { pop in
            await failure { try await pop.connect() }
        }
        guard case .transport? = other?.kind else {
            Issue.record("\(String(describing: other))")
            return
        }
    }

    @Test("takes what a port stands for, and asks where it stands for nothing")
    func ports() throws {
        #expect(try POP3Server(host: "x", port: 995).security == .implicitTLS)
        #expect(try POP3Server(host: "x", port: 110).security == .startTLS)
        for port in [0, 65_536, 2_110] {
            #expect(throws: POP3Error.self) { try POP3Server(host: "x", port: port) }
        }
    }
}
