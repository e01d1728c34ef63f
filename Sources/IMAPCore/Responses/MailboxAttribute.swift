import MartletBytes

/// What holds for a mailbox in a list, such as `\HasChildren` or `\Sent`; compared without case. RFC 9051 §7.3.1.
public struct MailboxAttribute: Hashable, Sendable, CustomStringConvertible {
    /// As the server wrote it, with its backslash.
    public let rawValue: String

    /// Makes one.
    public init(_ rawValue: String) { self.rawValue = rawValue }

    /// Compared without case.
    public static func == (left: MailboxAttribute, right: MailboxAttribute) -> Bool {
        left.rawValue.utf8.equalsIgnoringCase(right.rawValue.utf8)
    }

    /// Hashed without case.
    public func hash(into hasher: inout Hasher) {
        for octet in rawValue.utf8 { hasher.combine(octet.lowercased) }
    }

    /// As it goes over the wire.
    public var description: String { rawValue }
}

extension MailboxAttribute {
    /// Cannot be selected.
    public static let noSelect = MailboxAttribute("\\Noselect")
    /// Does not exist; is in the list for another reason.
    public static let nonExistent = MailboxAttribute("\\NonExistent")
    /// Nothing can be inside of it.
    public static let noInferiors = MailboxAttribute("\\Noinferiors")
    /// Has others inside of it.
    public static let hasChildren = MailboxAttribute("\\HasChildren")
    /// Has none inside of it.
    public static let hasNoChildren = MailboxAttribute("\\HasNoChildren")
    /// Has got messages since it was last selected.
    public static let marked = MailboxAttribute("\\Marked")
    /// Has got none.
    public static let unmarked = MailboxAttribute("\\Unmarked")
    /// Somebody subscribed to it. RFC 5258.
    public static let subscribed = MailboxAttribute("\\Subscribed")
    /// On another server. RFC 5258.
    public static let remote = MailboxAttribute("\\Remote")

    /// All messages. RFC 6154 §2.
    public static let all = MailboxAttribute("\\All")
    /// Archived messages. RFC 6154 §2.
    public static let archive = MailboxAttribute("\\Archive")
    /// Drafts. RFC 6154 §2.
    public static let drafts = MailboxAttribute("\\Drafts")
    /// Flagged messages. RFC 6154 §2.
    public static let flagged = MailboxAttribute("\\Flagged")
    /// Junk. RFC 6154 §2.
    public static let junk = MailboxAttribute("\\Junk")
    /// Copies of sent messages. RFC 6154 §2.
    public static let sent = MailboxAttribute("\\Sent")
    /// Deleted messages. RFC 6154 §2.
    public static let trash = MailboxAttribute("\\Trash")
    /// Important messages. RFC 8457 §3.
    public static let important = MailboxAttribute("\\Important")

    /// Those that say what a mailbox is for.
    public static let specialUses: Set<MailboxAttribute> = [
        .all, .archive, .drafts, .flagged, .junk, .sent, .trash, .important,
    ]

    /// The mailbox that mail arrives in. XLIST.
    public static let inbox = MailboxAttribute("\\Inbox")
    /// All messages. XLIST.
    public static let allMail = MailboxAttribute("\\AllMail")
    /// Junk. XLIST.
    public static let spam = MailboxAttribute("\\Spam")
    /// Flagged messages. XLIST.
    public static let starred = MailboxAttribute("\\Starred")
}
