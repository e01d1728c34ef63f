import MartletIMAPCore
import MartletTransport

/// What has been done on the way to a usable connection, in this order; steps that do not apply are left out.
public enum IMAPConnectionStep: Sendable {
    /// Connected; the address is that of the server, if there is a socket.
    case connected(SocketAddress?)
    /// TLS is on.
    case secured(TLSConnectionInfo)
    /// The server's first words.
    case greeted(UntaggedCondition)
    /// What the server offers: before login, and again after it.
    case capabilities(Capabilities)
    /// Logged in by this mechanism; `LOGIN` is the command of that name, `PREAUTH` a server that asks for nobody.
    case authenticated(mechanism: String)
    /// What the server says of itself.
    case identified(IDParameters)
    /// What goes over the wire is compressed.
    case compressed
}
