import MartletBytes
import MartletText

/// Makes plain text of HTML.
public typealias HTMLTextRenderer = @Sendable (String) -> String

extension Message {
    /// The text that a person wants to read, as plain text: see `readableText(renderingHTML:detector:)`. `nil` if there is
    /// none.
    public var readableText: String? { root.readableText() }

    /// The text that a person wants to read, as plain text; `nil` if there is none.
    ///
    /// It is the parts of `bodyViews.textBody` one after the other, lines ending with LF; HTML is rendered. HTML with words
    /// takes the place of a plain text that is blank beside it. Texts of other types (`text/csv`, `text/markdown`) that are
    /// neither files nor written for programs are plain text, as RFC 2046 §4.1.4 wants. Flowed text is joined to
    /// paragraphs (RFC 3676), files that are uuencoded or yEncoded in it are left out. A message whose text is only in a
    /// `winmail.dat` gives that.
    /// - Parameters:
    ///   - renderHTML: what makes text of HTML; `HTMLPlainText.render` without it.
    ///   - detector: guesses charsets that cannot be told; see `Part.text`.
    public func readableText(
        renderingHTML renderHTML: HTMLTextRenderer? = nil, detector: CharsetDetector? = nil
    ) -> String? {
        root.readableText(renderingHTML: renderHTML, detector: detector)
    }

    /// The HTML that a person wants to see, as it was sent: it is not safe to be shown. See `Part.readableHTML`.
    public var readableHTML: String? { root.readableHTML() }
}

extension Part {
    /// The text that a person wants to read of this part, taken as a message of its own; see
    /// `Message.readableText(renderingHTML:detector:)`.
    public func readableText(
        renderingHTML renderHTML: HTMLTextRenderer? = nil, detector: CharsetDetector? = nil
    ) -> String? {
        let render = renderHTML ?? { HTMLPlainText.render($0) }
        let views = bodyViews
        let pieces = readableParts(of: views).compactMap { part -> ReadablePiece? in
            if part.isHTML {
                return ReadablePiece(part, render(part.text(detector: detector).value))
            }
            return part.isPlainText ? ReadablePiece(part, part.plainText(detector: detector)) : nil
        }
        let text = pieces.joined(
            insteadOfBlanks: views.htmlBody.filter(\.isHTML),
            rendered: { render($0.text(detector: detector).value) })
        if text?.isBlankText ?? true, let tnef = tnefMessage(in: views) {
            return tnef.text?.withLineFeeds ?? tnef.html.map(render) ?? text
        }
        return text
    }

    /// The parts to be read in order: the text body, and texts of other types for which RFC 8621 has no place there.
    func readableParts(of views: BodyViews) -> [Part] {
        let hasText = views.textBody.contains { BodyForm(of: $0) != .media }
        let others = views.attachments.filter { $0.isOtherText(alone: !hasText) }
        return others.isEmpty
            ? views.textBody : (views.textBody + others).sorted { $0.index < $1.index }
    }

    /// The HTML that a person wants to see of this part, taken as a message of its own; `nil` if there is only plain
    /// text.
    ///
    /// It is the parts of `bodyViews.htmlBody` one after the other; plain text between them is escaped, in a `<pre>`. It
    /// is as it was sent, scripts and remote images included, and must be sanitised before it is shown.
    public func readableHTML(detector: CharsetDetector? = nil) -> String? {
        let views = bodyViews
        guard views.htmlBody.contains(where: \.isHTML) else {
            let hasText = views.textBody.contains {
                BodyForm(of: $0) == .plain && !$0.plainText(detector: detector).isBlankText
            }
            return hasText ? nil : tnefMessage(in: views)?.html
        }
        var html = ""
        for part in views.htmlBody {
            switch BodyForm(of: part) {
            case .html: html += part.text(detector: detector).value
            case .plain:
                let text = part.plainText(detector: detector)
                if !text.isBlankText { html += "<pre>\n" + text.escapedForHTML + "</pre>\n" }
            default: break
            }
        }
        return html
    }

