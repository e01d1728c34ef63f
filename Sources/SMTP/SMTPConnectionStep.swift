import MartletSMTPCore
import MartletTransport

/// What has been done on the way to a usable connection, in this order; steps that do not apply are left out.
public enum SMTPConnectionStep: Sendable {
    /// Connected; the address is that of the server, if there is a socket.
    case connected(SocketAddress?)
    /// TLS is on.
    case secured(TLSConnectionInfo)
    /// The server's first words.
    case greeted(SMTPReply)
    /// The answer to EHLO: twice with STARTTLS, since what was said before TLS counts for nothing.
    case introduced(SMTPCapabilities)
    /// Logged in by this mechanism.
    case authenticated(mechanism: String)
}
