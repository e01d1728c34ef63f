import CMartletOpenSSL
import MartletCrypto
import MartletBytes

/// TLS by OpenSSL 3, between a lent input and a growing output. See `TLSEngine` for the loop.
///
/// Belongs to one thread or actor at a time.
package final class OpenSSLEngine: TLSEngine {
    /// An output buffer larger than this is given back once it is empty, in octets.
    static let retainedOutput = 256 << 10
    /// How much of what is no TLS is kept for the error, in octets.
    static let maximumOpening = 128
    /// The most plaintext a record holds, in octets. RFC 8446 §5.1.
    static let maximumRecord = 16384
    /// Room for the plaintext of a small input, in octets.
    static let minimumStep = 512

    private enum State {
        /// Not started; successors: handshaking, failed.
        case idle
        /// Successors: open, failed.
        case handshaking
        /// Plaintext flows; successors: failed.
        case open
        /// The end.
        case failed(TLSFailure)
    }

    let context: OpenSSLContext
    let ssl: OpaquePointer
    let pipe: UnsafeMutablePointer<martlet_pipe>
    /// The name the peer's certificate must carry.
    let expectedHost: String?
    package internal(set) var hasOfferedSession = false
    /// Under what this connection's sessions are kept.
    let sessionKey: [UInt8]?
    /// What `verify` found.
    var verificationFailure: TLSFailure?
    /// Whether the server asked for a certificate that is not there.
    var isAskedForCertificate = false
    /// The peer's first octets.
    private(set) var opening: [UInt8] = []

    private var state = State.idle
    private var hasSentCloseNotify = false
    package private(set) var hasReceivedCloseNotify = false

    // Written once, when first used, and never freed.
    nonisolated(unsafe) private static let method = martlet_pipe_method()

    /// A client's connection.
    ///
    /// - Parameters:
    ///   - context: made for a client.
    ///   - host: what was connected to, a name in A-labels or an IP address (brackets are taken off);
    ///     the configuration's `hostName` goes first.
    ///   - port: keeps the sessions of different services apart.
    ///   - resumes: whether the session of an earlier connection may be offered.
    package convenience init(
        client context: OpenSSLContext, host: String, port: Int, resumes: Bool = true
    ) throws(TLSFailure) {
        guard case .client(let configuration, let digest) = context.role else {
            throw .invalid("a server's context cannot make a client")
        }
        let host = Self.normalized(configuration.hostName ?? host)
        guard !host.isEmpty, host.utf8.count <= 253,
            host.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { throw .invalid("the host name is empty, too long, or has characters outside ASCII") }
        let key = Array("\(host) \(port) ".utf8) + digest
        try self.init(
            context, host: host, sessionKey: configuration.sessionCache == nil ? nil : key)
        SSL_set_connect_state(ssl)
        let isSet: Bool
        if OpenSSL.isAddress(host) {
            isSet = X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl), host) == 1
        } else {
            isSet = SSL_set1_host(ssl, host) == 1 && martlet_ssl_set_server_name(ssl, host) == 1
        }
        guard isSet else {
            throw .invalid("\(host) is no host name", reason: OpenSSL.takeReason())
        }
        if resumes { offerSession() }
    }

    /// A server's connection.
    ///
    /// - Parameter context: made for a server.
    package convenience init(server context: OpenSSLContext) throws(TLSFailure) {
        guard case .server = context.role else {
            throw .invalid("a client's context cannot make a server")
        }
        try self.init(context, host: nil, sessionKey: nil)
        SSL_set_accept_state(ssl)
    }

    private init(
        _ context: OpenSSLContext, host: String?, sessionKey: [UInt8]?
    ) throws(TLSFailure) {
        ERR_clear_error()
        guard let method = Self.method, let ssl = SSL_new(context.pointer) else {
            throw .invalid("TLS cannot be started", reason: OpenSSL.takeReason())
        }
        guard let bio = BIO_new(method) else {
            SSL_free(ssl)
            throw .invalid("TLS cannot be started", reason: OpenSSL.takeReason())
        }
        self.context = context
        self.ssl = ssl
        expectedHost = host
        self.sessionKey = sessionKey
        pipe = .allocate(capacity: 1)
        pipe.initialize(to: martlet_pipe())
        BIO_set_data(bio, pipe)
        SSL_set_bio(ssl, bio, bio)
        SSL_set_ex_data(ssl, 0, Unmanaged.passUnretained(self).toOpaque())
    }

    deinit {
        SSL_free(ssl)
        CRYPTO_free(pipe.pointee.output, #file, #line)
        pipe.deallocate()
    }

    var isClient: Bool {
        if case .client = context.role { true } else { false }
    }

    /// Without brackets, scope and the root's dot.
    private static func normalized(_ host: String) -> String {
        var host = host[...]
        if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
        if host.contains(":"), let scope = host.firstIndex(of: "%") { host = host[..<scope] }
        if host.hasSuffix(".") { host = host.dropLast() }
        return String(host)
    }

    // MARK: The loop

    package func start() throws(TLSFailure) {
        guard case .idle = state else { return }
        state = .handshaking
        if isClient { try shakeHands() }
    }

    package func receive(
        _ ciphertext: UnsafeRawBufferPointer, into plaintext: inout [UInt8]
    ) throws(TLSFailure) {
        switch state {
        case .failed(let failure): throw failure
        case .idle: try start()
        case .handshaking, .open: break
        }
        guard ciphertext.count > 0, !hasReceivedCloseNotify, try isTLS(ciphertext) else { return }
        pipe.pointee.input = ciphertext.baseAddress?.assumingMemoryBound(to: UInt8.self)
        pipe.pointee.input_count = ciphertext.count
        defer {
            pipe.pointee.input = nil
            pipe.pointee.input_count = 0
        }
        if case .handshaking = state { try shakeHands() }
        if case .open = state { try readRecords(into: &plaintext) }
    }

    private func shakeHands() throws(TLSFailure) {
        ERR_clear_error()
        let result = SSL_do_handshake(ssl)
        if result == 1 {
            state = .open
            opening = []
        } else if SSL_get_error(ssl, result) != SSL_ERROR_WANT_READ {
            forgetSessions()
            throw fail(handshakeFailure())
        }
    }

    private func readRecords(into plaintext: inout [UInt8]) throws(TLSFailure) {
        // A record cannot say how much it holds before it is read. Reading in steps no larger than
        // the input keeps a short answer from reserving room for a full record.
        let input = pipe.pointee.input_count
        let step = min(max(input, Self.minimumStep), Self.maximumRecord)
        let needed = plaintext.count + input + step
        if plaintext.capacity < needed {
            plaintext.reserveCapacity(max(needed, plaintext.isEmpty ? 0 : 2 * plaintext.capacity))
        }
        repeat {
            ERR_clear_error()
            var count = 0
            var result: Int32 = 0
            plaintext.append(addingCapacity: step) { span in
                span.withUnsafeMutableBufferPointer { buffer, initialized in
                    result = SSL_read_ex(ssl, buffer.baseAddress, buffer.count, &count)
                    initialized = count
                }
            }
            if result == 1 { continue }
            switch SSL_get_error(ssl, result) {
            case SSL_ERROR_WANT_READ: return
            case SSL_ERROR_ZERO_RETURN:
                hasReceivedCloseNotify = true
                return
            default: throw fail(openFailure())
            }
        } while pipe.pointee.input_count > 0 || SSL_pending(ssl) > 0
    }

    package func write(_ plaintext: UnsafeRawBufferPointer) throws(TLSFailure) {
        switch state {
        case .failed(let failure): throw failure
        case .open where !hasSentCloseNotify: break
        default: throw TLSFailure(.notOpen)
        }
        guard plaintext.count > 0 else { return }
        ERR_clear_error()
        var written = 0
        guard SSL_write_ex(ssl, plaintext.baseAddress, plaintext.count, &written) == 1,
            written == plaintext.count
        else { throw fail(openFailure()) }
    }

    package func closeNotify() {
        guard case .open = state, !hasSentCloseNotify else { return }
        hasSentCloseNotify = true
        ERR_clear_error()
        SSL_shutdown(ssl)
        ERR_clear_error()
    }

    package func transportClosed() throws(TLSFailure) {
        switch state {
        case .failed(let failure): throw failure
        case .idle, .handshaking:
            throw fail(
                isForeign
                    ? TLSFailure(.notTLS(firstOctets: opening)) : .init(.closedDuringHandshake))
        case .open:
            if !hasReceivedCloseNotify, !hasSentCloseNotify { throw fail(.init(.truncated)) }
        }
    }

    private func fail(_ failure: TLSFailure) -> TLSFailure {
        ERR_clear_error()
        state = .failed(failure)
        return failure
    }

    // MARK: What is no TLS

    /// Looks at the first octets: a record has a known type and the major version 3.
    private func isTLS(_ ciphertext: UnsafeRawBufferPointer) throws(TLSFailure) -> Bool {
        guard case .handshaking = state, opening.count < Self.maximumOpening else { return true }
        opening += ciphertext.prefix(Self.maximumOpening - opening.count)
        guard isForeign else { return true }
        // The whole line goes into the error, if it is a short one.
        if opening.contains(ASCII.lf) || opening.count >= Self.maximumOpening {
            throw fail(TLSFailure(.notTLS(firstOctets: opening)))
        }
        return false
    }

    private var isForeign: Bool {
        guard let type = opening.first else { return false }
        return !(20...23).contains(type) || (opening.count > 1 && opening[1] != 3)
    }

    // MARK: Ciphertext to send

    package var pendingCiphertextCount: Int {
        pipe.pointee.output_tail - pipe.pointee.output_head
    }

    package func sendCiphertext<Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Int
    ) throws(Failure) {
        let pending = pendingCiphertextCount
        guard pending > 0, let output = pipe.pointee.output else { return }
        let sent = try body(
            UnsafeRawBufferPointer(start: output + pipe.pointee.output_head, count: pending))
        precondition(sent >= 0 && sent <= pending, "more was sent than there is")
        pipe.pointee.output_head += sent
        guard sent == pending else { return }
        pipe.pointee.output_head = 0
        pipe.pointee.output_tail = 0
        if pipe.pointee.output_capacity > Self.retainedOutput {
            CRYPTO_free(output, #file, #line)
            pipe.pointee.output = nil
            pipe.pointee.output_capacity = 0
        }
    }

    // MARK: What is known

    package var isHandshakeComplete: Bool {
        if case .open = state { true } else { false }
    }
}
