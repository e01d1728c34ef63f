import CMartletOpenSSL
import MartletCrypto

extension OpenSSLEngine {
    package var connectionInfo: TLSConnectionInfo? {
        guard isHandshakeComplete else { return nil }
        return TLSConnectionInfo(
            version: TLSVersion(rawValue: UInt16(truncatingIfNeeded: SSL_version(ssl))),
            cipherSuite: SSL_CIPHER_get_name(SSL_get_current_cipher(ssl))
                .map { String(cString: $0) } ?? "",
            serverName: SSL_get_servername(ssl, TLSEXT_NAMETYPE_host_name)
                .map { String(cString: $0) },
            peerCertificates: peerCertificates,
            isResumed: SSL_session_reused(ssl) == 1)
    }

    private var peerCertificates: [TLSCertificate] {
        guard let own = martlet_ssl_peer_certificate(ssl), let first = TLSCertificate(own) else {
            return []
        }
        let chain = SSL_get_peer_cert_chain(ssl)
        let others = (0..<martlet_chain_count(chain)).compactMap { index in
            martlet_chain_certificate(chain, index).flatMap { TLSCertificate($0) }
        }
        // A client's view of the chain begins with the server's own, a server's does not.
        return [first] + (others.first == first ? Array(others.dropFirst()) : others)
    }

    package func channelBinding(_ kind: TLSChannelBinding) -> [UInt8]? {
        guard isHandshakeComplete else { return nil }
        let isTLS13 = SSL_version(ssl) >= TLS1_3_VERSION
        // Without the extended master secret two connections of TLS 1.2 can be made to share
        // their keys. RFC 7627 §1.
        let isUnique = isTLS13 || martlet_ssl_has_extended_master_secret(ssl) == 1
        switch kind {
        case .tlsExporter: return isUnique ? exportedKeyingMaterial() : nil
        case .tlsUnique:
            let isResumed = SSL_session_reused(ssl) == 1
            return isUnique || !isResumed ? firstFinished(isResumed: isResumed) : nil
        case .tlsServerEndPoint: return serverCertificateDigest()
        }
    }

    private func exportedKeyingMaterial() -> [UInt8]? {
        let label = "EXPORTER-Channel-Binding"
        var octets = [UInt8](repeating: 0, count: 32)
        let noContext: [UInt8] = []
        let result = SSL_export_keying_material(
            ssl, &octets, octets.count, label, label.utf8.count, noContext, 0, 1)
        return result == 1 ? octets : nil
    }

    /// The client speaks Finished first in a full handshake, the server in a resumed one.
    private func firstFinished(isResumed: Bool) -> [UInt8]? {
        var octets = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        let isOwn = isClient != isResumed
        let count =
            isOwn
            ? SSL_get_finished(ssl, &octets, octets.count)
            : SSL_get_peer_finished(ssl, &octets, octets.count)
        return count > 0 && count <= octets.count ? [UInt8](octets.prefix(count)) : nil
    }

    /// By the digest of the certificate's signature, SHA-256 in place of weaker ones; undefined for
    /// signatures that have none of their own, such as Ed25519.
    private func serverCertificateDigest() -> [UInt8]? {
        let certificate = isClient ? martlet_ssl_peer_certificate(ssl) : SSL_get_certificate(ssl)
        var digest: Int32 = 0
        guard let certificate, let der = OpenSSL.der(of: certificate),
            X509_get_signature_info(certificate, &digest, nil, nil, nil) == 1, digest != NID_undef
        else { return nil }
        let isWeak = digest == NID_md5 || digest == NID_sha1
        return OpenSSL.digest(
            der, isWeak ? EVP_sha256() : EVP_get_digestbyname(OBJ_nid2sn(digest)))
    }
}
