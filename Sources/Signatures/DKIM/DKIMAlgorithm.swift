/// How a signature is made. RFC 6376 §3.3, RFC 8463 §3.
public enum DKIMAlgorithm: String, Sendable, Hashable, CaseIterable {
    /// RSA with PKCS #1 v1.5 padding over SHA-256.
    case rsaSHA256 = "rsa-sha256"
    /// Ed25519 over the SHA-256 of the header. RFC 8463 §3.
    case ed25519SHA256 = "ed25519-sha256"

    /// The type of key in a key record, `k=`.
    var keyType: String {
        switch self {
        case .rsaSHA256: "rsa"
        case .ed25519SHA256: "ed25519"
        }
    }
}
