/// The octets of one whole response, without the line end that closes it; its literals stand in it as they came.
///
///     * 1 FETCH (UID 7 BODY[] {3}
///     abc)
///
/// Where a literal was handed on while it came, its octets are missing and `detached` says where.
public struct ResponseFrame: Hashable, Sendable {
    /// The octets: a part of what was read, or memory of its own where the response came in several pieces.
    public var octets: ArraySlice<UInt8>
    /// The literals whose octets were handed on, in their order.
    public var detached: [DetachedMark]
    /// What was done to find the end of the response; `nil` for a response as it should be.
    public var damage: FrameDamage?

    /// Makes a frame.
    public init(
        octets: ArraySlice<UInt8>, detached: [DetachedMark] = [], damage: FrameDamage? = nil
    ) {
        self.octets = octets
        self.detached = detached
        self.damage = damage
    }
}

/// The place of a literal whose octets were handed on by themselves.
public struct DetachedMark: Hashable, Sendable {
    /// Which of the response's detached literals it is, from 0.
    public var index: Int
    /// How many octets the server announced; of a literal that was short, how many belong to it.
    public var size: UInt64
    /// Where its octets would stand, counted from the first octet of the frame: behind the line end of `{n}`.
    public var offset: Int

    /// Makes a mark.
    public init(index: Int, size: UInt64, offset: Int) {
        self.index = index
        self.size = size
        self.offset = offset
    }
}

/// What was wrong with a response's frame.
public enum FrameDamage: Hashable, Sendable {
    /// A quoted string had line ends in it, and the lines were joined.
    case joinedLines
    /// A literal had fewer octets than announced: the next response began inside of it. `received` octets belong to it;
    /// where it was detached, what was handed on beyond them does not.
    case shortLiteral(announced: UInt64, received: UInt64)
}

/// A literal that is handed on while it comes, since it is too large to be kept.
public struct DetachedLiteral: Hashable, Sendable {
    /// Which of the response's detached literals it is, from 0.
    public var index: Int
    /// How many octets will come.
    public var size: UInt64
    /// The response so far, up to and including `{n}` and its line end; `owner` tells what the literal is in it.
    public var head: ResponseFrame

    /// Makes a literal.
    public init(index: Int, size: UInt64, head: ResponseFrame) {
        self.index = index
        self.size = size
        self.head = head
    }
}

/// What a framer gives: whole responses, and large literals in pieces before the response that they are in.
public enum FramedPiece: Hashable, Sendable {
    /// A whole response.
    case response(ResponseFrame)
    /// A large literal begins. `literalOctets` as often as needed and `literalEnds` follow.
    case literalBegins(DetachedLiteral)
    /// The next octets of the large literal.
    case literalOctets(ArraySlice<UInt8>)
    /// The large literal is over: all of it came, or it was given up (then the response's `damage` says so).
    case literalEnds
}
