import MartletBytes

/// Reads the lines of a uuencoded file behind its first one.
struct UuencodeReader {
    private(set) var file: EmbeddedFile
    var defects: [Defect] = []
    /// Whether the line `end` was there.
    private(set) var isEnded = false
    /// How many lines had 45 octets, which all but the last of a file have, and no character more or less.
    private(set) var fullLineCount = 0
    /// Whether lines that are no data are skipped, or end the file.
    private let passesOverOtherLines: Bool

    init(_ file: EmbeddedFile, passesOverOtherLines: Bool) {
        self.file = file
        self.passesOverOtherLines = passesOverOtherLines
    }

    /// Reads up to the line `end`, or where the data stops.
    mutating func read(_ text: UnsafeRawBufferPointer, from offset: Int) {
        var lines = TextLines(text, from: offset)
        var end = offset
        while let line = lines.next() {
            let content = text.withoutTrailingBlanks(line.content)
            if content.count == 3, text.hasPrefix("end", in: content) {
                file.range = file.range.lowerBound..<line.end
                isEnded = true
                return
            }
            if Self.isData(text, line.content) {
                appendLine(text, line.content)
                end = line.end
                if line.content.count == 61, text[line.content.lowerBound] == UInt8(ascii: "M") {
                    fullLineCount += 1
                }
            } else if let repaired = Self.withoutYenSigns(text, line.content) {
                repaired.withUnsafeBytes { appendLine($0, 0..<$0.count) }
                note(at: line.content.lowerBound)
                end = line.end
            } else if !content.isEmpty {
                note(at: line.content.lowerBound)
                if !passesOverOtherLines { break }
            }
        }
        // `end` is missing.
        note(at: end)
        file.range = file.range.lowerBound..<max(end, file.range.upperBound)
    }

    /// One defect tells enough; a body of other lines would give one for each.
    private mutating func note(at offset: Int) {
        if defects.isEmpty { defects.append(Defect(.invalidUuencode, at: offset)) }
    }

    /// A line of data whose backslashes were taken for yen signs, which have their place in Japanese sets of
    /// characters, and were then written in UTF-8; `nil` if it is none.
    static func withoutYenSigns(
        _ text: UnsafeRawBufferPointer, _ line: Range<Int>
    ) -> [UInt8]? {
        // QUIRK(uuencode-yen-sign): C2 A5 stands for the backslash.
        guard line.count <= 200, text[line].contains(0xA5) else { return nil }
        var repaired: [UInt8] = []
        for octet in text[line] {
            if octet == 0xA5, repaired.last == 0xC2 {
                repaired[repaired.count - 1] = ASCII.backslash
            } else {
                repaired.append(octet)
            }
        }
        return repaired.withUnsafeBytes { isData($0, 0..<$0.count) } ? repaired : nil
    }

    /// Whether a line looks like the first one of a file's data: at least half of it may not be blanks that were lost.
    static func isPlausible(_ text: UnsafeRawBufferPointer, _ line: Range<Int>) -> Bool {
        if let repaired = withoutYenSigns(text, line) {
            return repaired.withUnsafeBytes { isPlausible($0, 0..<$0.count) }
        }
        guard isData(text, line) else { return false }
        let needed = (count(text[line.lowerBound]) + 2) / 3 * 4
        return 2 * (line.count - 1) >= needed
    }

    /// Whether a line can be data: a count, and not many more characters than it needs, all in the alphabet.
    static func isData(_ text: UnsafeRawBufferPointer, _ line: Range<Int>) -> Bool {
        guard let first = line.first, isInAlphabet(text[first]) else { return false }
        let needed = (count(text[first]) + 2) / 3 * 4
        guard text.withoutTrailingBlanks(line).count <= needed + 3 else { return false }
        // In bounds: the lines of a text lie within it.
        for index in line where !isInAlphabet(text[index]) { return false }
        return true
    }

    @inline(__always)
    private static func isInAlphabet(_ octet: UInt8) -> Bool { octet &- ASCII.space <= 64 }

    private static func count(_ character: UInt8) -> Int { Int((character &- ASCII.space) & 63) }

    private mutating func appendLine(_ text: UnsafeRawBufferPointer, _ line: Range<Int>) {
        let count = Self.count(text[line.lowerBound])
        // Whole quanta: 63 octets at most.
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 64) { octets in
            var index = line.lowerBound + 1
            for target in stride(from: 0, to: count, by: 3) {
                var bits: UInt32 = 0
                for place in index..<index + 4 {
                    // What is missing was blanks, which stand for zero.
                    let value = place < line.upperBound ? (text[place] &- ASCII.space) & 63 : 0
                    bits = bits << 6 | UInt32(value)
                }
                octets[target] = UInt8(truncatingIfNeeded: bits >> 16)
                octets[target + 1] = UInt8(truncatingIfNeeded: bits >> 8)
                octets[target + 2] = UInt8(truncatingIfNeeded: bits)
                index += 4
            }
            file.octets.append(contentsOf: UnsafeMutableBufferPointer(rebasing: octets[..<count]))
        }
    }
}
