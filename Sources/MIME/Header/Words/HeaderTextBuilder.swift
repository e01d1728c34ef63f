import MartletBytes

/// Puts the text of a header field together from plain octets and encoded words.
///
/// Octets of adjacent words of one charset are joined before they are decoded, since many programs cut
/// characters between words. Nothing that comes out is a control character.
struct HeaderTextBuilder {
    private enum Run: Equatable {
        case none
        case plain
        case word(FieldCharset)
    }

    /// What was odd so far.
    var defects: [Defect] = []
    /// How many more encoded words may be decoded.
    private(set) var wordsLeft: Int

    /// UTF-8 without control characters.
    private var text: [UInt8] = []
    /// The octets of the run that is not decoded yet.
    private var run: [UInt8] = []
    private var kind = Run.none
    private var runStart = 0
    /// How many spaces at the end of `text` were line breaks.
    private var trailingBreaks = 0

    init(limits: MIMELimits, expectedSize: Int) {
        wordsLeft = limits.encodedWordCount
        text.reserveCapacity(expectedSize)
        run.reserveCapacity(expectedSize)
    }

    // MARK: Plain octets

    /// Adds plain octets, which are unfolded: line breaks vanish next to a blank, and are a space
    /// elsewhere. RFC 5322 §2.2.3.
    mutating func plain(_ range: Range<Int>, of octets: Span<UInt8>, offset: Int = 0) {
        if range.isEmpty { return }
        begin(.plain, at: offset + range.lowerBound)
        var start = range.lowerBound
        var index = start
        while index < range.upperBound {
            guard octets[index].isLineBreak else {
                index += 1
                continue
            }
            run.append(contentsOf: octets.extracting(start..<index))
            let isBehindBlank = run.last?.isBlank ?? false
            while index < range.upperBound, octets[index].isLineBreak { index += 1 }
            let isBeforeBlank = index < range.upperBound && octets[index].isBlank
            if !isBehindBlank, !isBeforeBlank { run.append(ASCII.space) }
            start = index
        }
        run.append(contentsOf: octets.extracting(start..<range.upperBound))
    }

    /// Adds one plain octet.
    mutating func plain(_ octet: UInt8, at offset: Int) {
        begin(.plain, at: offset)
        run.append(octet)
    }

    // MARK: Encoded words

    /// Adds an encoded word.
    mutating func word(_ word: EncodedWord, of octets: Span<UInt8>, at offset: Int) {
        if word.charset.isStateful { flush() }
        begin(.word(word.charset), at: offset)
        wordsLeft -= 1
        if !EncodedWordText.decode(word, in: octets, into: &run) {
            defects.append(Defect(.invalidEncodedWord, at: offset))
        }
        if word.hasUnknownCharset { defects.append(Defect(.unknownCharset, at: offset)) }
    }

    /// Adds octets of a charset that are not encoded any more.
    mutating func decoded(_ octets: [UInt8], charset: FieldCharset, at offset: Int) {
        begin(.word(charset), at: offset)
        run += octets
    }

    // MARK: Runs

    private mutating func begin(_ next: Run, at offset: Int) {
        if kind == next { return }
        flush()
        kind = next
        runStart = offset
    }

    private mutating func flush() {
        defer {
            kind = .none
            run.removeAll(keepingCapacity: true)
        }
        if run.isEmpty { return }
        let start = text.count
        let charset: FieldCharset
        switch kind {
        case .none: return
        case .plain:
            let profile = OctetKinds(run)
            if !profile.hasNonASCII, !profile.hasEscape {
                charset = .utf8
            } else {
                charset = .none
            }
            if profile.hasNonASCII { defects.append(Defect(.rawNonASCII, at: runStart)) }
        case .word(let known): charset = known
        }
        if charset.decode(run, into: &text) > 0 {
            defects.append(Defect(.malformedText, at: runStart))
        }
        trailingBreaks = 0
        if text.hasControls(from: start) {
            removeControls(from: start)
        }
    }

    /// Makes line breaks and tabs spaces, and every other control character U+FFFD.
    private mutating func removeControls(from start: Int) {
        let decoded = Array(text[start...])
        text.removeSubrange(start...)
        var isOdd = kind != .plain
        var index = 0
        while index < decoded.count {
            let octet = decoded[index]
            index += 1
            // U+0080 to U+009F
            let isC1 = octet == 0xC2 && index < decoded.count && decoded[index] < 0xA0
            let control = isC1 ? decoded[index] : octet
            if isC1 { index += 1 }
            guard isC1 || octet.isControl else {
                text.append(octet)
                trailingBreaks = 0
                continue
            }
            switch control {
            case ASCII.tab: text.append(ASCII.space)
            case 0x0A...0x0D, 0x85:
                isOdd = true
                if control == ASCII.lf, index > 1, decoded[index - 2] == ASCII.cr { continue }
                text.append(ASCII.space)
                trailingBreaks += 1
            default:
                isOdd = true
                text += [0xEF, 0xBF, 0xBD]
                trailingBreaks = 0
            }
        }
        if isOdd { defects.append(Defect(.controlCharacter, at: runStart)) }
    }

    /// The text, without the line breaks that words had at its end.
    mutating func finish() -> Parsed<String> {
        flush()
        text.removeLast(trailingBreaks)
        let string = text.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
        defects.sort { $0.offset < $1.offset }
        return Parsed(string, defects: defects)
    }
}

/// What there is among the octets of plain text.
private struct OctetKinds {
    var hasNonASCII = false
    var hasEscape = false

    init(_ octets: [UInt8]) {
        var all: UInt8 = 0
        for octet in octets {
            all |= octet
            if octet == 0x1B { hasEscape = true }
        }
        hasNonASCII = all >= 0x80
    }
}

extension [UInt8] {
    /// Whether there is a control character in this UTF-8 behind `start`.
    fileprivate func hasControls(from start: Int) -> Bool {
        var previous: UInt8 = 0
        for octet in self[start...] {
            if octet.isControl { return true }
            if previous == 0xC2, octet < 0xA0 { return true }
            previous = octet
        }
        return false
    }
}
