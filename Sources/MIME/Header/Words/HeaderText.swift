import MartletBytes

/// Reads the text of header fields as people shall see it: encoded words (RFC 2047), raw octets, folds.
///
/// Reading never fails. What comes out is one line: tabs and line breaks are spaces, and every other control
/// character is U+FFFD, whether it stood in the field or came out of an encoded word.
/// - Encoded words are found anywhere, also next to other text, with raw blanks inside, or cut by a fold.
///   What only looks like one, or never ends, stays as it is.
/// - Words of one charset that follow each other are decoded as one, so that characters cut between
///   them are whole; blanks between words are dropped.
/// - Raw octets above 127 are UTF-8 where that is valid, else windows-1252. So are words whose charset is
///   not known.
public enum HeaderText {
    /// Reads an unstructured value as it stands in the message, folds included, such as a `Subject`.
    /// RFC 5322 §2.2.1, RFC 2047.
    ///
    /// Blanks at both ends are dropped. Offsets of defects count from the first octet of `value`.
    public static func decode(
        _ value: ArraySlice<UInt8>, limits: MIMELimits = .standard
    ) -> Parsed<String> {
        decode(value.span, limits: limits)
    }

    /// The same for octets that are somewhere in memory.
    package static func decode(
        _ value: UnsafeRawBufferPointer, limits: MIMELimits = .standard
    ) -> Parsed<String> {
        value.withMemoryRebound(to: UInt8.self) { decode($0.span, limits: limits) }
    }

    static func decode(_ value: Span<UInt8>, limits: MIMELimits) -> Parsed<String> {
        var range = value.trimmed(0..<value.count)
        if range.count <= limits.valueSizeInOctets, value.isPlainText(range) {
            return Parsed(value.string(range))
        }
        var builder = HeaderTextBuilder(limits: limits, expectedSize: range.count)
        builder.limit(&range, to: limits)
        builder.text(range, of: value)
        return builder.finish()
    }
}

extension HeaderTextBuilder {
    /// Cuts `range` to what may be read.
    mutating func limit(_ range: inout Range<Int>, to limits: MIMELimits) {
        guard range.count > limits.valueSizeInOctets else { return }
        range = range.lowerBound..<(range.lowerBound + limits.valueSizeInOctets)
        defects.append(
            Defect(.limitReached, at: range.upperBound, limit: "valueSizeInOctets"))
    }

    /// Adds text that may have encoded words.
    ///
    /// - Parameter offset: what is to be added to positions for those of the field.
    mutating func text(_ range: Range<Int>, of octets: Span<UInt8>, offset: Int = 0) {
        var scanner = EncodedWordScanner()
        var isBehindWord = false
        // Said once for all that only look like words: there may be half as many as octets.
        var isOdd = false
        var start = range.lowerBound
        var index = start
        while index + 1 < range.upperBound {
            guard octets[index] == ASCII.equals, octets[index + 1] == UInt8(ascii: "?"),
                wordsLeft > 0
            else {
                index += 1
                continue
            }
            guard let word = scanner.word(in: octets, at: index, end: range.upperBound) else {
                if !isOdd { defects.append(Defect(.invalidEncodedWord, at: offset + index)) }
                isOdd = true
                index += 2
                continue
            }
            if !isBehindWord || !octets.isBlank(start..<index) {
                plain(start..<index, of: octets, offset: offset)
            }
            if index > range.lowerBound, !octets[index - 1].isFoldingSpace {
                defects.append(Defect(.invalidEncodedWord, at: offset + index))
            }
            self.word(word, of: octets, at: offset + index)
            if wordsLeft == 0 {
                defects.append(
                    Defect(.limitReached, at: offset + word.end, limit: "encodedWordCount"))
            }
            isBehindWord = true
            index = word.end
            start = index
        }
        plain(start..<range.upperBound, of: octets, offset: offset)
    }
}

extension Span<UInt8> {
    /// `range` without the blanks and line breaks at both ends.
    func trimmed(_ range: Range<Int>) -> Range<Int> {
        var start = range.lowerBound
        var end = range.upperBound
        while start < end, self[start].isFoldingSpace { start += 1 }
        while end > start, self[end - 1].isFoldingSpace { end -= 1 }
        return start..<end
    }

    /// Whether there is nothing but blanks and line breaks in `range`.
    func isBlank(_ range: Range<Int>) -> Bool {
        for index in range where !self[index].isFoldingSpace { return false }
        return true
    }

    /// The octets of `range` as UTF-8.
    func string(_ range: Range<Int>) -> String {
        extracting(range).withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    }
}
