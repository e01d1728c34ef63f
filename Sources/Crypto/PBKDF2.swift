import CMartletOpenSSL
import MartletBytes

/// PBKDF2 with HMAC. RFC 8018 §5.2; `Hi` of RFC 5802 §2.2.
package enum PBKDF2 {
    /// Most iterations: ten million of SHA-512 take some seconds.
    package static let iterationLimit = 10_000_000

    /// A key of the digest's size. Takes long on purpose: never on an event loop.
    ///
    /// - Throws: `.iterationsOutOfRange`, `.unavailable`.
    package static func key(
        password: Secret, salt: [UInt8], iterations: Int, _ digest: Digest
    ) throws(CryptoError) -> Secret {
        guard 1...iterationLimit ~= iterations else {
            throw .iterationsOutOfRange(iterations)
        }
        var key = [UInt8](repeating: 0, count: digest.sizeInOctets)
        defer { wipe(&key) }
        let isDone = password.withOctets { password in
            guard let count = Int32(exactly: password.count),
                let saltCount = Int32(exactly: salt.count)
            else { return false }
            let nothing: [CChar] = [0]
            return nothing.withUnsafeBufferPointer { nothing in
                let start = UnsafeRawPointer(password.baseAddress).map {
                    $0.assumingMemoryBound(to: CChar.self)
                }
                return PKCS5_PBKDF2_HMAC(
                    start ?? nothing.baseAddress, count, salt, saltCount, Int32(iterations),
                    digest.function, Int32(digest.sizeInOctets), &key) == 1
            }
        }
        guard isDone else {
            ERR_clear_error()
            throw .unavailable("PBKDF2 with \(digest.rawValue)")
        }
        return Secret(octets: key)
    }
}

/// Zeroes octets in a way that no optimiser leaves out.
package func wipe(_ octets: inout [UInt8]) {
    octets.withUnsafeMutableBytes { OPENSSL_cleanse($0.baseAddress, $0.count) }
}
