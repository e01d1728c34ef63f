import MartletBytes
import MartletSASL
import Testing

func text(_ secret: Secret?) -> String? {
    secret.map { $0.withOctets { String(decoding: $0, as: UTF8.self) } }
}

@Suite("PLAIN")
struct PLAINTests {
    @Test("says identity, user and password, separated by NUL")
    func message() throws {
        var plain = try PLAIN(user: "alice", password: Secret("pässword"))
        #expect(text(plain.initialResponse()) == "\0alice\0pässword")
        var acting = try PLAIN(
            user: "root", password: Secret("x"), authorizationIdentity: "alice")
        #expect(text(acting.initialResponse()) == "alice\0root\0x")
    }

    @Test("gives the same message to an empty challenge, once")
    func challenge() throws {
        var plain = try PLAIN(user: "alice", password: Secret("pw"))
        _ = plain.initialResponse()
        #expect(text(try plain.respond(to: [])) == "\0alice\0pw")
        #expect(throws: SASLError(.unexpectedChallenge, mechanism: "PLAIN")) {
            try plain.respond(to: [])
        }
    }

    @Test(
        "refuses what would change its meaning",
        arguments: [("", "pw"), ("a\0b", "pw"), ("alice", ""), ("alice", "p\0w")])
    func invalid(user: String, password: String) {
        #expect(throws: SASLError(.invalidCredentials, mechanism: "PLAIN")) {
            try PLAIN(user: user, password: Secret(password))
        }
        #expect(throws: SASLError(.invalidCredentials, mechanism: "LOGIN")) {
            try LOGIN(user: user, password: Secret(password))
        }
    }
}
