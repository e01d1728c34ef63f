import MartletBytes
import MartletSMTP
import MartletTestSupport
import MartletTransport
import Synchronization
import Testing

@Suite("STARTTLS and implicit TLS", .timeLimit(.minutes(1)))
struct StartTLSTests {
    let authority: CertificateAuthority
    let serverTLS: TLSServerConfiguration
    var clientTLS = TLSConfiguration()

    init() throws {
        authority = try CertificateAuthority(commonName: "Test authority")
        serverTLS = TLSServerConfiguration(
            identity: try authority.issue(names: ["localhost", "127.0.0.1"]))
        clientTLS.trust = .certificateAuthorities(pem: authority.certificatePEM)
    }

    func server(_ port: Int, _ security: ConnectionSecurity) -> SMTPServer {
        var server = plainServer(port)
        server.security = security
        server.tls = clientTLS
        return server
    }

    /// Connects and gives the error.
    func failure(_ server: SMTPServer) async -> SMTPError? {
        await #expect(throws: SMTPError.self) { try await SMTPClient(server).connect() }
    }

    @Test("capabilities from before TLS are forgotten")
    func forgotten() async throws {
        let lines = Mutex<[String]>([])
        let tls = serverTLS
        try await withScriptedServer { peer in
            try await peer.say("220 mx\r\n")
            _ = try await peer.line()
            try await peer.say("250-mx\r\n250-AUTH PLAIN\r\n250-SMTPUTF8\r\n250 STARTTLS\r\n")
            _ = try await peer.line()
            try await peer.say("220 go ahead\r\n")
            try await peer.channel.startTLS(server: tls)
            let second = ScriptedSMTP(
                ehlo: "250-mx\r\n250 8BITMIME\r\n", faults: [.greeting: .say("")])
            defer { lines.withLock { $0 = second.lines } }
            try await second.serve(peer)
        } _: { port in
            let client = SMTPClient(server(port, .startTLS))
            try await client.connect()
            let capabilities = await client.capabilities
            #expect(capabilities.has(.eightBitMIME))
            #expect(!capabilities.has(.smtpUTF8))
            #expect(capabilities.authenticationMechanisms.isEmpty)
            #expect(await client.tls?.version == .tls13)
            await client.close()
        }
        #expect(lines.withLock { $0 } == ["EHLO [127.0.0.1]", "QUIT"])
    }

