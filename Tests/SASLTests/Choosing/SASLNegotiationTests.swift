import MartletBytes
import Synchronization
import Testing

@testable import MartletSASL

@Suite("SASL negotiation")
struct SASLNegotiationTests {
    /// A server that offers mechanisms of ours, and what it was asked for.
    struct Server {
        var offered: [String]
        var users = Dialogue.users(["alice": "pw"])
        var accepts: @Sendable (SASLLogin) -> Bool = { login in
            switch login.proof {
            case .password(let password): password == Secret("pw")
            case .token(let token): token == Secret("fresh")
            default: true
            }
        }
        /// Mechanisms that it offers and does not have.
        var missing: Set<String> = []
        var started: [String] = []
        var cancellations = 0
        private var mechanism: (any SASLServerMechanism)?

        init(_ offered: [String]) { self.offered = offered }

        mutating func answer(_ step: SASLNegotiation.Step) -> SASLNegotiation.Answer {
            switch step {
            case .start(let name, let response):
                started.append(name)
                if missing.contains(name) { return .refusal(SASLRefusal(.mechanism, words: "504")) }
                mechanism = SASLServerMechanisms.make(name, users, offered: offered)
                return take(response)
            case .respond(let response): return take(response)
            case .cancel:
                cancellations += 1
                return .refusal(SASLRefusal(.mechanism, words: "501 cancelled"))
            case .done: return .success()
            }
        }

        private mutating func take(_ response: Secret?) -> SASLNegotiation.Answer {
            let no = SASLNegotiation.Answer.refusal(SASLRefusal(.credentials, words: "535 no"))
            switch Result(catching: { () throws(SASLError) in try mechanism?.receive(response) }) {
            case .success(.challenge(let challenge)): return .challenge(challenge)
            case .success(.verify(let login)):
                if accepts(login) { return .success() }
                return mechanism?.refuse().map { .challenge($0) } ?? no
            default: return no
            }
        }
    }

    static func run(
        _ credentials: Credentials, _ server: inout Server,
        _ channel: SASLChannel = Dialogue.channel
    ) async -> Result<SASLNegotiation, SASLFailure> {
        var login = SASLNegotiation(credentials, offered: server.offered, channel: channel)
        do throws(SASLFailure) {
            var step = try await login.start()
            while true {
                if case .done = step { return .success(login) }
                step = try await login.receive(server.answer(step))
            }
        } catch {
            return .failure(error)
        }
    }

    static func failure(
        _ credentials: Credentials, _ server: inout Server,
        _ channel: SASLChannel = Dialogue.channel
    ) async throws -> SASLFailure {
        guard case .failure(let failure) = await run(credentials, &server, channel) else {
            throw SASLError(.refused, mechanism: "it goes through")
        }
        return failure
    }

    @Test("goes through by each mechanism", arguments: SASLNames.password)
    func each(name: String) async throws {
        var server = Server([name])
        let login = try await Self.run(Credentials(user: "alice") { Secret("pw") }, &server).get()
        #expect(login.mechanismName == name)
        #expect((login.bindingName == "tls-exporter") == name.hasSuffix("-PLUS"))
        #expect(login.attempts.isEmpty)
        #expect(server.started == [name])
    }

    @Test(
        "takes the next one when the server does not have what it offers, asking for the password once"
    )
    func fallback() async throws {
        let asked = Atomic(0)
        let credentials = Credentials(user: "alice") {
            asked.add(1, ordering: .relaxed)
            return Secret("pw")
        }
        var server = Server(["SCRAM-SHA-256", "CRAM-MD5", "PLAIN"])
        server.missing = ["SCRAM-SHA-256", "CRAM-MD5"]
        let login = try await Self.run(credentials, &server).get()
        #expect(server.started == ["SCRAM-SHA-256", "CRAM-MD5", "PLAIN"])
        #expect(login.attempts.count == 2)
        #expect(asked.load(ordering: .relaxed) == 1)
    }

    @Test("tries PLAIN where the server has no secret for a digest")
    func noSecret() async throws {
        var server = Server(["SCRAM-SHA-256", "DIGEST-MD5", "CRAM-MD5", "PLAIN", "LOGIN"])
        server.users.password = { _ in nil }
        let login = try await Self.run(Credentials(user: "alice") { Secret("pw") }, &server).get()
        #expect(login.mechanismName == "PLAIN")
        #expect(server.started == ["SCRAM-SHA-256", "PLAIN"])
    }

