import MartletBytes

/// What a server session wants of its shell.
public enum SMTPServerAction: Sendable {
    /// Write the output, do the TLS handshake, then call `tlsStarted()`.
    case startTLS
    /// A login starts. Answer with `.challenge`, `.accept` or `.refuse`.
    case authenticate(mechanism: String, initialResponse: Secret?)
    /// The client answered a challenge. Answer again.
    case authenticationResponse(Secret)
    /// The client gave the login up: forget it. No answer.
    case authenticationCancelled
    /// A command came, by its verb in upper case, such as `DATA`; it is not done yet. Only where the configuration
    /// `asksBeforeCommands`. Answer with `.accept`, and it is done, or `.refuse`.
    case command(String)
    /// `MAIL FROM`. Answer with `.accept` or `.refuse`.
    case sender(ReversePath)
    /// `RCPT TO`. Answer with `.accept` or `.refuse`.
    case recipient(ForwardPath)
    /// A message comes; pieces follow. No answer.
    case messageBegins(DeliveryEnvelope)
    /// The next octets of the message, without doubled dots. No answer.
    case messagePiece([UInt8])
    /// The message is whole. Answer with `.accept` once it is kept, or `.refuse`.
    case messageEnds
    /// The message is not to be kept: too large, broken, or the client went away. No answer.
    case messageDropped
    /// Write the output and close the connection.
    case close
}

/// A shell's answer to the last action that asks for one.
public enum SMTPServerAnswer: Sendable {
    /// Yes, with the usual reply or this one.
    case accept(SMTPReply? = nil)
    /// No, with this reply (4yz or 5yz).
    case refuse(SMTPReply)
    /// To a message over LMTP: a reply for each recipient, in their order. RFC 2033 §4.2.
    case each([SMTPReply])
    /// The login goes on: send this (not encoded) and wait for the client's answer.
    case challenge([UInt8])
}
