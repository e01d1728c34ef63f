import MartletBytes
import MartletDomains
import MartletIMAPCore
import MartletSASL
import MartletTransport

/// From nothing to a connection that is logged in.
extension IMAPConnection {
    typealias Steps = AsyncStream<IMAPConnectionStep>.Continuation

    /// Connects, starts TLS, logs in, introduces itself, compresses: as far as the server's settings ask for it.
    static func open(
        _ server: IMAPServer, tls: OpenSSLContext?, _ steps: Steps? = nil
    ) async throws(IMAPError) -> IMAPConnection {
        do throws(IMAPError) {
            return try await openOnce(server, tls, resumes: true, steps)
        } catch {
            // A server that does not take up an old TLS session may take a new one.
            guard (error.underlying as? TransportError)?.resumptionFailed == true else {
                throw error
            }
            return try await openOnce(server, tls, resumes: false, steps)
        }
    }

    private static func openOnce(
        _ server: IMAPServer, _ tls: OpenSSLContext?, resumes: Bool, _ steps: Steps?
    ) async throws(IMAPError) -> IMAPConnection {
        let connection: IMAPConnection
        do throws(TransportError) {
            connection = try await connect(server, steps)
        } catch {
            throw IMAPError(error, doing: "the connection").doing(nil, server.host)
        }
        do throws(IMAPError) {
            await connection.setResumes(resumes)
            try await connection.makeReady(tls, steps)
            return connection
        } catch {
            await connection.end(error)
            throw error.doing(nil, server.host)
        }
    }

    private static func connect(
        _ server: IMAPServer, _ steps: Steps?
    ) async throws(TransportError) -> IMAPConnection {
        let channel: ByteChannel
        if let tunnel = server.tunnel {
            channel = try await .tunnel(to: tunnel, loop: server.loop)
        } else {
            channel = try await .connect(
                to: server.hostInASCII(), port: server.port, within: server.timeouts.connect,
                resolver: server.resolver, loop: server.loop)
        }
        let address = await channel.remoteAddress
        steps?.yield(.connected(address))
        let log = server.log?.connection()
        log?.note("connected to \(address?.description ?? channel.peer)")
        return IMAPConnection(
            channel, server: server, log: log, isEncrypted: server.security == .implicitTLS)
    }

    private func setResumes(_ resumes: Bool) { self.resumes = resumes }

    private func makeReady(_ tls: OpenSSLContext?, _ steps: Steps?) async throws(IMAPError) {
        if server.security == .implicitTLS { try await secure(tls, steps) }
        lastHeard = .now
        start()
        endUnlessDone(within: server.timeouts.opening) { $0.isReady }
        try await takeGreeting(steps)
        patience = server.timeouts.reply
        if server.security == .startTLS { try await startTLS(tls, steps) }
        try await learnCapabilities(steps)
        defer { sentSecrets.forget() }
        try await authenticate(steps)
        try await learnCapabilities(steps)
        let identity = try await identify()
        if let identity { steps?.yield(.identified(identity)) }
        learnProfile(identity)
        if server.compresses, capabilities.has(.compressDeflate), try await compress() {
            steps?.yield(.compressed)
        }
        isReady = true
    }

    /// Tells who the client is; what the server says of itself, `nil` where it would rather not.
    private func identify() async throws(IMAPError) -> IDParameters? {
        guard capabilities.has(.id), session.isAuthenticated else { return nil }
        do throws(IMAPError) {
            return try await run(IMAP.Identify(server.identity))
        } catch {
            switch error.kind {
            case .refused, .rejected: return nil
            default: throw error
            }
        }
    }

    private func takeGreeting(_ steps: Steps?) async throws(IMAPError) {
        let loop = server.loop
        await loop.suspend(
            isolation: self,
            onCancel: {
                loop.execute { self.assumeIsolated { $0.end(IMAPError(kind: .cancelled)) } }
            }
        ) { (continuation: UnsafeContinuation<Void, Never>) in
            if greeting != nil || failure != nil || Task.isCancelled {
                continuation.resume()
            } else {
                openingWaiter = continuation
            }
        }
        if let failure { throw failure }
        guard let greeting else { throw IMAPError(kind: .cancelled) }
        steps?.yield(.greeted(greeting))
    }

    private func learnCapabilities(_ steps: Steps?) async throws(IMAPError) {
        if !session.capabilitiesAreCurrent { _ = try await run(IMAP.CapabilityCommand()) }
        steps?.yield(.capabilities(capabilities))
    }

    // MARK: TLS

    private func startTLS(_ tls: OpenSSLContext?, _ steps: Steps?) async throws(IMAPError) {
        // A server that logs in whoever connects leaves no way to start TLS: somebody may be pretending.
        guard !session.isAuthenticated else { throw IMAPError(kind: .tlsRequiredButNotOffered) }
        do throws(IMAPError) {
            try await run(IMAP.StartTLS())
        } catch {
            switch error.kind {
            case .refused, .rejected:
                throw IMAPError(kind: .tlsRequiredButNotOffered, underlying: error)
            default: throw error
            }
        }
        // What stood behind the answer ended the connection already.
        if let failure { throw failure }
        try await secure(tls, steps)
        tlsIsDue = false
        session.tlsStarted()
        lastHeard = .now
        readerWakes()
        settle()
    }

    private func secure(_ tls: OpenSSLContext?, _ steps: Steps?) async throws(IMAPError) {
        guard let tls else { preconditionFailure("a context is made before a connection with TLS") }
        do throws(TransportError) {
            try await channel.startTLS(
                client: tls, host: server.hostInASCII(), port: server.port,
                within: server.timeouts.tlsHandshake, resumes: resumes)
        } catch {
            throw IMAPError(error, doing: "the TLS handshake")
        }
        guard let info = await channel.tls else { return }
        log?.note("\(info.version), \(info.cipherSuite)")
        steps?.yield(.secured(info))
    }
}

extension IMAPServer {
    func hostInASCII() throws(TransportError) -> String {
        guard host.utf8.contains(where: { $0 >= 0x80 }) else { return host }
        do {
            return try DomainName.toASCII(host)
        } catch {
            throw TransportError(.hostNotFound, .resolve, peer: host)
        }
    }
}

extension IMAPError {
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
