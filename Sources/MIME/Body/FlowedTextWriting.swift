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
            for line in paragraph.text.split(
                omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            {
                FlowedLineWriter(depth: paragraph.quoteDepth, deletesSpaces: deletesSpaces)
                    .write(line, into: &output)
            }
        }
        return output
    }
}

/// Breaks one paragraph into lines.
private struct FlowedLineWriter {
    private let prefix: [UInt8]
    private let width: Int
    private let deletesSpaces: Bool

    init(depth: Int, deletesSpaces: Bool) {
        prefix = [UInt8](repeating: ASCII.greater, count: max(0, depth))
        // Deep quotations get longer lines rather than a word on each.
        width = max(FlowedText.widthInCharacters - prefix.count - 1, 24)
        self.deletesSpaces = deletesSpaces
    }

    func write(_ paragraph: Substring, into output: inout [UInt8]) {
        if paragraph == FlowedText.signatureSeparator {
            return writeLine(paragraph, goesOn: false, into: &output)
        }
        var rest = paragraph
        while rest.last == " " { rest.removeLast() }
        repeat {
            let line = firstLine(of: rest)
            rest = rest[line.endIndex...]
            writeLine(line, goesOn: !rest.isEmpty, into: &output)
        } while !rest.isEmpty
    }

    /// As many words as fit, with the spaces behind them; at least one.
    private func firstLine(of rest: Substring) -> Substring {
        var lastBreak: Substring.Index?
        var count = 0
        var index = rest.startIndex
        while index < rest.endIndex {
            if count >= width, let lastBreak { return rest[..<lastBreak] }
            if count >= width, deletesSpaces { return rest[..<index] }
            let character = rest[index]
            rest.formIndex(after: &index)
            count += 1
            // A line "-- " would be read as the signature separator.
            if character == " ", index < rest.endIndex, rest[index] != " ",
                rest[..<index] != FlowedText.signatureSeparator
            {
                lastBreak = index
            }
        }
        return rest
    }

    private func writeLine(_ line: Substring, goesOn: Bool, into output: inout [UInt8]) {
        output += prefix
        let text = line.utf8
        let isStuffed =
            !prefix.isEmpty && !text.isEmpty || text.first == ASCII.space
            || text.first == ASCII.greater || text.starts(with: "From ".utf8)
        if isStuffed { output.append(ASCII.space) }
        output += text
        if goesOn, deletesSpaces { output.append(ASCII.space) }
        output.append(ASCII.cr)
        output.append(ASCII.lf)
    }
}
