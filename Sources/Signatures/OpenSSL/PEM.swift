import CMartletOpenSSL
import MartletBytes

/// Reads keys and certificates from PEM. RFC 7468.
enum PEM {
    /// The first private key. The caller frees it.
    static func privateKey(_ pem: Secret, passphrase: Secret?) throws(SignatureError)
        -> OpaquePointer
    {
        ERR_clear_error()
        let key = pem.withOctets { octets -> OpaquePointer? in
            guard let bio = BIO_new_mem_buf(octets.baseAddress, Int32(clamping: octets.count))
            else { return nil }
            defer { BIO_free(bio) }
            guard let passphrase else {
                return PEM_read_bio_PrivateKey(bio, nil, noPassphrase, nil)
            }
            return passphrase.withOctets { octets in
                var lent = octets
                return PEM_read_bio_PrivateKey(bio, nil, givePassphrase, &lent)
            }
        }
        guard let key else {
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

// OpenSSL asks at the terminal unless it is given a function; these never do.

func noPassphrase(
    _ target: UnsafeMutablePointer<CChar>?, _ limit: Int32, _ isWriting: Int32,
    _ argument: UnsafeMutableRawPointer?
) -> Int32 { -1 }

private func givePassphrase(
    _ target: UnsafeMutablePointer<CChar>?, _ limit: Int32, _ isWriting: Int32,
    _ argument: UnsafeMutableRawPointer?
) -> Int32 {
    guard let target, let argument else { return -1 }
    let octets = argument.load(as: UnsafeBufferPointer<UInt8>.self)
    guard octets.count <= Int(limit) else { return -1 }
    for (index, octet) in octets.enumerated() { target[index] = CChar(bitPattern: octet) }
    return Int32(octets.count)
}
