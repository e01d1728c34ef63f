import CMartletOpenSSL
import MartletCrypto
import MartletBytes

/// A private key that signs mail for a domain.
///
///     let key = try DKIMPrivateKey.rsa(bits: 2048)
///     print(try key.keyRecord())           // to publish at SELECTOR._domainkey.DOMAIN
public final class DKIMPrivateKey: Sendable {
    /// How signatures by this key are made.
    public let algorithm: DKIMAlgorithm
    /// The size of an RSA key in bits; 256 for Ed25519.
    public let bits: Int
    // Immutable once made, and OpenSSL lets threads share it.
    nonisolated(unsafe) private let pointer: OpaquePointer

    /// Takes over `key`.
    private init(owning key: OpaquePointer) throws(SignatureError) {
        pointer = key
        bits = Int(EVP_PKEY_get_bits(key))
        switch EVP_PKEY_get_base_id(key) {
        case EVP_PKEY_RSA: algorithm = .rsaSHA256
        case EVP_PKEY_ED25519: algorithm = .ed25519SHA256
        default:
            algorithm = .rsaSHA256
            throw SignatureError(.invalidKey, "the key is neither RSA nor Ed25519")
        }
        guard algorithm != .rsaSHA256 || PublicKey.rsaBits.contains(bits) else {
            throw SignatureError(
                .weakKey(bits: bits),
                "an RSA key of \(bits) bits does not sign mail; use one of 2048 bits")
        }
    }

    deinit { EVP_PKEY_free(pointer) }

    /// Reads the first private key of PEM octets (PKCS #8 or PKCS #1), RSA of at least 1024 bits or Ed25519.
    ///
    /// - Throws: `SignatureError`, `.invalidKey` also for a wrong passphrase, `.weakKey` for RSA under 1024 bits
    ///   (RFC 8301 §3.2).
    public convenience init(pem: Secret, passphrase: Secret? = nil) throws(SignatureError) {
        try self.init(owning: PEM.privateKey(pem, passphrase: passphrase))
    }

    /// A key from the 32 octets that are the secret of Ed25519. RFC 8032 §5.1.5.
    public convenience init(ed25519 secret: Secret) throws(SignatureError) {
        ERR_clear_error()
        let key = secret.withOctets { octets in
            octets.count == 32
                ? EVP_PKEY_new_raw_private_key(
                    EVP_PKEY_ED25519, nil, octets.baseAddress, octets.count) : nil
        }
        guard let key else {
            throw SignatureError(
                .invalidKey, "the secret of an Ed25519 key is 32 octets",
                reason: OpenSSL.takeReason())
        }
        try self.init(owning: key)
    }

    /// A new RSA key. 2048 bits are what verifiers take and DNS holds; RFC 8301 §3.2.
    public static func rsa(bits: Int = 2048) throws(SignatureError) -> DKIMPrivateKey {
        guard PublicKey.rsaBits.contains(bits) else {
            throw SignatureError(
                .weakKey(bits: bits), "an RSA key of \(bits) bits does not sign mail; use 2048")
        }
        guard let key = martlet_generate_rsa_key(UInt32(bits)) else {
            throw .openSSL("the key cannot be made")
        }
        return try DKIMPrivateKey(owning: key)
    }

    /// A new Ed25519 key. Not all verifiers know them: sign with an RSA key as well. RFC 8463.
    public static func ed25519() throws(SignatureError) -> DKIMPrivateKey {
        guard let key = martlet_generate_ed25519_key() else {
            throw .openSSL("the key cannot be made")
        }
        return try DKIMPrivateKey(owning: key)
    }

    /// The key in PEM, not encrypted.
    public func pem() throws(SignatureError) -> Secret {
        let pem = OpenSSL.octets {
            PEM_write_bio_PrivateKey($0, pointer, nil, nil, 0, nil, nil) == 1
        }
        guard let pem else { throw .openSSL("the key cannot be written") }
        return Secret(octets: pem)
    }

    /// The TXT record to publish at `SELECTOR._domainkey.DOMAIN`, as one text: DNS cuts it into strings of up to 255
    /// octets. RFC 6376 §3.6.1, RFC 8463 §4.
    public func keyRecord() throws(SignatureError) -> String {
        let octets: [UInt8]?
        switch algorithm {
        case .rsaSHA256:
            var der: UnsafeMutablePointer<UInt8>?
            let count = i2d_PUBKEY(pointer, &der)
            octets = OpenSSL.take(der, count)
        case .ed25519SHA256:
            var count = 32
            var raw = [UInt8](repeating: 0, count: count)
            octets = EVP_PKEY_get_raw_public_key(pointer, &raw, &count) == 1 ? raw : nil
        }
        guard let octets else { throw .openSSL("the public key cannot be written") }
        return "v=DKIM1; k=\(algorithm.keyType); p="
            + String(decoding: Base64.encode(octets), as: UTF8.self)
    }

    /// Signs `digest`, a SHA-256.
    func sign(_ digest: [UInt8]) throws(SignatureError) -> [UInt8] {
        ERR_clear_error()
        var count = Int(EVP_PKEY_get_size(pointer))
        var signature = [UInt8](repeating: 0, count: count)
        let isDone: Bool
        switch algorithm {
        case .rsaSHA256:
            let context = EVP_PKEY_CTX_new(pointer, nil)
            defer { EVP_PKEY_CTX_free(context) }
            isDone =
                EVP_PKEY_sign_init(context) == 1
                && EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PADDING) == 1
                && EVP_PKEY_CTX_set_signature_md(context, EVP_sha256()) == 1
                && EVP_PKEY_sign(context, &signature, &count, digest, digest.count) == 1
        case .ed25519SHA256:
            let context = EVP_MD_CTX_new()
            defer { EVP_MD_CTX_free(context) }
            isDone =
                EVP_DigestSignInit(context, nil, nil, nil, pointer) == 1
                && EVP_DigestSign(context, &signature, &count, digest, digest.count) == 1
        }
        guard isDone else { throw .openSSL("the message cannot be signed") }
        return [UInt8](signature.prefix(count))
    }
}
