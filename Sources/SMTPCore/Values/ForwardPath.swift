/// A recipient: the argument of `RCPT TO`. RFC 5321 §4.1.1.3.
public struct ForwardPath: Hashable, Sendable, CustomStringConvertible {
    /// The recipient's mailbox.
    public let mailbox: PathMailbox

    /// Takes a checked mailbox.
    public init(_ mailbox: PathMailbox) { self.mailbox = mailbox }

    /// Checks and keeps a mailbox.
    ///
    /// - Throws: `.invalidInput`, recovery `.fixInput`.
    public init(localPart: String, domain: String) throws(SMTPError) {
        mailbox = try PathMailbox(localPart: localPart, domain: domain)
    }

    /// Reads an address: `a@example.org`, `"john doe"@example.org`, `postmaster`.
    ///
    /// - Throws: `.invalidInput`, recovery `.fixInput`.
    public init(_ text: String) throws(SMTPError) { mailbox = try PathMailbox(text) }

    /// Whether it may only be sent with SMTPUTF8.
    public var needsSMTPUTF8: Bool { mailbox.needsSMTPUTF8 }

    /// The mailbox without brackets.
    public var description: String { mailbox.description }
}
