import MartletBytes
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
        let tls: OpenSSLContext
        let store: MailStore
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
    /// The port for plain text and STARTTLS.
    public let smtpPort: Int
    /// The port for TLS from the start.
    public let smtpsPort: Int
    /// The certificate that clients must trust, in PEM.
    public let certificateAuthorityPEM: [UInt8]
    /// What happens, from the start on; the oldest go when nobody takes them. For one consumer.
    public let events: AsyncStream<Event>

    private let shared: Shared
    private let listeners: [Listener]
    private let serving: Task<Void, Never>  // ended by `stop()`

    /// Events that wait for a consumer.
    private static let eventLimit = 10_000
    /// The name in greetings and certificates.
    static let hostName = "mail.example.test"

    /// Starts a sandbox.
    ///
    /// - Throws: `TransportError`, such as `.addressInUse` with the address that is taken.
    public static func start(
        _ configuration: Configuration = Configuration()
    ) async throws -> Sandbox {
        let authority = try CertificateAuthority(commonName: "Martlet sandbox authority")
        let identity = try authority.issue(
            names: ["localhost", "127.0.0.1", "::1", hostName, configuration.domain]
                + configuration.listenAddresses.filter { !["127.0.0.1", "::1"].contains($0) })
        let (events, continuation) = AsyncStream.makeStream(
            of: Event.self, bufferingPolicy: .bufferingNewest(eventLimit))
        var smtp = SMTPServerConfiguration(hostName: try EHLOName(hostName))
        smtp.offersStartTLS = true
        // Digests need a password that is known, not just any.
        smtp.mechanisms =
            (configuration.users.isEmpty ? [] : SASLServerMechanisms.digests)
            + SASLServerMechanisms.plaintext
        // Nothing leaves the machine, and the passwords are made up.
        smtp.allowsPlaintextAuthentication = true
        smtp.requiresAuthentication = configuration.requiresAuthentication
        smtp.maximumSizeInOctets = min(
            configuration.messageLimitInOctets, configuration.memoryLimitInOctets)
        let shared = Shared(
            configuration: configuration, smtp: smtp,
            tls: try OpenSSLContext(server: TLSServerConfiguration(identity: identity)),
            store: MailStore(limitInOctets: configuration.memoryLimitInOctets), events: continuation
        )
        let plain = try await listen(configuration, port: configuration.smtpPort)
        let secure: [Listener]
        do {
            secure = try await listen(configuration, port: configuration.smtpsPort)
        } catch {
            for listener in plain { await listener.close() }
            throw error
        }
        return Sandbox(shared, plain, secure, authority.certificatePEM, events)
    }

    private init(
        _ shared: Shared, _ plain: [Listener], _ secure: [Listener], _ authority: [UInt8],
        _ events: AsyncStream<Event>
    ) {
        configuration = shared.configuration
        self.shared = shared
        self.events = events
        certificateAuthorityPEM = authority
        smtpPort = plain[0].address.port
        smtpsPort = secure[0].address.port
        listeners = plain + secure
        let doors = Doors(limit: shared.configuration.connectionLimit)
        serving = Task {
            await withDiscardingTaskGroup { group in
                for (listener, isEncrypted) in plain.map({ ($0, false) })
                    + secure.map({ ($0, true) })
                {
                    group.addTask { await doors.open(listener, shared, isEncrypted: isEncrypted) }
                }
            }
        }
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
        for listener in listeners { await listener.close() }
        serving.cancel()
        await serving.value
        shared.events.finish()
    }

    // MARK: Mail

    /// The messages of one address, oldest first.
    public func messages(of address: String) async -> [StoredMessage] {
        await shared.store.messages(of: shared.address(of: address))
    }

    /// All messages, oldest first.
    public var messages: [StoredMessage] {
        get async { await shared.store.all }
    }

    /// Forgets all messages.
    public func removeAllMessages() async { await shared.store.removeAll() }
}
