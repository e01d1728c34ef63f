import MartletBytes
import MartletMIME

/// `From sender date`, the line before each message of an mbox. RFC 4155 appendix A.
struct MboxSeparatorLine {
    /// The longest line that is looked at, in octets: more cannot be a sender and a date.
    static let limitInOctets = 1_024
    private static let tokenLimit = 32

    /// The sender, in octets from the start of the line; may be empty.
    var sender: Range<Int>
    /// `nil` where the line ends behind the sender.
    var date: MailDate?
    /// Whether the sender is one word, without blanks in it.
    var hasSimpleSender: Bool
    /// Whether the sender is `-`, as Netscape and Mozilla write it.
    var isMozilla: Bool

    /// Reads a line without its line end. `nil` if it does not start with `From `.
    init?(_ line: UnsafeRawBufferPointer) {
        guard line.count <= Self.limitInOctets, Self.hasPrefix(line, at: 0) else { return nil }
        let tokens = Self.tokens(of: line)
        date = nil
        var senderCount = tokens.count
        for index in tokens.indices {
            if let date = mboxDate(line, tokens[index...]) {
                self.date = date
                senderCount = index
                break
            }
        }
        sender =
            senderCount == 0 ? 5..<5 : tokens[0].lowerBound..<tokens[senderCount - 1].upperBound
        hasSimpleSender = senderCount == 1
        isMozilla = senderCount == 1 && sender.count == 1 && line[sender.lowerBound] == ASCII.hyphen
    }

    /// Whether `From ` stands at `offset`.
    static func hasPrefix(_ octets: UnsafeRawBufferPointer, at offset: Int) -> Bool {
        // In bounds: 5 octets from `offset` on are there.
        offset + 5 <= octets.count && octets[offset] == 0x46 && octets[offset + 1] == 0x72
            && octets[offset + 2] == 0x6F && octets[offset + 3] == 0x6D
            && octets[offset + 4] == ASCII.space
    }

    /// The words behind `From `, the first 32 of them.
    private static func tokens(of line: UnsafeRawBufferPointer) -> [Range<Int>] {
        var tokens: [Range<Int>] = []
        var offset = 5
        while tokens.count < tokenLimit {
            while offset < line.count, line[offset].isBlank { offset += 1 }
            let start = offset
            while offset < line.count, !line[offset].isBlank { offset += 1 }
            if start == offset { break }
            tokens.append(start..<offset)
        }
        return tokens
    }

    /// The sender as text; `nil` for none and for `-`.
    func senderText(in line: UnsafeRawBufferPointer) -> String? {
        guard !sender.isEmpty, !isMozilla else { return nil }
        let text = String(decoding: line[sender], as: UTF8.self)
        guard text.unicodeScalars.contains(where: Self.isControl) else { return text }
        return String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { Self.isControl($0) ? "\u{FFFD}" : $0 }))
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || 0x7F...0x9F ~= scalar.value
    }
}
