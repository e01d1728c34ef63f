/// Where failure notices go: the argument of `MAIL FROM`. RFC 5321 §4.1.1.2.
public enum ReversePath: Hashable, Sendable, CustomStringConvertible {
    /// `<>`: no notices wanted, as for notices themselves. RFC 5321 §4.5.5.
    case null
    /// The sender's mailbox.
    case mailbox(PathMailbox)

    /// Checks and keeps a mailbox.
    ///
    /// - Throws: `.invalidInput`, recovery `.fixInput`.
    public init(localPart: String, domain: String) throws(SMTPError) {
        self = .mailbox(try PathMailbox(localPart: localPart, domain: domain))
    }

    /// Reads an address; an empty text and `<>` are the null path.
    ///
    /// - Throws: `.invalidInput`, recovery `.fixInput`.
    public init(_ text: String) throws(SMTPError) {
        self = text.isEmpty || text == "<>" ? .null : .mailbox(try PathMailbox(text))
    }

    /// The mailbox, `nil` for the null path.
    public var mailbox: PathMailbox? {
        if case .mailbox(let mailbox) = self { mailbox } else { nil }
    }

    /// Whether it may only be sent with SMTPUTF8.
    public var needsSMTPUTF8: Bool { mailbox?.needsSMTPUTF8 ?? false }

    /// The mailbox without brackets, or `<>`.
    public var description: String { mailbox?.description ?? "<>" }
}
