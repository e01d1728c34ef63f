import MartletBytes

/// What the parts of a message are for: its texts, what the HTML shows, and files.
///
/// The first text of each kind counts, where it is not marked as a file; other texts are files too. A message
/// in the message is one file.
struct MessageContents {
    private(set) var text: Part?
    private(set) var ampHTML: Part?
    private(set) var html: Part?
    private(set) var calendar: Part?
    /// What stands beside the HTML and has a content ID.
    private(set) var related: [Part] = []
    private(set) var attachments: [Part] = []

    init(of message: Message) {
        // Parts that wait, the next one last: a tree as deep as the parser takes needs no recursion.
        var waiting = [(part: message.root, isRelated: false)]
        while let (part, isRelated) = waiting.popLast() {
            switch part.kind {
            case .multipart:
                // Looked at once for all its parts.
                let areRelated = part.contentType.subtype == "related"
                waiting += Array(part.children).reversed().map { ($0, areRelated) }
            case .leaf: add(part, isRelated: isRelated)
            case .message: attachments.append(part)
            }
        }
    }

    private mutating func add(_ part: Part, isRelated: Bool) {
        let type = part.contentType
        if type.type == "text", takesText(part, subtype: type.subtype) { return }
        if isRelated, part.header["Content-ID"] != nil {
            related.append(part)
        } else if !isSignature(type) {
            attachments.append(part)
        }
    }

    /// Whether the part is the first text of its kind.
    private mutating func takesText(_ part: Part, subtype: String) -> Bool {
        let disposition = part.disposition
        guard disposition?.isAttachment != true, part.fileName == nil else { return false }
        switch subtype {
        case "html": return take(part, as: &html)
        case "x-amp-html": return take(part, as: &ampHTML)
        case "calendar": return disposition == nil && take(part, as: &calendar)
        default: return take(part, as: &text)
        }
    }

    /// A signature says nothing about any other message than its own.
    private func isSignature(_ type: ContentTypeField) -> Bool {
        ["pgp-signature", "pkcs7-signature", "x-pkcs7-signature"].contains(type.subtype)
            && type.type == "application"
    }
}

extension MessageContents {
    /// What the HTML shows, as attachments of another message.
    var relatedAttachments: [Attachment] { related.map { Attachment(of: $0, isRelated: true) } }

    /// The files, as attachments of another message.
    var fileAttachments: [Attachment] { attachments.map { Attachment(of: $0) } }
}

/// Puts `part` where none is yet; whether it could.
private func take(_ part: Part, as place: inout Part?) -> Bool {
    guard place == nil else { return false }
    place = part
    return true
}
