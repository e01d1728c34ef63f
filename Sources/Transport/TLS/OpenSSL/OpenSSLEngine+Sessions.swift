import CMartletOpenSSL
import MartletBytes

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

extension OpenSSLEngine {
    private var sessionCache: TLSSessionCache? {
        if case .client(let configuration, _) = context.role {
            configuration.sessionCache
        } else {
            nil
        }
    }

    /// Offers the session of an earlier connection, if there is one.
    func offerSession() {
        guard let sessionKey, let cache = sessionCache,
            let kept = cache.take(for: sessionKey, now: time(nil))
        else { return }
        let session = kept.octets.withOctets { octets in
            var cursor = octets.baseAddress
            return d2i_SSL_SESSION(nil, &cursor, octets.count)
        }
        guard let session else {
            ERR_clear_error()
            return
        }
        SSL_set_session(ssl, session)
        hasOfferedSession = true
        SSL_SESSION_free(session)
    }

    package func forgetSessions() {
        if let sessionKey { sessionCache?.remove(sessionKey) }
    }

    /// Keeps a session for later connections.
    func keep(_ session: OpaquePointer) {
        guard let sessionKey, let cache = sessionCache, SSL_SESSION_is_resumable(session) == 1
        else { return }
        let count = Int(i2d_SSL_SESSION(session, nil))
        guard count > 0 else { return }
        let octets = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: count)
        octets.initialize(repeating: 0)
        defer {
            OPENSSL_cleanse(octets.baseAddress, count)
            octets.deallocate()
        }
        var cursor = octets.baseAddress
        guard i2d_SSL_SESSION(session, &cursor) == Int32(count) else { return }
        cache.store(
            .init(
                octets: Secret(octets: octets),
                isSingleUse: SSL_SESSION_get_protocol_version(session) >= TLS1_3_VERSION,
                createdAt: time(nil)),
            for: sessionKey)
    }
}
