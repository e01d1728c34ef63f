import CMartletOpenSSL
import MartletCrypto

extension OpenSSLEngine {
    /// What the error queue says about a handshake that failed.
    func handshakeFailure() -> TLSFailure {
        let code = ERR_peek_error()
        let reason = OpenSSL.reason(code)
        if let verificationFailure { return verificationFailure }
        if let alert = alert(code) { return failure(of: alert, reason) }
        guard ERR_GET_LIB(code) == ERR_LIB_SSL else {
            return TLSFailure(.handshakeFailed(nil), reason: reason)
        }
        switch ERR_GET_REASON(code) {
        case SSL_R_UNSUPPORTED_PROTOCOL, SSL_R_VERSION_TOO_LOW, SSL_R_WRONG_SSL_VERSION:
            return TLSFailure(.tooOldProtocol(peer: versionOfHello), reason: reason)
        case SSL_R_PEER_DID_NOT_RETURN_A_CERTIFICATE:
            return TLSFailure(.clientCertificateRequired, reason: reason)
        case SSL_R_EE_KEY_TOO_SMALL, SSL_R_CA_KEY_TOO_SMALL, SSL_R_CA_MD_TOO_WEAK,
            SSL_R_DH_KEY_TOO_SMALL, SSL_R_WRONG_CERTIFICATE_TYPE:
            return TLSFailure(.badCertificate(reason), reason: reason)
        default:
            return TLSFailure(.handshakeFailed(nil), reason: reason)
        }
    }

    /// What the error queue says about a connection that broke.
    func openFailure() -> TLSFailure {
        let code = ERR_peek_error()
        let reason = code == 0 ? "" : OpenSSL.reason(code)
        if let alert = alert(code) { return failure(of: alert, reason) }
        return TLSFailure(.protocolViolation(nil), reason: reason)
    }

    /// The alert that the peer sent.
    private func alert(_ code: UInt) -> TLSAlert? {
        guard code != 0, ERR_GET_LIB(code) == ERR_LIB_SSL else { return nil }
        return UInt8(exactly: Int(ERR_GET_REASON(code)) - Int(SSL_AD_REASON_OFFSET))
            .map(TLSAlert.init(rawValue:))
    }

    private func failure(of alert: TLSAlert, _ reason: String) -> TLSFailure {
        let isOpen = isHandshakeComplete
        let kind: TLSFailure.Kind
        switch alert {
        case .protocolVersion:
            kind = .tooOldProtocol(peer: nil)
        case .certificateRequired:
            kind = .clientCertificateRequired
        case .handshakeFailure where isAskedForCertificate:
            // What servers say before TLS 1.3.
            kind = .clientCertificateRequired
        case _ where alert.refusesCertificate:
            if !isClient {
                kind = .serverCertificateRefused(alert)
            } else if isAskedForCertificate {
                kind = .clientCertificateRequired
            } else {
                kind = .clientCertificateRefused(alert)
            }
        default:
            kind = isOpen ? .protocolViolation(alert) : .handshakeFailed(alert)
        }
        return TLSFailure(kind, reason: reason)
    }

    /// The version in the peer's hello, which is its choice if it is older than TLS 1.3.
    private var versionOfHello: TLSVersion? {
        let hello = opening
        guard hello.count > 10, hello[0] == 22, hello[5] == 1 || hello[5] == 2 else { return nil }
        let version = TLSVersion(rawValue: UInt16(hello[9]) << 8 | UInt16(hello[10]))
        return version < .tls12 ? version : nil
    }
}
