import MartletBytes
import MartletFiles
import MartletSASL
import MartletSMTPCore
import MartletTransport

/// A mail system in one process, for people who build with mail: it takes every message and passes none on.
///
///     let sandbox = try await Sandbox.start()
///     // …send to 127.0.0.1, port sandbox.smtpPort…
///     let mail = await sandbox.messages(of: "bob@example.test")
///     await sandbox.stop()
///
/// Every address has a mailbox. It listens on loopback only, unless told, and keeps messages in memory, the newest
/// when there is no more room. Its certificate is made at each start by an authority of its own:
/// give clients `certificateAuthorityPEM`.
public final class Sandbox: Sendable {
    /// What all connections share.
    struct Shared: Sendable {
        let configuration: Configuration
        let smtp: SMTPServerConfiguration
        /// SASL mechanisms that are offered, best first.
        let mechanisms: [String]
        let tls: OpenSSLContext
        let mail: MailSystem
        let faults: FaultList
        let events: AsyncStream<Event>.Continuation

        /// A login's whole address: `alice` is `alice@example.test`.
        func address(of user: String) -> String {
            user.contains("@") ? user : user + "@" + configuration.domain
        }

        /// Whether a login is right: any is, unless users are given. A user's password is the token, too.
        func accepts(_ login: SASLLogin) -> Bool {
            switch login.proof {
            case .password(let secret), .token(let secret):
                configuration.users.isEmpty || password(of: login.user) == secret
            case .checked: true
            case .external, .anonymous: false
            }
        }

        /// A user's password; `nil` for somebody unknown.
        func password(of user: String) -> Secret? {
            let address = address(of: user).lowercased()
            return configuration.users.first { name, _ in
                self.address(of: name).lowercased() == address
            }?.value
        }
    }

    /// How it was set up.
    public let configuration: Configuration
    /// The port of each service that runs.
    public let ports: Ports
    /// The certificate that clients must trust, in PEM.
    public let certificateAuthorityPEM: [UInt8]
    /// What happens, from the start on; the oldest go when nobody takes them. For one consumer.
    public let events: AsyncStream<Event>

    let shared: Shared
    private let doors: [Door]
    private let serving: Task<Void, Never>  // ended by `stop()`

    /// Events that wait for a consumer.
    private static let eventLimit = 10_000
    /// The name in greetings and certificates.
    static let hostName = "mail.example.test"

    /// Starts a sandbox.
    ///
    /// - Throws: `TransportError`, such as `.addressInUse` with the address that is taken; `SandboxError` of kind
    ///   `.invalidFault` with what to change.
    public static func start(
        _ configuration: Configuration = Configuration()
    ) async throws -> Sandbox {
        let authority = try CertificateAuthority(commonName: "Martlet sandbox authority")
        let identity = try authority.issue(
            names: ["localhost", "127.0.0.1", "::1", hostName, configuration.domain]
                + configuration.listenAddresses.filter { !["127.0.0.1", "::1"].contains($0) })
        let (events, continuation) = AsyncStream.makeStream(
            of: Event.self, bufferingPolicy: .bufferingNewest(eventLimit))
        // Digests need a password that is known, not just any.
        let mechanisms =
            (configuration.users.isEmpty ? [] : SASLServerMechanisms.digests)
            + SASLServerMechanisms.plaintext
        let rules = AddressRules(configuration)
        let faults = FaultList(rules: rules, heedsAddresses: configuration.heedsMagicAddresses)
        _ = try faults.add(configuration.faults)
        let mail = MailSystem(
            limitInOctets: configuration.memoryLimitInOctets, rules: rules,
            keeper: try configuration.mailFolder.map { path throws(FileError) in
                try MaildirKeeper(root: path)
            })
        let shared = Shared(
            configuration: configuration, smtp: try smtp(configuration, mechanisms),
            mechanisms: mechanisms,
            tls: try OpenSSLContext(server: TLSServerConfiguration(identity: identity)),
            mail: mail, faults: faults, events: continuation)
        let (doors, ports) = try await makeDoors(configuration)
        return Sandbox(shared, doors, ports, authority.certificatePEM, events)
    }

    private static func smtp(
        _ configuration: Configuration, _ mechanisms: [String]
    ) throws -> SMTPServerConfiguration {
        var smtp = SMTPServerConfiguration(hostName: try EHLOName(hostName))
        smtp.offersStartTLS = true
        smtp.mechanisms = mechanisms
        // Nothing leaves the machine, and the passwords are made up.
        smtp.allowsPlaintextAuthentication = true
        smtp.requiresAuthentication = configuration.requiresAuthentication
        smtp.extensions.insert(.dsn)
        smtp.maximumSizeInOctets = min(
            configuration.messageLimitInOctets, configuration.memoryLimitInOctets)
        return smtp
    }

