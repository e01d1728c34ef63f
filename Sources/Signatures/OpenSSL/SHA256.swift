import CMartletOpenSSL

/// SHA-256 over octets that come in pieces. FIPS 180-4.
///
/// One task uses it at a time.
final class SHA256 {
    /// Octets of a digest.
    static let size = 32

    // Fetched once: looking an algorithm up by name takes longer than hashing a short header. Never freed; immutable,
    // and OpenSSL lets threads share it.
    nonisolated(unsafe) private static let algorithm = EVP_MD_fetch(nil, "SHA256", nil)

    private let context: OpaquePointer

    init() {
        // Without memory for a context nothing at all goes on in this process.
        guard let context = EVP_MD_CTX_new(),
            EVP_DigestInit_ex(context, Self.algorithm, nil) == 1
        else { preconditionFailure("OpenSSL has no SHA-256") }
        self.context = context
    }

    /// A second one that has seen the same octets.
    init(copyOf other: SHA256) {
        guard let context = EVP_MD_CTX_new(), EVP_MD_CTX_copy_ex(context, other.context) == 1 else {
            preconditionFailure("OpenSSL cannot copy a digest")
        }
        self.context = context
    }

    deinit { EVP_MD_CTX_free(context) }

    func update(_ octets: UnsafeRawBufferPointer) {
        EVP_DigestUpdate(context, octets.baseAddress, octets.count)
    }

    func update(_ octets: [UInt8]) { octets.withUnsafeBytes { update($0) } }

    /// The digest. Nothing can be added after it.
    func finish() -> [UInt8] {
        var count: UInt32 = 0
        return [UInt8](unsafeUninitializedCapacity: Self.size) { digest, filled in
            EVP_DigestFinal_ex(context, digest.baseAddress, &count)
            filled = Int(count)
        }
    }

    static func digest(of octets: [UInt8]) -> [UInt8] {
        let digest = SHA256()
        digest.update(octets)
        return digest.finish()
    }
}
