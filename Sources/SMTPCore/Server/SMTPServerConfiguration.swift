/// How a server side presents itself.
public struct SMTPServerConfiguration: Sendable {
    /// The server's name in its greeting and its reply to EHLO.
    public var hostName: EHLOName
    /// Whether it speaks LMTP: `LHLO` in the place of `EHLO`, and an answer for each recipient after a message. RFC 2033.
    public var isLMTP = false
    /// Extensions to offer besides SIZE, STARTTLS and AUTH, which follow from the other properties.
    public var extensions: Set<SMTPExtension> = [
        .pipelining, .eightBitMIME, .smtpUTF8, .enhancedStatusCodes,
    ]
    /// Whether STARTTLS is offered while a session is in the clear.
    public var offersStartTLS = false
    /// SASL mechanisms to offer, in order, in upper case. Empty: no AUTH. What needs TLS, such as `SCRAM-SHA-256-PLUS`, is
    /// offered only there.
    public var mechanisms: [String] = []
    /// Whether AUTH is offered in the clear.
    public var allowsPlaintextAuthentication = false
    /// Whether MAIL is refused before a login.
    public var requiresAuthentication = false
    /// The largest message, in octets: declared and real.
    public var maximumSizeInOctets = 64 * 1024 * 1024
    /// Whether each command is asked about before it is done: for servers with rules of their own.
    public var asksBeforeCommands = false
    /// Changes the lines that EHLO tells, but not what the session does: for tests of clients that meet a server that lies.
    public var changesOffer: (@Sendable ([String]) -> [String])?

    /// Makes a configuration with the defaults above.
    public init(hostName: EHLOName) { self.hostName = hostName }
}
