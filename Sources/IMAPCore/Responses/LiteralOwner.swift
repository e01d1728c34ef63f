import MartletBytes

/// What a literal that is handed on while it comes is in the response that it stands in.
public struct LiteralOwner: Hashable, Sendable {
    /// The message's number, in a FETCH.
    public var number: SequenceNumber?
    /// The message's UID, where it stood before the literal.
    public var uid: UID?
    /// The item that the literal is the value of; its data is `.detached`.
    public var item: FetchItem?

    /// Makes one.
    public init(number: SequenceNumber? = nil, uid: UID? = nil, item: FetchItem? = nil) {
        self.number = number
        self.uid = uid
        self.item = item
    }
}

extension DetachedLiteral {
    /// What the literal is: of which message, and of which item. Nothing where that cannot be told.
    public var owner: LiteralOwner {
        guard case .fetch(let response) = ResponseParser().parse(head) else {
            return LiteralOwner()
        }
        var owner = LiteralOwner(number: response.number, uid: response.uid)
        switch response.items.last {
        case .section(_, _, .detached(index, _))?, .binary(_, _, .detached(index, _))?,
            .rfc822(_, .detached(index, _))?:
            owner.item = response.items.last
        default: break
        }
        return owner
    }
}
