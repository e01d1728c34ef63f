import CMartletOpenSSL

/// Random octets that nobody can foresee.
package enum SecureRandom {
    /// `count` octets from OpenSSL's generator.
    package static func octets(_ count: Int) -> [UInt8] {
        var octets = [UInt8](repeating: 0, count: count)
        // Without randomness nothing that is called secure can go on in this process.
        guard let size = Int32(exactly: count), RAND_bytes(&octets, size) == 1 else {
            preconditionFailure("OpenSSL has no random octets")
        }
        return octets
    }
}

/// Comparing without telling by the time it takes where two values differ.
package enum ConstantTime {
    /// Whether both hold the same octets. Only their lengths are told.
    package static func equal(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        left.count == right.count && CRYPTO_memcmp(left, right, left.count) == 0
    }
}
