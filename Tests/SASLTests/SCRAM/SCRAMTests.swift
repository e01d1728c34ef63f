import MartletBytes
import MartletTestSupport
import Testing

@testable import MartletSASL

@Suite("SCRAM")
struct SCRAMTests {
    struct Vector: Sendable, CustomTestStringConvertible {
        var hash: SCRAMHash
        var nonce: String
        var serverNonce: String
        var salt: String
        var proof: String
        var signature: String
        var testDescription: String { "\(hash)" }
        var serverFirst: String { "r=\(nonce)\(serverNonce),s=\(salt),i=4096" }
    }

    static let vectors = [
        // RFC 5802 §5
        Vector(
            hash: .sha1, nonce: "fyko+d2lbbFgONRv9qkxdawL", serverNonce: "3rfcNHYJY1ZVvWVs7j",
            salt: "QSXCR+Q6sek8bf92", proof: "v0X8v3Bz2T0CJGbJQyF0X+HI4Ts=",
            signature: "rmF9pqV8S7suAoZWja4dJRkFsKQ="),
        // RFC 7677 §3
        Vector(
            hash: .sha256, nonce: "rOprNGfwEbeRWgbNEkqO",
            serverNonce: "%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0",
            salt: "W22ZaJ0SNY7soEsUEjb6gQ==",
            proof: "dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=",
            signature: "6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4="),
    ]

    static func client(
        _ hash: SCRAMHash = .sha256, _ binding: SCRAM.Binding = .impossible,
        password: String = "pencil", nonce: String = "abc"
    ) throws -> SCRAM {
        try SCRAM(hash, user: "user", password: Secret(password), binding: binding, nonce: nonce)
    }

    @Test("says what its RFC says, and believes the server's signature", arguments: vectors)
    func vector(vector: Vector) throws {
        var client = try Self.client(vector.hash, nonce: vector.nonce)
        #expect(text(client.initialResponse()) == "n,,n=user,r=\(vector.nonce)")
        let proof = try client.respond(to: Array(vector.serverFirst.utf8))
        #expect(text(proof) == "c=biws,r=\(vector.nonce)\(vector.serverNonce),p=\(vector.proof)")
        #expect(throws: SASLError.self) { try client.finish(nil) }
        var early = client
        try early.finish(Array("v=\(vector.signature)".utf8))
        #expect(text(try client.respond(to: Array("v=\(vector.signature)".utf8))) == "")
        try client.finish(nil)
        #expect(expectFailure(.unexpectedChallenge, of: &client, to: ""))
    }

    @Test("the server's side says what its RFC says", arguments: vectors)
    func serverVector(vector: Vector) throws {
        var server = SCRAMServer(
            vector.hash, Dialogue.users(["user": "pencil"]), nonce: vector.serverNonce,
            salt: octets(base64: vector.salt))
        guard
            case .challenge(let first) = try server.receive(Secret("n,,n=user,r=\(vector.nonce)")),
            case .challenge(let last) = try server.receive(
                Secret("c=biws,r=\(vector.nonce)\(vector.serverNonce),p=\(vector.proof)"))
        else {
            Issue.record("no challenge")
            return
        }
        #expect(String(decoding: first, as: UTF8.self) == vector.serverFirst)
        #expect(String(decoding: last, as: UTF8.self) == "v=\(vector.signature)")
    }

