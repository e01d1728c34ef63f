/// How much a server takes from a client.
public struct CommandLimits: Hashable, Sendable {
    /// The longest command without its literals, in octets. RFC 7162 §4 asks for 8,192 at least.
    public var lineInOctets = 64 * 1024
    /// The largest literal, in octets; one that is announced larger is refused before it comes.
    public var literalInOctets: UInt64 = 64 << 20
    /// The largest literal that may come without waiting (`{n+}`), in octets. 4,096 for `LITERAL-`. RFC 7888 §5.
    public var nonSynchronizingLiteralInOctets: UInt64 = .max
    /// A literal larger than this is handed on while it comes, in octets.
    public var detachedLiteralInOctets = 64 * 1024
    /// What the literals of one command that are not handed on may hold together, in octets.
    public var literalsInMemoryInOctets = 1 << 20
    /// How many literals a command may have.
    public var literalCount = 1_000
    /// Octets of a refused command that are read and dropped, so that the next one is found. More end the connection.
    public var droppedInOctets: UInt64 = 64 << 20

    /// Makes the usual limits.
    public init() {}

    /// The usual limits.
    public static let standard = CommandLimits()
}

/// Why a command is refused that is not even whole.
public enum CommandRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// More octets outside of its literals than the limit, which is given.
    case lineTooLong(limit: Int)
    /// A literal is announced with more octets than the limit, which is given.
    case literalTooLarge(limit: UInt64)
    /// Its literals have more octets together than the limit, which is given.
    case literalsTooLarge(limit: Int)
    /// More literals than the limit, which is given.
    case tooManyLiterals(limit: Int)

    /// What is wrong, for the words of a `BAD` or `NO`.
    public var description: String {
        switch self {
        case .lineTooLong(let limit): "Command of more than \(limit) octets"
        case .literalTooLarge(let limit): "Literal of more than \(limit) octets"
        case .literalsTooLarge(let limit): "Literals of more than \(limit) octets"
        case .tooManyLiterals(let limit): "More than \(limit) literals"
        }
    }
}

/// A client sends on and on what was refused. The connection should be closed.
public struct EndlessCommand: Error, Hashable, Sendable {
    /// Octets that were dropped: `CommandLimits.droppedInOctets`.
    public var limit: UInt64

    /// Makes one.
    public init(limit: UInt64) { self.limit = limit }
}
