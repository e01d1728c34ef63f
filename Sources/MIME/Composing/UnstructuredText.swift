import MartletBytes

extension HeaderWriter {
    /// Words longer than this are encoded, so that they can be folded.
    private static let wordLimit = 900
    /// Runs of blanks longer than this are encoded with the words around them.
    private static let blankLimit = 20

    /// Writes `text`, `unstructured` of RFC 5322 §3.2.5: words that are not plain ASCII become encoded
    /// words, together with the blanks between them, since readers drop blanks between encoded words.
    mutating func unstructured(_ text: String) {
        let octets = Array(text.utf8)
        let words = Self.words(of: octets)
        var index = 0
        while index < words.count {
            let first = words[index]
            let blank =
                index == 0
                ? [ASCII.space][...]
                : octets[words[index - 1].range.upperBound..<first.range.lowerBound]
            guard first.mustBeEncoded else {
                word(octets[first.range], after: blank)
                index += 1
                continue
            }
            var last = index
            while last + 1 < words.count, words[last + 1].mustBeEncoded { last += 1 }
            encodedWords(
                octets[first.range.lowerBound..<words[last].range.upperBound], after: blank)
            index = last + 1
        }
    }

    private struct Word {
        var range: Range<Int>
        var mustBeEncoded: Bool
    }

    /// The words between the blanks. Blanks at the start and the end of the text belong to the first
    /// and the last word, which then are encoded: plain ones would get lost.
    private static func words(of octets: [UInt8]) -> [Word] {
        var words: [Word] = []
        var index = 0
        while index < octets.count {
            let blankStart = index
            while index < octets.count, octets[index].isBlank { index += 1 }
            let start = index
            var isPlain = true
            while index < octets.count, !octets[index].isBlank {
                let octet = octets[index]
                if octet >= 0x80 || octet.isControl { isPlain = false }
                if octet == UInt8(ascii: "?"), index > start, octets[index - 1] == ASCII.equals {
                    isPlain = false
                }
                index += 1
            }
            var word = Word(
                range: start..<index, mustBeEncoded: !isPlain || index - start > wordLimit)
            let blanks = start - blankStart
            if words.isEmpty, blanks > 0 {
                word = Word(range: 0..<index, mustBeEncoded: true)
            } else if start == index, var last = words.popLast() {
                last.range = last.range.lowerBound..<index
                last.mustBeEncoded = true
                word = last
            } else if blanks > blankLimit {
                words[words.count - 1].mustBeEncoded = true
                word.mustBeEncoded = true
            }
            words.append(word)
        }
        return words
    }
}
