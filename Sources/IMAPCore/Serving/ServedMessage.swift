import MartletBytes
import MartletMIME

/// A stored message, and what a server answers of it. RFC 9051 §6.4.5.
///
/// Octets go out as they were stored. The message is taken apart when that is needed first, and its header alone where
/// that is enough; for all of its octets (`BODY[]`, `RFC822`) it never is.
package struct ServedMessage: Sendable {
    /// The message, octet for octet.
    package let octets: Octets
    private var parsed: Message?
    private var parsedHeader: Message?

    /// A message of which nothing is known yet.
    package init(_ octets: Octets) { self.octets = octets }

    /// A message of which nothing is known yet.
    package init(_ octets: [UInt8]) { self.init(Octets(octets)) }

    /// A message that was taken apart before.
    package init(_ message: Message) {
        octets = message.octets
        parsed = message
    }

    /// Whether nothing was taken apart so far.
    package var isUntouched: Bool { parsed == nil && parsedHeader == nil }
    /// Whether its parts are known.
    package var isTakenApart: Bool { parsed != nil }

    /// The message with all of its parts.
    package mutating func message() -> Message {
        if let parsed { return parsed }
        let message = Message(parsing: octets)
        parsed = message
        return message
    }

    /// The message, or its header alone: fields and the place where the body begins are the same.
    package mutating func header() -> Part {
        if let parsed = parsed ?? parsedHeader { return parsed.root }
        if let header = headerAlone() {
            parsedHeader = header
            return header.root
        }
        return message().root
    }

    // MARK: The header alone

    /// A header larger than that, in octets, is read with the message.
    private static let separateHeaderLimit = 256 << 10

    /// The header up to its empty line, read as a message of its own; `nil` where the body could tell more of it, as where
    /// lines are no fields.
    private func headerAlone() -> Message? {
        let header = octets.withUnsafeBytes { octets -> [UInt8]? in
            guard let first = octets.first, !first.isFoldingSpace else { return nil }
            var lineEnd = octets.firstOffset(of: ASCII.lf)
            while let end = lineEnd, end < Self.separateHeaderLimit {
                if end + 1 < octets.count, octets[end + 1] == ASCII.lf {
                    return [UInt8](octets[..<(end + 2)])
                }
                if end + 2 < octets.count, octets[end + 1] == ASCII.cr,
                    octets[end + 2] == ASCII.lf
                {
                    return [UInt8](octets[..<(end + 3)])
                }
                lineEnd = octets.firstOffset(of: ASCII.lf, from: end + 1)
            }
            return nil
        }
        guard let header else { return nil }
        let message = Message(parsing: header)
        let isClean =
            message.root.headerRange == 0..<header.count
            && message.defects.allSatisfy {
                $0.kind == .missingOpeningBoundary || $0.kind == .missingBoundaryParameter
            }
        return isClean ? message : nil
    }
}
