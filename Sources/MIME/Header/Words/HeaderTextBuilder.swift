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

    /// UTF-8 without control characters, and behind `decodedEnd` the octets of the run, as they are.
    private var text: [UInt8] = []
    private var decodedEnd = 0
    private var kind = Run.none
    private var runStart = 0
    /// What the word at the end of the run left of its base64.
    private var rest = EncodedWordText.Rest()
    /// How many spaces at the end of `text` were line breaks.
    private var trailingBreaks = 0

    init(limits: MIMELimits, expectedSize: Int) {
        wordsLeft = limits.encodedWordCount
        text.reserveCapacity(expectedSize)
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
            text.append(contentsOf: octets.extracting(start..<index))
            let isBehindBlank = text.count > decodedEnd && text[text.count - 1].isBlank
            while index < range.upperBound, octets[index].isLineBreak { index += 1 }
            let isBeforeBlank = index < range.upperBound && octets[index].isBlank
            if !isBehindBlank, !isBeforeBlank { text.append(ASCII.space) }
            start = index
        }
        text.append(contentsOf: octets.extracting(start..<range.upperBound))
    }

    /// Adds one plain octet.
    mutating func plain(_ octet: UInt8, at offset: Int) {
        begin(.plain, at: offset)
        text.append(octet)
    }

    // MARK: Encoded words

    /// Adds an encoded word.
    mutating func word(_ word: EncodedWord, of octets: Span<UInt8>, at offset: Int) {
        begin(.word(word.charset), at: offset)
        wordsLeft -= 1
        let goesOn = rest.goesOn(in: word, of: octets)
        if goesOn { text.removeLast(rest.octetCount) } else { rest = EncodedWordText.Rest() }
        let start = text.count
        if !EncodedWordText.decode(word, in: octets, into: &text, rest: &rest) {
            defects.append(Defect(.invalidEncodedWord, at: offset))
        }
        if word.charset.isStateful, start > decodedEnd, !goesOn {
            separate(from: start, at: offset)
        }
        if !word.charset.isKnown { defects.append(Defect(.unknownCharset, at: offset)) }
    }

    /// Adds octets of a charset that are not encoded any more.
    mutating func decoded(_ octets: [UInt8], charset: FieldCharset, at offset: Int) {
        begin(.word(charset), at: offset)
        text += octets
    }

    // MARK: Runs

    /// Ends the run before the word at `start`, unless that goes on with it: each word begins in ASCII. RFC 2047 §3.
    private mutating func separate(from start: Int, at offset: Int) {
        if ShiftedWords.goesOn(text[start...], behind: text[decodedEnd..<start]) {
            defects.append(Defect(.invalidEncodedWord, at: offset))
            return
        }
        let next = Array(text[start...])
        let (kind, rest) = (kind, rest)
        text.removeSubrange(start...)
        flush()
        begin(kind, at: offset)
        text += next
        self.rest = rest
    }

    private mutating func begin(_ next: Run, at offset: Int) {
        if kind == next { return }
        flush()
        kind = next
        runStart = offset
    }

    /// Decodes the run.
    private mutating func flush() {
        defer {
            kind = .none
            decodedEnd = text.count
            rest = EncodedWordText.Rest()
        }
        if text.count == decodedEnd { return }
        trailingBreaks = 0
        let charset: FieldCharset
        switch kind {
        case .none: return
        case .plain: charset = .none
        case .word(let known): charset = known
        }
        let run = decodedEnd..<text.count
        if text.span.isPrintable(run), charset.keepsASCII { return }
        if kind == .plain, text.span.hasNonASCII(run) {
            defects.append(Defect(.rawNonASCII, at: runStart))
        }
        if !charset.isUTF8(text.span.extracting(run)) {
            let run = Array(text[decodedEnd...])
            text.removeSubrange(decodedEnd...)
            if !charset.decode(run, into: &text) {
                defects.append(Defect(.malformedText, at: runStart))
            }
        }
        let decoded = decodedEnd..<text.count
        if text.span.mayHaveControls(decoded) { removeControls(from: decodedEnd) }
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
        return Parsed(string, defects: defects)
    }
}
