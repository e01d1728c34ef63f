/// Octets of a section, `<origin.count>`: to fetch something large piece by piece. RFC 9051 §6.4.5.1 `partial`.
public struct OctetRange: Hashable, Sendable {
    /// The first, from 0. 63 bits.
    public var origin: UInt64
    /// How many at most, 1 or more. 63 bits.
    public var count: UInt64

    /// Makes one.
    public init(from origin: UInt64, count: UInt64) {
        self.origin = origin
        self.count = count
    }
}
