/// How much is taken from a server before it counts as an attack or a fault.
public struct IMAPLimits: Hashable, Sendable {
    /// The longest line of a response without its literals, in octets. An answer to SEARCH of 1,000,000 messages
    /// is 11 MB.
    public var lineInOctets = 16 << 20
    /// What the literals of one response may hold together in memory, in octets; larger data is streamed.
    public var literalsInMemoryInOctets = 64 << 20
    /// The largest literal that is streamed, in octets.
    public var literalInOctets: UInt64 = 1 << 40
    /// A literal larger than this is handed on in pieces while it comes, in octets.
    public var detachedLiteralInOctets = 256 << 10
    /// How many literals a response may have.
    public var literalCount = 10_000
    /// How deep parentheses, parts of a message and threads may nest.
    public var nestingDepth = 100

    /// Makes the usual limits.
    public init() {}

    /// The usual limits.
    public static let standard = IMAPLimits()
}
