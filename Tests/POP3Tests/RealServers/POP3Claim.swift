import MartletPOP3
import MartletTestSupport
import Synchronization
import Testing

/// Something that holds at every real server.
struct POP3Claim: Sendable {
    let sentence: String
    private let body: @Sendable (RunningIMAPServer) async throws -> Void

    init(_ sentence: String, _ body: @escaping @Sendable (RunningIMAPServer) async throws -> Void) {
        self.sentence = sentence
        self.body = body
    }

    /// Proves all claims at one server, one after the other: some servers give a maildrop to one session at a time.
    static func checkAll(_ kind: RealIMAPServer) async throws {
        try await RealServers.withServer(kind, mail: mail) { server in
            for claim in all {
                do {
                    try await claim.body(server)
                } catch {
                    let log = server.log.suffix(2_000)
                    Issue.record(error, "\(kind): \(claim.sentence)\n\(log)")
                }
            }
        }
    }

    /// Alice has a few messages with dots, bob has many, perf has some to delete.
    static let alices = ["plain\r\n", ".\r\n..\r\n.end\r\n", "last line\r\n\r\n"].enumerated().map {
        message("alice \($0)", body: $1)
    }
    static let bobs = (0..<300).map { message("bob \($0)", body: "Line.\r\n..\r\n") }
    static let perfs = (0..<5).map { message("perf \($0)") }

    private static let mail =
        alices.map { InitialMessage($0, to: .alice) } + bobs.map { InitialMessage($0, to: .bob) }
        + perfs.map { InitialMessage($0, to: .perf) }

    static func message(_ subject: String, body: String = "Hello.\r\n") -> [UInt8] {
        octets(
            """
            From: Ann <ann@example.test>\r
            To: bob@example.test\r
            Subject: \(subject)\r
            Date: Mon, 30 Nov 2026 10:00:00 +0000\r
            Message-ID: <\(subject.replacing(" ", with: "."))@example.test>\r
            \r
            \(body)
            """)
    }
}

extension RunningIMAPServer {
    /// A way in over TLS, the server's own authority trusted.
    func popEntrance(
        _ service: RealIMAPServer.Service = .pop3s, as user: RealUser = .alice
    ) throws -> POP3Server {
        var server = try POP3Server(
            host: "127.0.0.1", port: port(service),
            security: service.isTLS ? .implicitTLS : .startTLS)
        server.tls.trust = .certificateAuthorities(file: certificateAuthorityFile)
        server.credentials = Credentials(user: user.name) { Secret(user.password) }
        return server
    }
}
