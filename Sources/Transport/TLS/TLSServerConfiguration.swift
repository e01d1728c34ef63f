/// How a server secures its connections.
public struct TLSServerConfiguration: Sendable {
    /// Whether clients show a certificate.
    public enum ClientVerification: Sendable {
        /// They are not asked.
        case none
        /// They are asked and may show none; one that is shown must be good.
        case optional(TLSTrust)
        /// They must show a good one.
        case required(TLSTrust)
    }

    /// The certificate chain and key.
    public var identity: TLSIdentity

    /// The oldest version spoken, TLS 1.2 by default.
    public var minimumVersion: TLSVersion = .tls12

    /// The newest version spoken; `nil` for the newest there is.
    public var maximumVersion: TLSVersion?

    /// Whether clients show a certificate. Not asked by default.
    public var clientVerification: ClientVerification = .none

    /// A server that shows `identity`.
    public init(identity: TLSIdentity) { self.identity = identity }
}
