/// What a session was doing.
public enum SMTPStage: Hashable, Sendable {
    /// Nothing was sent yet: the caller's addresses and message are looked at.
    case envelope
    /// Opening the connection.
    case connect
    /// The TLS handshake.
    case tlsHandshake
    /// The server's first reply. RFC 5321 §4.3.1.
    case greeting
    /// `EHLO`.
    case ehlo
    /// `HELO`.
    case helo
    /// `STARTTLS`.
    case startTLS
    /// `AUTH` and the lines that follow it.
    case authentication
    /// `MAIL FROM`.
    case mailFrom
    /// `RCPT TO`.
    case rcptTo
    /// `DATA`.
    case data
    /// The message is being sent.
    case body
    /// The reply after the message's last octet. Without it nobody knows whether the message was taken.
    case endOfData
    /// `RSET`.
    case reset
    /// `NOOP`.
    case noop
    /// `VRFY`.
    case verify
    /// `HELP`.
    case help
    /// `QUIT`.
    case quit
    /// A command this module has no type for.
    case other
    /// Between commands.
    case idle

    /// May be followed by more commands before its reply came. RFC 2920 §3.1.
    var mayBeFollowed: Bool { self == .mailFrom || self == .rcptTo || self == .reset }
    /// May follow others before their replies came. DATA could, but its refusal would be too late to act on.
    var mayFollow: Bool {
        switch self {
        case .mailFrom, .rcptTo, .reset, .noop, .quit, .verify, .help: true
        default: false
        }
    }
}