    @Test(
        "refuses what a server may not say first",
        arguments: [
            ("", SASLError.Kind.unexpectedChallenge),  // after it was asked for already
            ("x", .malformedChallenge), ("r=abcX", .malformedChallenge),
            ("s=AAAA,r=abcX,i=4096", .malformedChallenge),
            ("r=abcX,s=AAAA", .malformedChallenge), ("r=abcX,s=,i=4096", .malformedChallenge),
            ("r=abcX,s=A,i=4096", .malformedChallenge),
            ("r=abcX,s=AAAA,i=0", .malformedChallenge),
            ("r=abcX,s=AAAA,i=04096", .malformedChallenge),
            ("r=abcX,s=AAAA,i=-4096", .malformedChallenge),
            ("r=abcX,s=AAAA,i=99999999999999999999999", .malformedChallenge),
            ("r=abcX,s=AAAA,i=4095", .unacceptableChallenge),
            ("r=abcX,s=AAAA,i=2000001", .unacceptableChallenge),
            ("r=abcX,s=AAAA,i=9999999999", .unacceptableChallenge),
            ("m=x,r=abcX,s=AAAA,i=4096", .unacceptableChallenge),
            ("r=abc,s=AAAA,i=4096", .serverNotAuthentic),
            ("r=xabc,s=AAAA,i=4096", .serverNotAuthentic),
            ("r=abX,s=AAAA,i=4096", .serverNotAuthentic),
            ("r=ab\u{1}X,s=AAAA,i=4096", .malformedChallenge),
            ("e=unknown-user", .refused),
            ("e=server-does-support-channel-binding", .serverNotAuthentic),
        ])
    func first(challenge: String, kind: SASLError.Kind) throws {
        var client = try Self.client()
        if kind == .unexpectedChallenge {
            _ = client.initialResponse()
            _ = try client.respond(to: [])
            #expect(expectFailure(.malformedChallenge, of: &client, to: challenge))
        } else {
            _ = client.initialResponse()
            #expect(expectFailure(kind, of: &client, to: challenge))
        }
        #expect(!client.hasProven)
        #expect(throws: SASLError.self) { try client.finish(nil) }
    }

