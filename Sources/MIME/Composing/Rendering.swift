import MartletBytes

extension OutgoingMessage {
    /// Makes the octets of the message: canonical CRLF, no line over 998 octets, `bcc` left out.
    ///
    /// The body is a text, or `multipart/alternative` of text and HTML; with attachments it becomes the
    /// first part of a `multipart/mixed` (RFC 2046 §5.1). Large attachments, and those not in memory,
    /// are read and encoded only while the result is read. One message always gives the same octets.
    /// - Throws: `CompositionError` naming the field at fault, before anything is made.
    public func rendered(
        _ options: RenderingOptions = RenderingOptions()
    ) throws(CompositionError) -> RenderedMessage {
        let header = try MessageHeader(of: self, options: options)
        var texts: [BodyPart] = []
        if let text { texts.append(try BodyPart(text: text, subtype: "plain", options: options)) }
        if let html { texts.append(try BodyPart(text: html, subtype: "html", options: options)) }
        if texts.isEmpty, attachments.isEmpty {
            texts.append(try BodyPart(text: "", subtype: "plain", options: options))
        }
        var files: [BodyPart] = []
        for attachment in attachments { files.append(try BodyPart(attachment, options: options)) }

        var boundaries = Boundaries(seed: header.writer.octets)
        if texts.count + files.count > 1 || !files.isEmpty {
            for part in texts + files where part.isUnencoded {
                if case .octets(let octets) = part.content { boundaries.avoid(octets) }
            }
        }
        var assembler = MessageAssembler(boundaries: boundaries)
        assembler.append(header.writer.octets)
        assembler.append(Array("MIME-Version: 1.0\r\n".utf8))
        if files.isEmpty {
            try assembler.append(alternative: texts)
        } else {
            let has8Bit = (texts + files).contains { $0.encoding == .eightBit }
            try assembler.append(multipart: "mixed", has8Bit: has8Bit) {
                (assembler, delimiter) throws(CompositionError) in
                if !texts.isEmpty {
                    assembler.append(delimiter: delimiter)
                    try assembler.append(alternative: texts)
                }
                for file in files {
                    assembler.append(delimiter: delimiter)
                    assembler.append(part: file)
                }
            }
        }
        assembler.endLine()
        return RenderedMessage(
            segments: assembler.segments,
            needs8BitMIME: (texts + files).contains { $0.encoding == .eightBit },
            needsSMTPUTF8: header.needsSMTPUTF8)
    }
}

/// Puts parts and delimiters together, with exactly one CRLF where each needs one.
private struct MessageAssembler {
    private var boundaries: Boundaries
    private(set) var segments: [RenderedMessage.Segment] = []
    private var endsLine = true
    private var contentEndsLine = true

    init(boundaries: Boundaries) { self.boundaries = boundaries }

    mutating func append(_ octets: [UInt8]) {
        guard !octets.isEmpty else { return }
        endsLine = octets.last == ASCII.lf
        if case .octets(var all) = segments.last {
            segments.removeLast()
            all += octets
            segments.append(.octets(all))
        } else {
            segments.append(.octets(octets))
        }
        contentEndsLine = true
    }

    mutating func append(part: BodyPart) {
        append(part.header + [ASCII.cr, ASCII.lf])
        switch part.content {
        case .octets(let octets):
            append(octets)
        case .stream(let source, let name):
            segments.append(.base64(source, name: name))
            endsLine = true
        }
        contentEndsLine = part.endsLine
    }

    mutating func append(alternative texts: [BodyPart]) throws(CompositionError) {
        guard texts.count > 1 else {
            append(part: texts[0])
            return
        }
        let has8Bit = texts.contains { $0.encoding == .eightBit }
        try append(multipart: "alternative", has8Bit: has8Bit) {
            (assembler, delimiter) throws(CompositionError) in
            for text in texts {
                assembler.append(delimiter: delimiter)
                assembler.append(part: text)
            }
        }
    }

    // multipart-body = dash-boundary CRLF body-part *encapsulation close-delimiter ; RFC 2046 §5.1.1
    mutating func append(
        multipart subtype: String, has8Bit: Bool,
        parts: (inout MessageAssembler, String) throws(CompositionError) -> Void
    ) throws(CompositionError) {
        let boundary = boundaries.next()
        var writer = HeaderWriter()
        try writer.field(
            "Content-Type", "multipart/" + subtype,
            parameters: [.init(name: "boundary", value: boundary)])
        // A multipart is labelled by the widest of its parts. RFC 2045 §6.4.
        if has8Bit { try writer.field("Content-Transfer-Encoding", words: [Array("8bit".utf8)]) }
        append(writer.octets + [ASCII.cr, ASCII.lf])
        try parts(&self, "--" + boundary)
        append(delimiter: "--" + boundary + "--")
    }

    mutating func append(delimiter: String) {
        append((contentEndsLine ? [] : [ASCII.cr, ASCII.lf]) + Array((delimiter + "\r\n").utf8))
    }

    /// Makes sure that the message ends with CRLF.
    mutating func endLine() {
        if !endsLine { append([ASCII.cr, ASCII.lf]) }
    }
}
