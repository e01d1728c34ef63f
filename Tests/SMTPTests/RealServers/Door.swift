import MartletBytes
import MartletSMTP
import MartletTestSupport
import MartletTransport
import Synchronization
import Testing

/// A port of a real server, and what is done there.
enum Door: String, Sendable, CaseIterable, CustomStringConvertible {
    case plain = "plain text"
    case startTLS = "STARTTLS"
    case submission = "STARTTLS and a login"
    case implicitTLS = "implicit TLS and a login"

    var description: String { rawValue }
    var security: ConnectionSecurity {
        switch self {
        case .plain: .plaintext
        case .startTLS, .submission: .startTLS
        case .implicitTLS: .implicitTLS
        }
    }
    var logsIn: Bool { self == .submission || self == .implicitTLS }
}

extension RealServer {
    var doors: [Door] { offersTLS ? Door.allCases : [.plain] }
}

extension RunningServer {
    /// A way in: alice with her password where one logs in, the server's own authority trusted.
    func entrance(_ door: Door, log: WireLog? = nil) throws -> SMTPServer {
        let port =
            switch door {
            case .plain, .startTLS: smtpPort
            case .submission: try #require(submissionPort)
            case .implicitTLS: try #require(smtpsPort)
            }
        var server = try SMTPServer(host: "127.0.0.1", port: port, security: door.security)
        if let file = certificateAuthorityFile {
            server.tls.trust = .certificateAuthorities(file: file)
        }
        if door.logsIn { server.credentials = Credentials(user: "alice") { Secret("alicepw") } }
        server.log = log
        // The machine may be busy with other tests; one that hangs is ended by its time limit.
        server.timeouts.reply = .seconds(120)
        return server
    }
}

/// What a client said and heard.
final class WireLines: Sendable {
    private let lines = Mutex<[String]>([])

    /// Writes here.
    func log() -> WireLog { WireLog { line in self.lines.withLock { $0.append(line) } } }

    /// How many lines so far hold `text`.
    func count(of text: String) -> Int {
        lines.withLock { lines in lines.count { $0.contains(text) } }
    }
    /// Connections made so far.
    var connections: Int { count(of: "-- connected to") }
}

/// Addresses that no other test uses.
enum Address {
    private static let counter = Atomic(0)

    static func fresh(_ purpose: String) -> String {
        "\(purpose)-\(counter.add(1, ordering: .relaxed).newValue)@example.test"
    }
    /// Refused for good.
    static let unknown = "nobody-here@example.test"
    /// Refused for now.
    static let busy = "later@example.test"
}
