import MartletBytes
import Testing

@testable import MartletSASL

@Suite("XOAUTH2 and OAUTHBEARER")
struct BearerTests {
    static let channel = SASLChannel(
        service: "imap", host: "server.example.com", port: 143, isEncrypted: true)
    static let token = "vF9dft4qmTc2Nvb3RlckBhbHRhdmlzdGEuY29tCg=="

    // RFC 7628 §4.1, §4.3
    @Test("OAUTHBEARER says what its RFC says, and one octet after a refusal")
    func oauthBearer() throws {
        var client = try OAUTHBEARER(
            user: "user@example.com", token: Secret(Self.token), channel: Self.channel)
        let said = client.initialResponse() ?? Secret("")
        #expect(
            said.withOctets { String(decoding: Base64.encode($0), as: UTF8.self) }
                == "bixhPXVzZXJAZXhhbXBsZS5jb20sAWhvc3Q9c2VydmVyLmV4YW1wbGUuY29tAXBvcnQ9MTQzAWF1dG"
                + "g9QmVhcmVyIHZGOWRmdDRxbVRjMk52YjNSbGNrQmhiSFJoZG1semRHRXVZMjl0Q2c9PQEB")
        let refusal = octets(
            base64: "eyJzdGF0dXMiOiJpbnZhbGlkX3Rva2VuIiwic2NvcGUiOiJleGFtcGxlX3Njb3BlIiwib3Blbmlk"
                + "LWNvbmZpZ3VyYXRpb24iOiJodHRwczovL2V4YW1wbGUuY29tLy53ZWxsLWtub3duL29wZW5pZC1jb2"
                + "5maWd1cmF0aW9uIn0=")
        #expect(try client.respond(to: refusal) == Secret(octets: [1]))
        let why = try #require(client.refusal)
        #expect(why.status == "invalid_token")
        #expect(why.scope == "example_scope")
        #expect(
            why.openIDConfiguration == "https://example.com/.well-known/openid-configuration")
        #expect(client.serverComplaint == "token status invalid_token, wanted scope example_scope")
        #expect(throws: SASLError.self) { try client.finish(nil) }
        #expect(expectFailure(.unexpectedChallenge, of: &client, to: "{}"))
    }

    @Test("XOAUTH2 says what Google and Microsoft ask for, and nothing after a refusal")
    func xoauth2() throws {
        var client = try XOAUTH2(
            user: "someuser@example.com",
            token: Secret("ya29.vF9dft4qmTc2Nvb3RlckBhdHRhdmlzdGEuY29tCg"))
        let said = client.initialResponse() ?? Secret("")
        #expect(
            said.withOctets { String(decoding: Base64.encode($0), as: UTF8.self) }
                == "dXNlcj1zb21ldXNlckBleGFtcGxlLmNvbQFhdXRoPUJlYXJlciB5YTI5LnZGOWRmdDRxbVRjMk52Yj"
                + "NSbGNrQmhkSFJoZG1semRHRXVZMjl0Q2cBAQ==")
        #expect(try client.respond(to: []) == said)  // a protocol without initial responses
        let refusal = #"{"status":"400","schemes":"Bearer","scope":"https://mail.google.com/"}"#
        #expect(try client.respond(to: Array(refusal.utf8)) == Secret(""))
        #expect(client.refusal?.status == "400")
        #expect(client.refusal?.schemes == "Bearer")
    }

    @Test(
        "take no token or name that could end its field",
        arguments: [("a", ""), ("a", "x y"), ("a", "x\u{1}"), ("a\u{1}auth=", "x"), ("a", "ä")])
    func hostile(user: String, token: String) {
        #expect(throws: SASLError.self) { try XOAUTH2(user: user, token: Secret(token)) }
        #expect(throws: SASLError.self) {
            try OAUTHBEARER(user: user, token: Secret(token), channel: Self.channel)
        }
    }

    @Test(
        "keep what a server says, whatever it is",
        arguments: [
            ("", "the token was refused"), ("no", "no"), ("{}", "{}"),
            ("{\"status\":", "{\"status\":"),
            ("{\"status\":401}", "token status 401"),
            (
                #"{"status":"a\u0007\n\ud83d\ude00","scope":"s"}"#,
                "token status a\u{FFFD}\u{FFFD}😀, wanted scope s"
            ),
            ("a\u{1B}[31m", "a\u{FFFD}[31m"),
        ])
    func refusals(said: String, shown: String) {
        #expect(OAuthRefusal(Array(said.utf8)).description == shown)
    }

    @Test("goes through to the server's side, which has words for a refusal")
    func both() throws {
        for name in ["XOAUTH2", "OAUTHBEARER"] {
            for sendsFirst in [true, false] {
                var client: any SASLMechanism =
                    name == "XOAUTH2"
                    ? try XOAUTH2(user: "jürgen=,x", token: Secret("t"))
                    : try OAUTHBEARER(user: "jürgen=,x", token: Secret("t"), channel: Self.channel)
                var server = try #require(SASLServerMechanisms.make(name, Dialogue.users()))
                let login = try #require(
                    Dialogue.run(client, server, sendsFirst: sendsFirst).login)
                #expect(login.user == "jürgen=,x")
                guard case .token(let token) = login.proof else { throw Unexpected() }
                #expect(text(token) == "t")

                _ = try server.receive(try client.initialResponse())
                let refusal = server.refuse()
                let challenge = try #require(refusal)
                let answer = try client.respond(to: challenge)
                #expect(client.serverComplaint?.contains("mail") == true)
                #expect(throws: SASLError(.wrongProof, mechanism: name)) {
                    try server.receive(answer)
                }
            }
        }
    }

    @Test(
        "the server refuses what is malformed",
        arguments: [
            "", "\u{1}\u{1}", "user=a\u{1}auth=Bearer x", "user=a\u{1}auth=Bearer \u{1}\u{1}",
            "user=\u{1}auth=Bearer x\u{1}\u{1}", "user=a\u{1}\u{1}",
            "n,a=b\u{1}auth=Bearer x\u{1}\u{1}",
            "p=x,,\u{1}auth=Bearer x\u{1}\u{1}", "n,b,\u{1}auth=Bearer x\u{1}\u{1}",
            "n,a==,\u{1}auth=Bearer x\u{1}\u{1}",
        ])
    func malformed(response: String) {
        for var server in [BearerServer.xoauth2(), .oauthBearer()] {
            #expect(throws: SASLError.self) { try server.receive(Secret(response)) }
        }
    }

    @Test(
        "an object is read, and what is nested passed over",
        arguments: [
            (#"{"a":"b"}"#, "b"), (#" { "x" : [1,{"a":"no"}] , "a" : 12.5e3 } "#, "12.5e3"),
            (#"{"a":true}"#, "true"), (#"{"x":{"y":"}"},"a":"b"}"#, "b"),
        ])
    func json(text: String, value: String) {
        #expect(JSONMembers(Array(text.utf8))?["a"] == value)
    }

    @Test(
        "what is no object is none",
        arguments: [
            "", "[]", "{", #"{"a"}"#, #"{"a":}"#, #"{"a":@}"#, #"{"a":]}"#, #"{"a":"b"#,
            #"{"a":[}"#,
            #"{"a":"\"#, #"{"a":"\u12"}"#, #"{"a":1"b":2}"#,
            #"{"a":"# + String(repeating: "[", count: 17) + String(repeating: "]", count: 17) + "}",
        ])
    func noJSON(text: String) { #expect(JSONMembers(Array(text.utf8)) == nil) }
}
