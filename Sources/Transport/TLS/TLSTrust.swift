/// Whose signature under a certificate is believed.
///
///     TLSTrust.system
///     TLSTrust.certificateAuthorities(file: "/etc/company/ca.pem")
///     TLSTrust.system.adding(.certificateAuthorities(pem: octets))
///
/// An authority may be a root, an intermediate or a single server's own certificate.
public struct TLSTrust: Sendable, Hashable {
    enum Source: Sendable, Hashable {
        case file(String)
        case octets([UInt8])
    }

    var usesSystem = false
    var authorities: [Source] = []
    var revocationLists: [Source] = []

    /// The authorities the system trusts. `SSL_CERT_FILE` and `SSL_CERT_DIR` are heeded.
    public static let system = TLSTrust(usesSystem: true)

    /// Only the certificates in a PEM file, which is read when the first connection is prepared.
    public static func certificateAuthorities(file path: String) -> TLSTrust {
        TLSTrust(authorities: [.file(path)])
    }

    /// Only these certificates: the octets of a PEM file.
    public static func certificateAuthorities(pem octets: [UInt8]) -> TLSTrust {
        TLSTrust(authorities: [.octets(octets)])
    }

    /// Both: a certificate is good if either of the two trusts its issuer.
    public func adding(_ other: TLSTrust) -> TLSTrust {
        TLSTrust(
            usesSystem: usesSystem || other.usesSystem,
            authorities: authorities + other.authorities,
            revocationLists: revocationLists + other.revocationLists)
    }

    /// The same, and the server's certificate must not be on these revocation lists, one or more in
    /// PEM. RFC 5280 §5. A certificate whose issuer has no list here is then refused as well.
    public func checking(revocationListsPEM octets: [UInt8]) -> TLSTrust {
        var copy = self
        copy.revocationLists.append(.octets(octets))
        return copy
    }
}