    @Test("not offered: nothing more is said")
    func notOffered() async throws {
        let script = ScriptedSMTP(ehlo: "250-mx\r\n250 AUTH PLAIN\r\n")
        try await withScriptedServer(script.serve) { port in
            var server = server(port, .startTLS)
            server.credentials = Credentials(user: "alice") { Secret("wonderland") }
            let error = await failure(server)
            guard case .tlsRequiredButNotOffered = error?.kind else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
        #expect(script.lines == ["EHLO [127.0.0.1]"])
    }

    @Test(
        "offered and refused: nothing more is said",
        arguments: ["454 4.7.0 not now", "502 5.5.1 what", "501 no"])
    func refused(reply: String) async throws {
        let lines = Mutex<[String]>([])
        try await withScriptedServer { peer in
            try await peer.say("220 mx\r\n")
            while true {
                let line = try await peer.line()
                lines.withLock { $0.append(line) }
                try await peer.say(
                    line == "STARTTLS" ? reply + "\r\n" : "250-mx\r\n250 STARTTLS\r\n")
            }
        } _: { port in
            let error = await failure(server(port, .startTLS))
            #expect(error?.reply?.description.contains(reply.prefix(3)) == true)
            #expect(error?.stage == .startTLS)
        }
        #expect(lines.withLock { $0 } == ["EHLO [127.0.0.1]", "STARTTLS"])
    }

    @Test(
        "plain octets behind the agreement close the connection",
        arguments: ["250-injected\r\n250 AUTH PLAIN\r\n", "x"])
    func injected(text: String) async throws {
        try await withScriptedServer { peer in
            try await peer.say("220 mx\r\n")
            _ = try await peer.line()
            try await peer.say("250-mx\r\n250 STARTTLS\r\n")
            _ = try await peer.line()
            try await peer.say("220 go ahead\r\n" + text)
            _ = await peer.rest()
        } _: { port in
            let error = await failure(server(port, .startTLS))
            guard case .injectedPlaintext = error?.kind else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
    }

    @Test("TLS from the start on a port that speaks plain text: the sentence says so")
    func plainPort() async throws {
        try await withScriptedServer(ScriptedSMTP().serve) { port in
            let error = await failure(server(port, .implicitTLS))
            #expect(error?.description.contains("220 mx.example.test") == true)
            #expect(error?.description.contains("STARTTLS") == true)
            #expect(error?.recovery == .fixInput)
        }
    }

    @Test("plain text on a port that speaks TLS from the start: the sentence says what to try")
    func tlsPort() async throws {
        let tls = serverTLS
        try await withScriptedServer { peer in
            try await peer.channel.startTLS(server: tls)
        } _: { port in
            var server = server(port, .startTLS)
            server.timeouts.greeting = .milliseconds(200)
            let error = await failure(server)
            guard case .timeout = error?.kind else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(error?.description.contains("implicit TLS") == true)
        }
    }

    @Test(
        "a login goes through TLS, and the log shows none of it",
        arguments: [ConnectionSecurity.startTLS, .implicitTLS])
    func login(security: ConnectionSecurity) async throws {
        let lines = Mutex<[String]>([])
        let log = WireLog { line in lines.withLock { $0.append(line) } }
        let tls = serverTLS
        let script = ScriptedSMTP(
            ehlo: "250-mx\r\n250 AUTH LOGIN PLAIN\r\n",
            faults: security == .startTLS ? [.greeting: .say("")] : [:])
        try await withScriptedServer { peer in
            if security == .startTLS {
                try await peer.say("220 mx\r\n")
                _ = try await peer.line()
                try await peer.say("250-mx\r\n250 STARTTLS\r\n")
                _ = try await peer.line()
                try await peer.say("220 go ahead\r\n")
            }
            try await peer.channel.startTLS(server: tls)
            try await script.serve(peer)
        } _: { port in
            var server = server(port, security)
            server.log = log
            server.credentials = Credentials(user: "alice") { Secret("wonderland") }
            let report = try await SMTPClient.withConnection(to: server) {
                try await $0.send(hello, envelope: to("bob@example.test"))
            }
            #expect(report.allAccepted)
        }
        #expect(script.lines.contains("AUTH PLAIN AGFsaWNlAHdvbmRlcmxhbmQ="))
        log.flush()
        #expect(!lines.withLock { $0.joined() }.contains("AGFsaWNl"))
    }

    /// What is wrong with a certificate, and a word of the sentence that says so.
    enum Flaw: String, CaseIterable, CustomTestStringConvertible {
        case selfSigned = "signed by itself"
        case expired = "expired"
        case wrongHost = "not for"
        case tooOld = "too old"
        var testDescription: String { rawValue }
    }

    @Test("four flaws give four sentences", arguments: Flaw.allCases)
    func flaws(flaw: Flaw) async throws {
        var tls = serverTLS
        switch flaw {
        case .selfSigned:
            tls = TLSServerConfiguration(
                identity: try CertificateAuthority.selfSignedIdentity(names: ["127.0.0.1"]))
        case .expired:
            tls = TLSServerConfiguration(
                identity: try authority.issue(names: ["127.0.0.1"], validity: -7200...(-3600)))
        case .wrongHost:
            tls = TLSServerConfiguration(
                identity: try authority.issue(names: ["other.example.test"]))
        case .tooOld:
            tls.minimumVersion = .tls10
            tls.maximumVersion = .tls11
        }
        try await withScriptedServer { [tls] peer in
            try await peer.channel.startTLS(server: tls)
            _ = await peer.rest()
        } _: { port in
            let error = await failure(server(port, .implicitTLS))
            #expect(error?.stage == .tlsHandshake)
            let sentence = error?.description ?? ""
            #expect(
                Flaw.allCases.filter { sentence.contains($0.rawValue) } == [flaw], "\(sentence)")
        }
    }
}
