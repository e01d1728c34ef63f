/// Quoted-printable for text, RFC 2045 §6.7.
public enum QuotedPrintable {
    /// The longest encoded line, its CRLF not counted.
    public static let lineLimit = 76

    /// Encodes text in canonical form.
    ///
    /// CRLF stays a line end. Everything else that could be changed on its way is written `=XX`:
    /// octets above 126, control characters (a bare CR or LF too), `=`, a blank before a line end,
    /// and, since it costs little, a `.` and the `From ` of mbox files at the start of a line.
    public static func encode(_ text: some Collection<UInt8>) -> [UInt8] {
        text.withUnsafeOctets { $0.withMemoryRebound(to: UInt8.self) { encode(buffer: $0) } }
    }

    /// The number of octets of `text` that have to be written `=XX`, blanks before line ends not
    /// counted: tells whether base64 would be shorter.
    public static func escapeCount(in text: some Collection<UInt8>) -> Int {
        text.withUnsafeOctets { $0.withMemoryRebound(to: UInt8.self) { escapeCount(buffer: $0) } }
    }

    private static func escapeCount(buffer text: UnsafeBufferPointer<UInt8>) -> Int {
        var count = 0
        for octet in text {
            let isPlain =
                isLiteral(octet) || octet == ASCII.tab || octet == ASCII.cr || octet == ASCII.lf
            count &+= isPlain ? 0 : 1
        }
        return count
    }

    /// Printable ASCII and the space, without `=`.
    @inline(__always)
    private static func isLiteral(_ octet: UInt8) -> Bool {
        octet &- 0x20 < 0x5F && octet != ASCII.equals
    }

    private static func encode(buffer text: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(text.count + text.count / 8 + 16)
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 4096) { memory in
            var piece = OutputPiece(memory)
            var column = 0
            var index = 0
            while index < text.count {
                // One turn of the loop writes less than two lines.
                if piece.room < 2 * lineLimit {
                    output.append(contentsOf: piece.octets)
                    piece.removeAll()
                }
                copyLiterals(text, &index, &column, into: &piece)
                encodeOne(text, &index, &column, into: &piece)
            }
            output.append(contentsOf: piece.octets)
        }
        return output
    }

    /// Copies octets that stand for themselves, up to one that must not be the last of a line.
    @inline(__always)
    private static func copyLiterals(
        _ text: UnsafeBufferPointer<UInt8>, _ index: inout Int, _ column: inout Int,
        into output: inout OutputPiece
    ) {
        var end = index
        let limit = min(text.count - 1, index + lineLimit - 1 - column)
        while end < limit, isLiteral(text[end]) { end &+= 1 }
        guard end > index, column > 0 || !isSpecialAtStart(text, at: index) else { return }
        if text[end - 1] == ASCII.space { end -= 1 }
        output.append(text[index..<end])
        column += end - index
        index = end
    }

    /// Writes the octet or line end at `index`, behind a soft line break where it needs one.
    @inline(__always)
    private static func encodeOne(
        _ text: UnsafeBufferPointer<UInt8>, _ index: inout Int, _ column: inout Int,
        into output: inout OutputPiece
    ) {
        if isLineEnd(text, at: index) {
            output.append(ASCII.cr)
            output.append(ASCII.lf)
            column = 0
            index += 2
            return
        }
        let octet = text[index]
        let isLast = index + 1 == text.count || isLineEnd(text, at: index + 1)
        var isLiteral = octet.isBlank ? !isLast : isLiteral(octet)
        // Room for "=" has to stay, unless the line ends here anyway.
        if column + (isLiteral ? 1 : 3) > (isLast ? lineLimit : lineLimit - 1) {
            output.append(ASCII.equals)
            output.append(ASCII.cr)
            output.append(ASCII.lf)
            column = 0
        }
        if column == 0, isSpecialAtStart(text, at: index) { isLiteral = false }
        if isLiteral {
            output.append(octet)
            column += 1
        } else {
            output.append(ASCII.equals)
            output.append(Hex.upperDigits[Int(octet >> 4)])
            output.append(Hex.upperDigits[Int(octet & 15)])
            column += 3
        }
        index += 1
    }

    /// A `.`, or `From `.
    private static func isSpecialAtStart(
        _ text: UnsafeBufferPointer<UInt8>, at index: Int
    ) -> Bool {
        text[index] == ASCII.dot
            || (text[index] == UInt8(ascii: "F") && text[index...].starts(with: from))
    }

    private static func isLineEnd(_ text: UnsafeBufferPointer<UInt8>, at index: Int) -> Bool {
        index + 1 < text.count && text[index] == ASCII.cr && text[index + 1] == ASCII.lf
    }

    private static let from = [UInt8]("From ".utf8)
}
