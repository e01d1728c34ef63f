import MartletBytes

/// Prepares a message for DATA: CRLF line ends only, dots doubled, the end marked. RFC 5321 §4.5.2, §2.3.8.
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
        switch place {
        case .middleOfLine: break
        case .afterCR where octets[0] == ASCII.lf:
            offset = 1
            if count == 1 {
                place = .startOfLine
                output.append(ASCII.lf)
                return
            }
            if octets[1] == ASCII.dot { stuff() }
        case .afterCR:
            output.append(ASCII.lf)
            if octets[0] == ASCII.dot { stuff() }
        case .startOfLine:
            if octets[0] == ASCII.dot { stuff() }
        }
        place = .middleOfLine

        /// Writes what is due up to here, then one more dot.
        func stuff() { insert(ASCII.dot) }
        func insert(_ octet: UInt8) {
            output.append(contentsOf: UnsafeBufferPointer(rebasing: octets[copied..<offset]))
            copied = offset
            output.append(octet)
        }

        while true {
            offset = octets.firstLineEnd(from: offset)
            guard offset < count else { break }
            if octets[offset] == ASCII.lf {
                insert(ASCII.cr)  // a bare LF
                offset += 1
            } else if offset + 1 == count {
                place = .afterCR
                break
            } else if octets[offset + 1] == ASCII.lf {
                offset += 2
            } else {
                offset += 1
                insert(ASCII.lf)  // after a bare CR
            }
            guard offset < count else {
                place = .startOfLine
                break
            }
            if octets[offset] == ASCII.dot { stuff() }
        }
        offset = count
        output.append(contentsOf: UnsafeBufferPointer(rebasing: octets[copied..<count]))
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
