import MartletSMTPCore
import MartletTransport

/// A server to send through: where it is, how the connection is protected, who logs in.
///
///     var server = try SMTPServer(host: "mail.example.org", port: 587)
///     server.credentials = Credentials(user: "alice") { try await keychain.password(for: "alice") }
public struct SMTPServer: Sendable {
    /// A host name, or an IP address without brackets. Names beyond ASCII are looked up as A-labels.
    public var host: String
    /// 1…65535.
    public var port: Int
    /// How the connection is protected.
    public var security: ConnectionSecurity
    /// Whom to trust and what to show.
    public var tls = TLSConfiguration()
    /// Who logs in; `nil`: nobody.
    public var credentials: Credentials?
    /// Whether a password or token may be sent without TLS, for everybody on the way to read. Otherwise only mechanisms that do
    /// not tell it are used there.
    public var allowsPlaintextAuthentication = false
    /// The name given in EHLO; `nil`: the own address, as RFC 5321 §4.1.4 has it for clients without a name.
    public var clientName: EHLOName?
    /// How long each stage may take.
    public var timeouts = SMTPTimeouts()
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
    ///   - security: `nil` takes what the port stands for: TLS from the start on 465, STARTTLS on 587 and 25.
    /// - Throws: `SMTPError` with `.fixInput` when the port is none, or says nothing about its protection.
    public init(
        host: String, port: Int, security: ConnectionSecurity? = nil
    ) throws(SMTPError) {
        guard (1...65535).contains(port) else {
            throw SMTPError(
                kind: .invalidInput("\(port) is no port: ports are 1…65535"), stage: .connect)
        }
        guard let security = security ?? Self.security(ofPort: port) else {
            throw SMTPError(
                kind: .invalidInput(
                    "port \(port) does not say how it is protected: choose implicit TLS, STARTTLS "
                        + "or plaintext"), stage: .connect)
        }
        self.host = host
        self.port = port
        self.security = security
    }

    /// What a well-known port stands for. RFC 8314 §3.3, RFC 6409 §3.1.
    public static func security(ofPort port: Int) -> ConnectionSecurity? {
        switch port {
        case 465: .implicitTLS
        case 587, 25: .startTLS
        default: nil
        }
    }
}
