import MartletBytes
import MartletIMAPCore
import MartletSASL
import MartletTransport

/// A server to read mail from: where it is, how the connection is protected, who logs in.
///
///     var server = try IMAPServer(host: "mail.example.org", port: 993)
///     server.credentials = Credentials(user: "alice") { try await keychain.password(for: "alice") }
public struct IMAPServer: Sendable {
    /// A host name, or an IP address without brackets. Names beyond ASCII are looked up as A-labels.
    public var host: String
    /// 1…65535.
    public var port: Int
    /// How the connection is protected.
    public var security: ConnectionSecurity
    /// Whom to trust and what to show.
    public var tls = TLSConfiguration()
    /// Who logs in; `nil`: nobody. A server that greets with PREAUTH asks for nobody.
    public var credentials: Credentials?
    /// Whether a password may be sent without TLS, for everybody on the way to read.
    public var allowsPlaintextAuthentication = false
    /// What the client tells of itself with ID; empty tells nothing but that. RFC 2971.
    public var identity = IDParameters([.init(name: "name", value: "Martlet")])
    /// Whether to compress what goes over the wire, where the server offers it. RFC 4978. Good for slow links; a fast one
    /// it makes slower.
    public var compresses = false
    /// How long each stage may take.
    public var timeouts = IMAPTimeouts()
    /// How much is taken from the server.
    public var limits = IMAPLimits.standard
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
    ///   - security: `nil` takes what the port stands for: TLS from the start on 993, STARTTLS on 143.
    /// - Throws: `IMAPError` with `.fixInput` when the port is none, or says nothing about its protection.
    public init(
        host: String, port: Int, security: ConnectionSecurity? = nil
    ) throws(IMAPError) {
        guard (1...65535).contains(port) else {
            throw IMAPError(kind: .invalidInput("\(port) is no port: ports are 1…65535"))
        }
        guard let security = security ?? Self.security(ofPort: port) else {
            throw IMAPError(
                kind: .invalidInput(
                    "port \(port) does not say how it is protected: choose implicit TLS, STARTTLS or plaintext"
                ))
        }
        self.host = host
        self.port = port
        self.security = security
    }

    /// What a well-known port stands for. RFC 8314 §3.2, RFC 9051 §2.1.
    public static func security(ofPort port: Int) -> ConnectionSecurity? {
        switch port {
        case 993: .implicitTLS
        case 143: .startTLS
        default: nil
        }
    }
}
