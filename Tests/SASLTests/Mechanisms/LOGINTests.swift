import MartletBytes
import MartletSASL
import Testing

@Suite("LOGIN")
struct LOGINTests {
    @Test(
        "answers two prompts, whatever they say",
        arguments: [
            ["Username:", "Password:"], ["User Name\0", "Password\0"], ["", ""],
            ["Benutzername:", "Kennwort:"], ["username", "PASSWORD"],
            [" \tUsername:", " Password:"],
        ])
    func prompts(prompts: [String]) throws {
        var login = try LOGIN(user: "alice", password: Secret("pw"))
        #expect(login.initialResponse() == nil)
        #expect(text(try login.respond(to: Array(prompts[0].utf8))) == "alice")
        #expect(text(try login.respond(to: Array(prompts[1].utf8))) == "pw")
        #expect(throws: SASLError(.unexpectedChallenge, mechanism: "LOGIN")) {
            try login.respond(to: [])
        }
    }

    @Test("gives the password first where the prompt asks for it")
    func order() throws {
        var login = try LOGIN(user: "alice", password: Secret("pw"))
        #expect(text(try login.respond(to: Array("Password:".utf8))) == "pw")
        #expect(text(try login.respond(to: Array("Username:".utf8))) == "alice")
    }

    @Test("does not tell the password to a prompt that asks for the user name again")
    func twice() throws {
        var login = try LOGIN(user: "alice", password: Secret("pw"))
        _ = try login.respond(to: Array("Username:".utf8))
        #expect(throws: SASLError.self) { try login.respond(to: Array("Username:".utf8)) }
    }
}
