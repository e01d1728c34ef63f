import MartletBytes

/// What names a message in every session, as `UIDL` says it. RFC 1939 §7.
public struct UniqueID: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// Most octets. RFC 1939 §7 has 70.
    public static let limitInOctets = 512

    /// The name as the server writes it: printable ASCII without spaces, or UTF-8 beyond it.
    public let text: String

    /// Any name; `nil` for one that is empty, too long, or has a space or a control character in it.
    public init?(_ text: String) {
        guard 1...Self.limitInOctets ~= text.utf8.count,
            !text.utf8.contains(where: { $0 <= ASCII.space || $0 == ASCII.del })
        else { return nil }
        self.text = text
    }

    // unique-id ; RFC 1939 §7: 1 to 70 characters of 0x21 to 0x7E
    init?(_ octets: some Collection<UInt8>) {
        // QUIRK(long-unique-id): longer than 70 octets, or not ASCII.
        guard octets.count <= Self.limitInOctets,
            let text = String(validating: octets, as: UTF8.self)
        else { return nil }
        self.init(text)
    }

    /// The name.
    public var description: String { text }

    /// By octets: an order for files and tests.
    public static func < (left: UniqueID, right: UniqueID) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }
}
