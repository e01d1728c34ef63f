import MartletBytes

/// The parts of a message in their order. RFC 2046 §5.1.
enum BodyTree {
    case part(BodyPart)
    case multipart(Multipart)

    struct Multipart {
        var subtype: String
        /// Besides the boundary.
        var parameters: [ContentType.Parameter] = []
        var children: [BodyTree]
    }

    /// All parts that are not made of parts.
    var parts: [BodyPart] {
        switch self {
        case .part(let part): [part]
        case .multipart(let multipart): multipart.children.flatMap(\.parts)
        }
    }

    /// `children` as parts of a multipart, or the only one of them by itself.
    static func joined(_ subtype: String, _ children: [BodyTree]) -> BodyTree {
        children.count == 1
            ? children[0] : .multipart(Multipart(subtype: subtype, children: children))
    }
}

extension BodyTree {
    /// What each part of the message is for decides where it stands:
    ///
    ///     multipart/mixed                 with attachments
    ///       multipart/alternative         of what is there, the best last (RFC 2046 §5.1.4)
    ///         text/plain
    ///         text/x-amp-html
    ///         multipart/related           with files that the HTML shows (RFC 2387)
    ///           text/html
    ///           image/png …
    ///         text/calendar
    ///       application/pdf …
    init(of message: OutgoingMessage, options: RenderingOptions) throws(CompositionError) {
        var alternatives: [BodyTree] = []
        var files: [BodyTree] = []
        var shown: [BodyTree] = []
        for attachment in message.attachments {
            let part = BodyTree.part(try BodyPart(attachment, options: options))
            if message.html != nil, attachment.isRelatedToHTML {
                shown.append(part)
            } else {
                files.append(part)
            }
        }
        if let text = message.text {
            alternatives.append(
                .part(
                    try BodyPart(
                        text: text, type: .plainText, format: message.textFormat, options: options))
            )
        }
        if let amp = message.ampHTML {
            alternatives.append(
                .part(
                    try BodyPart(text: amp, type: .ampHTML, isAlwaysUTF8: true, options: options)))
        }
        if let html = message.html {
            let part = try BodyPart(text: html, type: .html, options: options)
            alternatives.append(Self.related(.part(part), with: shown))
        }
        if let calendar = message.calendar {
            alternatives.append(.part(try BodyPart(calendar, options: options)))
            if let file = try calendar.file() {
                files.append(.part(try BodyPart(file, options: options)))
            }
        }
        if alternatives.isEmpty, files.isEmpty {
            alternatives.append(.part(try BodyPart(text: "", type: .plainText, options: options)))
        }
        guard !files.isEmpty else {
            self = .joined("alternative", alternatives)
            return
        }
        let texts = alternatives.isEmpty ? [] : [BodyTree.joined("alternative", alternatives)]
        self = .multipart(Multipart(subtype: "mixed", children: texts + files))
    }

    /// The HTML is the first part, so that nothing has to say where to start. RFC 2387 §3.2.
    private static func related(_ html: BodyTree, with files: [BodyTree]) -> BodyTree {
        guard !files.isEmpty else { return html }
        let type = ContentType.Parameter(name: "type", value: ContentType.html.description)
        return .multipart(
            Multipart(subtype: "related", parameters: [type], children: [html] + files))
    }
}

extension ContentType {
    fileprivate static let plainText = ContentType(known: "text", "plain")
    fileprivate static let html = ContentType(known: "text", "html")
    fileprivate static let ampHTML = ContentType(known: "text", "x-amp-html")
    fileprivate static let calendar = ContentType(known: "text", "calendar")
    fileprivate static let ics = ContentType(known: "application", "ics")
}

extension CalendarObject {
    /// The object as a file.
    fileprivate func file() throws(CompositionError) -> Attachment? {
        guard let fileName else { return nil }
        let octets = canonicalLines(text.utf8)
        return Attachment(name: fileName, contentType: .ics, content: OctetArray(octets))
    }
}

extension BodyPart {
    // Content-Type: text/calendar; method=REQUEST; charset=utf-8 ; RFC 6047 §2.4
    fileprivate init(
        _ calendar: CalendarObject, options: RenderingOptions
    ) throws(CompositionError) {
        var type = ContentType.calendar
        if let method = calendar.method { try type.set("method", to: method) }
        try self.init(text: calendar.text, type: type, isAlwaysUTF8: true, options: options)
    }
}
