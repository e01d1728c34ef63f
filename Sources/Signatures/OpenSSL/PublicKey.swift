import CMartletOpenSSL

/// Verifies signatures of DKIM and ARC.
final class PublicKey: Sendable {
    /// The RSA keys that are computed with, in bits. RFC 8301 §3.2 refuses smaller ones; larger ones take long.
    static let rsaBits = 1024...8192

    // Immutable once made, and OpenSSL lets threads share it.
    nonisolated(unsafe) private let pointer: OpaquePointer
    private let algorithm: DKIMAlgorithm

    /// Reads the octets of `p=`: a SubjectPublicKeyInfo or RSAPublicKey in DER (RFC 6376 §3.6.1), or the 32 octets of an
    /// Ed25519 key (RFC 8463 §4).
    init(published octets: [UInt8], for algorithm: DKIMAlgorithm) throws(DKIMProblem) {
        ERR_clear_error()
        defer { ERR_clear_error() }
        self.algorithm = algorithm
        let key: OpaquePointer?
        switch algorithm {
        case .ed25519SHA256:
            key =
                octets.count == 32
                ? EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nil, octets, octets.count) : nil
        case .rsaSHA256: key = Self.rsa(octets)
        }
        guard let key else { throw .malformedKey }
        pointer = key
        if algorithm == .rsaSHA256 {
            let bits = Int(EVP_PKEY_get_bits(key))
            guard EVP_PKEY_get_base_id(key) == EVP_PKEY_RSA else { throw .malformedKey }
            guard Self.rsaBits.contains(bits) else { throw .keySizeRefused(bits: bits) }
        }
    }

    deinit { EVP_PKEY_free(pointer) }

    private static func rsa(_ octets: [UInt8]) -> OpaquePointer? {
        octets.withUnsafeBufferPointer { octets in
            var start = octets.baseAddress
            if let key = d2i_PUBKEY(nil, &start, octets.count) {
                guard start == octets.baseAddress.map({ $0 + octets.count }) else {
                    EVP_PKEY_free(key)
                    return nil
                }
                return key
            }
            start = octets.baseAddress
            return d2i_PublicKey(EVP_PKEY_RSA, nil, &start, octets.count)
        }
    }

    /// Whether `signature` was made over `digest`, a SHA-256, with the private half of this key.
    func verifies(_ signature: [UInt8], of digest: [UInt8]) -> Bool {
        defer { ERR_clear_error() }
        switch algorithm {
        case .rsaSHA256:
            guard let context = EVP_PKEY_CTX_new(pointer, nil) else { return false }
            defer { EVP_PKEY_CTX_free(context) }
            return EVP_PKEY_verify_init(context) == 1
                && EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PADDING) == 1
                && EVP_PKEY_CTX_set_signature_md(context, EVP_sha256()) == 1
                && EVP_PKEY_verify(context, signature, signature.count, digest, digest.count) == 1
        case .ed25519SHA256:
            guard let context = EVP_MD_CTX_new() else { return false }
            defer { EVP_MD_CTX_free(context) }
            return EVP_DigestVerifyInit(context, nil, nil, nil, pointer) == 1
                && EVP_DigestVerify(context, signature, signature.count, digest, digest.count) == 1
        }
    }
}
