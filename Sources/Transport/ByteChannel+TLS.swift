#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

extension ByteChannel {
    /// Starts TLS as the client: what follows is encrypted, and the server is who it says.
    ///
    /// - Parameters:
    ///   - configuration: whom to trust and what to show.
    ///   - host: the name that was asked for; its certificate must carry it, unless the configuration names another.
    ///   - port: keeps the sessions of different services apart.
    ///   - limit: the time for the whole handshake.
    /// - Throws: `TransportError` with `.tls` and the reason, `.timedOut`, `.closedByPeer`, … The channel is closed then.
    public nonisolated func startTLS(
        _ configuration: TLSConfiguration, host: String, port: Int,
        within limit: Duration = .seconds(30)
    ) async throws(TransportError) {
        // Reads files, so it is done here and not on the loop.
        let context = try await make { () throws(TLSFailure) in
            try OpenSSLContext(client: configuration)
        }
        try await startTLS(client: context, host: host, port: port, within: limit)
    }

    /// Starts TLS as the server.
    ///
    /// - Parameters:
    ///   - configuration: what to show, and what to ask of clients.
    ///   - limit: the time for the whole handshake.
    /// - Throws: as the client's. The channel is closed then.
    public nonisolated func startTLS(
        server configuration: TLSServerConfiguration, within limit: Duration = .seconds(30)
    ) async throws(TransportError) {
        let context = try await make { () throws(TLSFailure) in
            try OpenSSLContext(server: configuration)
        }
        try await startTLS(server: context, within: limit)
    }

    /// Starts TLS as the client, with settings that were read before.
    ///
    /// - Parameter resumes: whether the session of an earlier connection may be offered.
    package func startTLS(
        client context: OpenSSLContext, host: String, port: Int, within limit: Duration,
        resumes: Bool = true
    ) async throws(TransportError) {
        try await handshake(within: limit) { () throws(TLSFailure) in
            try OpenSSLEngine(client: context, host: host, port: port, resumes: resumes)
        }
    }

    /// Starts TLS as the server, with settings that were read before.
    package func startTLS(
        server context: OpenSSLContext, within limit: Duration
    ) async throws(TransportError) {
        try await handshake(within: limit) { () throws(TLSFailure) in
            try OpenSSLEngine(server: context)
        }
    }

    private nonisolated func make(
        _ body: () throws(TLSFailure) -> OpenSSLContext
    ) async throws(TransportError) -> OpenSSLContext {
        do throws(TLSFailure) {
            return try body()
        } catch {
            await close()
            throw TransportError(.tls(error), .tlsHandshake, peer: peer)
        }
    }

    /// What TLS agreed on; `nil` without TLS.
    public var tls: TLSConnectionInfo? { engine?.connectionInfo }

    /// What binds an authentication to this TLS connection, computed when asked for; `nil` without TLS.
    public var channelBindings: TLSChannelBindings? {
        guard let engine, let info = engine.connectionInfo else { return nil }
        return TLSChannelBindings(engine, isTLS13: info.version >= .tls13)
    }

    private func handshake(
        within limit: Duration, _ makeEngine: () throws(TLSFailure) -> any TLSEngine
    ) async throws(TransportError) {
        precondition(engine == nil, "TLS is on already")
        let end = MonotonicTime.now.advanced(by: limit)
        do throws(TransportError) {
            let engine: any TLSEngine
            do throws(TLSFailure) {
                engine = try makeEngine()
                try engine.start()
            } catch {
                throw failure(.tls(error), .tlsHandshake)
            }
            self.engine = engine
            try await flush(engine, limit)
            while !engine.isHandshakeComplete {
                try await wait(.read, end.timeLeft(of: limit), stage: .tlsHandshake)
                guard let count = try receive() else { continue }
                try decrypt(engine, count, .tlsHandshake)
                try await flush(engine, limit)
            }
        } catch {
            let engine = self.engine
            close()
            var error = error
            switch error.kind {
            case .timedOut: error.kind = .timedOut(after: limit)
            case .cancelled: break
            default:
                error.resumptionFailed = engine?.hasOfferedSession == true
                if error.resumptionFailed { engine?.forgetSessions() }
            }
            throw error
        }
    }

    /// The next plaintext, none at the end, `nil` when that would take waiting.
    func readNow(through engine: any TLSEngine) throws(TransportError) -> [UInt8]? {
        while plaintext.isEmpty {
            if engine.hasReceivedCloseNotify { return [] }
            guard let count = try receive() else { return nil }
            try decrypt(engine, count, .read)
            if count == 0 { return [] }
            sendNow(engine)
        }
        defer { plaintext = [] }
        return plaintext
    }

    /// Feeds what `receive` has put into the scratch space. After a failure the alert goes out first.
    private func decrypt(
        _ engine: any TLSEngine, _ count: Int, _ stage: TransportError.Stage
    ) throws(TransportError) {
        do throws(TLSFailure) {
            guard count > 0 else { return try engine.transportClosed() }
            let octets = UnsafeRawBufferPointer(rebasing: loop.scratch[..<count])
            try engine.receive(octets, into: &plaintext)
        } catch {
            sendNow(engine)
            throw failure(.tls(error), stage)
        }
    }

    /// Plaintext encrypted before its ciphertext is handed over.
    private static var encryptionBatch: Int { 64 * 1024 }

    func encrypt(
        _ piece: ArraySlice<UInt8>, _ engine: any TLSEngine, _ limit: Duration?
    ) async throws(TransportError) {
        var rest = piece
        while !rest.isEmpty {
            let part = rest.prefix(Self.encryptionBatch)
            do throws(TLSFailure) {
                try part.withUnsafeBufferPointer { octets throws(TLSFailure) in
                    try engine.write(UnsafeRawBufferPointer(octets))
                }
            } catch {
                throw failure(.tls(error), .write)
            }
            rest = rest.dropFirst(part.count)
            try await flush(engine, limit)
        }
    }

    /// Hands all ciphertext over, waiting for room.
    func flush(_ engine: any TLSEngine, _ limit: Duration?) async throws(TransportError) {
        while engine.pendingCiphertextCount > 0 {
            guard descriptor != nil else { throw failure(.closed, .write) }
            if sendNow(engine) < 0 { throw broken(.write) }
            if engine.pendingCiphertextCount > 0 { try await wait(.write, limit) }
        }
    }

    /// Hands over what the system takes without waiting; -1 when the connection is broken.
    @discardableResult
    func sendNow(_ engine: any TLSEngine) -> Int {
        var sent = 0
        while mayWrite, engine.pendingCiphertextCount > 0, let descriptor {
            var count = 0
            engine.sendCiphertext { octets in
                count = SystemCalls.send(descriptor.number, octets)
                return max(count, 0)
            }
            if count >= 0 {
                octetsSent += count
                sent += count
            } else if errno == EAGAIN {
                blocked(.write)
            } else if errno != EINTR {
                return -1
            }
        }
        return sent
    }
}

extension MonotonicTime {
    /// How much of `limit` is left until this moment; nothing when it has passed.
    func timeLeft(of limit: Duration) -> Duration {
        let now = MonotonicTime.now
        guard now < self else { return .zero }
        return min(limit, .nanoseconds(Int64(clamping: nanoseconds - now.nanoseconds)))
    }
}
