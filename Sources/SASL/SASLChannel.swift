/// Octets that both ends of a TLS connection, and nobody in between, can compute. RFC 5056.
public struct SASLChannelBinding: Sendable, Hashable {
    /// The registered name, such as `tls-exporter`.
    public var name: String
    /// What both ends compute.
    public var octets: [UInt8]

    /// Names what was computed.
    public init(name: String, octets: [UInt8]) {
        self.name = name
        self.octets = octets
    }

    /// Exported keying material, for TLS 1.3. RFC 9266.
    public static let tlsExporter = "tls-exporter"
    /// The first Finished message, for TLS 1.2. RFC 5929 §3.
    public static let tlsUnique = "tls-unique"
    /// A digest of the server's certificate. RFC 5929 §4.
    public static let tlsServerEndPoint = "tls-server-end-point"
}

/// The connection that a login goes over, as far as mechanisms care.
public struct SASLChannel: Sendable {
    /// The service's name as GSSAPI registers it: `smtp`, `imap`, `pop`.
    public var service: String
    /// The server's host name, as the caller knows it.
    public var host: String
    /// The server's port.
    public var port: Int
    /// Whether nobody in between can read what is said.
    public var isEncrypted: Bool
    /// What the login can be bound to, best first. Empty without TLS.
    public var bindings: [SASLChannelBinding]
    /// The time of day in seconds since 1 January 1970, which NTLM puts into its digest.
    public var secondsSinceEpoch: Int64

    /// Describes a connection.
    public init(
        service: String, host: String, port: Int, isEncrypted: Bool,
        bindings: [SASLChannelBinding] = [], secondsSinceEpoch: Int64 = 0
    ) {
        self.service = service
        self.host = host
        self.port = port
        self.isEncrypted = isEncrypted
        self.bindings = bindings
        self.secondsSinceEpoch = secondsSinceEpoch
    }

    /// The binding of a kind, if there is one.
    func binding(_ name: String) -> SASLChannelBinding? { bindings.first { $0.name == name } }
}
