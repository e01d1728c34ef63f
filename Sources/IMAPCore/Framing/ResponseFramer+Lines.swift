import MartletBytes

extension ResponseFramer {
    /// What the first line of a response says about the rest.
    enum Kind {
        /// `* OK` and its like, tagged lines, `+`: one line without literals.
        case status
        /// `* n FETCH`.
        case fetch
        /// Any other.
        case data
    }

    /// How far the lines of a response are scanned.
    struct LineScan {
        /// Where the scan goes on, counted from the start of the frame.
        var offset = 0
        /// Where the line, or what is behind a literal, begins.
        var segmentStart = 0
        /// Whether a quoted string is open.
        var isQuoted = false
        /// Parentheses that are open.
        var depth = 0

        mutating func beginSegment(at offset: Int) {
            self.offset = offset
            segmentStart = offset
            isQuoted = false
        }

        /// Goes over octets that have not been scanned, up to `end`.
        mutating func read(_ frame: ArraySlice<UInt8>, to end: Int) {
            var index = frame.startIndex + offset
            let end = frame.startIndex + end
            offset = end - frame.startIndex
            var isQuoted = self.isQuoted
            var depth = self.depth
            while index < end {
                let octet = frame[index]
                index += 1
                // Most octets are none of the four.
                if octet > 0x29, octet != ASCII.backslash { continue }
                switch octet {
                case ASCII.quote: isQuoted.toggle()
                case ASCII.backslash: if isQuoted { index += 1 }
                case UInt8(ascii: "("): if !isQuoted { depth += 1 }
                case UInt8(ascii: ")"): if !isQuoted { depth -= 1 }
                default: break
                }
            }
            self.isQuoted = isQuoted
            self.depth = depth
        }
    }

    /// Reads up to a line end.
    mutating func readLine() throws(FramingError) -> FramedPiece? {
        let isWhole = buffer.takeLine()
        try checkLineLength()
        guard isWhole else { return nil }
        buffer.gather()
        let frame = buffer.frame
        var end = frame.count - 1
        if end > scan.segmentStart, frame[frame.startIndex + end - 1] == ASCII.cr { end -= 1 }
        if scan.segmentStart == 0, !isJoined {
            guard end > 0 else {
                readAgain(from: frame.count)
                return nil
            }
            kind = Self.kind(of: frame.prefix(end))
        }
        guard kind != .status else { return .response(takeFrame(to: end, next: frame.count)) }
        return try endDataLine(frame, at: end)
    }

    private mutating func endDataLine(
        _ frame: ArraySlice<UInt8>, at end: Int
    ) throws(FramingError) -> FramedPiece? {
        let line = frame.dropFirst(scan.segmentStart).prefix(end - scan.segmentStart)
        let announcement = Self.literalAnnouncement(in: line)
        // Most responses by far: one line in which there is nothing to be looked for.
        if literals.isEmpty, !isJoined, announcement == .none, Self.hasPlainQuotes(line) {
            return .response(takeFrame(to: end, next: frame.count))
        }
        scan.read(frame, to: end)
        if kind == .fetch, let last = literals.last,
            !Self.mayFollow(last, frame.dropFirst(scan.segmentStart)),
            let response = recovered(from: frame)
        {
            return .response(response)
        }
        switch announcement {
        case .none: break
        case .tooLarge: throw .literalTooLarge(limit: limits.literalInOctets)
        case .size(let size, let start):
            return try beginLiteral(announcedAt: start - frame.startIndex, size: size)
        }
        if scan.isQuoted {
            scan.offset = frame.count
            state = .lookahead
            return nil
        }
        if !literals.isEmpty, kind == .fetch,
            scan.depth != 0 || frame[frame.startIndex + end - 1] != UInt8(ascii: ")"),
            let response = recovered(from: frame)
        {
            return .response(response)
        }
        return .response(takeFrame(to: end, next: frame.count))
    }

    /// Whether there are as many quotes that open as quotes that close, told by their number: none is escaped.
    private static func hasPlainQuotes(_ line: ArraySlice<UInt8>) -> Bool {
        line.withUnsafeBufferPointer { octets in
            guard let first = octets.first else { return true }
            var count: UInt32 = first == ASCII.quote ? 1 : 0
            var escapeCount: UInt32 = 0
            // In bounds: from the second octet to the last. Without branches, many octets are looked at together.
            for index in 1..<octets.count {
                let quote: UInt32 = octets[index] == ASCII.quote ? 1 : 0
                let backslash: UInt32 = octets[index &- 1] == ASCII.backslash ? 1 : 0
                count &+= quote
                escapeCount &+= quote & backslash
            }
            return count & 1 == 0 && escapeCount == 0
        }
    }

    /// Refuses lines without an end, and what cannot be IMAP.
    private func checkLineLength() throws(FramingError) {
        guard buffer.frameLength - literalOctetCount <= limits.lineInOctets else {
            throw .lineTooLong(limit: limits.lineInOctets)
        }
        if buffer.frameBegins({ ($0 == 0x15 || $0 == 0x16) && $1 == 0x03 }) { throw .tlsRecord }
    }

