import MartletBytes

/// What a server says about a mailbox that is not selected: what was asked for, or what changed. RFC 9051 §7.3.4.
public struct MailboxStatus: Hashable, Sendable {
    /// How large a message to be appended may be. RFC 7889 §5.
    public enum AppendLimit: Hashable, Sendable {
        /// At most so many octets.
        case octets(UInt64)
        /// The server knows of no limit.
        case none
    }

    /// The number of messages.
    public var messages: UInt32?
    /// Those that no other session has seen. RFC 3501 §6.3.10.
    public var recent: UInt32?
    /// The UID that the next message will have, or a larger one.
    public var uidNext: UID?
    /// Whether known UIDs are still valid.
    public var uidValidity: UIDValidity?
    /// Those without `\Seen`.
    public var unseen: UInt32?
    /// Those with `\Deleted`.
    public var deleted: UInt32?
    /// The octets of all messages. RFC 8438.
    public var sizeInOctets: UInt64?
    /// The octets that would be free if messages with `\Deleted` went. RFC 9208 §4.1.4.
    public var deletedStorageInOctets: UInt64?
    /// The highest mod-sequence. RFC 7162 §3.1.7.
    public var highestModSeq: ModSequence?
    /// How large a message to be appended may be.
    public var appendLimit: AppendLimit?
    /// The mailbox's lasting identifier. RFC 8474 §4.3.
    public var mailboxID: ObjectID?
    /// What is not known here, or could not be read.
    public var others: [ExtendedItem] = []

    /// Nothing is known.
    public init() {}
}

extension IMAPCursor {
    // "STATUS" SP mailbox SP "(" [status-att-list] ")"
    mutating func mailboxStatusResponse() throws(ParseFailure) -> IMAPResponse {
        let name = try mailbox(before: UInt8(ascii: "("))
        skipSpaces()
        var status = MailboxStatus()
        try list { cursor throws(ParseFailure) in try cursor.statusItem(of: &status) }
        return .mailboxStatus(name, status)
    }

    /// An item; one that cannot be read is one of `others`.
    private mutating func statusItem(of status: inout MailboxStatus) throws(ParseFailure) {
        let start = index
        if let isKnown = try? knownStatusItem(of: &status), isKnown,
            next == ASCII.space || next == UInt8(ascii: ")")
        {
            return
        }
        index = start
        status.others.append(try extendedItem())
    }

    private mutating func knownStatusItem(
        of status: inout MailboxStatus
    ) throws(ParseFailure) -> Bool {
        let name = try keyword()
        try space()
        switch name {
        case "MESSAGES": status.messages = try number()
        case "RECENT": status.recent = try number()
        case "UIDNEXT": status.uidNext = try uid()
        case "UIDVALIDITY": status.uidValidity = UIDValidity(try number())
        case "UNSEEN": status.unseen = try number()
        case "DELETED": status.deleted = try number()
        case "SIZE": status.sizeInOctets = try number64()
        case "DELETED-STORAGE": status.deletedStorageInOctets = try number64()
        case "HIGHESTMODSEQ": status.highestModSeq = try modSequence()
        case "APPENDLIMIT":
            status.appendLimit =
                nilIfPresent() ? MailboxStatus.AppendLimit.none : .octets(try number64())
        case "MAILBOXID": status.mailboxID = try objectID()
        default: return false
        }
        return true
    }
}
