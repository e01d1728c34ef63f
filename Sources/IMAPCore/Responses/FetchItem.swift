import MartletMIME

/// One item of a FETCH response. RFC 9051 §7.5.2 and the extensions' own sections.
public enum FetchItem: Hashable, Sendable {
    /// `UID`.
    case uid(UID)
    /// `FLAGS`.
    case flags([MessageFlag])
    /// `INTERNALDATE`: when the message arrived.
    case internalDate(MailDate)
    /// `RFC822.SIZE`: the message's octets.
    case size(UInt64)
    /// `ENVELOPE`.
    case envelope(Damageable<MessageEnvelope>)
    /// `BODYSTRUCTURE`.
    case bodyStructure(Damageable<BodyStructure>)
    /// `BODY` without brackets: the structure without what extensions add.
    case body(Damageable<BodyStructure>)
    /// `BODY[section]`, `BODY[section]<origin>`: octets from `origin` on, from 0.
    case section(MessageSection, origin: UInt64?, MessageData)
    /// `BINARY[part]`, decoded. RFC 3516 §4.3.
    case binary(PartNumber, origin: UInt64?, MessageData)
    /// `BINARY.SIZE[part]`: the decoded octets.
    case binarySize(PartNumber, UInt64)
    /// `RFC822`, `RFC822.HEADER`, `RFC822.TEXT`: the message, its header, or what is behind it. RFC 3501 §7.4.2.
    case rfc822(RFC822Part, MessageData)
    /// `MODSEQ`. RFC 7162 §3.1.4.2.
    case modSeq(ModSequence)
    /// `EMAILID`. RFC 8474 §5.1.
    case emailID(ObjectID)
    /// `THREADID`; `nil` for a message that is in no thread. RFC 8474 §5.2.
    case threadID(ObjectID?)
    /// `PREVIEW`; `nil` where the server has none yet. RFC 8970 §3.
    case preview(String?)
    /// `SAVEDATE`: when the message came into this mailbox; `nil` where the mailbox does not know. RFC 8514 §4.2.
    case saveDate(MailDate?)
    /// `X-GM-MSGID`. Gmail.
    case gmailMessageID(UInt64)
    /// `X-GM-THRID`. Gmail.
    case gmailThreadID(UInt64)
    /// `X-GM-LABELS`. Gmail.
    case gmailLabels([GmailLabel])
    /// An item that is not known here, as it came.
    case unknown(name: String, octets: [UInt8])
    /// An item that could not be read, as it came.
    case damaged(name: String, octets: [UInt8], ParseFailure)
}

/// What an item with `RFC822` in its name holds. RFC 3501 §7.4.2.
public enum RFC822Part: String, Hashable, Sendable, CaseIterable {
    /// All of the message.
    case message = "RFC822"
    /// Its header.
    case header = "RFC822.HEADER"
    /// What stands behind it.
    case text = "RFC822.TEXT"
}

/// A label of Gmail's: a system label such as `\Inbox`, or a name. Compared by its octets.
public struct GmailLabel: Hashable, Sendable, CustomStringConvertible {
    // Labels are written as names of mailboxes are.
    private let name: MailboxName

    /// A label that a person chose.
    ///
    /// - Throws: `IMAPError` with `.invalidInput`, as for the name of a mailbox.
    public init(_ text: String) throws(IMAPError) { name = try MailboxName(text) }

    /// A label as a server wrote it.
    package init(wire octets: some Collection<UInt8>, isUTF8: Bool) {
        name = MailboxName(wire: octets, isUTF8: isUTF8)
    }

    /// The label in modified UTF-7, or as the server wrote it.
    package var encoded: [UInt8] { name.encoded }

    /// The octets to name it to a server.
    package func octets(isUTF8: Bool) -> [UInt8] { name.octets(isUTF8: isUTF8) }

    /// The label for people.
    public var text: String { name.text }
    /// Whether it is one of Gmail's own, such as `\Inbox`.
    public var isSystemLabel: Bool { text.utf8.first == UInt8(ascii: "\\") }
    /// The label for people.
    public var description: String { text }
}
