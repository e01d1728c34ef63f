/// Prepares a message for SMTP's DATA, or an answer of POP3: CRLF line ends only, dots doubled, the end marked.
/// RFC 5321 §4.5.2, §2.3.8; RFC 1939 §3.
///
/// A bare CR or a bare LF becomes CRLF, a line that starts with a dot gets another, a last line without an end
/// gets one, and `finish` adds the line with the dot. Right for any cut of the message into pieces.
///
///     var stuffer = DotStuffer()
///     stuffer.append(piece, to: &output.octets)      // for each piece
///     stuffer.finish(into: &output.octets)
public struct DotStuffer: Sendable {
    private enum Place: Sendable {
        case startOfLine
        case middleOfLine
        /// After a CR, which is written already.
        case afterCR
    }

    private var place = Place.startOfLine

    /// Makes a stuffer at the start of a message.
    public init() {}

    /// Appends `octets` as they go on the wire.
    public mutating func append(_ octets: [UInt8], to output: inout [UInt8]) {
        octets.withUnsafeBufferPointer { append($0, to: &output) }
    }

    /// Appends `octets` as they go on the wire.
    public mutating func append(_ octets: ArraySlice<UInt8>, to output: inout [UInt8]) {
        octets.withUnsafeBufferPointer { append($0, to: &output) }
    }

    /// Appends `octets` as they go on the wire.
    public mutating func append(_ octets: UnsafeBufferPointer<UInt8>, to output: inout [UInt8]) {
        let count = octets.count
        guard count > 0 else { return }
        var copied = 0  // everything before is in the output
        var offset = 0
        var isAtStartOfLine = place == .startOfLine
        if place == .afterCR {
            isAtStartOfLine = true
            if octets[0] == ASCII.lf { offset = 1 } else { output.append(ASCII.lf) }
        }
        place = .middleOfLine
        while true {
            if isAtStartOfLine {
                guard offset < count else {
                    place = .startOfLine
                    break
                }
                if octets[offset] == ASCII.dot {
                    Self.insert(ASCII.dot, after: octets[copied..<offset], in: &output)
                    copied = offset
                }
            }
            offset = octets.firstLineEnd(from: offset)
            guard offset < count else { break }
            isAtStartOfLine = true
            if octets[offset] == ASCII.lf {  // a bare one
                Self.insert(ASCII.cr, after: octets[copied..<offset], in: &output)
                copied = offset
                offset += 1
            } else if offset + 1 == count {
                place = .afterCR
                break
            } else if octets[offset + 1] == ASCII.lf {
                offset += 2
            } else {  // a bare CR
                offset += 1
                Self.insert(ASCII.lf, after: octets[copied..<offset], in: &output)
                copied = offset
            }
        }
        output.append(contentsOf: UnsafeBufferPointer(rebasing: octets[copied...]))
    }

    private static func insert(
        _ octet: UInt8, after octets: Slice<UnsafeBufferPointer<UInt8>>, in output: inout [UInt8]
    ) {
        output.append(contentsOf: UnsafeBufferPointer(rebasing: octets))
        output.append(octet)
    }

    /// Ends the last line where it has no end, and marks the end of the message.
    public mutating func finish(into output: inout [UInt8]) {
        switch place {
        case .startOfLine: break
        case .middleOfLine: output.append(contentsOf: [ASCII.cr, ASCII.lf])
        case .afterCR: output.append(ASCII.lf)
        }
        output.append(contentsOf: [ASCII.dot, ASCII.cr, ASCII.lf])
        place = .startOfLine
    }
}
