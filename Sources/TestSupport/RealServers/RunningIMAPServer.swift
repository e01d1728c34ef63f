import MartletBytes
public import MartletTransport

/// An IMAP server on loopback ports.
public struct RunningIMAPServer: Sendable {
    /// What it is.
    public let kind: RealIMAPServer
    /// Its ports.
    public let ports: [RealIMAPServer.Service: Int]
    /// The process whose end is the server's end.
    public let processID: Int
    /// PEM file of the authority that signed the certificate for `localhost`, `mail.example.test`, 127.0.0.1 and ::1.
    public let certificateAuthorityFile: String
    /// Where its configuration, logs and mail are.
    public var folder: String { storage.path }

    private let storage: TemporaryFolder

    /// - Parameter values: what the script says.
    init(_ kind: RealIMAPServer, folder: TemporaryFolder, values: [String: String]) throws {
        var ports: [RealIMAPServer.Service: Int] = [:]
        for service in kind.services {
            ports[service] = values[service.rawValue].flatMap { Int($0) }
        }
        guard ports.count == kind.services.count, let authority = values["ca"],
            let pid = values["pid"].flatMap({ Int($0) })
        else { throw RealServerFailure("\(kind) said: \(values)") }
        (self.kind, self.ports, processID) = (kind, ports, pid)
        certificateAuthorityFile = authority
        storage = folder
    }

    /// The port of a service.
    ///
    /// - Throws: ``RealServerFailure`` if the server does not have it.
    public func port(_ service: RealIMAPServer.Service) throws -> Int {
        guard let port = ports[service] else {
            throw RealServerFailure("\(kind) has no \(service).")
        }
        return port
    }

    /// Alice's certificate, for the mechanism EXTERNAL.
    public var clientIdentity: TLSIdentity {
        TLSIdentity(
            certificateChainFile: clientCertificateFile, privateKeyFile: clientKeyFile)
    }
    /// PEM file of alice's certificate.
    public var clientCertificateFile: String { folder + "/ca/alice.pem" }
    /// PEM file of the private key for it.
    public var clientKeyFile: String { folder + "/ca/alice.key" }

    /// A token for XOAUTH2 and OAUTHBEARER.
    ///
    /// - Parameter validity: from now; a negative one makes a token that has expired.
    /// - Throws: ``RealServerFailure`` if the server takes no tokens.
    public func token(
        for user: RealUser = .alice, validity: Duration = .seconds(3600)
    ) async throws -> String {
        guard kind.takesTokens else { throw RealServerFailure("\(kind) takes no tokens.") }
        let token = try await Command.run([
            "bash", kind.script.path, "token", user.name, "\(validity.components.seconds)",
        ])
        guard token.status == 0 else { throw RealServerFailure(token.output) }
        return String(token.output.prefix { !$0.isNewline })
    }

    /// A command that has an IMAP session on its standard input and output, where the user is logged in already.
    ///
    /// - Throws: ``RealServerFailure`` if the server has no such command.
    public func tunnelCommand(as user: RealUser = .alice) throws -> [String] {
        guard kind.hasTunnel else { throw RealServerFailure("\(kind) has no tunnel.") }
        return ["bash", kind.script.path, "exec", folder, user.name]
    }

    /// Connects to a service, through TLS where it asks for it, and trusts its certificate. Nothing has been read yet.
    ///
    /// - Parameter identity: what the client shows.
    public func connect(
        to service: RealIMAPServer.Service, identity: TLSIdentity? = nil
    ) async throws -> ScriptedPeer {
        let port = try port(service)
        let channel = try await ByteChannel.connect(to: "127.0.0.1", port: port)
        if service.isTLS {
            var configuration = TLSConfiguration()
            configuration.trust = .certificateAuthorities(file: certificateAuthorityFile)
            configuration.identity = identity
            configuration.sessionCache = nil
            try await channel.startTLS(configuration, host: "127.0.0.1", port: port)
        }
        return ScriptedPeer(channel)
    }

    /// What the server wrote.
    public var log: String { ServerScript.log(in: storage) }

    /// Ends the server's processes, waits until they are gone, and removes its folder with the mail.
    public func stop() async throws { try await kind.script.stop(in: storage) }
}
