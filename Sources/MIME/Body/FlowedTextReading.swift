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
        var paragraphs: [Paragraph] = []
        let defects = read(text, deletesSpaces: deletesSpaces, limits: limits) { text, depth in
            paragraphs.append(Paragraph(String(decoding: text, as: UTF8.self), quoteDepth: depth))
        }
        return Parsed(FlowedText(paragraphs), defects: defects)
    }

    /// The `plainText` of what `parse` reads, without a value for each paragraph.
    static func plainText(of text: String, deletesSpaces: Bool, limits: MIMELimits) -> String {
        var text = text
        var output: [UInt8] = []
        text.withUTF8 { octets in
            output.reserveCapacity(octets.count + 1)
            _ = read(
                UnsafeRawBufferPointer(octets), deletesSpaces: deletesSpaces, limits: limits
            ) { text, depth in
                if depth > 0 {
                    output.append(contentsOf: repeatElement(ASCII.greater, count: depth))
                    if !text.isEmpty { output.append(ASCII.space) }
                }
                if !text.isEmpty { output.append(contentsOf: text) }
                output.append(ASCII.lf)
            }
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// Calls `take` with each paragraph and its depth.
    @inline(__always)
    private static func read(
        _ text: UnsafeRawBufferPointer, deletesSpaces: Bool, limits: MIMELimits,
        _ take: (Slice<UnsafeRawBufferPointer>, Int) -> Void
    ) -> [Defect] {
        var reader = FlowedTextReader(deletesSpaces: deletesSpaces, depthLimit: limits.quoteDepth)
        var lines = TextLines(text)
        while let line = lines.next() { reader.take(text, line.content, take) }
        reader.endParagraph(take)
        return reader.defects
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
    typealias Sink = (Slice<UnsafeRawBufferPointer>, Int) -> Void

    let deletesSpaces: Bool
    let depthLimit: Int
    private(set) var defects: [Defect] = []
    // The lines of the paragraph so far, and its depth if its last line goes on.
    private var text: [UInt8] = []
    private var openDepth: Int?

    init(deletesSpaces: Bool, depthLimit: Int) {
        self.deletesSpaces = deletesSpaces
        self.depthLimit = depthLimit
    }

    mutating func take(_ octets: UnsafeRawBufferPointer, _ line: Range<Int>, _ sink: Sink) {
        var start = line.lowerBound
        while start < line.upperBound, octets[start] == ASCII.greater {
            guard start - line.lowerBound < depthLimit else {
                note(at: start)
                break
            }
            start += 1
        }
        let depth = start - line.lowerBound
        // Space-stuffing, §4.4.
        if start < line.upperBound, octets[start] == ASCII.space { start += 1 }
        if openDepth != depth { endParagraph(sink) }
        let content = start..<line.upperBound
        guard !content.isEmpty, octets[content.upperBound - 1] == ASCII.space else {
            return end(with: octets[content], depth, sink)
        }
        if content.count == FlowedText.signatureSeparator.utf8.count,
            octets[content].elementsEqual(FlowedText.signatureSeparator.utf8)
        {
            endParagraph(sink)
            return sink(octets[content], depth)
        }
        text.append(contentsOf: octets[deletesSpaces ? content.dropLast() : content])
        openDepth = depth
    }

    /// The last line of a paragraph, which is most often its only one.
    private mutating func end(
        with line: Slice<UnsafeRawBufferPointer>, _ depth: Int, _ sink: Sink
    ) {
        guard openDepth != nil else { return sink(line, depth) }
        text.append(contentsOf: line)
        endParagraph(sink)
    }

    mutating func endParagraph(_ sink: Sink) {
        guard let depth = openDepth else { return }
        openDepth = nil
        text.withUnsafeBytes { text in
            let end = text.lastIndex { $0 != ASCII.space }.map { $0 + 1 } ?? 0
            sink(text[..<end], depth)
        }
        text.removeAll(keepingCapacity: true)
    }

    private mutating func note(at offset: Int) {
        guard defects.isEmpty else { return }
        defects.append(Defect(.limitReached, at: offset, limit: "quoteDepth"))
    }
}
