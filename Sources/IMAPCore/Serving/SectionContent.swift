import MartletBytes
import MartletMIME

/// The octets that a section of a message is, where they stand. RFC 9051 §6.4.5.1.
package enum SectionContent: Sendable {
    /// Octets that stand together in the message, or in what a part of it was decoded to.
    case piece(Octets, Range<Int>)
    /// Octets that stand together only in the answer, such as fields of a header.
    case made([UInt8])
    /// There is no such section: `NIL`.
    case missing

    /// How many octets there are.
    package var sizeInOctets: Int {
        switch self {
        case .piece(_, let range): range.count
        case .made(let octets): octets.count
        case .missing: 0
        }
    }

    /// Those of the octets that are in `range`: none where it begins behind the last. RFC 9051 §6.4.5.1 `partial`.
    package func cut(to range: OctetRange?) -> SectionContent {
        guard let range else { return self }
        let size = sizeInOctets
        let origin = Int(min(range.origin, UInt64(size)))
        let end = origin + Int(min(range.count, UInt64(size - origin)))
        switch self {
        case .piece(let octets, let whole):
            return .piece(octets, whole.lowerBound + origin..<whole.lowerBound + end)
        case .made(let octets): return .made(Array(octets[origin..<end]))
        case .missing: return .missing
        }
    }

    /// The octets as an answer holds them: not copied where the message is an array.
    package var messageData: MessageData {
        switch self {
        case .piece(let octets, let range):
            .octets(octets.octetsInMemory.map { $0[range] } ?? octets[range][...])
        case .made(let octets): .octets(octets[...])
        case .missing: .nil
        }
    }
}
