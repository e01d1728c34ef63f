import CMartletOpenSSL
import MartletBytes

/// Reads keys and certificates from PEM. RFC 7468.
package enum PEM {
    /// The first private key, which the caller frees. Where there is none, OpenSSL has the reason.
    package static func privateKey(
        _ octets: UnsafeBufferPointer<UInt8>, passphrase: Secret?
    ) -> OpaquePointer? {
        ERR_clear_error()
        return OpenSSL.withBIO(UnsafeRawBufferPointer(octets)) { bio in
            guard let bio else { return nil }
            guard let passphrase else {
                return PEM_read_bio_PrivateKey(bio, nil, noPassphrase, nil)
            }
            return passphrase.withOctets { octets in
                var lent = octets
                return PEM_read_bio_PrivateKey(bio, nil, givePassphrase, &lent)
            }
        }
    }

    /// The next certificate, which the caller frees.
    package static func certificate(from bio: OpaquePointer) -> OpaquePointer? {
        PEM_read_bio_X509(bio, nil, noPassphrase, nil)
    }

    /// The next revocation list, which the caller frees.
    package static func revocationList(from bio: OpaquePointer) -> OpaquePointer? {
        PEM_read_bio_X509_CRL(bio, nil, noPassphrase, nil)
    }

    /// Whether the last reading failed for want of another item, and not since one is damaged.
    package static var isAtEnd: Bool {
        let code = ERR_peek_last_error()
        return code == 0
            || (ERR_GET_LIB(code) == ERR_LIB_PEM && ERR_GET_REASON(code) == PEM_R_NO_START_LINE)
    }
}

// OpenSSL asks at the terminal unless it is given a function; these never do.

private func noPassphrase(
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