    private init(
        _ shared: Shared, _ doors: [Door], _ ports: Ports, _ authority: [UInt8],
        _ events: AsyncStream<Event>
    ) {
        configuration = shared.configuration
        self.shared = shared
        self.events = events
        self.doors = doors
        self.ports = ports
        certificateAuthorityPEM = authority
        let porter = Doors(limit: shared.configuration.connectionLimit)
        serving = Task {
            await withDiscardingTaskGroup { group in
                for door in doors { group.addTask { await porter.open(door, shared) } }
            }
        }
    }

    // MARK: Doors

    private static func makeDoors(
        _ configuration: Configuration
    ) async throws -> ([Door], Ports) {
        var doors: [Door] = []
        var ports = Ports()
        let wanted: [(Int?, SandboxProtocol, Bool, WritableKeyPath<Ports, Int?>)] = [
            (configuration.smtpPort, .smtp, false, \.smtp),
            (configuration.submissionPort, .smtp, false, \.submission),
            (configuration.smtpsPort, .smtp, true, \.smtps),
            (configuration.lmtpPort, .lmtp, false, \.lmtp),
            (configuration.imapPort, .imap, false, \.imap),
            (configuration.imapsPort, .imap, true, \.imaps),
            (configuration.pop3Port, .pop3, false, \.pop3),
            (configuration.pop3sPort, .pop3, true, \.pop3s),
        ]
        do {
            for (port, spoken, isEncrypted, path) in wanted {
                guard let port else { continue }
                let listeners = try await listen(configuration, port: port)
                ports[keyPath: path] = listeners.first?.address.port
                doors += listeners.map {
                    Door(listener: $0, spoken: spoken, isEncrypted: isEncrypted)
                }
            }
        } catch {
            for door in doors { await door.listener.close() }
            throw error
        }
        return (doors, ports)
    }

    /// Listens at all addresses that the machine has, with one port for all.
    private static func listen(
        _ configuration: Configuration, port: Int
    ) async throws -> [Listener] {
        var listeners: [Listener] = []
        var port = port
        for host in configuration.listenAddresses {
            do throws(TransportError) {
                guard let address = SocketAddress(numeric: host, port: port) else {
                    throw TransportError(.hostNotFound, .listen, peer: host)
                }
                let listener = try await Listener.listen(at: address)
                listeners.append(listener)
                port = listener.address.port
            } catch {
                // A machine without IPv6 is served over IPv4.
                if error.kind == .unreachable, !listeners.isEmpty { continue }
                for listener in listeners { await listener.close() }
                throw error
            }
        }
        guard !listeners.isEmpty else {
            throw TransportError(.unreachable, .listen, peer: "no address to listen at")
        }
        return listeners
    }

    /// Stops listening, tells all clients, and waits until they are gone. Messages can still be read.
    public func stop() async {
        for door in doors { await door.listener.close() }
        serving.cancel()
        await serving.value
        await shared.mail.endWaits()
        shared.events.finish()
    }

    /// The port of SMTP; 0 where it does not run.
    public var smtpPort: Int { ports.smtp ?? 0 }
    /// The port of SMTP with TLS from the start; 0 where it does not run.
    public var smtpsPort: Int { ports.smtps ?? 0 }

    // MARK: Mail

    /// A name's whole address, in lower case: `Alice` is `alice@example.test`.
    public func address(of name: String) -> String { shared.mail.rules.address(of: name) }

    /// The messages of one address, oldest first.
    public func messages(of address: String) async -> [StoredMessage] {
        await shared.mail.delivered(to: shared.address(of: address))
    }

    /// All messages, oldest first.
    public var messages: [StoredMessage] {
        get async { await shared.mail.delivered }
    }

    /// Forgets all messages, and empties all mailboxes. Clients that are connected are told.
    public func removeAllMessages() async { await shared.mail.removeAll() }
}

extension Sandbox {
    /// Where each service listens; `nil` where it does not run.
    public struct Ports: Sendable, Hashable {
        /// SMTP, plain text and STARTTLS.
        public internal(set) var smtp: Int?
        /// SMTP for submission, plain text and STARTTLS.
        public internal(set) var submission: Int?
        /// SMTP with TLS from the start.
        public internal(set) var smtps: Int?
        /// LMTP, plain text and STARTTLS.
        public internal(set) var lmtp: Int?
        /// IMAP, plain text and STARTTLS.
        public internal(set) var imap: Int?
        /// IMAP with TLS from the start.
        public internal(set) var imaps: Int?
        /// POP3, plain text and STLS.
        public internal(set) var pop3: Int?
        /// POP3 with TLS from the start.
        public internal(set) var pop3s: Int?
    }
}

extension AddressRules {
    init(_ configuration: Sandbox.Configuration) {
        self.init(domain: configuration.domain)
        for (address, others) in configuration.aliases {
            aliases[self.address(of: address)] = others
        }
        catchAll = configuration.catchAll
        known = Set(configuration.users.keys.map { self.address(of: $0) })
    }
}
