import MartletBytes
import MartletTestSupport
import Testing

@testable import MartletSASL

@Suite("Server mechanisms")
struct ServerTests {
    /// The client's side of a mechanism for a password.
    static func client(
        _ name: String, user: String = "älice", password: String = "pä ss"
    ) throws -> any SASLMechanism {
        let binding: SCRAM.Binding? =
            name.hasSuffix("-PLUS") ? .bound(Dialogue.channel.bindings[0]) : nil
        return try SASLSelection.Candidate(name: name, binding: binding).make(
            user: user, password: Secret(password), authorizationIdentity: "", Dialogue.channel)
    }

    @Test(
        "hear what the client says, with and without an initial response",
        arguments: SASLNames.password, [true, false])
    func roundTrip(name: String, sendsFirst: Bool) throws {
        let users = Dialogue.users(["älice": "pä ss"])
        let server = try #require(SASLServerMechanisms.make(name.lowercased(), users))
        let outcome = Dialogue.run(try Self.client(name), server, sendsFirst: sendsFirst)
        let login = try #require(outcome.login, "\(outcome)")
        #expect(login.user == "älice")
        switch login.proof {
        case .password(let password): #expect(text(password) == "pä ss")
        case .checked: #expect(!SASLNames.sendsPlaintextSecret(name))
        default: Issue.record("\(login.proof)")
        }
    }

    @Test(
        "agree with the client about any user and password",
        arguments: SASLNames.password, 0..<3 as Range<UInt64>)
    func law(name: String, seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for round in 0..<20 {
            let user = Self.randomText(&generator, limit: round == 0 ? 300 : 20)
            let password = Self.randomText(&generator, limit: round == 1 ? 1_000 : 20)
            let client: any SASLMechanism
            do {
                client = try Self.client(name, user: user, password: password)
            } catch let error as SASLError {
                #expect(error.kind == .invalidCredentials)  // what SASLprep does not allow
                continue
            }
            // NTLM takes a domain off; SCRAM prepares the name.
            let known = name.hasPrefix("SCRAM") ? try SASLprep.prepare(user) : user
            let server = try #require(
                SASLServerMechanisms.make(name, Dialogue.users([known: password])))
            let outcome = Dialogue.run(client, server)
            #expect(
                outcome.login?.user == known, "seed \(seed), round \(round): \(user), \(outcome)")
            let other = try #require(
                SASLServerMechanisms.make(name, Dialogue.users([known: password + "x"])))
            if case .checked = outcome.login?.proof {
                #expect(Dialogue.run(client, other).login == nil, "seed \(seed), round \(round)")
            }
        }
    }

    static func randomText(_ generator: inout SeededGenerator, limit: Int) -> String {
        let pools: [ClosedRange<UInt32>] = [
            0x20...0x5B, 0x5D...0x7E, 0x61...0x7A, 0xC0...0xFF, 0x3042...0x3090, 0x1F600...0x1F64F,
            0x5D0...0x5EA,
        ]
        let pool = pools.randomElement(using: &generator) ?? 0x61...0x7A
        var text = String.UnicodeScalarView("a".unicodeScalars)
        if pool.lowerBound == 0x5D0 { text = String.UnicodeScalarView() }
        for _ in 0..<Int.random(in: 1...limit, using: &generator) {
            let value = UInt32.random(in: pool, using: &generator)
            if let scalar = Unicode.Scalar(value) { text.append(scalar) }
        }
        return String(text)
    }

    @Test(
        "refuse what is malformed",
        arguments: ["", "\0", "\0\0", "a\0b", "\0alice\0", "\0\0pw", "\0alice\0p\0w", "alice"])
    func malformed(response: String) {
        var plain = PLAINServer()
        #expect(throws: SASLError(.malformedResponse, mechanism: "PLAIN")) {
            _ = try plain.receive(Secret(response))
        }
    }

    @Test("refuse more than their limits", arguments: SASLServerMechanisms.names)
    func limits(name: String) throws {
        let long = Secret(octets: [UInt8](repeating: 0x61, count: 17_000))
        var server = try #require(SASLServerMechanisms.make(name, Dialogue.users()))
        #expect(throws: SASLError.self) {
            _ = try server.receive(nil)
            _ = try server.receive(long)
        }
    }

    @Test("of LOGIN refuse more than their limits at each step")
    func loginLimits() throws {
        let long = Secret(octets: [UInt8](repeating: 0x61, count: 4_097))
        var plain = PLAINServer()
        #expect(throws: SASLError.self) { _ = try plain.receive(long) }
        var login = LOGINServer()
        #expect(throws: SASLError.self) { _ = try login.receive(long) }
        _ = try login.receive(Secret("alice"))
        #expect(throws: SASLError.self) { _ = try login.receive(long) }
        #expect(throws: SASLError.self) { _ = try login.receive(Secret("")) }
    }

    @Test("are there by name, and bind only to TLS")
    func names() {
        let users = Dialogue.users()
        #expect(SASLServerMechanisms.make("GSSAPI", users) == nil)
        for name in SASLServerMechanisms.names + ["EXTERNAL"] {
            #expect(SASLServerMechanisms.make(name, users)?.name == name)
        }
        #expect(SASLServerMechanisms.canOffer("SCRAM-SHA-1-PLUS", isEncrypted: true))
        #expect(!SASLServerMechanisms.canOffer("SCRAM-SHA-1-PLUS", isEncrypted: false))
        #expect(!SASLServerMechanisms.canOffer("EXTERNAL", isEncrypted: false))
        #expect(SASLServerMechanisms.canOffer("PLAIN", isEncrypted: false))
    }
}
