/// Which octets bind an authentication to its TLS connection. RFC 5056.
public enum TLSChannelBinding: String, Sendable, CaseIterable {
    /// Exported keying material. RFC 9266.
    case tlsExporter = "tls-exporter"
    /// The first Finished message. RFC 5929 §3. Not defined for TLS 1.3, where servers that know
    /// nothing newer use it all the same: prefer `tlsExporter` there.
    case tlsUnique = "tls-unique"
    /// A digest of the server's certificate. RFC 5929 §4.
    case tlsServerEndPoint = "tls-server-end-point"
}

/// The octets that bind an authentication to one TLS connection: both ends can compute them, and nobody in between.
public struct TLSChannelBindings: Sendable, Hashable {
    /// One kind and its octets.
    public struct Binding: Sendable, Hashable {
        /// Which it is; `rawValue` is its registered name.
        public let kind: TLSChannelBinding
        /// What both ends compute.
        public let octets: [UInt8]
    }

    /// All that are defined and safe for this connection, best first: what is made for its version of TLS, what is unique to
    /// the connection, what is common to all connections with the certificate.
    public let all: [Binding]

    init(_ engine: any TLSEngine, isTLS13: Bool) {
        let order: [TLSChannelBinding] =
            isTLS13
            ? [.tlsExporter, .tlsUnique, .tlsServerEndPoint]
            : [.tlsUnique, .tlsExporter, .tlsServerEndPoint]
        all = order.compactMap { kind in
            engine.channelBinding(kind).map { Binding(kind: kind, octets: $0) }
        }
    }

    /// The octets of a kind; `nil` where it is not defined or not safe for this connection.
    public subscript(kind: TLSChannelBinding) -> [UInt8]? {
        all.first { $0.kind == kind }?.octets
    }
}
