import MartletCommandLineParsing
import MartletSMTP
import MartletTransport

/// The options that say where and how to connect.
enum ConnectionOptions {
    static let server = Option(
        "server", .hostAndPort, isRequired: true,
        help: "The server to send through. An IPv6 address goes in brackets: [::1]:2525.")
    static let security = Option<ConnectionSecurity>(
        "tls", .choice("MODE"),
        help: "How the connection is protected: TLS from the start, STARTTLS or nothing, and no "
            + "connection at all where that fails. Needed unless the port says it: 465 is implicit, "
            + "587 and 25 are starttls.")
    static let authorities = Option(
        "ca-file", .file(),
        help: "Believe only the certificate authorities in this PEM file, instead of the system's.")
    static let logsWire = Flag(
        "log-wire",
        help:
            "Write what goes over the wire to standard error, with secrets and the message masked.")

    static let group = CommandDefinition.Group("Server", [server, security, authorities])

    /// Where and how to connect; nobody logs in yet.
    static func server(
        of parsed: ParsedCommand, log: WireLog?
    ) throws -> SMTPServer {
        let address = try parsed.required(server)
        let security = parsed[security] ?? SMTPServer.security(ofPort: address.port)
        guard let security else {
            throw parsed.usageError(
                "port \(address.port) does not say how the connection is protected; add --tls "
                    + "implicit, --tls starttls or --tls plaintext.")
        }
        var server = try SMTPServer(host: address.host, port: address.port, security: security)
        if let file = parsed[authorities] { server.tls.trust = .certificateAuthorities(file: file) }
        server.log = log
        return server
    }

    /// The log to standard error, if it was asked for.
    static func wireLog(of parsed: ParsedCommand, _ console: Console) -> WireLog? {
        parsed[logsWire] ? WireLog { console.remark($0) } : nil
    }
}
