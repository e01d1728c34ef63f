import CMartletOpenSSL

/// Finds the way from a signer's certificate to one that is trusted. RFC 5280 §6, RFC 8550 §4.
final class CertificateChains {
    /// Certificates from a signer to a trusted one, both not counted.
    private static let depth: Int32 = 10
    /// 112 bits: RSA from 2048, no SHA-1 in the certificates on the way.
    private static let securityLevel: Int32 = 2

    private let store: OpaquePointer
    private let others: CertificateStack
    private let seconds: Int64

    /// - Parameter included: the certificates that came with the message.
    init(
        trusted: [SMIMECertificate], known: [SMIMECertificate], included: OpaquePointer?,
        seconds: Int64
    ) throws(SignatureError) {
        others = try CertificateStack(known)
        guard let store = X509_STORE_new() else {
            throw .openSSL("there is no memory for certificates")
        }
        self.store = store
        self.seconds = seconds
        for certificate in trusted {
            guard certificate.withPointer({ X509_STORE_add_cert(store, $0) }) == 1 else {
                throw .openSSL("a trusted certificate cannot be used")
            }
        }
        for index in 0..<martlet_chain_count(included) {
            _ = martlet_chain_append(others.pointer, martlet_chain_certificate(included, index))
        }
    }

    deinit { X509_STORE_free(store) }

    /// What is wrong with a certificate; `nil` if it is good for signing mail.
    func problem(of certificate: OpaquePointer) -> SMIMEProblem? {
        defer { ERR_clear_error() }
        guard let context = X509_STORE_CTX_new() else { return .certificateUnsuitable("no memory") }
        defer { X509_STORE_CTX_free(context) }
        guard X509_STORE_CTX_init(context, store, certificate, others.pointer) == 1,
            X509_STORE_CTX_set_default(context, "smime_sign") == 1,
            let parameters = X509_STORE_CTX_get0_param(context)
        else { return .certificateUnsuitable("no memory") }
        // What is given as trusted is, be it an authority's or the signer's own.
        X509_VERIFY_PARAM_set_flags(parameters, UInt(X509_V_FLAG_PARTIAL_CHAIN))
        X509_VERIFY_PARAM_set_depth(parameters, Self.depth)
        X509_VERIFY_PARAM_set_auth_level(parameters, Self.securityLevel)
        X509_VERIFY_PARAM_set_time(parameters, time_t(seconds))
        guard X509_verify_cert(context) != 1 else { return nil }
        let error = X509_STORE_CTX_get_error(context)
        switch error {
        case X509_V_ERR_CERT_HAS_EXPIRED: return .certificateExpired
        case X509_V_ERR_CERT_NOT_YET_VALID: return .certificateNotYetValid
        case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT,
            X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT, X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN,
            X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
            return .notTrusted
        default:
            let reason = X509_verify_cert_error_string(Int(error))
            return .certificateUnsuitable(reason.map { String(cString: $0) } ?? "error \(error)")
        }
    }
}
