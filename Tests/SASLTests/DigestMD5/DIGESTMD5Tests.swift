import MartletBytes
import MartletTestSupport
import Testing

@testable import MartletSASL

@Suite("DIGEST-MD5")
struct DIGESTMD5Tests {
    static func client(
        user: String = "chris", password: String = "secret", identity: String = "",
        service: String = "imap", realm: String? = nil, nonce: String = "OA6MHXh6VqTrRk"
    ) throws -> DIGESTMD5 {
        try DIGESTMD5(
            user: user, password: Secret(password), authorizationIdentity: identity,
            channel: SASLChannel(
                service: service, host: "elwood.innosoft.com", port: 143, isEncrypted: false),
            realm: realm, clientNonce: nonce)
    }

    // RFC 2831 §4
    @Test(
        "says what its RFC says, and believes the server's digest",
        arguments: [
            (
                "imap", "OA6MG9tEQGm2hh", "OA6MHXh6VqTrRk", "d388dad90d4bbd760a152321f2143af7",
                "ea40f60335c427b5527b84dbabcdfffd"
            ),
            (
                "acap", "OA9BSXrbuRhWay", "OA9BSuZWMSpW8m", "6084c6db3fede7352c551284490fd0fc",
                "2f0b3d7c3c2e486600ef710726aa2eae"
            ),
        ])
    func vector(
        service: String, nonce: String, clientNonce: String, response: String, own: String
    ) throws {
        var client = try Self.client(service: service, nonce: clientNonce)
        #expect(client.initialResponse() == nil)
        let said = try client.respond(
            to: Array(
                """
                realm="elwood.innosoft.com",nonce="\(nonce)",qop="auth",algorithm=md5-sess,\
                charset=utf-8
                """.utf8))
        #expect(
            text(said) == """
                charset=utf-8,username="chris",realm="elwood.innosoft.com",nonce="\(nonce)",\
                nc=00000001,cnonce="\(clientNonce)",digest-uri="\(service)/elwood.innosoft.com",\
                response=\(response),qop=auth
                """)
        #expect(throws: SASLError.self) { try client.finish(nil) }
        var early = client
        try early.finish(Array("rspauth=\(own)".utf8))
        #expect(text(try client.respond(to: Array("rspauth=\(own)".utf8))) == "")
        try client.finish(nil)
        #expect(expectFailure(.unexpectedChallenge, of: &client, to: ""))
    }

    @Test(
        "refuses challenges",
        arguments: [
            ("", SASLError.Kind.malformedChallenge), ("nonce=\"x\"", .malformedChallenge),
            ("algorithm=md5-sess", .malformedChallenge),
            ("nonce=\"\",algorithm=md5-sess", .malformedChallenge),
            ("nonce=\"x\",nonce=\"y\",algorithm=md5-sess", .malformedChallenge),
            ("nonce=\"x\",algorithm=md5-sess,algorithm=md5-sess", .malformedChallenge),
            ("nonce=\"x,algorithm=md5-sess", .malformedChallenge),
            ("nonce=\"x\"algorithm=md5-sess", .malformedChallenge),
            ("nonce=\"x\\", .malformedChallenge), ("=x", .malformedChallenge),
            ("nonce=\"x\",algorithm=md5", .unacceptableChallenge),
            ("nonce=\"x\",algorithm=md5-sess,qop=\"auth-conf\"", .unacceptableChallenge),
            ("nonce=\"x\",algorithm=md5-sess,charset=latin1", .malformedChallenge),
            (
                "nonce=\"x\",algorithm=md5-sess,opaque=\"" + String(repeating: "o", count: 2_048)
                    + "\"", .malformedChallenge
            ),
            (String(repeating: "a=b,", count: 101) + "nonce=x", .malformedChallenge),
        ])
    func refused(challenge: String, kind: SASLError.Kind) throws {
        var client = try Self.client()
        #expect(expectFailure(kind, of: &client, to: challenge))
    }

    @Test("reads white space, empty elements, quotes, escapes and lists")
    func reading() throws {
        let challenge = try DigestChallenge(
            Array(
                ", realm=\"a\\\"b\" ,\r\n\t,realm=c, NONCE = n,qop=\"auth-int , auth\",ALGORITHM=MD5-Sess,charset=\"utf-8\","
                    .utf8))
        #expect(challenge.realms == [Array("a\"b".utf8), Array("c".utf8)])
        #expect(challenge.isUTF8)
        var client = try Self.client(user: "q\"u\\")
        let said = try client.respond(
            to: Array("realm=\"a\\\"b\",nonce=n,algorithm=md5-sess,charset=utf-8".utf8))
        #expect(text(said)?.contains(#"username="q\"u\\",realm="a\"b","#) == true)
    }

    @Test("chooses the realm behind the @, else the first, or the one that was named")
    func realms() throws {
        let challenge = #"realm="one",realm="two",nonce="n",algorithm=md5-sess"#
        func realm(_ client: DIGESTMD5, _ challenge: String) throws -> String? {
            var client = client
            let said = text(try client.respond(to: Array(challenge.utf8))) ?? ""
            return said.firstMatch(of: #/realm="([^"]*)"/#).map { String($0.1) }
        }
        #expect(try realm(Self.client(), challenge) == "one")
        #expect(try realm(Self.client(user: "chris@two"), challenge) == "two")
        #expect(try realm(Self.client(realm: "two"), challenge) == "two")
        #expect(try realm(Self.client(), #"nonce="n",algorithm=md5-sess"#) == nil)
        // Dovecot without realms says an empty one.
        #expect(try realm(Self.client(), #"realm="",nonce="n",algorithm=md5-sess"#) == "")
        var client = try Self.client(realm: "three")
        #expect(expectFailure(.unacceptableChallenge, of: &client, to: challenge))
    }

    @Test("writes ISO 8859-1 where the server reads no UTF-8, and only what is in it")
    func latin1() throws {
        let challenge = Array(#"realm="r",nonce="n",algorithm=md5-sess"#.utf8)
        var client = try Self.client(user: "jürgen")
        let said = try client.respond(to: challenge)
        #expect(said.withOctets { $0.contains(0xFC) && !$0.contains(0xC3) })
        for (user, password) in [("日本", "x"), ("x", "日本")] {
            var other = try Self.client(user: user, password: password)
            #expect(throws: SASLError.self) { try other.respond(to: challenge) }
        }
    }

    @Test("hashes UTF-8 as ISO 8859-1 where that can be, string by string")
    func hashing() throws {
        func response(_ user: [UInt8], _ password: [UInt8], isUTF8: Bool) throws -> [UInt8] {
            try DigestComputation(
                user: user, realm: [], password: Secret(octets: password), nonce: [1],
                clientNonce: [2], identity: [], uri: [3], isUTF8: isUTF8
            ).response(method: "")
        }
        #expect(
            try response(Array("jürgen".utf8), Array("pä".utf8), isUTF8: true)
                == response(
                    [0x6A, 0xFC] + Array("rgen".utf8), [0x70, 0xE4], isUTF8: false))
        let japanese = Array("日本".utf8)
        #expect(
            try response(japanese, [0xC3, 0xA4], isUTF8: true)
                == response(japanese, [0xE4], isUTF8: false))
    }

    @Test(
        "does not believe a server without the right digest",
        arguments: ["", "rspauth=", "rspauth=00", "rspauth=0123456789abcdef0123456789abcdef", "x"])
    func untrue(challenge: String) throws {
        var client = try Self.client()
        _ = try client.respond(to: Array(#"nonce="n",algorithm=md5-sess"#.utf8))
        var early = client
        #expect(expectFailure(.serverNotAuthentic, of: &client, to: challenge))
        #expect(throws: SASLError.self) { try client.finish(nil) }
        #expect(throws: SASLError.self) { try early.finish(Array(challenge.utf8)) }
    }

    @Test("goes through, for another identity too, and not with a wrong password or elsewhere")
    func both() throws {
        let channel = Dialogue.channel
        var users = Dialogue.users(["jürgen": "pä日"])
        func run(_ user: String, _ password: String, host: String? = nil) throws -> Dialogue.Outcome
        {
            var channel = channel
            channel.host = host ?? channel.host
            return Dialogue.run(
                try DIGESTMD5(
                    user: user, password: Secret(password), authorizationIdentity: "bob",
                    channel: channel), DIGESTMD5Server(users))
        }
        for realms in [[], ["a", "b\"c"]] {
            users.realms = realms
            let login = try #require(try run("jürgen", "pä日").login)
            #expect(login.user == "jürgen")
            #expect(login.authorizationIdentity == "bob")
            #expect(try run("jürgen", "pä").login == nil)
            #expect(try run("somebody", "pä日").login == nil)
            #expect(try run("jürgen", "pä日", host: "other.example.org").login == nil)
            // Some clients name the realm in place of the host.
            for realm in ["a", "b"] {
                let login = try run("jürgen", "pä日", host: realm).login
                #expect((login != nil) == (realms.first == realm))
            }
        }
    }

    @Test(
        "the server refuses a response that is malformed, seen before, or not for it",
        arguments: [
            ("", ""), ("nc=00000001", "nc=00000002"), ("nonce=\"N\"", "nonce=\"M\""),
            ("qop=auth", "qop=auth-int"), ("realm=\"mail.example.org\"", "realm=\"other\""),
            ("digest-uri=\"imap/", "digest-uri=\"pop/"), (",qop=auth", ",qop=auth,qop=auth"),
            ("username=\"alice\"", "username=\"bob\""), ("cnonce=\"C\"", "cnonce=\"\""),
            ("response=", "response=0"), ("charset=utf-8,", ""),
        ])
    func server(from: String, to: String) throws {
        var server = DIGESTMD5Server(Dialogue.users(["alice": "p"]), nonce: "N")
        guard case .challenge(let challenge) = try server.receive(nil) else { throw Unexpected() }
        var client = try DIGESTMD5(
            user: "alice", password: Secret("p"), channel: Dialogue.channel, clientNonce: "C")
        let said = try #require(text(try client.respond(to: challenge)))
        let changed = from.isEmpty ? "" : said.replacing(from, with: to)
        #expect(changed != said)
        if from == "charset=utf-8," {
            // the same octets: only ASCII is in them
            _ = try server.receive(Secret(changed))
        } else {
            #expect(throws: SASLError.self) { try server.receive(Secret(changed)) }
        }
    }
}
