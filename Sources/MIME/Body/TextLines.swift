import MartletBytes

/// The lines of a text, each with where it is. LF and CRLF end a line.
struct TextLines {
    struct Line {
        /// The line without its end.
        let content: Range<Int>
        /// Where the next line begins.
        let end: Int
        /// Whether there is a line end, which only the last line may lack.
        let isEnded: Bool
    }

    private let text: UnsafeRawBufferPointer
    /// Where the next line begins.
    var offset: Int

    init(_ text: UnsafeRawBufferPointer, from offset: Int = 0) {
        self.text = text
        self.offset = offset
    }

    /// The next line; `nil` at the end of the text.
    mutating func next() -> Line? {
        guard offset < text.count else { return nil }
        let start = offset
        guard let lf = text.firstOffset(of: ASCII.lf, from: start) else {
            offset = text.count
            return Line(content: start..<text.count, end: text.count, isEnded: false)
        }
        offset = lf + 1
        let isCRLF = lf > start && text[lf - 1] == ASCII.cr
        return Line(content: start..<(isCRLF ? lf - 1 : lf), end: lf + 1, isEnded: true)
    }
}

extension UnsafeRawBufferPointer {
    /// Whether the octets of `range` begin with `prefix`.
    func hasPrefix(_ prefix: StaticString, in range: Range<Int>) -> Bool {
        guard range.count >= prefix.utf8CodeUnitCount else { return false }
        return prefix.withUTF8Buffer { $0.elementsEqual(self[range].prefix($0.count)) }
    }

    /// `range` without blanks at its end.
    func withoutTrailingBlanks(_ range: Range<Int>) -> Range<Int> {
        var end = range.upperBound
        while end > range.lowerBound, self[end - 1].isBlank { end -= 1 }
        return range.lowerBound..<end
    }
}
