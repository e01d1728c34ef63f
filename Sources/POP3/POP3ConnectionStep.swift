import MartletPOP3Core
import MartletTransport

/// What has been done on the way to a usable connection, in this order; steps that do not apply are left out.
public enum POP3ConnectionStep: Sendable {
    /// Connected; the address is that of the server, if there is a socket.
    case connected(SocketAddress?)
    /// TLS is on.
    case secured(TLSConnectionInfo)
    /// The server's first words.
    case greeted(POP3Greeting)
    /// What the server offers: before TLS, before the login, and after it.
    case capabilities(POP3Capabilities)
    /// Logged in by this mechanism; `USER` and `APOP` are the commands of that name.
    case authenticated(mechanism: String)
}
