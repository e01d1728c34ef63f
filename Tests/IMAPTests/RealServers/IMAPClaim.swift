import MartletIMAP
import MartletTestSupport
import Synchronization
import Testing

/// Something that holds at every real server that offers what it needs.
struct IMAPClaim: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// What a server must list for it.
    let needs: [Capability]
    private let body: @Sendable (Place) async throws -> Void

    init(
        _ sentence: String, needs: [Capability] = [],
        _ body: @escaping @Sendable (Place) async throws -> Void
    ) {
        testDescription = sentence
        self.needs = needs
        self.body = body
    }

    /// Proves it at the server that all tests of the run share, in a mailbox of its own.
    func check(_ server: RealIMAPServer) async throws {
        let running = try await RealServers.shared(server)
        let lines = Mutex<[String]>([])
        var entrance = try running.entrance()
        let log = WireLog { line in lines.withLock { $0.append(line) } }
        entrance.log = log
        let client = IMAPClient(entrance)
        do {
            let place = try await Place(running, client)
            try await body(place)
            await client.close()
        } catch {
            await client.close()
            log.flush()
            Issue.record(
                error, Comment(rawValue: lines.withLock { $0.suffix(60).joined(separator: "\n") }))
        }
    }

    /// Whether a server offers what it needs.
    func isFor(_ server: RealIMAPServer) -> Bool { needs.allSatisfy { server.offers($0.rawValue) } }
}

/// A mailbox that no other test uses, with a client that is logged in.
struct Place: Sendable {
    let server: RunningIMAPServer
    let client: IMAPClient
    /// The mailbox's name; it is made, and empty.
    let mailbox: MailboxName

    private static let counter = Atomic(0)

    init(_ server: RunningIMAPServer, _ client: IMAPClient) async throws {
        self.server = server
        self.client = client
        mailbox = try Self.newName(server)
        try await make(mailbox)
    }

    /// Makes a mailbox. Dovecot, with many connections of a user at once, now and then says that one is there already which
    /// it has just made.
    func make(_ name: MailboxName) async throws {
        do throws(IMAPError) {
            try await client.create(name)
        } catch {
            guard error.code == .alreadyExists || error.code == .serverBug,
                await (try? client.status(of: name)) != nil
            else { throw error }
        }
    }

    /// Puts a message into a mailbox, and another every few seconds until it is cancelled: Dovecot's NOTIFY now and then
    /// misses one.
    static func keepAppending(
        _ subject: String, to name: MailboxName, by client: IMAPClient
    ) async {
        for _ in 0..<60 where !Task.isCancelled {
            _ = try? await client.append(OctetArray(message(subject)), to: name)
            try? await Task.sleep(for: .seconds(4))
        }
    }

    /// Makes a mailbox, and another every few seconds until it is cancelled.
    func keepMaking(_ prefix: String) async {
        for number in 0..<60 where !Task.isCancelled {
            if let name = try? MailboxName("\(prefix)n\(number)") { try? await make(name) }
            try? await Task.sleep(for: .seconds(4))
        }
    }

    /// A name that is free.
    static func newName(_ server: RunningIMAPServer) throws -> MailboxName {
        let number = counter.wrappingAdd(1, ordering: .relaxed).newValue
        return try MailboxName(server.kind.mailboxName(["claim\(number)"]))
    }

    func newName() throws -> MailboxName { try Self.newName(server) }

    /// The capabilities of the client's server.
    func offers(_ capability: Capability) async -> Bool {
        await client.capabilities.has(capability)
    }

    /// Puts messages into the mailbox, one with each subject, and selects it. Returns their UIDs.
    @discardableResult
    func fill(_ subjects: [String], flags: [MessageFlag] = []) async throws -> [UID] {
        for subject in subjects {
            try await client.append(OctetArray(Self.message(subject)), to: mailbox, flags: flags)
        }
        try await client.select(mailbox)
        return try await client.search(.all).numbers.map { Array($0.numbers) } ?? []
    }

    /// A small message.
    static func message(_ subject: String, body: String = "Hello.\r\n") -> [UInt8] {
        Array(
            """
            From: Ann <ann@example.test>\r
            To: bob@example.test\r
            Subject: \(subject)\r
            Date: Mon, 30 Nov 2026 10:00:00 +0000\r
            Message-ID: <\(subject.utf8.map { String($0, radix: 16) }.joined())@example.test>\r
            \r
            \(body)
            """.utf8)
    }
}

extension RunningIMAPServer {
    /// A way in over TLS: alice with her password, the server's own authority trusted.
    func entrance(
        _ service: RealIMAPServer.Service = .imaps, as user: RealUser = .alice,
        security: ConnectionSecurity? = nil
    ) throws -> IMAPServer {
        var server = try IMAPServer(
            host: "127.0.0.1", port: port(service),
            security: security ?? (service.isTLS ? .implicitTLS : .startTLS))
        server.tls.trust = .certificateAuthorities(file: certificateAuthorityFile)
        server.credentials = Credentials(user: user.name) { Secret(user.password) }
        // The machine may be busy with other tests; one that hangs is ended by its time limit.
        server.timeouts.reply = .seconds(120)
        return server
    }
}

extension MailboxStatus {
    /// What MESSAGES and UNSEEN say.
    var counts: [UInt32?] { [messages, unseen] }
}
