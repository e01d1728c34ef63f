/// Takes a message out of what follows SMTP's DATA, or an answer of POP3: finds its end, drops the doubled dots.
/// RFC 5321 §4.5.2, RFC 1939 §3.
///
/// Only CRLF ends a line here, and only CRLF `.` CRLF ends a message: a dot after a bare LF or a bare CR is
/// data, so that no other server's idea of a line can smuggle a second message in (§2.3.8, §4.1.1.4). Bare ones
/// are kept as they are and noted, for the caller to refuse the message.
public struct DotUnstuffer: Sendable {
    private enum Place: Sendable {
        case startOfLine
        case middleOfLine
        /// After a CR, which is in the message already.
        case afterCR
        /// After the dot that starts a line, which is not in the message.
        case afterDot
        /// After such a dot and a CR, neither of which is in the message.
        case afterDotAndCR
        case ended
    }

    private var place = Place.startOfLine
    /// Whether a CR came that no LF follows.
    public private(set) var hasBareCR = false
    /// Whether an LF came that no CR precedes.
    public private(set) var hasBareLF = false

    private let endsLinesAtLF: Bool

    /// Makes one at the start of a message.
    public init() { endsLinesAtLF = false }

    /// Makes one at the start of a message.
    ///
    /// - Parameter endsLinesAtLF: whether a bare LF ends a line, too: only for a peer that is known to write all its lines so.
    package init(endsLinesAtLF: Bool) { self.endsLinesAtLF = endsLinesAtLF }

    /// Whether the end of the message was found.
    public var isAtEnd: Bool { place == .ended }

    /// Appends the message's octets up to its end or the end of the input.
    ///
    /// - Returns: how many octets of the input belong to the message and its end; what follows is the next command.
    public mutating func append(
        _ octets: UnsafeBufferPointer<UInt8>, to output: inout [UInt8]
    ) -> Int {
        let count = octets.count
        var offset = 0
        var copied = 0  // everything before is in the output, or dropped
        input: while offset < count {
            switch place {
            case .startOfLine:
                guard octets[offset] == ASCII.dot else {
                    place = .middleOfLine
                    continue
                }
                output.append(contentsOf: UnsafeBufferPointer(rebasing: octets[copied..<offset]))
                offset += 1
                copied = offset
                place = .afterDot
            case .middleOfLine:
                offset = octets.firstLineEnd(from: offset)
                guard offset < count else { break input }
                if octets[offset] == ASCII.cr {
                    place = .afterCR
                } else {
                    hasBareLF = true
                    if endsLinesAtLF { place = .startOfLine }
                }
                offset += 1
            case .afterCR:
                if octets[offset] == ASCII.lf {
                    offset += 1
                    place = .startOfLine
                } else {
                    hasBareCR = true
                    place = .middleOfLine
                }
            case .afterDot:
                if endsLinesAtLF, octets[offset] == ASCII.lf {
                    place = .ended
                    return offset + 1
                }
                guard octets[offset] == ASCII.cr else {
                    place = .middleOfLine
                    continue
                }
                offset += 1
                copied = offset
                place = .afterDotAndCR
            case .afterDotAndCR:
                guard octets[offset] == ASCII.lf else {
                    output.append(ASCII.cr)
                    hasBareCR = true
                    place = .middleOfLine
                    continue
                }
                place = .ended
                return offset + 1
            case .ended:
                return offset
            }
        }
        output.append(contentsOf: UnsafeBufferPointer(rebasing: octets[copied..<count]))
        return count
    }
}
