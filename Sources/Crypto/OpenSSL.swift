import CMartletOpenSSL

/// Small readings from OpenSSL's objects.
package enum OpenSSL {
    /// The library's words for the oldest error of this thread, and none after that.
    package static func takeReason() -> String {
        defer { ERR_clear_error() }
        let code = ERR_peek_error()
        return code == 0 ? "" : reason(code)
    }

    /// The library's words for an error.
    package static func reason(_ code: UInt) -> String {
        ERR_reason_error_string(code).map { String(cString: $0) } ?? "error \(code)"
    }

    /// The digest of `octets`; `nil` without a function for it.
    package static func digest(_ octets: [UInt8], _ algorithm: OpaquePointer?) -> [UInt8]? {
        var size: UInt32 = 0
        var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        guard let algorithm,
            EVP_Digest(octets, octets.count, &digest, &size, algorithm, nil) == 1
        else { return nil }
        return [UInt8](digest.prefix(Int(size)))
    }

    /// What a memory BIO made by `write` holds.
    package static func octets(_ write: (OpaquePointer) -> Bool) -> [UInt8]? {
        guard let bio = BIO_new(BIO_s_mem()) else { return nil }
        defer { BIO_free(bio) }
        guard write(bio) else { return nil }
        var start: UnsafePointer<UInt8>?
        let count = martlet_bio_memory(bio, &start)
        return [UInt8](UnsafeBufferPointer(start: start, count: max(0, count)))
    }

    /// Lends a BIO that reads `octets`, without copying them; `nil` where they are too many, or there is no memory.
    package static func withBIO<Result, Failure: Error>(
        _ octets: UnsafeRawBufferPointer, _ body: (OpaquePointer?) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        guard let count = Int32(exactly: octets.count) else { return try body(nil) }
        // A BIO of nothing wants a pointer even so.
        let nothing: [UInt8] = [0]
        let bio =
            octets.baseAddress.map { BIO_new_mem_buf($0, count) } ?? BIO_new_mem_buf(nothing, 0)
        defer { BIO_free(bio) }
        return try body(bio)
    }

    /// The octets that an `i2d` function made, which are freed.
    package static func take(_ octets: UnsafeMutablePointer<UInt8>?, _ count: Int32) -> [UInt8]? {
        guard let octets else { return nil }
        defer { CRYPTO_free(octets, #file, #line) }
        guard count > 0 else { return nil }
        return [UInt8](UnsafeBufferPointer(start: octets, count: Int(count)))
    }

    /// A name in a certificate, in the form of RFC 4514.
    package static func name(_ name: OpaquePointer?) -> String {
        guard let name, let text = octets({ martlet_name_print($0, name) >= 0 }) else { return "" }
        return String(decoding: text, as: UTF8.self)
    }

    /// A time in seconds since 1 January 1970; 0 for none.
    package static func seconds(_ time: UnsafePointer<ASN1_TIME>?) -> Int64 {
        var days: Int32 = 0
        var seconds: Int32 = 0
        guard let time, let epoch = ASN1_TIME_set(nil, 0) else { return 0 }
        defer { ASN1_TIME_free(epoch) }
        guard ASN1_TIME_diff(&days, &seconds, epoch, time) == 1 else { return 0 }
        return Int64(days) * 86_400 + Int64(seconds)
    }
}
