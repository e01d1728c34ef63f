/// A mailbox in a list. RFC 9051 §7.3.1, RFC 5258 §4.
public struct ListEntry: Hashable, Sendable {
    /// Which response it came in.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// `LIST`.
        case list = "LIST"
        /// `LSUB`: subscribed ones. RFC 3501 §7.2.3.
        case lsub = "LSUB"
        /// `XLIST`: with special uses, from before RFC 6154.
        case xlist = "XLIST"
    }

    /// Which response it came in.
    public var kind: Kind
    /// What holds for the mailbox.
    public var attributes: [MailboxAttribute]
    /// What stands between the levels of its name, an ASCII character; `nil` where names have no levels.
    public var delimiter: UInt8?
    /// Its name.
    public var name: MailboxName
    /// Why a mailbox is in the list that matches by what is inside of it, such as `SUBSCRIBED`. RFC 5258 §4.
    public var childInfo: [String]
    /// The name that it had, or that was asked for. RFC 9051 §6.3.9.7, RFC 5465 §5.4.
    public var oldName: MailboxName?
    /// Other extended data.
    public var extendedData: [ExtendedItem]

    /// Makes an entry.
    public init(
        kind: Kind = .list, attributes: [MailboxAttribute] = [], delimiter: UInt8? = nil,
        name: MailboxName, childInfo: [String] = [], oldName: MailboxName? = nil,
        extendedData: [ExtendedItem] = []
    ) {
        self.kind = kind
        self.attributes = attributes
        self.delimiter = delimiter
        self.name = name
        self.childInfo = childInfo
        self.oldName = oldName
        self.extendedData = extendedData
    }
}

/// A name and a value that is not known here, as it came. RFC 9051 §9 `tagged-ext`.
public struct ExtendedItem: Hashable, Sendable {
    /// The name, as it was written.
    public var name: String
    /// The value's octets, literals with their `{n}`.
    public var octets: [UInt8]

    /// Makes one.
    public init(name: String, octets: [UInt8]) {
        self.name = name
        self.octets = octets
    }
}
