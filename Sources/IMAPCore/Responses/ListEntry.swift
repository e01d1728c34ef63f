import MartletBytes

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

extension IMAPCursor {
    // mailbox-list = "(" [mbx-list-flags] ")" SP (DQUOTE QUOTED-CHAR DQUOTE / nil) SP mailbox [SP mbox-list-extended]
    mutating func listEntry(_ kind: ListEntry.Kind) throws(ParseFailure) -> ListEntry {
        var attributes: [MailboxAttribute] = []
        if !nilIfPresent() {
            try list { cursor throws(ParseFailure) in
                attributes.append(MailboxAttribute(try cursor.flag().rawValue))
            }
        }
        try space()
        let delimiter = try delimiter()
        try space()
        var entry = ListEntry(
            kind: kind, attributes: attributes, delimiter: delimiter, name: try listedName())
        skipSpaces()
        if !isAtEnd {
            try list { cursor throws(ParseFailure) in try cursor.extendedListItem(of: &entry) }
        }
        return entry
    }

    /// The name: up to extended data in parentheses, or up to the end.
    private mutating func listedName() throws(ParseFailure) -> MailboxName {
        let start = index
        if let name = try? mailbox() {
            let behind = index
            skipSpaces()
            if isAtEnd
                || next == UInt8(ascii: "(") && behind < index && anyValue() != nil && isAtEnd
            {
                index = behind
                return name
            }
        }
        index = start
        return try mailbox(before: nil)
    }

    // mbox-list-extended-item = astring SP tagged-ext-val
    private mutating func extendedListItem(of entry: inout ListEntry) throws(ParseFailure) {
        let start = index
        let name = try astring().uppercasedText
        skipSpaces()
        switch name {
        case "CHILDINFO" where next == UInt8(ascii: "("):
            var words: [String] = []
            try list { cursor throws(ParseFailure) in words.append(try cursor.astring().text) }
            entry.childInfo += words
        case "OLDNAME" where next == UInt8(ascii: "("):
            index += 1
            entry.oldName = try mailbox()
            try expect(UInt8(ascii: ")"), "\")\"")
        default:
            index = start
            entry.extendedData.append(try extendedItem())
        }
    }
}
