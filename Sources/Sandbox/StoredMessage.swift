import MartletMIME
import MartletSMTPCore
import MartletTransport

/// A message that the sandbox took.
public struct StoredMessage: Sendable, Identifiable {
    /// Counts up from 1, over all mailboxes.
    public let id: Int
    /// From whom and to whom, as the client told the server.
    public let envelope: DeliveryEnvelope
    /// The message, octet for octet as it came, without the doubled dots.
    public let octets: [UInt8]
    /// When it came.
    public let received: WallClock
    /// Who had logged in, as a whole address.
    public let user: String?
    /// What the client called itself.
    public let clientName: String
    /// The TLS version it came through, `nil` for plain text.
    public let tlsVersion: TLSVersion?

    /// The message, parsed: each time it is asked for.
    public var message: Message { Message(parsing: octets) }
}
