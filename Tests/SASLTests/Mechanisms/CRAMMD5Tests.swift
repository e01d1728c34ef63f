import MartletBytes
import Testing

@testable import MartletSASL

@Suite("CRAM-MD5")
struct CRAMMD5Tests {
    // RFC 2195 §2
    @Test("says what its RFC says, once")
    func vector() throws {
        var client = try CRAMMD5(user: "tim", password: Secret("tanstaaftanstaaf"))
        #expect(client.initialResponse() == nil)
        let challenge = Array("<1896.697170952@postoffice.reston.mci.net>".utf8)
        #expect(
            text(try client.respond(to: challenge)) == "tim b913a602c7eda7a495b4e6e7334d3890")
        #expect(expectFailure(.unexpectedChallenge, of: &client, to: "<1@x>"))
        try client.finish(nil)
    }

    @Test("refuses a challenge of nothing, whose digest would be a password, and an endless one")
    func challenges() throws {
        var client = try CRAMMD5(user: "tim", password: Secret("x"))
        #expect(expectFailure(.malformedChallenge, of: &client, to: ""))
        #expect(
            expectFailure(
                .malformedChallenge, of: &client, to: String(repeating: "x", count: 2_049)))
    }

    @Test("the server takes what its RFC says, in either case, and asks otherwise each time")
    func server() throws {
        let users = Dialogue.users(["tim": "tanstaaftanstaaf"])
        for response in [
            "tim b913a602c7eda7a495b4e6e7334d3890", "tim B913A602C7EDA7A495B4E6E7334D3890",
        ] {
            var server = CRAMMD5Server(
                users, challenge: "<1896.697170952@postoffice.reston.mci.net>")
            _ = try server.receive(nil)
            guard case .verify(let login) = try server.receive(Secret(response)) else {
                Issue.record("not taken")
                return
            }
            #expect(login.user == "tim")
        }
        var (one, other) = (CRAMMD5Server(users), CRAMMD5Server(users))
        guard case .challenge(let first) = try one.receive(nil),
            case .challenge(let second) = try other.receive(nil)
        else { throw Unexpected() }
        #expect(first != second)
    }

    @Test(
        "the server refuses what is wrong",
        arguments: [
            "", "tim", " b913a602c7eda7a495b4e6e7334d3890", "tim ",
            "tim b913a602c7eda7a495b4e6e7334d3891", "tom b913a602c7eda7a495b4e6e7334d3890",
        ])
    func wrong(response: String) throws {
        var server = CRAMMD5Server(
            Dialogue.users(["tim": "tanstaaftanstaaf"]),
            challenge: "<1896.697170952@postoffice.reston.mci.net>")
        _ = try server.receive(nil)
        #expect(throws: SASLError.self) { try server.receive(Secret(response)) }
    }
}
