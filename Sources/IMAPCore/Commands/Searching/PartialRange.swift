/// Some of the messages that a command finds, counted within them: the first hundred, or, from the end, the last.
/// RFC 9394 §3.1, RFC 5267 §4.4.
///
///     1:100     -1:-100
public struct PartialRange: Hashable, Sendable, CustomStringConvertible {
    /// The place of the first, from 1; from the end where negative.
    public let first: Int64
    /// The place of the last.
    public let last: Int64

    /// Makes one of two places, both from the start or both from the end, in either order.
    ///
    /// - Throws: `.invalidInput` for a place of 0, beyond 32 bits, or one from each side.
    public init(_ first: Int64, through last: Int64) throws(IMAPError) {
        let limit = Int64(UInt32.max)
        guard first != 0, last != 0, (first > 0) == (last > 0), first.magnitude <= limit,
            last.magnitude <= limit
        else {
            throw .invalidInput("a part goes from place 1 on, or from -1 on backwards")
        }
        self.first = first
        self.last = last
    }

    /// The first messages.
    ///
    /// - Throws: `.invalidInput` for a number of 0 or beyond 32 bits.
    public static func first(_ count: Int64) throws(IMAPError) -> PartialRange {
        try PartialRange(1, through: count)
    }

    /// The last messages.
    ///
    /// - Throws: `.invalidInput` for a number of 0 or beyond 32 bits.
    public static func last(_ count: Int64) throws(IMAPError) -> PartialRange {
        guard count > 0 else { throw .invalidInput("a part has at least one place") }
        return try PartialRange(-1, through: -count)
    }

    /// As it goes over the wire.
    public var description: String { "\(first):\(last)" }
}

extension CommandEncoder {
    mutating func range(_ range: PartialRange) { raw(range.description.utf8) }
}
