/// The octets of a message or of a part of it, as a server gave them.
public enum MessageData: Hashable, Sendable {
    /// The octets: a part of the response's frame where that is not much larger, else a copy.
    case octets(ArraySlice<UInt8>)
    /// They were handed on while they came: the detached literal with that index, `size` octets.
    case detached(index: Int, size: UInt64)
    /// `NIL`: there are none, or none to be had.
    case `nil`

    /// The octets, if they are here.
    public var octets: ArraySlice<UInt8>? {
        guard case .octets(let octets) = self else { return nil }
        return octets
    }

    /// How many octets there are; 0 for `nil`.
    public var sizeInOctets: UInt64 {
        switch self {
        case .octets(let octets): UInt64(octets.count)
        case .detached(_, let size): size
        case .nil: 0
        }
    }
}