    @Test("takes numbers and sizes up to their limits, and extensions behind them")
    func limits() throws {
        var client = try Self.client(.sha1)
        _ = client.initialResponse()
        let salt = String(
            decoding: Base64.encode([UInt8](repeating: 7, count: 1_024)), as: UTF8.self)
        let nonce = "abc" + String(repeating: "n", count: SCRAMLimits.nonceLimit - 3)
        _ = try client.respond(to: Array("r=\(nonce),s=\(salt),i=4096,x=later".utf8))
        var other = try Self.client(.sha1)
        _ = other.initialResponse()
        #expect(
            expectFailure(.malformedChallenge, of: &other, to: "r=\(nonce)n,s=\(salt),i=4096"))
        #expect(
            expectFailure(
                .malformedChallenge, of: &other, to: "r=abcX,s=\(salt)AAAA,i=4096"))
        #expect(
            expectFailure(
                .malformedChallenge, of: &other,
                to: "r=abcX,s=AAAA,i=4096,x=" + String(repeating: "y", count: 9_000)))
    }

    @Test(
        "does not believe a server without the right signature",
        arguments: [
            ("v=AAAA", SASLError.Kind.serverNotAuthentic), ("", .serverNotAuthentic),
            ("v=", .serverNotAuthentic), ("x", .serverNotAuthentic),
            ("v=rmF9pqV8S7suAoZWja4dJRkFsKQ", .serverNotAuthentic),
            ("e=invalid-proof", .refused), ("e=channel-bindings-dont-match", .serverNotAuthentic),
        ])
    func signature(challenge: String, kind: SASLError.Kind) throws {
        let vector = Self.vectors[0]
        var client = try Self.client(vector.hash, nonce: vector.nonce)
        _ = client.initialResponse()
        _ = try client.respond(to: Array(vector.serverFirst.utf8))
        #expect(client.hasProven)
        #expect(expectFailure(kind, of: &client, to: challenge))
        #expect((client.serverComplaint != nil) == challenge.hasPrefix("e="))
        #expect(throws: SASLError.self) { try client.finish(nil) }
        #expect(throws: SASLError.self) {
            var copy = client
            try copy.finish(Array(challenge.utf8))
        }
    }

    static let bindings: [SCRAM.Binding] =
        [.impossible, .notOffered] + Dialogue.channel.bindings.map { .bound($0) }

    @Test(
        "goes through with every digest and binding", arguments: SCRAMHash.allCases, bindings)
    func both(hash: SCRAMHash, binding: SCRAM.Binding) throws {
        let isBound = if case .bound = binding { true } else { false }
        let client = try Self.client(hash, binding)
        let server = SCRAMServer(hash, isBound: isBound, Dialogue.users(["user": "pencil"]))
        #expect(client.name == server.name)
        for sendsFirst in [true, false] {
            let outcome = Dialogue.run(client, server, sendsFirst: sendsFirst)
            #expect(outcome.login?.user == "user", "\(outcome)")
            guard case .checked = outcome.login?.proof else {
                Issue.record("\(outcome)")
                return
            }
        }
        for wrong in ["pencils", "Pencil"] {
            let client = try Self.client(hash, binding, password: wrong)
            guard case .serverFailed(let error) = Dialogue.run(client, server) else {
                Issue.record("a wrong password goes through")
                return
            }
            #expect(error.kind == .wrongProof)
        }
    }

    @Test("does not go through for somebody unknown")
    func unknown() throws {
        let server = SCRAMServer(.sha256, Dialogue.users(["other": "?"]))
        guard
            case .serverFailed(let error) = Dialogue.run(
                try Self.client(password: "?"), server)
        else {
            Issue.record("it goes through")
            return
        }
        #expect(error.kind == .wrongProof)
    }

    @Test("does not go through another TLS connection")
    func relayed() throws {
        var channel = Dialogue.channel
        channel.bindings[0].octets = Array("another".utf8)
        let server = SCRAMServer(
            .sha256, isBound: true, Dialogue.users(["user": "pencil"], channel: channel))
        let client = try Self.client(.sha256, .bound(Dialogue.channel.bindings[0]))
        guard case .serverFailed(let error) = Dialogue.run(client, server) else {
            Issue.record("it goes through")
            return
        }
        #expect(error.kind == .wrongProof)
    }

    @Test("shows a server that its offer of channel binding was taken away")
    func downgrade() throws {
        let users = Dialogue.users(["user": "pencil"])
        let server = SCRAMServer(.sha256, users, offersBinding: true)
        guard case .serverFailed = Dialogue.run(try Self.client(.sha256, .notOffered), server)
        else {
            Issue.record("it goes through")
            return
        }
        #expect(Dialogue.run(try Self.client(.sha256, .impossible), server).login != nil)
    }

    @Test("writes commas and equals signs of names otherwise, and the identity to act as")
    func names() throws {
        var client = try SCRAM(
            .sha256, user: "a=b,c", password: Secret("x"), authorizationIdentity: "d,=",
            nonce: "n")
        #expect(text(client.initialResponse()) == "n,a=d=2C=3D,n=a=3Db=2Cc,r=n")
        let server = SCRAMServer(.sha256, Dialogue.users(["a=b,c": "x"]))
        let login = try #require(Dialogue.run(client, server).login)
        #expect(login.user == "a=b,c")
        #expect(login.authorizationIdentity == "d,=")
    }

    @Test("prepares names and passwords, so that both sides mean the same")
    func preparation() throws {
        let client = try SCRAM(.sha256, user: "a\u{308}lice", password: Secret("ﬁ\u{AD}x\u{A0}y"))
        let server = SCRAMServer(.sha256, Dialogue.users(["älice": "fix y"]))
        #expect(Dialogue.run(client, server).login?.user == "älice")
        #expect(throws: SASLError.self) { try SCRAM(.sha1, user: "a\u{7}", password: Secret("x")) }
        #expect(throws: SASLError.self) { try SCRAM(.sha1, user: "", password: Secret("x")) }
        #expect(throws: SASLError.self) { try SCRAM(.sha1, user: "\u{AD}", password: Secret("x")) }
    }

    @Test(
        "the server refuses what is malformed",
        arguments: [
            "", "n", "n,,", "x,,n=user,r=abc", "n,b=c,n=user,r=abc", "n,a=,n=user,r=abc",
            "n,,r=abc,n=user", "n,,n=,r=abc", "n,,n=us=er,r=abc", "n,,n=user,r=",
            "p=tls-exporter,,n=user,r=abc", "n,,m=x,n=user,r=abc", "n,,n=user",
        ])
    func malformed(response: String) {
        var server = SCRAMServer(.sha1, Dialogue.users())
        #expect(throws: SASLError.self) { try server.receive(Secret(response)) }
    }

    @Test(
        "the server refuses a last message that is malformed or not for it",
        arguments: [
            "", "c=biws,r=abcXYZ", "c=biws,r=abcXYZ,p=", "c=biws,r=abcXY,p=AAAA",
            "c=eSws,r=abcXYZ,p=AAAAAAAAAAAAAAAAAAAAAAAAAAA=", "r=abcXYZ,c=biws,p=AAAA",
            "c=biws,r=abcXYZ,p=AAAAAAAAAAAAAAAAAAAAAAAAAAA=",
        ])
    func last(response: String) throws {
        var server = SCRAMServer(.sha1, Dialogue.users(["user": "pencil"]), nonce: "XYZ")
        _ = try server.receive(Secret("n,,n=user,r=abc"))
        #expect(throws: SASLError.self) { try server.receive(Secret(response)) }
        #expect(throws: SASLError.self) { try server.receive(Secret("")) }
    }
}
