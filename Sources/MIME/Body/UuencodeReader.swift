import MartletBytes

/// Reads the lines of a uuencoded file behind its first one.
struct UuencodeReader {
    private(set) var file: EmbeddedFile
    var defects: [Defect] = []
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
                return
            }
            if Self.isData(text, line.content) {
                appendLine(text, line.content)
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

    /// Whether a line can be data: a count, and not many more characters than it needs, all in the alphabet.
    static func isData(_ text: UnsafeRawBufferPointer, _ line: Range<Int>) -> Bool {
        guard let first = line.first, text[first] &- ASCII.space <= 64 else { return false }
        let needed = (count(text[first]) + 2) / 3 * 4
        guard text.withoutTrailingBlanks(line).count <= needed + 3 else { return false }
        return text[line].allSatisfy { $0 &- ASCII.space <= 64 }
    }

    private static func count(_ character: UInt8) -> Int { Int((character &- ASCII.space) & 63) }

    private mutating func appendLine(_ text: UnsafeRawBufferPointer, _ line: Range<Int>) {
        let count = Self.count(text[line.lowerBound])
        let start = line.lowerBound + 1
        var left = count
        var index = start
        while left > 0 {
            var bits: UInt32 = 0
            for place in index..<index + 4 {
                // What is missing was blanks, which stand for zero.
                let value = place < line.upperBound ? (text[place] &- ASCII.space) & 63 : 0
                bits = bits << 6 | UInt32(value)
            }
            file.octets.append(UInt8(truncatingIfNeeded: bits >> 16))
            if left > 1 { file.octets.append(UInt8(truncatingIfNeeded: bits >> 8)) }
            if left > 2 { file.octets.append(UInt8(truncatingIfNeeded: bits)) }
            left -= 3
            index += 4
        }
    }
}
