import MartletBytes
import MartletDomains
import MartletPOP3Core
import MartletTransport

/// From nothing to an open maildrop.
extension POP3Client {
    typealias Steps = AsyncStream<POP3ConnectionStep>.Continuation

    /// Makes sure that there is a usable connection, for a caller that holds no numbers of an earlier one.
    func open(_ steps: Steps? = nil) async throws(POP3Error) {
        if let connection {
            if await isStillThere(connection) { return }
            await drop()
        }
        try await openAnew(steps)
        numbersAreVoid = false
        lostDeletionCount = 0
    }

    /// Makes sure that there is the connection that a caller's numbers are about, or the first one.
    func openForNumbers(_ command: String) async throws(POP3Error) {
        if let connection, !(await isStillThere(connection)) { await drop() }
        guard connection == nil else { return }
        guard !numbersAreVoid else {
            var error = POP3Error(kind: .numbersVoid, command: command, server: server.host)
            error.lostDeletionCount = lostDeletionCount
            throw error
        }
        try await open()
    }

    private func openAnew(_ steps: Steps?) async throws(POP3Error) {
        if let nextLogin, server.credentials != nil {
            let left = nextLogin - .now
            guard left <= .zero else {
                throw POP3Error(
                    kind: .loginDelayed(left), command: "the login", server: server.host)
            }
        }
        do throws(POP3Error) {
            try await openOnce(resumes: true, steps)
        } catch {
            // A server that does not take up an old TLS session may take a new one.
            guard (error.underlying as? TransportError)?.resumptionFailed == true else {
                throw error
            }
            try await openOnce(resumes: false, steps)
        }
    }

    private func openOnce(resumes: Bool, _ steps: Steps?) async throws(POP3Error) {
        do throws(POP3Error) {
            let connection = try await connectChannel(steps)
            connection.resumes = resumes
            self.connection = connection
            if server.security == .implicitTLS { try await secure(connection, steps) }
            let greeting = POP3Greeting(try await nextReply(connection))
            connection.greeting = greeting
            steps?.yield(.greeted(greeting))
            try await learnCapabilities(connection, steps)
            if server.security == .startTLS {
                try await startTLS(connection)
                try await secure(connection, steps)
                try connection.session.tlsStarted()
                try await learnCapabilities(connection, steps)
            }
            if try await authenticate(connection, steps) {
                // RFC 2449 §5: what is offered may change with the login.
                try await learnCapabilities(connection, steps)
                nextLogin = connection.session.capabilities.loginDelay.map { .now + $0 }
            }
            connection.isReady = true
        } catch {
            let known = connection?.session.capabilities ?? POP3Capabilities()
            // A connection that is not ready is of no use to the next caller.
            await drop()
            throw error.doing(nil, server.host).knowing(known)
        }
    }

    /// Looks, without asking the server, whether an idle connection was closed or told to go.
    private func isStillThere(_ connection: Connection) async -> Bool {
        guard !connection.session.isOver else { return false }
        do {
            guard let octets = try await connection.channel.readNow() else { return true }
            guard !octets.isEmpty else { return false }
            connection.session.receive(octets)
            return try takeEvent(connection) == nil
        } catch {
            return false
        }
    }

    private func connectChannel(_ steps: Steps?) async throws(POP3Error) -> Connection {
        do throws(TransportError) {
            let channel: ByteChannel
            if let tunnel = server.tunnel {
                channel = try await .tunnel(to: tunnel, loop: server.loop)
            } else {
                channel = try await .connect(
                    to: hostInASCII(), port: server.port, within: server.timeouts.connect,
                    resolver: server.resolver, loop: server.loop)
            }
            let address = await channel.remoteAddress
            steps?.yield(.connected(address))
            let log = server.log?.connection()
            log?.note("connected to \(address?.description ?? channel.peer)")
            return Connection(channel, log, isEncrypted: server.security == .implicitTLS)
        } catch {
            throw POP3Error(error, doing: "the connection")
        }
    }

    private func hostInASCII() throws(TransportError) -> String {
        guard server.host.utf8.contains(where: { $0 >= 0x80 }) else { return server.host }
        do {
            return try DomainName.toASCII(server.host)
        } catch {
            throw TransportError(.hostNotFound, .resolve, peer: server.host)
        }
    }

    /// Asks what the server can do. One that does not know CAPA has nothing but what RFC 1939 asks of all.
    private func learnCapabilities(
        _ connection: Connection, _ steps: Steps?
    ) async throws(POP3Error) {
        do throws(POP3Error) {
            let capabilities = try await exchange(POP3.Capa())
            steps?.yield(.capabilities(capabilities))
        } catch {
            guard case .refused = error.kind else { throw error }
        }
    }

    // MARK: TLS

    private func startTLS(_ connection: Connection) async throws(POP3Error) {
        guard connection.session.capabilities.has(.stls) else {
            throw POP3Error(kind: .tlsRequiredButNotOffered, command: "STLS")
        }
        do throws(POP3Error) {
            try await exchange(POP3.Stls())
        } catch {
            guard case .refused = error.kind else { throw error }
            throw POP3Error(kind: .tlsRequiredButNotOffered, command: "STLS", underlying: error)
        }
    }

    private func secure(_ connection: Connection, _ steps: Steps?) async throws(POP3Error) {
        do throws(TransportError) {
            let context = try await readTLSContext()
            try await connection.channel.startTLS(
                client: context, host: hostInASCII(), port: server.port,
                within: server.timeouts.tlsHandshake, resumes: connection.resumes)
        } catch {
            throw POP3Error(error, doing: "the TLS handshake")
        }
        guard let info = await connection.channel.tls else { return }
        connection.log?.note("\(info.version), \(info.cipherSuite)")
        steps?.yield(.secured(info))
    }

    private func readTLSContext() async throws(TransportError) -> OpenSSLContext {
        if let tlsContext { return tlsContext }
        do throws(TLSFailure) {
            let context = try await Self.makeContext(server.tls)
            tlsContext = context
            return context
        } catch {
            throw TransportError(.tls(error), .tlsHandshake, peer: server.host)
        }
    }

    // Reads files: not on the loop.
    private nonisolated static func makeContext(
        _ configuration: TLSConfiguration
    ) async throws(TLSFailure) -> OpenSSLContext {
        try OpenSSLContext(client: configuration)
    }
}

extension POP3Error {
    /// What a failed transport means while connecting.
    init(_ error: TransportError, doing command: String) {
        switch error.kind {
        case .timedOut: self.init(kind: .timeout, command: command)
        case .cancelled: self.init(kind: .cancelled, command: command)
        default:
            self.init(
                kind: .transport, command: command, underlying: error,
                recovery: error.recovery == .fixInput ? .fixInput : nil)
        }
    }
}
