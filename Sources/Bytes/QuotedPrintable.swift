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
        let contiguous = text.withContiguousStorageIfAvailable { encode(buffer: $0) }
        return contiguous ?? [UInt8](text).withUnsafeBufferPointer { encode(buffer: $0) }
    }

    /// The number of octets of `text` that have to be written `=XX`, blanks before line ends not
    /// counted: tells whether base64 would be shorter.
    public static func escapeCount(in text: some Collection<UInt8>) -> Int {
        text.reduce(into: 0) { count, octet in
            let isPlain =
                (octet >= 0x20 && octet < ASCII.del && octet != ASCII.equals)
                || octet == ASCII.tab || octet == ASCII.cr || octet == ASCII.lf
            if !isPlain { count += 1 }
        }
    }

    private static func encode(buffer text: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(text.count + text.count / 8)
        var column = 0
        var index = 0
        while index < text.count {
            let octet = text[index]
            if isLineEnd(text, at: index) {
                output.append(ASCII.cr)
                output.append(ASCII.lf)
                column = 0
                index += 2
                continue
            }
            let isLast = index + 1 == text.count || isLineEnd(text, at: index + 1)
            var isLiteral =
                octet.isBlank
                ? !isLast : octet > 0x20 && octet < ASCII.del && octet != ASCII.equals
            // Room for "=" has to stay, unless the line ends here anyway.
            if column + (isLiteral ? 1 : 3) > (isLast ? lineLimit : lineLimit - 1) {
                output.append(ASCII.equals)
                output.append(ASCII.cr)
                output.append(ASCII.lf)
                column = 0
            }
            if column == 0, octet == ASCII.dot || isFrom(text, at: index) { isLiteral = false }
            if isLiteral {
                output.append(octet)
                column += 1
            } else {
                output.append(ASCII.equals)
                Hex.append(octet, to: &output)
                column += 3
            }
            index += 1
        }
        return output
    }

    private static func isLineEnd(_ text: UnsafeBufferPointer<UInt8>, at index: Int) -> Bool {
        index + 1 < text.count && text[index] == ASCII.cr && text[index + 1] == ASCII.lf
    }

    private static let from = [UInt8]("From ".utf8)

    private static func isFrom(_ text: UnsafeBufferPointer<UInt8>, at index: Int) -> Bool {
        text[index] == from[0] && text[index...].starts(with: from)
    }
}