    @Test("a wrong password is tried twice at most, and the story told")
    func wrong() async throws {
        var server = Server(SASLServerMechanisms.names.filter { !$0.hasSuffix("-PLUS") })
        let failure = try await Self.failure(
            Credentials(user: "alice") { Secret("wonderland") }, &server)
        #expect(server.started.count == 2)
        guard case .refused(let refusal) = failure.kind else {
            Issue.record("\(failure)")
            return
        }
        #expect(refusal.reason == .credentials)
        #expect(
            failure.description
                == "the server refused the login: 535 no. Tried in this order: "
                + "SCRAM-SHA-512 (535 no), PLAIN (535 no).")
    }

    @Test("asks for a fresh token once, and says what was said about the last")
    func tokens() async throws {
        let requests = Mutex<[TokenRequest]>([])
        let credentials = Credentials(
            user: "alice",
            token: { request in
                requests.withLock { $0.append(request) }
                return Secret(request.isRepeated ? "fresh" : "stale")
            })
        var server = Server(["XOAUTH2", "OAUTHBEARER", "PLAIN"])
        let login = try await Self.run(credentials, &server).get()
        #expect(login.mechanismName == "OAUTHBEARER")
        let seen = requests.withLock { $0 }
        #expect(seen.map(\.isRepeated) == [false, true])
        #expect(seen.last?.refusal?.status == "invalid_token")
        #expect(seen.first?.host == "mail.example.org")

        server = Server(["XOAUTH2"])
        server.accepts = { _ in false }
        let failure = try await Self.failure(credentials, &server)
        #expect(server.started == ["XOAUTH2", "XOAUTH2"])
        #expect(failure.tokenRefusal?.status == "401")
        #expect(failure.description.contains("token status 401, wanted scope mail"))
    }

    @Test("without TLS nothing is asked for and nothing said that would show a secret")
    func plaintext() async throws {
        var server = Server(["PLAIN", "LOGIN", "XOAUTH2"])
        for credentials in [
            Credentials(user: "alice") {
                Issue.record("asked")
                return Secret("pw")
            },
            Credentials(
                user: "alice",
                token: { _ in
                    Issue.record("asked")
                    return Secret("t")
                }),
        ] {
            let failure = try await Self.failure(credentials, &server, SASLSelectionTests.plain)
            guard case .plaintextNotAllowed = failure.kind else {
                Issue.record("\(failure)")
                return
            }
        }
        #expect(server.started.isEmpty)
        let failure = try await Self.failure(.external(), &server)
        guard case .noCommonMechanism(let offered) = failure.kind else {
            Issue.record("\(failure)")
            return
        }
        #expect(offered == server.offered)
    }

    @Test("a closure that throws is said so")
    func closure() async throws {
        struct Locked: Error, CustomStringConvertible { var description: String { "locked" } }
        var server = Server(["PLAIN"])
        let failure = try await Self.failure(Credentials(user: "alice") { throw Locked() }, &server)
        #expect(failure.underlying is Locked)
        #expect(failure.description == "the password or token could not be had: locked.")
        #expect(server.started.isEmpty)
    }

    @Test("a challenge that makes no sense is cancelled, and the next one tried")
    func cancelled() async throws {
        var login = SASLNegotiation(
            Credentials(user: "alice") { Secret("pw") }, offered: ["SCRAM-SHA-1", "PLAIN"],
            channel: Dialogue.channel)
        _ = try await login.start()
        guard case .cancel = try await login.receive(.challenge(Array("nonsense".utf8))),
            case .start("PLAIN", _) = try await login.receive(
                .refusal(SASLRefusal(.credentials, words: "501")))
        else {
            Issue.record("it does not go on")
            return
        }
        #expect(login.attempts.first?.outcome.contains("no list of attributes") == true)
    }

    @Test("a server that cannot prove itself ends it all, whatever it says")
    func untrue() async throws {
        for answer in [SASLNegotiation.Answer.success(), .challenge(Array("v=AAAA".utf8))] {
            var login = SASLNegotiation(
                Credentials(user: "user") { Secret("pencil") }, offered: ["SCRAM-SHA-1", "PLAIN"],
                channel: Dialogue.channel)
            guard case .start(_, let first?) = try await login.start() else { throw Unexpected() }
            let nonce = text(first)?.split(separator: "r=").last ?? ""
            _ = try await login.receive(.challenge(Array("r=\(nonce)x,s=AAAA,i=4096".utf8)))
            await #expect(throws: SASLFailure.self) { try await login.receive(answer) }
        }
        var login = SASLNegotiation(
            Credentials(user: "user") { Secret("pencil") }, offered: ["SCRAM-SHA-1", "PLAIN"],
            channel: Dialogue.channel)
        _ = try await login.start()
        do {
            _ = try await login.receive(.challenge(Array("r=x,s=AAAA,i=4096".utf8)))
            Issue.record("goes on")
        } catch {
            guard case .serverNotAuthentic = error.kind else {
                Issue.record("\(error)")
                return
            }
        }
    }

    @Test("a success after a cancellation is not believed")
    func successAfterCancel() async throws {
        var login = SASLNegotiation(
            Credentials(user: "alice") { Secret("pw") }, offered: ["CRAM-MD5"],
            channel: Dialogue.channel)
        _ = try await login.start()
        _ = try await login.receive(.challenge([]))
        await #expect(throws: SASLFailure.self) { try await login.receive(.success()) }
    }

    @Test("words inside the mechanism count as the refusal")
    func complaint() async throws {
        var login = SASLNegotiation(
            Credentials(user: "alice") { Secret("pw") }, offered: ["SCRAM-SHA-1"],
            channel: Dialogue.channel)
        _ = try await login.start()
        _ = try await login.receive(.challenge(Array("e=unknown-user".utf8)))
        do {
            _ = try await login.receive(.refusal(SASLRefusal(.mechanism, words: "501")))
            Issue.record("goes on")
        } catch {
            #expect(error.description == "the server refused the login: unknown-user.")
        }
    }

    /// Three steps, the server's last word along with success.
    struct Kerberos: SASLMechanism {
        var steps = 0
        var hasProof = false
        var name: String { "KERBEROS" }
        var sendsPlaintextSecret: Bool { false }
        mutating func initialResponse() -> Secret? { Secret("ticket") }
        mutating func respond(to challenge: [UInt8]) throws(SASLError) -> Secret {
            steps += 1
            return Secret("step \(steps)")
        }
        mutating func finish(_ additionalData: [UInt8]?) throws(SASLError) {
            guard steps == 2, additionalData == Array("proof".utf8) else {
                throw SASLError(.serverNotAuthentic, mechanism: name)
            }
        }
    }

    @Test("a mechanism of the caller's own takes its steps, and hears what came along with success")
    func custom() async throws {
        let own = CustomMechanism(name: "Kerberos", sendsPlaintextSecret: false) { _ in Kerberos() }
        for proof in ["proof", "none"] {
            var login = SASLNegotiation(
                Credentials(user: "alice", proof: .custom([own])), offered: ["PLAIN", "KERBEROS"],
                channel: SASLSelectionTests.plain)
            guard case .start("KERBEROS", .some) = try await login.start() else {
                throw Unexpected()
            }
            _ = try await login.receive(.challenge([1]))
            _ = try await login.receive(.challenge([2]))
            do {
                guard
                    case .done = try await login.receive(
                        .success(additionalData: Array(proof.utf8)))
                else { throw Unexpected() }
                #expect(proof == "proof")
            } catch {
                #expect(proof == "none")
            }
        }
        let loose = CustomMechanism(name: "LOOSE", sendsPlaintextSecret: true) { _ in Kerberos() }
        let left = SASLSelection(
            Credentials(user: "alice", proof: .custom([loose])), offered: ["LOOSE"],
            channel: SASLSelectionTests.plain)
        #expect(left.leftOutPlaintext)
    }

    @Test("gives the password for a login command, asked for once, and never without TLS")
    func command() async throws {
        var login = SASLNegotiation(
            Credentials(user: "alice") { Secret("pw") }, offered: [], channel: Dialogue.channel)
        await #expect(throws: SASLFailure.self) { try await login.start() }
        #expect(text(try await login.passwordForCommand()) == "pw")
        var plain = SASLNegotiation(
            Credentials(user: "alice") { Secret("pw") }, offered: [],
            channel: SASLSelectionTests.plain)
        await #expect(throws: SASLFailure.self) { try await plain.passwordForCommand() }
        #expect(text(try await plain.passwordForCommand(allowsPlaintext: true)) == "pw")
        var token = SASLNegotiation(
            SASLSelectionTests.token, offered: [], channel: Dialogue.channel)
        await #expect(throws: SASLFailure.self) { try await token.passwordForCommand() }
    }
}
