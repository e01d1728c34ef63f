import MartletBytes

/// Reads a list of message IDs, whatever stands around them. RFC 5322 §3.6.4, §4.5.4.
struct MessageIDReader {
    private(set) var references: [MessageReference] = []
    var defects: [Defect] = []
    private let limits: MIMELimits

    init(limits: MIMELimits) { self.limits = limits }

    mutating func read(_ octets: Span<UInt8>) {
        let end = limits.readableCount(of: octets.count, &defects)
        if octets.contains(ASCII.less, in: 0..<end) {
            readBracketed(octets, end: end)
            // All of them are in quotes.
            if references.isEmpty { readBracketed(octets, end: end, skipsQuotes: false) }
        } else {
            readBare(octets, end: end)
        }
    }

    // MARK: With brackets

    private mutating func readBracketed(
        _ octets: Span<UInt8>, end: Int, skipsQuotes: Bool = true
    ) {
        // Quotes and parentheses that are never closed must not swallow the IDs behind them.
        var quotesEnd = skipsQuotes ? end : 0
        var commentsEnd = end
        var wordStart: Int?
        var index = 0
        while index < end {
            let octet = octets[index]
            if octet == ASCII.less {
                wordStart = nil
                guard let next = bracketed(from: index, end: end, of: octets) else { return }
                index = next
            } else if octet == ASCII.quote, index < quotesEnd {
                wordStart = nil
                let quoted = octets.quotedString(from: index, end: end)
                if quoted.isClosed {
                    index = quoted.end
                } else {
                    quotesEnd = index
                }
            } else if octet == UInt8(ascii: "("), index < commentsEnd {
                wordStart = nil
                if let next = octets.commentEnd(from: index, end: end).end {
                    index = next
                } else {
                    commentsEnd = index
                }
            } else if octet == ASCII.greater {
                // The opening bracket is missing.
                if let start = wordStart {
                    defects.append(Defect(.unclosedBracket, at: start))
                    guard add(start..<index, of: octets) else { return }
                }
                wordStart = nil
                index += 1
            } else {
                if octet.isFoldingSpace || octet == UInt8(ascii: ",") {
                    wordStart = nil
                } else if wordStart == nil {
                    wordStart = index
                }
                index += 1
            }
        }
    }

    /// Reads the ID that starts with the bracket at `start`; `nil` at the limit.
    private mutating func bracketed(
        from start: Int, end: Int, of octets: Span<UInt8>
    ) -> Int? {
        var index = start + 1
        while index < end, octets[index] != ASCII.greater, octets[index] != ASCII.less {
            index += 1
        }
        let id = octets.trimmed((start + 1)..<index)
        if index < end, octets[index] == ASCII.greater {
            guard add(id, of: octets) else { return nil }
            return index + 1
        }
        // Two opening brackets, or the closing one is missing: the next opens another ID.
        if !id.isEmpty || defects.last?.kind != .unclosedBracket {
            defects.append(Defect(.unclosedBracket, at: start))
        }
        if !id.isEmpty {
            guard add(id, of: octets) else { return nil }
        }
        return index
    }

    // MARK: Without brackets

    private mutating func readBare(_ octets: Span<UInt8>, end: Int) {
        var words: [Range<Int>] = []
        var cursor = ParameterCursor(index: 0, end: end)
        var hasAt = false
        while true {
            cursor.skipBlanks(in: octets)
            guard cursor.index < end else { break }
            let start = cursor.index
            var isAddress = false
            while cursor.index < end, !octets[cursor.index].isFoldingSpace,
                octets[cursor.index] != UInt8(ascii: ",")
            {
                if octets[cursor.index] == UInt8(ascii: "@") { isAddress = true }
                cursor.index += 1
            }
            let word = start..<cursor.index
            if cursor.index < end, octets[cursor.index] == UInt8(ascii: ",") { cursor.index += 1 }
            if word.isEmpty { continue }
            // Words of a phrase are of no use once there is an ID.
            if isAddress, !hasAt { words.removeAll() }
            if isAddress || !hasAt { words.append(word) }
            hasAt = hasAt || isAddress
            if words.count > limits.messageIDCount, hasAt { break }
        }
        guard let first = words.first else { return }
        defects.append(Defect(.invalidMessageID, at: first.lowerBound))
        guard hasAt || words.count == 1 else { return }
        for word in words {
            guard add(word, of: octets) else { return }
        }
    }

    // MARK: IDs

    /// Adds an ID; `false` at the limit.
    private mutating func add(_ range: Range<Int>, of octets: Span<UInt8>) -> Bool {
        if range.isEmpty {
            // Said once for many in a row.
            if defects.last?.kind != .invalidMessageID {
                defects.append(Defect(.invalidMessageID, at: range.lowerBound))
            }
            return true
        }
        guard references.count < limits.messageIDCount else {
            defects.append(
                Defect(.limitReached, at: range.lowerBound, limit: "messageIDCount"))
            return false
        }
        if octets.isPrintable(range), !octets.contains(ASCII.space, in: range) {
            references.append(MessageReference(text: octets.string(range)))
            return true
        }
        defects.append(Defect(.invalidMessageID, at: range.lowerBound))
        let text = HeaderText.raw(withoutBlanks(range, of: octets))
        if !text.isEmpty { references.append(MessageReference(text: text)) }
        return true
    }

    private func withoutBlanks(_ range: Range<Int>, of octets: Span<UInt8>) -> [UInt8] {
        var id: [UInt8] = []
        var cursor = ParameterCursor(index: range.lowerBound, end: range.upperBound)
        // Line breaks alone are made by folding in the middle; blanks are the obsolete form.
        let hasBlank = octets.contains(ASCII.space, in: range)
        var quotesEnd = range.upperBound
        while cursor.index < cursor.end {
            let start = cursor.index
            let octet = octets[start]
            if octet == ASCII.quote, start < quotesEnd {
                let quoted = octets.quotedString(from: start, end: range.upperBound)
                if quoted.isClosed {
                    id += octets.array(start..<quoted.end).filter { !$0.isLineBreak }
                    cursor.index = quoted.end
                    continue
                }
                quotesEnd = start
            }
            if octet.isFoldingSpace || hasBlank && octet == UInt8(ascii: "(") {
                if hasBlank { cursor.skipBlanks(in: octets) } else { cursor.index += 1 }
                if cursor.index > start { continue }
            }
            id.append(octet)
            cursor.index += 1
        }
        return id
    }
}

extension HeaderText {
    /// Octets that are taken as they are: no encoded words. Control characters do not come out.
    static func raw(_ octets: [UInt8]) -> String {
        var builder = HeaderTextBuilder(limits: .standard, expectedSize: octets.count)
        builder.plain(0..<octets.count, of: octets.span)
        return builder.finish().value
    }
}
