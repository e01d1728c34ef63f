/// A number that names a message in a mailbox: a `UID` or a `SequenceNumber`. They do not mix.
public protocol MessageNumber: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The number, 1 or more.
    var rawValue: UInt32 { get }
    /// Makes one; `nil` for 0, which names nothing.
    init?(_ rawValue: UInt32)
}

extension MessageNumber {
    /// By number.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    /// The number in digits.
    public var description: String { String(rawValue) }
}

/// A message's unique identifier in its mailbox: as long as the mailbox keeps its `UIDValidity`, it never names
/// another message. RFC 9051 §2.3.1.1.
public struct UID: MessageNumber {
    /// The number, 1 or more.
    public let rawValue: UInt32

    /// Makes one; `nil` for 0, which names nothing.
    @inlinable public init?(_ rawValue: UInt32) {
        guard rawValue > 0 else { return nil }
        self.rawValue = rawValue
    }
}

/// A message's place in the selected mailbox, from 1; it changes when a message before it goes. RFC 9051 §2.3.1.2.
public struct SequenceNumber: MessageNumber {
    /// The number, 1 or more.
    public let rawValue: UInt32

    /// Makes one; `nil` for 0, which names nothing.
    @inlinable public init?(_ rawValue: UInt32) {
        guard rawValue > 0 else { return nil }
        self.rawValue = rawValue
    }
}

/// Says whether UIDs that were seen before still mean the same messages: another value means that all are void.
/// RFC 9051 §2.3.1.1.
public struct UIDValidity: Hashable, Sendable, CustomStringConvertible {
    /// The number. 0 is against the RFC and kept, since servers send it.
    public let rawValue: UInt32

    /// Makes one.
    public init(_ rawValue: UInt32) { self.rawValue = rawValue }

    /// The number in digits.
    public var description: String { String(rawValue) }
}

/// A mod-sequence: grows with every change of a message's metadata. 63 bits. RFC 7162 §3.1.
public struct ModSequence: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The number. 0 says that the server keeps none for the message or mailbox.
    public let rawValue: UInt64

    /// Makes one; `nil` beyond 63 bits.
    public init?(_ rawValue: UInt64) {
        guard rawValue <= UInt64(Int64.max) else { return nil }
        self.rawValue = rawValue
    }

    /// By number.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

    /// The number in digits.
    public var description: String { String(rawValue) }
}
