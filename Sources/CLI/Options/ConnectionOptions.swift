import MartletCommandLineParsing
import MartletIMAP
import MartletPOP3
import MartletSMTP
import MartletTransport

/// The options that say where and how to connect: the same names for each protocol, and its own words.
struct ConnectionOptions: Sendable {
    let server: Option<HostAndPort>
    let security: Option<ConnectionSecurity>
    /// What a port stands for; `nil` where it stands for nothing.
    private let securityOfPort: @Sendable (Int) -> ConnectionSecurity?

    private init(
        purpose: String, example: String, ports: String,
        securityOfPort: @escaping @Sendable (Int) -> ConnectionSecurity?
    ) {
        server = Option(
            "server", .hostAndPort, isRequired: true,
            help: "The server to \(purpose). An IPv6 address goes in brackets: [::1]:\(example).")
        security = Option(
            "tls", .choice("MODE"),
            help:
                "How the connection is protected: TLS from the start, STARTTLS or nothing, and no "
                + "connection at all where that fails. Needed unless the port says it: \(ports).")
        self.securityOfPort = securityOfPort
    }

    static let smtp = ConnectionOptions(
        purpose: "send through", example: "2525", ports: "465 is implicit, 587 and 25 are starttls",
        securityOfPort: SMTPServer.security(ofPort:))
    static let imap = ConnectionOptions(
        purpose: "read from", example: "993", ports: "993 is implicit, 143 is starttls",
        securityOfPort: IMAPServer.security(ofPort:))
    static let pop3 = ConnectionOptions(
        purpose: "read from", example: "995", ports: "995 is implicit, 110 is starttls",
        securityOfPort: POP3Server.security(ofPort:))

    static let authorities = Option(
        "ca-file", .file(),
        help: "Believe only the certificate authorities in this PEM file, instead of the system's.")
    static let logsWire = Switch(
        "log-wire",
        help:
            "Write what goes over the wire to standard error, with secrets and the message masked.")

    var group: CommandDefinition.Group { .init("Server", [server, security, Self.authorities]) }

    /// Where and how to connect.
    struct Endpoint {
        var address: HostAndPort
        var security: ConnectionSecurity
        var tls = TLSConfiguration()
    }

    func endpoint(of parsed: ParsedCommand) throws -> Endpoint {
        let address = try parsed.required(server)
        guard let security = parsed[security] ?? securityOfPort(address.port) else {
            throw parsed.usageError(
                "port \(address.port) does not say how the connection is protected; add --tls "
                    + "implicit, --tls starttls or --tls plaintext.")
        }
        var endpoint = Endpoint(address: address, security: security)
        if let file = parsed[Self.authorities] {
            endpoint.tls.trust = .certificateAuthorities(file: file)
        }
        return endpoint
    }

    /// The log to standard error, if it was asked for.
    static func wireLog(of parsed: ParsedCommand, _ console: Console) -> WireLog? {
        parsed[logsWire] ? WireLog { console.remark($0) } : nil
    }
}

extension SMTPServer {
    /// The server that the command line names; nobody logs in yet.
    init(_ parsed: ParsedCommand, log: WireLog?) throws {
        let endpoint = try ConnectionOptions.smtp.endpoint(of: parsed)
        try self.init(
            host: endpoint.address.host, port: endpoint.address.port, security: endpoint.security)
        tls = endpoint.tls
        self.log = log
    }

    /// Lets the server know who logs in, if anybody does.
    mutating func logIn(_ parsed: ParsedCommand) throws {
        credentials = try PasswordOptions.credentials(of: parsed)
        allowsPlaintextAuthentication = parsed[PasswordOptions.allowsPlaintext]
    }
}

extension IMAPServer {
    /// The server that the command line names; nobody logs in yet.
    init(_ parsed: ParsedCommand, log: WireLog?) throws {
        let endpoint = try ConnectionOptions.imap.endpoint(of: parsed)
        try self.init(
            host: endpoint.address.host, port: endpoint.address.port, security: endpoint.security)
        tls = endpoint.tls
        identity = IDParameters([
            .init(name: "name", value: "martlet"), .init(name: "version", value: Program.version),
        ])
        self.log = log
    }

    /// Lets the server know who logs in, if anybody does.
    mutating func logIn(_ parsed: ParsedCommand) throws {
        credentials = try PasswordOptions.credentials(of: parsed)
        allowsPlaintextAuthentication = parsed[PasswordOptions.allowsPlaintext]
    }
}

extension POP3Server {
    /// The server that the command line names; nobody logs in yet.
    init(_ parsed: ParsedCommand, log: WireLog?) throws {
        let endpoint = try ConnectionOptions.pop3.endpoint(of: parsed)
        try self.init(
            host: endpoint.address.host, port: endpoint.address.port, security: endpoint.security)
        tls = endpoint.tls
        self.log = log
    }

    /// Lets the server know who logs in, if anybody does.
    mutating func logIn(_ parsed: ParsedCommand) throws {
        credentials = try PasswordOptions.credentials(of: parsed)
        allowsPlaintextAuthentication = parsed[PasswordOptions.allowsPlaintext]
    }
}