    /// What a response is, by its first line.
    static func kind(of line: ArraySlice<UInt8>) -> Kind {
        guard line.first == UInt8(ascii: "*") else { return .status }
        var index = line.startIndex + 1
        func skip(_ isSkipped: (UInt8) -> Bool) {
            while index < line.endIndex, isSkipped(line[index]) { index += 1 }
        }
        func isWord(_ word: StaticString) -> Bool {
            let count = word.utf8CodeUnitCount
            guard line.endIndex - index >= count else { return false }
            // In bounds: the word has `count` octets.
            for place in 0..<count where line[index + place].uppercased != word.utf8Start[place] {
                return false
            }
            return line.endIndex - index == count || !line[index + count].isAtomOctet
        }
        skip { $0 == ASCII.space }
        guard index < line.endIndex else { return .data }
        if line[index].isDigit {
            skip(\.isDigit)
            skip { $0 == ASCII.space }
            return isWord("FETCH") || isWord("UIDFETCH") ? .fetch : .data
        }
        let isStatus =
            isWord("OK") || isWord("NO") || isWord("BAD") || isWord("BYE") || isWord("PREAUTH")
        return isStatus ? .status : .data
    }

    /// Whether octets can be what stands behind a literal in a FETCH: among the items, the end or another item.
    private static func mayFollow(_ literal: Literal, _ octets: ArraySlice<UInt8>) -> Bool {
        switch octets.first {
        case UInt8(ascii: ")")?, ASCII.cr?, ASCII.lf?: return true
        case ASCII.space? where literal.depth == 1:
            let name = octets.dropFirst().prefix {
                $0 &- 0x41 < 26 || $0 == ASCII.dot || $0 == ASCII.hyphen
            }
            guard name.count > 2, name.endIndex < octets.endIndex else { return false }
            return octets[name.endIndex] == ASCII.space
                || octets[name.endIndex] == UInt8(ascii: "[")
        case ASCII.space?: return true
        default: return false
        }
    }

    /// What the end of a line announces.
    enum Announcement: Equatable {
        case none
        case size(UInt64, start: Int)
        case tooLarge
    }

    // literal = "{" number64 ["+"] "}" CRLF
    /// A literal that is announced at the end of a line. Behind a space, a parenthesis, or the end of an item's name:
    /// nothing else can have one.
    static func literalAnnouncement(in line: ArraySlice<UInt8>) -> Announcement {
        var index = line.endIndex - 1
        func octet() -> UInt8 { index >= line.startIndex ? line[index] : 0 }
        guard octet() == UInt8(ascii: "}") else { return .none }
        index -= 1
        if octet() == UInt8(ascii: "+") { index -= 1 }
        let digitsEnd = index + 1
        while octet().isDigit { index -= 1 }
        let digits = line[(index + 1)..<digitsEnd]
        guard octet() == UInt8(ascii: "{"), !digits.isEmpty else { return .none }
        var start = index
        index -= 1
        if octet() == UInt8(ascii: "~") {
            start = index
            index -= 1
        }
        switch octet() {
        case ASCII.space, UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "]"),
            UInt8(ascii: ">"):
            break
        default: return .none
        }
        var size: UInt64 = 0
        for digit in digits {
            let (product, overflow) = size.multipliedReportingOverflow(by: 10)
            let (sum, carry) = product.addingReportingOverflow(UInt64(digit - ASCII.zero))
            if overflow || carry { return .tooLarge }
            size = sum
        }
        return .size(size, start: start)
    }

    // MARK: Lines that may go on

    /// Reads the start of the line behind one in which a quoted string is open, until it is clear what it is.
    ///
    /// QUIRK(line-end-in-quotes): names of files are folded as they were in the message.
    mutating func readLookahead() -> FramedPiece? {
        _ = buffer.take(1)
        buffer.gather()
        switch Self.isResponse(buffer.frame.dropFirst(scan.offset), tagPrefix: tagPrefix) {
        case nil: return nil
        case true?: return endOpenLine()
        case false?:
            isJoined = true
            state = .line
            // The octet may be a line end itself.
            buffer.takeBack()
            return nil
        }
    }

    /// Ends a line in which a quoted string is open as if it were not.
    mutating func endOpenLine() -> FramedPiece {
        let next = scan.offset
        let frame = buffer.frame
        var end = next - 1
        if end > 0, frame[frame.startIndex + end - 1] == ASCII.cr { end -= 1 }
        return .response(takeFrame(to: end, next: next))
    }

    /// Whether the start of a line is that of a response; `nil` as long as that is open.
    static func isResponse(_ line: ArraySlice<UInt8>, tagPrefix: [UInt8]) -> Bool? {
        guard let first = line.first else { return nil }
        if first == UInt8(ascii: "+") { return true }
        if first == UInt8(ascii: "*") {
            return line.count < 2 ? nil : line[line.startIndex + 1] == ASCII.space
        }
        // tag SP ("OK" / "NO" / "BAD")
        for (octet, expected) in zip(line, tagPrefix) where octet != expected { return false }
        guard line.count > tagPrefix.count else { return nil }
        let longestTag = tagPrefix.isEmpty ? 32 : 10
        let rest = line.dropFirst(tagPrefix.count)
        let tag = rest.prefix { tagPrefix.isEmpty ? $0.isLetter || $0.isDigit : $0.isDigit }
        guard !tag.isEmpty, tag.count <= longestTag else { return false }
        guard tag.count < rest.count else { return nil }
        guard rest[tag.endIndex] == ASCII.space else { return false }
        let word = rest[(tag.endIndex + 1)...].prefix(3)
        var isOpen = false
        for condition in StatusCondition.allCases {
            let name = condition.rawValue.utf8
            guard zip(word, name).allSatisfy({ $0.uppercased == $1 }) else { continue }
            if word.count >= name.count { return true }
            isOpen = true
        }
        return isOpen ? nil : false
    }
}
