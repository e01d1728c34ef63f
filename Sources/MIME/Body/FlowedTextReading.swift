import MartletBytes

extension FlowedText {
    /// Reads text. RFC 3676 §4.
    ///
    /// A quoted line is joined with the next only where both are equally deep.
    ///
    /// - Parameters:
    ///   - text: UTF-8; lines end with LF or CRLF.
    ///   - deletesSpaces: the parameter `delsp=yes`: the space that says "goes on" is no part of the text.
    ///   - limits: more `>` in front of a line than `quoteDepth` are text, with a defect.
    public static func parse(
        _ text: UnsafeRawBufferPointer, deletesSpaces: Bool, limits: MIMELimits = .standard
    ) -> Parsed<FlowedText> {
        var reader = FlowedTextReader(deletesSpaces: deletesSpaces, depthLimit: limits.quoteDepth)
        var lines = TextLines(text)
        while let line = lines.next() { reader.take(text, line.content) }
        return reader.finish()
    }

    /// Reads text; see the other form.
    public static func parse(
        _ text: String, deletesSpaces: Bool, limits: MIMELimits = .standard
    ) -> Parsed<FlowedText> {
        var text = text
        return text.withUTF8 {
            parse(UnsafeRawBufferPointer($0), deletesSpaces: deletesSpaces, limits: limits)
        }
    }
}

/// Joins lines to paragraphs.
private struct FlowedTextReader {
    let deletesSpaces: Bool
    let depthLimit: Int
    private var paragraphs: [FlowedText.Paragraph] = []
    private var defects: [Defect] = []
    // The lines of the paragraph so far, if its last line goes on.
    private var open: (text: [UInt8], depth: Int)?

    init(deletesSpaces: Bool, depthLimit: Int) {
        self.deletesSpaces = deletesSpaces
        self.depthLimit = depthLimit
    }

    mutating func take(_ text: UnsafeRawBufferPointer, _ line: Range<Int>) {
        var start = line.lowerBound
        while start < line.upperBound, text[start] == ASCII.greater {
            guard start - line.lowerBound < depthLimit else {
                note(at: start)
                break
            }
            start += 1
        }
        let depth = start - line.lowerBound
        // Space-stuffing, §4.4.
        if start < line.upperBound, text[start] == ASCII.space { start += 1 }
        var content = text[start..<line.upperBound]
        if let open, open.depth != depth { endParagraph() }
        if content.elementsEqual(FlowedText.signatureSeparator.utf8) {
            endParagraph()
            paragraphs.append(.init(FlowedText.signatureSeparator, quoteDepth: depth))
            return
        }
        let goesOn = content.last == ASCII.space
        if goesOn, deletesSpaces { content.removeLast() }
        var paragraph = open ?? (text: [], depth: depth)
        // The array must have one owner while it grows.
        open = nil
        paragraph.text.append(contentsOf: content)
        open = paragraph
        if !goesOn { endParagraph() }
    }

    mutating func finish() -> Parsed<FlowedText> {
        endParagraph()
        return Parsed(FlowedText(paragraphs), defects: defects)
    }

    private mutating func endParagraph() {
        guard let (text, depth) = open else { return }
        open = nil
        let end = text.lastIndex { $0 != ASCII.space }.map { $0 + 1 } ?? 0
        paragraphs.append(.init(String(decoding: text[..<end], as: UTF8.self), quoteDepth: depth))
    }

    private mutating func note(at offset: Int) {
        guard defects.isEmpty else { return }
        defects.append(Defect(.limitReached, at: offset, limit: "quoteDepth"))
    }
}
