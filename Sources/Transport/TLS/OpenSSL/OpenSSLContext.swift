import CMartletOpenSSL
import MartletCrypto
import MartletBytes
import Synchronization

/// What many connections share: trust, certificates and settings, read and checked once.
///
/// Making one reads files, so that it does not belong on an event loop's thread. OpenSSL counts
/// references to an `SSL_CTX` under its own lock; once it is made, only its store of trusted
/// certificates grows, which has a lock too.
package final class OpenSSLContext: @unchecked Sendable {
    enum Role {
        case client(TLSConfiguration, settingsDigest: [UInt8])
        case server
    }

    /// How many certificates a chain may have between the peer's own and a trusted one.
    static let maximumIntermediates: Int32 = 10
    /// How long a peer's whole chain may be, in octets.
    static let maximumChainInOctets = 100 << 10

    let pointer: OpaquePointer
    let role: Role
    /// Trusted certificates that are added when a peer's chain may need them.
    private let bundles: [CertificateBundle]
    private let hasAddedBundles = Mutex(false)

    /// Prepares a client's connections.
    ///
    /// - Throws: `.invalidConfiguration` when a file cannot be read or does not hold what it should.
    package init(client configuration: TLSConfiguration) throws(TLSFailure) {
        pointer = try Self.make(
            TLS_client_method(), minimum: configuration.minimumVersion, maximum: nil)
        do throws(TLSFailure) {
            var settings = Settings()
            var bundles: [CertificateBundle] = []
            settings.add("\(configuration.verification) \(configuration.minimumVersion.rawValue)")
            for pin in configuration.pins.map(\.description).sorted() { settings.add(pin) }
            if configuration.verification == .full {
                bundles = try Self.add(configuration.trust, to: pointer, noting: &settings)
            }
            self.bundles = bundles
            if let identity = configuration.identity {
                try Self.use(identity, in: pointer, noting: &settings)
            }
            role = .client(configuration, settingsDigest: OpenSSL.sha256(settings.octets))
        } catch {
            SSL_CTX_free(pointer)
            throw error
        }
        SSL_CTX_set_verify(pointer, SSL_VERIFY_PEER, nil)
        SSL_CTX_set_client_cert_cb(pointer, noteCertificateRequest)
        if configuration.sessionCache != nil {
            martlet_ctx_set_session_cache_mode(
                pointer, Int(SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL))
            SSL_CTX_sess_set_new_cb(pointer, keepSession)
        }
    }

    /// Prepares a server's connections.
    ///
    /// - Throws: `.invalidConfiguration` when a file cannot be read or does not hold what it should.
    package init(server configuration: TLSServerConfiguration) throws(TLSFailure) {
        pointer = try Self.make(
            TLS_server_method(), minimum: configuration.minimumVersion,
            maximum: configuration.maximumVersion)
        do throws(TLSFailure) {
            var settings = Settings()
            try Self.use(configuration.identity, in: pointer, noting: &settings)
            let trust: TLSTrust?
            let mode: Int32
            switch configuration.clientVerification {
            case .none: (trust, mode) = (nil, SSL_VERIFY_NONE)
            case .optional(let authorities): (trust, mode) = (authorities, SSL_VERIFY_PEER)
            case .required(let authorities):
                (trust, mode) = (
                    authorities, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT
                )
            }
            if let trust {
                bundles = try Self.add(trust, to: pointer, noting: &settings, namesThem: true)
            } else {
                bundles = []
            }
            role = .server
            SSL_CTX_set_verify(pointer, mode, nil)
            // Sessions live in tickets that the clients keep; they are good under these settings.
            let id = OpenSSL.sha256(settings.octets)
            SSL_CTX_set_session_id_context(pointer, id, UInt32(id.count))
            martlet_ctx_set_session_cache_mode(pointer, Int(SSL_SESS_CACHE_OFF))
        } catch {
            SSL_CTX_free(pointer)
            throw error
        }
    }

    deinit { SSL_CTX_free(pointer) }

    /// Adds what the peer's chain may end in to what is trusted. OpenSSL locks the store.
    func prepareTrust(for check: OpaquePointer) {
        guard !bundles.isEmpty, let store = SSL_CTX_get_cert_store(pointer) else { return }
        var names: Set<[UInt8]> = []
        func note(_ name: OpaquePointer?) {
            var octets: UnsafePointer<UInt8>?
            var count = 0
            if let name, X509_NAME_get0_der(name, &octets, &count) == 1 {
                names.insert([UInt8](UnsafeBufferPointer(start: octets, count: count)))
            }
        }
        func note(certificate: OpaquePointer?) {
            note(certificate.flatMap { X509_get_subject_name($0) })
            note(certificate.flatMap { X509_get_issuer_name($0) })
        }
        note(certificate: X509_STORE_CTX_get0_cert(check))
        let others = X509_STORE_CTX_get0_untrusted(check)
        for index in 0..<martlet_chain_count(others) {
            note(certificate: martlet_chain_certificate(others, index))
        }
        var isFound = false
        for bundle in bundles where bundle.add(for: names, to: store) { isFound = true }
        guard !isFound else { return }
        hasAddedBundles.withLock { isDone in
            if !isDone { for bundle in bundles { bundle.addAll(to: store) } }
            isDone = true
        }
    }

    /// What a session depends on, gathered for a digest.
    private struct Settings {
        var octets: [UInt8] = []
        mutating func add(_ more: [UInt8]) {
            withUnsafeBytes(of: more.count.littleEndian) { octets.append(contentsOf: $0) }
            octets += more
        }
        mutating func add(_ text: String) { add(Array(text.utf8)) }
    }

    private static func make(
        _ method: OpaquePointer?, minimum: TLSVersion, maximum: TLSVersion?
    ) throws(TLSFailure) -> OpaquePointer {
        ERR_clear_error()
        guard let pointer = SSL_CTX_new(method) else {
            throw .invalid("TLS cannot be started", reason: OpenSSL.takeReason())
        }
        guard martlet_ctx_set_min_version(pointer, Int32(minimum.rawValue)) == 1,
            martlet_ctx_set_max_version(pointer, Int32(maximum?.rawValue ?? 0)) == 1
        else {
            SSL_CTX_free(pointer)
            throw .invalid("\(minimum) is not a version that can be spoken")
        }
        // Versions before 1.2 sign with SHA-1, which the higher levels forbid.
        if minimum < .tls12 { SSL_CTX_set_security_level(pointer, 0) }
        martlet_ctx_set_safe_options(pointer)
        martlet_ctx_set_max_chain(pointer, maximumChainInOctets)
        SSL_CTX_set_verify_depth(pointer, maximumIntermediates)
        SSL_CTX_set_cert_verify_callback(pointer, verifyChain, nil)
        let parameters = SSL_CTX_get0_param(pointer)
        X509_VERIFY_PARAM_set_flags(parameters, UInt(X509_V_FLAG_PARTIAL_CHAIN))
        X509_VERIFY_PARAM_set_hostflags(
            parameters,
            UInt32(X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS | X509_CHECK_FLAG_NEVER_CHECK_SUBJECT))
        return pointer
    }

    private static func add(
        _ trust: TLSTrust, to pointer: OpaquePointer, noting settings: inout Settings,
        namesThem: Bool = false
    ) throws(TLSFailure) -> [CertificateBundle] {
        guard let store = SSL_CTX_get_cert_store(pointer) else {
            throw .invalid("there is no certificate store")
        }
        var bundles: [CertificateBundle] = []
        if trust.usesSystem {
            settings.add("system")
            if let bundle = try SystemTrust.add(to: store) { bundles.append(bundle) }
        }
        for source in trust.authorities {
            let octets = try PEM.octets(of: source)
            settings.add(octets)
            if octets.count > CertificateBundle.threshold, !namesThem,
                let bundle = CertificateBundle(pem: octets)
            {
                bundles.append(bundle)
                continue
            }
            try PEM.forEachCertificate(in: octets, named: PEM.name(of: source)) { certificate in
                X509_STORE_add_cert(store, certificate)
                if namesThem { SSL_CTX_add_client_CA(pointer, certificate) }
            }
        }
        for source in trust.revocationLists {
            let octets = try PEM.octets(of: source)
            settings.add("revocation list")
            settings.add(octets)
            try PEM.forEachRevocationList(in: octets, named: PEM.name(of: source)) { list in
                X509_STORE_add_crl(store, list)
            }
            X509_STORE_set_flags(store, UInt(X509_V_FLAG_CRL_CHECK))
        }
        ERR_clear_error()
        return bundles
    }

    private static func use(
        _ identity: TLSIdentity, in pointer: OpaquePointer, noting settings: inout Settings
    ) throws(TLSFailure) {
        let chain = try PEM.octets(of: identity.chain)
        let name = PEM.name(of: identity.chain)
        settings.add(chain)
        var isFirst = true
        try PEM.forEachCertificate(in: chain, named: name) { certificate throws(TLSFailure) in
            let isTaken =
                isFirst
                ? SSL_CTX_use_certificate(pointer, certificate) == 1
                : martlet_ctx_add1_chain_certificate(pointer, certificate) == 1
            isFirst = false
            guard isTaken else {
                throw .invalid(
                    "a certificate in \(name) cannot be used", reason: OpenSSL.takeReason())
            }
        }
        let keyName: String
        let keyOctets: Secret
        switch identity.key {
        case .octets(let octets): (keyName, keyOctets) = ("the PEM octets given", octets)
        case .file(let path):
            (keyName, keyOctets) = (path, Secret(octets: try PEM.octets(of: .file(path))))
        }
        let key = try PrivateKey(
            pem: keyOctets, passphrase: identity.passphrase, named: keyName)
        let isTaken = key.withPointer {
            SSL_CTX_use_PrivateKey(pointer, $0) == 1 && SSL_CTX_check_private_key(pointer) == 1
        }
        guard isTaken else {
            throw .invalid(
                "the private key in \(keyName) does not belong to the certificate in \(name)",
                reason: OpenSSL.takeReason())
        }
    }
}
