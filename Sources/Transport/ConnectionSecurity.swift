/// How a connection is protected. There is no "if possible": who could be talked out of TLS has none.
public enum ConnectionSecurity: String, Sendable, CaseIterable {
    /// TLS from the first octet (ports 465, 993, 995). RFC 8314 §3.
    case implicitTLS = "implicit"
    /// A plain greeting, then TLS by the protocol's own command, or no connection at all.
    case startTLS = "starttls"
    /// No protection: everybody on the way can read and change everything.
    case plaintext
}
