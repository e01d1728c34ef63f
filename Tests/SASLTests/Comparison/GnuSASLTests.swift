import MartletBytes
import MartletTestSupport
import Testing

@testable import MartletSASL

@Suite("Mechanisms and GNU SASL", .gnuSASL, .timeLimit(.minutes(1)))
struct GnuSASLTests {
    struct Login: Sendable, CustomTestStringConvertible {
        var mechanism: String
        var user: String
        var password: String
        var testDescription: String { "\(mechanism) of \(user)" }

        var arguments: [String] {
            [
                "--mechanism=\(mechanism)", "--authentication-id=\(user)", "--password=\(password)",
                "--service=imap", "--hostname=mail.example.org", "--realm=mail.example.org",
                "--quality-of-protection=qop-auth", "--authorization-id=\(user)", "--no-cb",
            ]
        }

        var speaksFirst: Bool { !mechanism.hasSuffix("MD5") }
    }

    static let logins = [
        "SCRAM-SHA-256", "SCRAM-SHA-1", "DIGEST-MD5", "CRAM-MD5", "PLAIN", "LOGIN",
    ]
    .flatMap { name in
        [
            Login(mechanism: name, user: "alice", password: "correct horse"),
            // GNU SASL prepares passwords also where no RFC says so, and of what DIGEST-MD5 hashes
            // as ISO 8859-1 it leaves the user's name in UTF-8.
            Login(
                mechanism: name, user: name.hasSuffix("MD5") ? "bob" : "jürgen",
                password: name.hasPrefix("SCRAM") ? "pä ss ﬁ²" : "pä ss"),
        ]
    }

    @Test("its server takes our client", arguments: logins)
    func client(login: Login) async throws {
        var client = try SASLSelection.Candidate(name: login.mechanism).make(
            user: login.user, password: Secret(login.password), authorizationIdentity: "",
            Dialogue.channel)
        var server = try GnuSASL(["--server"] + login.arguments)
        var first = try client.initialResponse()
        while let challenge = await server.next() {
            if let response = first {
                server.say(response.withOctets { Array($0) })
                first = nil
            } else {
                // When all is said it says nothing once more, and wants to hear nothing.
                let response = try? client.respond(to: challenge)
                server.say(response?.withOctets { Array($0) } ?? [])
            }
        }
        let result = await server.result()
        #expect(result.isDone, "\(result.errors)")
        try client.finish(nil)
    }

    @Test("its client goes through to our server", arguments: logins)
    func server(login: Login) async throws {
        let users = Dialogue.users([login.user: login.password])
        var server = try #require(SASLServerMechanisms.make(login.mechanism, users))
        var client = try GnuSASL(["--client"] + login.arguments)
        let first = await client.next().map { Secret(octets: $0) }
        var step = try server.receive(login.speaksFirst ? first : nil)
        while case .challenge(let challenge) = step {
            client.say(challenge)
            // The last word of some is answered by nothing, and the command ends then.
            let answer = await client.next() ?? []
            step = try server.receive(Secret(octets: answer))
        }
        guard case .verify(let claim) = step else {
            Issue.record("\(step)")
            return
        }
        #expect(claim.user == login.user)
        if case .password(let password) = claim.proof { #expect(text(password) == login.password) }
    }
}
