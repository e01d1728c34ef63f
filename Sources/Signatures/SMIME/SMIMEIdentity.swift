import CMartletOpenSSL
import MartletCrypto
import MartletBytes

/// A certificate and its private key: signs, and reads what was encrypted for it.
public final class SMIMEIdentity: Sendable {
    /// The certificate.
    public let certificate: SMIMECertificate
    /// Those between it and the one that people trust; sent along with signatures.
    public let chain: [SMIMECertificate]
    // Immutable once made, and OpenSSL lets threads share it.
    nonisolated(unsafe) private let key: OpaquePointer

    /// - Parameter key: is taken over.
    private init(
        _ certificate: SMIMECertificate, chain: [SMIMECertificate], key: OpaquePointer
    ) throws(SignatureError) {
        self.certificate = certificate
        self.chain = chain
        self.key = key
        ERR_clear_error()
        guard certificate.withPointer({ X509_check_private_key($0, key) }) == 1 else {
            ERR_clear_error()
            throw SignatureError(.invalidKey, "the private key is not the certificate's")
        }
    }

    deinit { EVP_PKEY_free(key) }

    /// From PEM: the certificate first, then those that vouch for it; and the private key.
    ///
    /// - Throws: `SignatureError`, `.invalidCertificate` or `.invalidKey`.
    public convenience init(
        certificates pem: [UInt8], key: Secret, passphrase: Secret? = nil
    ) throws(SignatureError) {
        let certificates = try SMIMECertificate.certificates(pem: pem)
        try self.init(
            certificates[0], chain: Array(certificates.dropFirst()),
            key: PEM.privateKey(key, passphrase: passphrase))
    }

    /// From a PKCS #12 file (`.p12`, `.pfx`), as certificate authorities and mail programs give them out. RFC 7292.
    ///
    /// - Throws: `SignatureError`, `.invalidKey` where the password is wrong, or the file is of the kind with RC2 that
    ///   OpenSSL 3 no longer reads.
    public convenience init(pkcs12: [UInt8], password: Secret) throws(SignatureError) {
        ERR_clear_error()
        let store = pkcs12.withUnsafeBufferPointer { octets in
            var start = octets.baseAddress
            return d2i_PKCS12(nil, &start, octets.count)
        }
        defer { PKCS12_free(store) }
        var key: OpaquePointer?
        var certificate: OpaquePointer?
        var others: OpaquePointer?
        let isRead = password.withOctets { password in
            // Cleared below, since it is a copy.
            var text = password.map { CChar(bitPattern: $0) } + [0]
            defer { OPENSSL_cleanse(&text, text.count) }
            return store != nil && PKCS12_parse(store, text, &key, &certificate, &others) == 1
        }
        defer {
            X509_free(certificate)
            martlet_chain_free(others)
        }
        guard isRead, let key, let own = SMIMECertificate(sharing: certificate) else {
            EVP_PKEY_free(key)
            throw SignatureError(
                .invalidKey, "the PKCS #12 file cannot be read with that password",
                reason: OpenSSL.takeReason())
        }
        let chain = (0..<martlet_chain_count(others)).compactMap {
            SMIMECertificate(sharing: martlet_chain_certificate(others, $0))
        }
        try self.init(own, chain: chain, key: key)
    }

    func withPointers<Result, Failure: Error>(
        _ body: (_ certificate: OpaquePointer, _ key: OpaquePointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try certificate.withPointer { certificate throws(Failure) in try body(certificate, key) }
    }
}
