import MartletPOP3Core
import MartletSASL
import MartletTransport

/// A server to fetch mail from: where it is, how the connection is protected, who logs in.
///
///     var server = try POP3Server(host: "mail.example.org", port: 995)
///     server.credentials = Credentials(user: "alice") { try await keychain.password(for: "alice") }
public struct POP3Server: Sendable {
    /// A host name, or an IP address without brackets. Names beyond ASCII are looked up as A-labels.
    public var host: String
    /// 1…65535.
    public var port: Int
    /// How the connection is protected.
    public var security: ConnectionSecurity
    /// Whom to trust and what to show.
    public var tls = TLSConfiguration()
    /// Who logs in; `nil`: nobody, which leaves the maildrop closed.
    ///
    /// The strongest SASL mechanism that both sides know is used, and `USER` with `PASS` where there is none. `APOP` is used
    /// where its name is in `Credentials.mechanisms`, and over TLS where the server has nothing else; `"USER"` there stands
    /// for `USER` and `PASS`.
    public var credentials: Credentials?
    /// Whether a password or token may be sent without TLS, for everybody on the way to read. Otherwise only mechanisms that do
    /// not tell it are used there.
    public var allowsPlaintextAuthentication = false
    /// Whether to ask for messages as they are, with UTF-8 in their headers, where the server offers it. RFC 6856. Without it
    /// the server changes such messages into what older programs can read.
    public var usesUTF8 = true
    /// How long each stage may take.
    public var timeouts = POP3Timeouts()
    /// Where to record what goes over the wire.
    public var log: WireLog?
    /// A command whose standard input and output are the connection, in place of a socket.
    public var tunnel: [String]?
    /// Turns the host's name into addresses.
    public var resolver = Resolver.system
    /// The loop whose thread serves the connection.
    public var loop = EventLoop.shared

    /// Names a server.
    ///
    /// - Parameters:
    ///   - host: a host name, or an IP address without brackets.
    ///   - port: 1…65535.
    ///   - security: `nil` takes what the port stands for: TLS from the start on 995, STLS on 110.
    /// - Throws: `POP3Error` with `.fixInput` when the port is none, or says nothing about its protection.
    public init(
        host: String, port: Int, security: ConnectionSecurity? = nil
    ) throws(POP3Error) {
        guard (1...65535).contains(port) else {
            throw POP3Error(kind: .invalidInput("\(port) is no port: ports are 1…65535"))
        }
        guard let security = security ?? Self.security(ofPort: port) else {
            throw POP3Error(
                kind: .invalidInput(
                    "port \(port) does not say how it is protected: choose implicit TLS, STLS or plaintext"
                ))
        }
        self.host = host
        self.port = port
        self.security = security
    }

    /// What a well-known port stands for. RFC 8314 §3.2, RFC 1939 §3.
    public static func security(ofPort port: Int) -> ConnectionSecurity? {
        switch port {
        case 995: .implicitTLS
        case 110: .startTLS
        default: nil
        }
    }
}
