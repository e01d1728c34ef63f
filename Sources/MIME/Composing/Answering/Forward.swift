import MartletBytes

/// How a message is passed on.
public enum ForwardForm: Hashable, Sendable {
    /// Its text behind a few lines that say whose it is, and its attachments.
    case inline
    /// The same with its HTML, which is the sender's and **not sanitised**; see `Quotation.html`.
    case inlineHTML
    /// The whole message as an attachment, octet for octet: `message/rfc822`.
    case attachment
}

extension OutgoingMessage {
    /// Makes a message that passes another one on.
    ///
    /// - Parameters:
    ///   - message: what is passed on.
    ///   - form: how.
    ///   - from: who does.
    ///   - to: who gets it.
    ///   - text: words of one's own, put before it.
    ///   - title: the line above the inline forms; `nil` for an English one.
    public static func forward(
        _ message: Message, as form: ForwardForm = .inline, from: MailboxAddress,
        to: [MailboxAddress] = [], text: String? = nil, title: String? = nil
    ) -> OutgoingMessage {
        let subject = message.root.subject ?? ""
        var forward = OutgoingMessage(
            from: from, to: to, subject: SubjectPrefixes.marked(subject, with: "Fwd:"), text: text)
        switch form {
        case .attachment:
            forward.attachments = [
                Attachment(
                    name: fileName(for: subject), contentType: .rfc822, content: message.octets)
            ]
        case .inline, .inlineHTML:
            forward.include(
                message, html: form == .inlineHTML,
                title: title ?? "---------- Forwarded message ----------")
        }
        return forward
    }

    private mutating func include(_ message: Message, html includesHTML: Bool, title: String) {
        let head = [title] + Self.summary(of: message.root)
        let quoted = QuotedText(of: message, keepsSignature: true)
        if includesHTML, let body = message.readableHTML {
            html =
                HTMLText.paragraphs(of: text ?? "")
                + HTMLText.paragraphs(of: head.joined(separator: "\n"))
                + HTMLText.innerBody(of: body)
        }
        if quoted.isFlowed { textFormat = .flowed }
        let own = (text ?? "").isEmpty ? "" : (text ?? "") + "\n\n"
        text = own + head.joined(separator: "\n") + "\n\n" + quoted.plain
        attachments = MessageContents(of: message).filesToForward(of: message)
    }

    /// The fields that a reader wants to know, one a line.
    private static func summary(of message: Part) -> [String] {
        func names(_ list: AddressList) -> String {
            list.mailboxes.map(\.description).joined(separator: ", ")
        }
        let fields = [
            ("From", names(message.from)), ("Date", message.date?.text ?? ""),
            ("Subject", message.subject ?? ""), ("To", names(message.to)),
            ("Cc", names(message.cc)),
        ]
        return fields.filter { !$0.1.isEmpty }.map { "\($0): \($1)" }
    }

    /// The subject as the name of a file.
    private static func fileName(for subject: String) -> String {
        let title = SafeFileName.title(of: SubjectPrefixes.stripped(subject))
        return SafeFileName(
            nil, typeName: "message/rfc822", fallback: title, sizeLimitInOctets: 124
        ).text
    }
}

extension ContentType {
    fileprivate static let rfc822 = ContentType(known: "message", "rfc822")
}

extension MessageContents {
    /// All files of `message` but texts that are among what is quoted.
    fileprivate func filesToForward(of message: Message) -> [Attachment] {
        let quoted = Set(
            message.bodyViews.textBody.filter { $0.contentType.type == "text" }.map(\.index))
        let files = attachments.filter { !quoted.contains($0.index) }
        return relatedAttachments + files.map { Attachment(of: $0) }
    }
}