    /// The text of a part that is plain text: lines end with LF, flowed text is joined, embedded files are left out.
    func plainText(detector: CharsetDetector?) -> String {
        let type = contentType
        let decoding = TextDecoding(label: type.charset, isHTML: false, detector: detector)
        var octets = kind == .leaf ? decodedBody().value : self.octets[preambleRange]
        let files = EmbeddedFile.find(in: octets, limits: table.limits).value
        if !files.isEmpty { octets = octets.removing(files.map(\.range)) }
        let text = octets.withUnsafeBytes { decoding.text(of: $0).value }.withLineFeeds
        return text.unflowed(type.textFormat, limits: table.limits)
    }

    private func tnefMessage(in views: BodyViews) -> TNEF.Message? {
        views.attachments.lazy.filter(\.isTNEF).compactMap { $0.tnef()?.messages.first }.first
    }

    var isHTML: Bool { BodyForm(of: self) == .html }

    /// Whether the part is read as plain text, if it is read.
    var isPlainText: Bool { BodyForm(of: self) == .plain || isOtherText(alone: true) }

    /// Whether this is a text of a type that is shown as it stands: no file, and not written for programs.
    ///
    /// - Parameter alone: whether there is no text that it could be another form of.
    private func isOtherText(alone: Bool) -> Bool {
        let type = contentType
        guard kind == .leaf, type.type == "text", !Self.textsForPrograms.contains(type.subtype),
            BodyForm(of: self) == .other, !wantsToBeAttachment, fileName == nil
        else { return false }
        var part = self
        while let parent = part.parent, parent.kind == .multipart {
            let subtype = parent.contentType.subtype
            if subtype == "encrypted" || subtype == "related" && part.index != parent.index + 1 {
                return false
            }
            if subtype == "alternative", !alone { return false }
            part = parent
        }
        return true
    }

    private static let textsForPrograms: Set<String> = [
        "calendar", "vcard", "x-vcard", "directory", "x-amp-html", "rfc822-headers", "css",
        "javascript", "ecmascript", "xml", "rtf", "x-watch-html",
    ]
}

extension [UInt8] {
    /// The octets without those of `ranges`, which are in order.
    fileprivate func removing(_ ranges: [Range<Int>]) -> [UInt8] {
        var rest: [UInt8] = []
        rest.reserveCapacity(count)
        var start = 0
        for range in ranges {
            rest += self[start..<range.lowerBound]
            start = range.upperBound
        }
        return rest + self[start...]
    }
}

extension String {
    /// The paragraphs of a flowed text, one a line, with their marks of quotation; other text as it is.
    func unflowed(_ format: TextFormat, limits: MIMELimits = .standard) -> String {
        if format == .fixed { return self }
        return FlowedText.plainText(
            of: self, deletesSpaces: format == .flowedDelSp, limits: limits)
    }

    /// Whether there is nothing in it to be read.
    var isBlankText: Bool {
        utf8.allSatisfy { $0.isBlank || $0 == ASCII.lf || $0 == ASCII.cr }
    }

    /// The text with LF for CRLF and CR.
    var withLineFeeds: String {
        guard utf8.contains(ASCII.cr) else { return self }
        var octets: [UInt8] = []
        octets.reserveCapacity(utf8.count)
        var isBehindCR = false
        for octet in utf8 {
            if octet == ASCII.cr {
                octets.append(ASCII.lf)
            } else if octet != ASCII.lf || !isBehindCR {
                octets.append(octet)
            }
            isBehindCR = octet == ASCII.cr
        }
        return String(decoding: octets, as: UTF8.self)
    }

    /// The text with the signs of HTML as references.
    var escapedForHTML: String {
        var octets: [UInt8] = []
        octets.reserveCapacity(utf8.count + 16)
        for octet in utf8 {
            switch octet {
            case UInt8(ascii: "&"): octets += "&amp;".utf8
            case ASCII.less: octets += "&lt;".utf8
            case ASCII.greater: octets += "&gt;".utf8
            case ASCII.quote: octets += "&quot;".utf8
            default: octets.append(octet)
            }
        }
        return String(decoding: octets, as: UTF8.self)
    }
}
