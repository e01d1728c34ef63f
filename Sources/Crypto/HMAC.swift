import CMartletOpenSSL
import MartletBytes

extension Digest {
    /// The keyed digest of `octets`. RFC 2104.
    ///
    /// - Throws: `.unavailable`.
    package func hmac(
        _ octets: [UInt8], key: UnsafeBufferPointer<UInt8>
    ) throws(CryptoError) -> [UInt8] {
        defer { ERR_clear_error() }
        guard let function, let keyCount = Int32(exactly: key.count) else { throw unavailable }
        var code = [UInt8](repeating: 0, count: sizeInOctets)
        var count: UInt32 = 0
        // A key without octets still needs a place: no pointer means "the last key" to OpenSSL.
        let nothing: [UInt8] = [0]
        let isDone = nothing.withUnsafeBufferPointer { nothing in
            HMAC(
                function, key.baseAddress ?? nothing.baseAddress, keyCount, octets, octets.count,
                &code, &count) != nil
        }
        guard isDone, Int(count) == sizeInOctets else { throw unavailable }
        return code
    }

    /// The keyed digest of `octets`.
    package func hmac(_ octets: [UInt8], key: [UInt8]) throws(CryptoError) -> [UInt8] {
        try key.withUnsafeBufferPointer { key throws(CryptoError) in try hmac(octets, key: key) }
    }

    /// The keyed digest of `octets`.
    package func hmac(_ octets: [UInt8], key: Secret) throws(CryptoError) -> [UInt8] {
        var result: Result<[UInt8], CryptoError> = .failure(unavailable)
        key.withOctets { key in
            result = Result { () throws(CryptoError) in try hmac(octets, key: key) }
        }
        return try result.get()
    }
}
