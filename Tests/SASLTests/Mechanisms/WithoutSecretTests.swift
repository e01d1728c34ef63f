import MartletBytes
import Testing

@testable import MartletSASL

@Suite("EXTERNAL and ANONYMOUS")
struct WithoutSecretTests {
    @Test("EXTERNAL says as whom to act, or nothing", arguments: ["", "bob@example.org", "jürgen"])
    func external(identity: String) throws {
        var client = try EXTERNAL(authorizationIdentity: identity)
        #expect(text(client.initialResponse()) == identity)
        for sendsFirst in [true, false] {
            let login = try #require(
                Dialogue.run(client, EXTERNALServer(), sendsFirst: sendsFirst).login)
            #expect(login.authorizationIdentity == identity)
            guard case .external = login.proof else {
                Issue.record("\(login)")
                return
            }
        }
        #expect(text(try client.respond(to: [])) == identity)
        #expect(expectFailure(.unexpectedChallenge, of: &client, to: ""))
        #expect(throws: SASLError.self) { try EXTERNAL(authorizationIdentity: "a\0b") }
    }

    // RFC 4505 §3
    @Test("ANONYMOUS leaves a trace, or none", arguments: ["sirhc", "", "jürgen@example.org"])
    func anonymous(trace: String) throws {
        var client = try ANONYMOUS(trace: trace)
        #expect(text(client.initialResponse()) == trace)
        for sendsFirst in [true, false] {
            let login = try #require(
                Dialogue.run(client, ANONYMOUSServer(), sendsFirst: sendsFirst).login)
            guard case .anonymous(trace) = login.proof else {
                Issue.record("\(login)")
                return
            }
        }
        #expect(expectFailure(.unexpectedChallenge, of: &client, to: "more"))
    }

    @Test(
        "ANONYMOUS takes no trace that is long or has control characters",
        arguments: [String(repeating: "ä", count: 256), "a\nb", "\u{7F}"])
    func traces(trace: String) {
        #expect(throws: SASLError.self) { try ANONYMOUS(trace: trace) }
        var server = ANONYMOUSServer()
        #expect(throws: SASLError.self) { try server.receive(Secret(trace)) }
    }

    @Test("the servers refuse what is no text")
    func noText() {
        let octets = Secret(octets: [0xFF])
        var external = EXTERNALServer()
        #expect(throws: SASLError.self) { try external.receive(octets) }
        #expect(throws: SASLError.self) { try external.receive(Secret("a\0b")) }
        var anonymous = ANONYMOUSServer()
        #expect(throws: SASLError.self) { try anonymous.receive(octets) }
    }
}
