import CMartletOpenSSL
import MartletCrypto

extension OpenSSLEngine {
    /// Judges the peer's chain and notes why it is refused.
    func verify(_ store: OpaquePointer) -> Bool {
        context.prepareTrust(for: store)
        var pins: Set<PublicKeyPin> = []
        var isUnverified = false
        if case .client(let configuration, _) = context.role {
            pins = configuration.pins
            isUnverified = configuration.verification == .dangerouslyUnverified
        }
        if isUnverified {
            X509_STORE_CTX_set_error(store, X509_V_OK)
        } else if X509_verify_cert(store) != 1 {
            verificationFailure = failure(of: store)
            return false
        }
        guard !pins.isEmpty else { return true }
        // Without a verified chain only the server's own key proves anything: the rest could be
        // anybody's certificates.
        let keys: [PublicKeyPin]
        if isUnverified {
            keys = X509_STORE_CTX_get0_cert(store).flatMap(OpenSSL.pin).map { [$0] } ?? []
        } else {
            let chain = X509_STORE_CTX_get0_chain(store)
            keys = (0..<martlet_chain_count(chain)).compactMap { index in
                martlet_chain_certificate(chain, index).flatMap(OpenSSL.pin)
            }
        }
        guard pins.isDisjoint(with: keys) else { return true }
        verificationFailure = TLSFailure(.pinMismatch(presented: keys))
        X509_STORE_CTX_set_error(store, X509_V_ERR_APPLICATION_VERIFICATION)
        return false
    }

    private func failure(of store: OpaquePointer) -> TLSFailure {
        let code = X509_STORE_CTX_get_error(store)
        let reason = X509_verify_cert_error_string(Int(code)).map { String(cString: $0) } ?? ""
        let certificate = X509_STORE_CTX_get_current_cert(store) ?? X509_STORE_CTX_get0_cert(store)
        return TLSFailure(kind(of: code, certificate, store, reason), reason: reason)
    }

    private func kind(
        of code: Int32, _ certificate: OpaquePointer?, _ store: OpaquePointer, _ reason: String
    ) -> TLSFailure.Kind {
        let subject = OpenSSL.text(of: certificate.flatMap { X509_get_subject_name($0) })
        switch code {
        case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
            return .selfSigned(subject: subject)
        case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT,
            X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
            X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE, X509_V_ERR_CERT_UNTRUSTED:
            return .untrustedIssuer(
                issuer: OpenSSL.text(of: certificate.flatMap { X509_get_issuer_name($0) }))
        case X509_V_ERR_CERT_HAS_EXPIRED:
            return .expired(
                subject: subject,
                notAfter: OpenSSL.time(certificate.flatMap { X509_get0_notAfter($0) }))
        case X509_V_ERR_CERT_NOT_YET_VALID:
            return .notYetValid(
                subject: subject,
                notBefore: OpenSSL.time(certificate.flatMap { X509_get0_notBefore($0) }))
        case X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH:
            let own = X509_STORE_CTX_get0_cert(store)
            return .wrongHost(
                expected: expectedHost ?? "",
                presented: own.map { OpenSSL.alternativeNames(of: $0) } ?? [])
        case X509_V_ERR_CERT_REVOKED:
            return .revoked(subject: subject)
        default:
            return .badCertificate(reason)
        }
    }
}
