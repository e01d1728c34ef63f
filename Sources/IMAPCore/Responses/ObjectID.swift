import MartletBytes

/// A lasting identifier of a mailbox, message or thread. RFC 8474 §7.
public struct ObjectID: Hashable, Sendable, CustomStringConvertible {
    /// The identifier; compared with case.
    public let rawValue: String

    /// Makes one; any text, since servers choose it.
    public init(_ rawValue: String) { self.rawValue = rawValue }

    /// The identifier.
    public var description: String { rawValue }
}

extension IMAPCursor {
    // "(" objectid ")" ; RFC 8474 §7
    /// An identifier in parentheses, or without them.
    mutating func objectID() throws(ParseFailure) -> ObjectID {
        let isInParentheses = takeIfPresent(UInt8(ascii: "("))
        let id = ObjectID(try astring().text)
        if isInParentheses { try expect(UInt8(ascii: ")"), "\")\"") }
        return id
    }
}
