import CMartletOpenSSL
import MartletBytes
import MartletCrypto

extension OpenSSL {
    /// Lends a BIO that reads `octets`, without copying them.
    static func withReader<Result>(
        _ octets: [UInt8], _ body: (OpaquePointer) throws(SignatureError) -> Result
    ) throws(SignatureError) -> Result {
        try octets.span.withUnsafeBytes { octets throws(SignatureError) in
            try withBIO(octets) { bio throws(SignatureError) in
                guard let bio else {
                    throw SignatureError(
                        .tooLarge(limit: Int(Int32.max)), "the octets are too many")
                }
                return try body(bio)
            }
        }
    }

    /// Seconds since 1 January 1970, now.
    static var secondsSinceEpoch: Int64 { martlet_seconds_since_epoch() }
}

extension PEM {
    /// The first private key. The caller frees it.
    static func privateKey(
        _ pem: Secret, passphrase: Secret?
    ) throws(SignatureError) -> OpaquePointer {
        guard let key = pem.withOctets({ privateKey($0, passphrase: passphrase) }) else {
            throw SignatureError(
                .invalidKey,
                passphrase == nil
                    ? "there is no private key that can be read without a passphrase"
                    : "the passphrase opens no private key",
                reason: OpenSSL.takeReason())
        }
        ERR_clear_error()
        return key
    }
}
