/// How a client secures a connection. The defaults are safe.
///
///     var tls = TLSConfiguration()
///     tls.trust = .certificateAuthorities(file: "ca.pem")
public struct TLSConfiguration: Sendable {
    /// How much of the server's certificate is checked.
    public enum Verification: Sendable, Hashable {
        /// Issuer, dates, purpose and name.
        case full
        /// Nothing but `pins`: with none, anybody in between can read and change everything.
        case dangerouslyUnverified
    }

    /// Whose certificates are believed. The system's by default.
    public var trust: TLSTrust = .system

    /// How much is checked. Everything by default.
    public var verification: Verification = .full

    /// The oldest version spoken, TLS 1.2 by default. Older ones are broken (RFC 8996): allowing one
    /// also allows the weak signatures it needs.
    public var minimumVersion: TLSVersion = .tls12

    /// The name the certificate must carry, where it is not the name that was connected to: a host
    /// name in A-labels or an IP address. Also sent as the server name (SNI, RFC 6066 §3), unless it
    /// is an address.
    public var hostName: String?

    /// What to show when the server asks for a certificate.
    public var identity: TLSIdentity?

    /// Public keys of which the server's chain must have one; checked in addition. Empty: none. With
    /// `dangerouslyUnverified` the server's own key must be among them.
    public var pins: Set<PublicKeyPin> = []

    /// Where sessions are kept, so that the next connection takes one round trip less and no
    /// signature. `nil`: every connection starts anew.
    public var sessionCache: TLSSessionCache? = .shared

    /// The defaults.
    public init() {}
}
