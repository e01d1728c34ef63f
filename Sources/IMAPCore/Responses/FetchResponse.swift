import MartletMIME

/// What a server says about one message. RFC 9051 §7.5.2, RFC 9586 §3.3.
///
/// A damaged item is one of `items` and costs no other.
public struct FetchResponse: Hashable, Sendable {
    /// Items of one response that are read; what is beyond is one damaged item.
    public static let itemCountLimit = 10_000

    /// The message's number; `nil` in a `UIDFETCH`, whose `UID` item names it.
    public var number: SequenceNumber?
    /// The items in their order.
    public var items: [FetchItem]

    /// Makes one.
    public init(number: SequenceNumber?, items: [FetchItem]) {
        self.number = number
        self.items = items
    }

    /// The message's UID, if it is among the items.
    public var uid: UID? {
        for case .uid(let uid) in items { return uid }
        return nil
    }

    /// The message's flags, if they are among the items.
    public var flags: [MessageFlag]? {
        for case .flags(let flags) in items { return flags }
        return nil
    }

    /// The message's mod-sequence, if it is among the items.
    public var modSeq: ModSequence? {
        for case .modSeq(let value) in items { return value }
        return nil
    }

    /// The message's size in octets, if it is among the items.
    public var sizeInOctets: UInt64? {
        for case .size(let size) in items { return size }
        return nil
    }

    /// When the message arrived, if that is among the items.
    public var internalDate: MailDate? {
        for case .internalDate(let date) in items { return date }
        return nil
    }

    /// The envelope, if it is among the items and could be read.
    public var envelope: MessageEnvelope? {
        for case .envelope(let envelope) in items { return envelope.value }
        return nil
    }

    /// The structure, if it is among the items and could be read; that with extensions first.
    public var bodyStructure: BodyStructure? {
        for case .bodyStructure(let structure) in items { return structure.value }
        for case .body(let structure) in items { return structure.value }
        return nil
    }

    /// The octets of a section, if they are among the items.
    public func data(of section: MessageSection) -> MessageData? {
        for case .section(section, _, let data) in items { return data }
        return nil
    }

    /// Whether an item, or a part of one, could not be read.
    public var hasDamage: Bool {
        items.contains { item in
            switch item {
            case .damaged, .envelope(.damaged), .bodyStructure(.damaged), .body(.damaged): true
            case .bodyStructure(.value(let structure)), .body(.value(let structure)):
                structure.hasDamage
            default: false
            }
        }
    }
}
