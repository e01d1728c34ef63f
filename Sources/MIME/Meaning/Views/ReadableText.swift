import MartletBytes
import MartletText

/// Makes plain text of HTML for people who prefer that. Nothing in this module does: rendering is elsewhere.
public typealias HTMLTextRenderer = @Sendable (String) -> String

extension Message {
    /// The text that a person wants to read, as plain text: see `readableText(renderingHTML:detector:)`. `nil` if there is
    /// none, or only HTML.
    public var readableText: String? { root.readableText() }

    /// The text that a person wants to read, as plain text; `nil` if there is none.
    ///
    /// It is the parts of `bodyViews.textBody` one after the other, lines ending with LF. Flowed text is joined to
    /// paragraphs (RFC 3676), files that are uuencoded or yEncoded in it are left out. A message whose text is only in a
    /// `winmail.dat` gives that.
    /// - Parameters:
    ///   - renderHTML: what makes text of HTML where there is only that; without it such parts are left out.
    ///   - detector: guesses charsets that cannot be told; see `Part.text`.
    public func readableText(
        renderingHTML renderHTML: HTMLTextRenderer?, detector: CharsetDetector? = nil
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
        let views = bodyViews
        var text = joined(views.textBody, renderHTML, detector)
        if text?.isBlankText ?? true, let renderHTML, views.textBody.allSatisfy({ !$0.isHTML }) {
            // Some programs send an empty plain text beside the HTML.
            text = joined(views.htmlBody.filter(\.isHTML), renderHTML, detector) ?? text
        }
        if text?.isBlankText ?? true, let tnef = tnefMessage(in: views) {
            return tnef.text?.withLineFeeds ?? tnef.html.flatMap { renderHTML?($0) } ?? text
        }
        return text
    }

    /// The HTML that a person wants to see of this part, taken as a message of its own; `nil` if there is only plain
    /// text.
    ///
    /// It is the parts of `bodyViews.htmlBody` one after the other; plain text between them is escaped, in a `<pre>`. It
    /// is as it was sent, scripts and remote images included, and must be sanitised before it is shown.
    public func readableHTML(detector: CharsetDetector? = nil) -> String? {
        let views = bodyViews
        guard views.htmlBody.contains(where: \.isHTML) else {
            return joined(views.textBody, nil, detector)?.isBlankText ?? true
                ? tnefMessage(in: views)?.html : nil
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

    private func joined(
        _ parts: [Part], _ renderHTML: HTMLTextRenderer?, _ detector: CharsetDetector?
    ) -> String? {
        var text: String?
        for part in parts {
            let piece: String
            switch BodyForm(of: part) {
            case .plain: piece = part.plainText(detector: detector)
            case .html:
                guard let renderHTML else { continue }
                piece = renderHTML(part.text(detector: detector).value)
            default: continue
            }
            guard let before = text else {
                text = piece
                continue
            }
            let needsLineEnd = !before.isEmpty && before.utf8.last != ASCII.lf
            text?.append(needsLineEnd ? "\n" + piece : piece)
        }
        return text
    }

    /// The text of a part that is plain text: lines end with LF, flowed text is joined, embedded files are left out.
    func plainText(detector: CharsetDetector?) -> String {
        let type = contentType
        let decoding = TextDecoding(label: type.charset, isHTML: false, detector: detector)
        var octets = kind == .leaf ? decodedBody().value : self.octets[preambleRange]
        let files = EmbeddedFile.find(in: octets, limits: table.limits).value
        for file in files.reversed() { octets.removeSubrange(file.range) }
        let text = octets.withUnsafeBytes { decoding.text(of: $0).value }.withLineFeeds
        return text.unflowed(type.textFormat, limits: table.limits)
    }

    private func tnefMessage(in views: BodyViews) -> TNEF.Message? {
        views.attachments.lazy.filter(\.isTNEF).compactMap { $0.tnef()?.messages.first }.first
    }

    var isHTML: Bool { BodyForm(of: self) == .html }
}

extension String {
    /// The paragraphs of a flowed text, one a line, with their marks of quotation; other text as it is.
    func unflowed(_ format: TextFormat, limits: MIMELimits = .standard) -> String {
        if format == .fixed { return self }
        return FlowedText.parse(self, deletesSpaces: format == .flowedDelSp, limits: limits).value
            .plainText
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
