import MartletBytes
import MartletDomains
import MartletSMTPCore
import MartletTransport

/// From nothing to a connection that takes mail.
extension SMTPClient {
    typealias Steps = AsyncStream<SMTPConnectionStep>.Continuation

    /// Makes sure that there is a usable connection.
    func open(_ steps: Steps? = nil) async throws(SMTPError) {
        if let connection {
            connection.isUsed = true
            if await isStillThere(connection) { return }
            await drop()
        }
        do throws(SMTPError) {
            try await openAnew(resumes: true, steps)
        } catch {
            // A server that does not take up an old TLS session may take a new one.
            guard (error.underlying as? TransportError)?.resumptionFailed == true else {
                throw error
            }
            try await openAnew(resumes: false, steps)
        }
    }

    private func openAnew(resumes: Bool, _ steps: Steps?) async throws(SMTPError) {
        do throws(SMTPError) {
            let connection = try await connectChannel(steps)
            connection.resumes = resumes
            self.connection = connection
            if server.security == .implicitTLS { try await secure(connection, steps) }
            let greeting = try Greeting().interpret(try await nextReply(connection))
            steps?.yield(.greeted(greeting))
            try await introduce(connection, steps)
            if server.security == .startTLS {
                try await startTLS(connection)
                try await secure(connection, steps)
                try connection.session.tlsStarted()
                try await introduce(connection, steps)
            }
            try await authenticate(connection, steps)
        } catch {
            // A connection that is not ready is of no use to the next caller.
            await drop()
            throw error.naming(server.host)
        }
    }

    /// Looks, without asking the server, whether an idle connection was closed or told to go (221, 421).
    private func isStillThere(_ connection: Connection) async -> Bool {
        do {
            guard let octets = try await connection.channel.readNow() else { return true }
            guard !octets.isEmpty else { return false }
            connection.session.receive(octets)
            return try takeReply(connection) == nil
        } catch {
            return false
        }
    }

    private func connectChannel(_ steps: Steps?) async throws(SMTPError) -> Connection {
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
            throw SMTPError(error, stage: .connect)
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

    /// Does the TLS handshake.
    private func secure(_ connection: Connection, _ steps: Steps?) async throws(SMTPError) {
        do throws(TransportError) {
            let context = try await readTLSContext()
            try await connection.channel.startTLS(
                client: context, host: hostInASCII(), port: server.port,
                within: server.timeouts.tlsHandshake, resumes: connection.resumes)
        } catch {
            throw SMTPError(error, stage: .tlsHandshake)
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

    /// EHLO, or HELO where that is all the server knows.
    private func introduce(_ connection: Connection, _ steps: Steps?) async throws(SMTPError) {
        let name = await clientName(connection)
        var capabilities: SMTPCapabilities
        do throws(SMTPError) {
            capabilities = try await exchange(EHLO(name))
        } catch {
            guard EHLO.isUnknown(error) else { throw error }
            do throws(SMTPError) {
                capabilities = try await exchange(HELO(name))
            } catch let second {
                // A server that closed meanwhile has nothing to add to what it said first.
                if case .refused = second.kind { throw second }
                throw error
            }
        }
        steps?.yield(.introduced(capabilities))
    }

    private func clientName(_ connection: Connection) async -> EHLOName {
        if let name = server.clientName { return name }
        guard let address = await connection.channel.localAddress else { return .loopback }
        // A zone such as `%eth0` means nothing to the server.
        let digits = address.address.prefix { $0 != "%" }
        let literal = address.family == .ipv6 ? "[IPv6:\(digits)]" : "[\(digits)]"
        return (try? EHLOName(literal)) ?? .loopback
    }

    private func startTLS(_ connection: Connection) async throws(SMTPError) {
        guard connection.session.capabilities.has(.startTLS) else {
            throw SMTPError(kind: .tlsRequiredButNotOffered, stage: .startTLS)
        }
        try await exchange(StartTLS())
    }
}

extension SMTPError {
    /// What a failed transport means while connecting.
    init(_ error: TransportError, stage: SMTPStage) {
        switch error.kind {
        case .timedOut: self.init(kind: .timeout, stage: stage)
        case .cancelled: self.init(kind: .cancelled, stage: stage)
        default:
            self.init(
                kind: .transport, stage: stage, underlying: error,
                recovery: error.recovery == .fixInput ? .fixInput : nil)
        }
    }
}
