import MartletMIME

/// `MAIL FROM`: opens a mail transaction. RFC 5321 §4.1.1.2.
///
///     C: MAIL FROM:<a@example.org> SIZE=1024 BODY=8BITMIME
///     S: 250 2.1.0 Ok
public struct MailFrom: SMTPCommand {
    /// Where failure notices go.
    public var reversePath: ReversePath
    /// The message's size, which the server may refuse up front. Only where SIZE is offered. RFC 1870 §6.
    public var sizeInOctets: Int?
    /// Whether the message has 8-bit octets. Only where 8BITMIME is offered. RFC 6152 §2.
    public var is8Bit = false
    /// Whether addresses or header fields have characters beyond ASCII. Only where offered. RFC 6531 §3.4.
    public var usesSMTPUTF8 = false
    /// The name under which delivery reports speak of the message. Only where DSN is offered. RFC 3461 §4.4.
    public var envelopeID: EnvelopeID?

    /// Makes the command without parameters.
    public init(_ reversePath: ReversePath) { self.reversePath = reversePath }

    /// `.mailFrom`.
    public var stage: SMTPStage { .mailFrom }

    /// Writes the line.
    public func encode(into output: inout SMTPEncoder) {
        output.text("MAIL FROM:")
        output.path(reversePath.mailbox)
        if let sizeInOctets {
            output.text(" SIZE=")
            output.number(max(0, sizeInOctets))
        }
        if is8Bit { output.text(" BODY=8BITMIME") }
        if usesSMTPUTF8 { output.text(" SMTPUTF8") }
        if let envelopeID {
            output.text(" ENVID=")
            output.text(envelopeID.xtext)
        }
        output.endOfLine()
    }

    /// Returns when the sender is taken.
    public func interpret(_ reply: SMTPReply) throws(SMTPError) { try requireCompletion(reply) }
}
