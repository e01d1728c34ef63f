import CMartletOpenSSL

/// Small readings from OpenSSL's objects.
enum OpenSSL {
    /// The library's words for the oldest error of this thread, and none after that.
    static func takeReason() -> String {
        defer { ERR_clear_error() }
        let code = ERR_peek_error()
        guard code != 0 else { return "" }
        return ERR_reason_error_string(code).map { String(cString: $0) } ?? "error \(code)"
    }

    /// What a memory BIO made by `write` holds.
    static func octets(_ write: (OpaquePointer) -> Bool) -> [UInt8]? {
        guard let bio = BIO_new(BIO_s_mem()) else { return nil }
        defer { BIO_free(bio) }
        guard write(bio) else { return nil }
        return octets(of: bio)
    }

    /// What a memory BIO holds.
    static func octets(of bio: OpaquePointer) -> [UInt8] {
        var start: UnsafePointer<UInt8>?
        let count = martlet_bio_memory(bio, &start)
        return [UInt8](UnsafeBufferPointer(start: start, count: max(0, count)))
    }

    /// Lends a BIO that reads `octets`, without copying them.
    static func withBIO<Result>(
        _ octets: UnsafeRawBufferPointer, _ body: (OpaquePointer) throws(SignatureError) -> Result
    ) throws(SignatureError) -> Result {
        guard let count = Int32(exactly: octets.count) else {
            throw SignatureError(.tooLarge(limit: Int(Int32.max)), "the octets are too many")
        }
        // A BIO of nothing wants a pointer even so.
        let nothing: [UInt8] = [0]
        let bio =
            octets.baseAddress.map { BIO_new_mem_buf($0, count) } ?? BIO_new_mem_buf(nothing, 0)
        guard let bio else { throw .openSSL("there is no memory for a reader") }
        defer { BIO_free(bio) }
        return try body(bio)
    }

    /// The octets that an `i2d` function made, which are freed.
    static func take(_ octets: UnsafeMutablePointer<UInt8>?, _ count: Int32) -> [UInt8]? {
        guard let octets else { return nil }
        defer { CRYPTO_free(octets, #file, #line) }
        guard count > 0 else { return nil }
        return [UInt8](UnsafeBufferPointer(start: octets, count: Int(count)))
    }

    /// Seconds since 1 January 1970, now.
    static var secondsSinceEpoch: Int64 { martlet_seconds_since_epoch() }
}
