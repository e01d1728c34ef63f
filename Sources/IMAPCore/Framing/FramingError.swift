/// Why what a server sends cannot be taken apart any further. The connection is of no more use.
public enum FramingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The octets are a TLS record: this port speaks TLS from the first octet.
    case tlsRecord
    /// A response has more octets outside of its literals than `IMAPLimits.lineInOctets`, which is given.
    case lineTooLong(limit: Int)
    /// A literal is announced with more octets than `IMAPLimits.literalInOctets`, which is given.
    case literalTooLarge(limit: UInt64)
    /// The literals of a response have more octets than `IMAPLimits.literalsInMemoryInOctets`, which is given; none of
    /// them was large enough to be handed on by itself.
    case literalsTooLarge(limit: Int)
    /// A response has more literals than `IMAPLimits.literalCount`, which is given.
    case tooManyLiterals(limit: Int)

    /// What the server did, to follow "the server".
    public var description: String {
        switch self {
        case .tlsRecord: "speaks TLS on this port from the first octet"
        case .lineTooLong(let limit): "sent a response of more than \(limit) octets on one line"
        case .literalTooLarge(let limit): "announced a literal of more than \(limit) octets"
        case .literalsTooLarge(let limit):
            "sent a response whose literals have more than \(limit) octets"
        case .tooManyLiterals(let limit): "sent a response of more than \(limit) literals"
        }
    }
}
