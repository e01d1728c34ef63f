import MartletBytes

extension HeaderText {
    /// Reads a phrase, such as the display name of an address: atoms, quoted strings, encoded words
    /// outside or inside of quotes; comments are dropped. RFC 5322 §3.2.5, RFC 2047 §5.
    ///
    /// White space between pieces is one space, between two encoded words nothing; inside of quotes it
    /// stays. A quote that is never closed ends with the octets; a parenthesis that is never closed is text.
    /// Offsets of defects count from the first octet of `octets`.
    public static func decodePhrase(
        _ octets: ArraySlice<UInt8>, limits: MIMELimits = .standard
    ) -> Parsed<String> {
        decodePhrase(octets.span, limits: limits)
    }

    /// The same for octets that are somewhere in memory.
    package static func decodePhrase(
        _ octets: UnsafeRawBufferPointer, limits: MIMELimits = .standard
    ) -> Parsed<String> {
        octets.withMemoryRebound(to: UInt8.self) { decodePhrase($0.span, limits: limits) }
    }

    static func decodePhrase(_ octets: Span<UInt8>, limits: MIMELimits) -> Parsed<String> {
        var range = octets.trimmed(0..<octets.count)
        if range.count <= limits.valueSizeInOctets {
            if octets.isPlainPhrase(range) { return Parsed(octets.string(range)) }
            if range.count >= 2, octets[range.lowerBound] == ASCII.quote,
                octets[range.upperBound - 1] == ASCII.quote
            {
                let inner = (range.lowerBound + 1)..<(range.upperBound - 1)
                if octets.isPlainText(inner), !octets.contains(ASCII.quote, in: inner),
                    !octets.contains(ASCII.backslash, in: inner)
                {
                    return Parsed(octets.string(inner))
                }
            }
        }
        var builder = HeaderTextBuilder(limits: limits, expectedSize: range.count)
        builder.limit(&range, to: limits)
        builder.phrase(range, of: octets, limits: limits)
        return builder.finish()
    }

    /// Reads the text of a comment, with or without the parentheses around it. RFC 5322 §3.2.2.
    ///
    /// Comments inside of it keep their parentheses. Offsets of defects count from the first octet.
    public static func decodeComment(
        _ octets: ArraySlice<UInt8>, limits: MIMELimits = .standard
    ) -> Parsed<String> {
        let octets = octets.span
        var range = octets.trimmed(0..<octets.count)
        if range.count >= 2, octets[range.lowerBound] == UInt8(ascii: "("),
            octets.commentEnd(from: range.lowerBound, end: range.upperBound).end == range.upperBound
        {
            range = octets.trimmed((range.lowerBound + 1)..<(range.upperBound - 1))
        }
        var builder = HeaderTextBuilder(limits: limits, expectedSize: range.count)
        builder.limit(&range, to: limits)
        builder.escapedText(range, of: octets)
        return builder.finish()
    }
}

extension HeaderTextBuilder {
    private enum Piece {
        case none
        case text
        case word
    }

    /// Adds atoms, quoted strings and encoded words, with a space where there was white space.
    mutating func phrase(_ range: Range<Int>, of octets: Span<UInt8>, limits: MIMELimits) {
        var scanner = EncodedWordScanner()
        var last = Piece.none
        var isSpaced = false
        var commentsEnd = range.upperBound
        var index = range.lowerBound

        func begin(_ piece: Piece, _ builder: inout HeaderTextBuilder) {
            if isSpaced, last != .none, last == .text || piece == .text {
                builder.plain(ASCII.space, at: index)
            }
            isSpaced = false
            last = piece
        }

        while index < range.upperBound {
            let octet = octets[index]
            if octet.isFoldingSpace {
                isSpaced = true
                index += 1
            } else if octet == ASCII.quote {
                let quoted = octets.quotedString(from: index, end: range.upperBound)
                if !quoted.isClosed { defects.append(Defect(.unclosedQuote, at: index)) }
                if !quoted.content.isEmpty {
                    begin(.text, &self)
                    escapedText(quoted.content, of: octets)
                }
                index = quoted.end
            } else if octet == UInt8(ascii: "("), index < commentsEnd {
                let comment = octets.commentEnd(from: index, end: range.upperBound)
                if comment.depth > limits.commentDepth {
                    defects.append(Defect(.limitReached, at: index, limit: "commentDepth"))
                }
                if let end = comment.end {
                    isSpaced = true
                    index = end
                } else {
                    defects.append(Defect(.unclosedComment, at: index))
                    commentsEnd = index
                }
            } else if octet == ASCII.equals, wordsLeft > 0,
                let word = scanner.word(in: octets, at: index, end: range.upperBound)
            {
                begin(.word, &self)
                self.word(word, of: octets, at: index)
                index = word.end
                if wordsLeft == 0 {
                    defects.append(Defect(.limitReached, at: index, limit: "encodedWordCount"))
                }
            } else {
                begin(.text, &self)
                // An escape outside of quotes is not allowed, but meant as one.
                let isEscape =
                    octet == ASCII.backslash && index + 1 < range.upperBound
                    && !octets[index + 1].isFoldingSpace
                if isEscape { index += 1 }
                let start = index
                index += 1
                while index < range.upperBound, !octets[index].endsAtom { index += 1 }
                plain(start..<index, of: octets)
            }
        }
    }

    /// Adds the inside of a quoted string or of a comment: text with encoded words in which a backslash
    /// takes the meaning from the octet behind it.
    mutating func escapedText(_ range: Range<Int>, of octets: Span<UInt8>) {
        guard octets.contains(ASCII.backslash, in: range) else {
            text(range, of: octets)
            return
        }
        let unescaped = octets.unescaped(range)
        text(0..<unescaped.count, of: unescaped.span, offset: range.lowerBound)
    }
}

extension UInt8 {
    /// What an atom of a phrase may be followed by, or an encoded word may begin with.
    fileprivate var endsAtom: Bool {
        isFoldingSpace || self == ASCII.quote || self == UInt8(ascii: "(") || self == ASCII.equals
            || self == ASCII.backslash
    }
}
