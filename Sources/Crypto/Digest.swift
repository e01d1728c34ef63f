import CMartletOpenSSL

/// A digest function by OpenSSL.
package enum Digest: String, Sendable, CaseIterable {
    /// MD5, RFC 1321: broken, for mechanisms that are made of it.
    case md5 = "MD5"
    /// SHA-1, FIPS 180-4.
    case sha1 = "SHA-1"
    /// SHA-256, FIPS 180-4.
    case sha256 = "SHA-256"
    /// SHA-384, FIPS 180-4.
    case sha384 = "SHA-384"
    /// SHA-512, FIPS 180-4.
    case sha512 = "SHA-512"

    /// Octets of a digest.
    package var sizeInOctets: Int {
        switch self {
        case .md5: 16
        case .sha1: 20
        case .sha256: 32
        case .sha384: 48
        case .sha512: 64
        }
    }

    /// The digest of `octets`.
    ///
    /// - Throws: `.unavailable`, such as for MD5 under FIPS.
    package func hash(_ octets: [UInt8]) throws(CryptoError) -> [UInt8] {
        defer { ERR_clear_error() }
        guard let digest = OpenSSL.digest(octets, function) else { throw unavailable }
        return digest
    }

    /// OpenSSL's own tables, which live as long as the process.
    var function: OpaquePointer? {
        switch self {
        case .md5: EVP_md5()
        case .sha1: EVP_sha1()
        case .sha256: EVP_sha256()
        case .sha384: EVP_sha384()
        case .sha512: EVP_sha512()
        }
    }

    var unavailable: CryptoError { .unavailable(rawValue) }
}
