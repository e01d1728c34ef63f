import MartletBytes

extension FlowedText {
    /// The columns that a line should not exceed. RFC 3676 §4.2.
    public static let widthInCharacters = 72

    /// Writes text for `format=flowed`, in UTF-8 and with CRLF at the end of each line.
    ///
    /// Lines break behind spaces, so that a word longer than a line makes a longer line; with `deletesSpaces` such a
    /// word is broken too, between characters, which is for languages that have no spaces. Spaces at the end of
    /// a paragraph are left out, since they would join it with the next.
    ///
    /// - Parameter deletesSpaces: write for `delsp=yes`.
    public func encode(deletesSpaces: Bool = false) -> [UInt8] {
        var output: [UInt8] = []
        for paragraph in paragraphs {
            let writer = FlowedLineWriter(
                depth: paragraph.quoteDepth, deletesSpaces: deletesSpaces)
            var rest = [UInt8](paragraph.text.utf8)[...]
            // A line end within a paragraph can only be the end of a paragraph.
            while let end = rest.firstIndex(where: { $0 == ASCII.cr || $0 == ASCII.lf }) {
                writer.write(rest[..<end], into: &output)
                let isCRLF = rest[end...].starts(with: [ASCII.cr, ASCII.lf])
                rest = rest[(end + (isCRLF ? 2 : 1))...]
            }
            writer.write(rest, into: &output)
        }
        return output
    }
}

/// Breaks one paragraph into lines.
struct FlowedLineWriter {
    private let prefix: [UInt8]
    private let width: Int
    private let deletesSpaces: Bool

    init(depth: Int, deletesSpaces: Bool) {
        prefix = [UInt8](repeating: ASCII.greater, count: max(0, depth))
        // Deep quotations get longer lines rather than a word on each.
        width = max(FlowedText.widthInCharacters - prefix.count - 1, 24)
        self.deletesSpaces = deletesSpaces
    }

    func write(_ paragraph: ArraySlice<UInt8>, into output: inout [UInt8]) {
        if isSignatureSeparator(paragraph) {
            return writeLine(paragraph, goesOn: false, into: &output)
        }
        var rest = paragraph
        while rest.last == ASCII.space { rest.removeLast() }
        repeat {
            let end = firstLineEnd(of: rest)
            writeLine(rest[..<end], goesOn: end < rest.endIndex, into: &output)
            rest = rest[end...]
        } while !rest.isEmpty
    }

    /// The end of as many words as fit, with the spaces behind them; at least one.
    private func firstLineEnd(of rest: ArraySlice<UInt8>) -> Int {
        var lastBreak: Int?
        var count = 0
        for index in rest.indices {
            let octet = rest[index]
            if octet != ASCII.space, index > rest.startIndex,
                rest[index - 1] == ASCII.space,
                // Such a line would be read as the signature separator.
                !isSignatureSeparator(rest[..<index])
            {
                lastBreak = index
            }
            // Continuation octets of UTF-8 belong to the character before.
            if octet & 0xC0 == 0x80 { continue }
            if count >= width {
                if let lastBreak { return lastBreak }
                if deletesSpaces { return endOfCharacters(of: rest) }
            }
            count += 1
        }
        return rest.endIndex
    }

    /// The end of `width` characters, however many octets and accents each has.
    private func endOfCharacters(of rest: ArraySlice<UInt8>) -> Int {
        let start = String(decoding: rest.prefix(32 * width), as: UTF8.self).prefix(width)
        var end = min(rest.startIndex + start.utf8.count, rest.endIndex)
        while end < rest.endIndex, rest[end] & 0xC0 == 0x80 { end += 1 }
        return end
    }

    private func isSignatureSeparator(_ line: ArraySlice<UInt8>) -> Bool {
        line.elementsEqual(FlowedText.signatureSeparator.utf8)
    }

    private func writeLine(
        _ line: ArraySlice<UInt8>, goesOn: Bool, into output: inout [UInt8]
    ) {
        output += prefix
        let isStuffed =
            !prefix.isEmpty && !line.isEmpty || line.first == ASCII.space
            || line.first == ASCII.greater || line.starts(with: "From ".utf8)
        if isStuffed { output.append(ASCII.space) }
        output += line
        if goesOn, deletesSpaces { output.append(ASCII.space) }
        output.append(ASCII.cr)
        output.append(ASCII.lf)
    }
}
