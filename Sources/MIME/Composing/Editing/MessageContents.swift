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
        var waiting = [message.root]
        while let part = waiting.popLast() {
            switch part.kind {
            case .multipart: waiting += Array(part.children).reversed()
            case .leaf: add(part)
            case .message: attachments.append(part)
            }
        }
    }

    private mutating func add(_ part: Part) {
        let type = part.contentType
        let container = part.parent?.contentType
        if type.type == "text", isText(part) {
            switch type.subtype {
            case "html":
                if html == nil { return html = part }
            case "x-amp-html":
                if ampHTML == nil { return ampHTML = part }
            case "calendar":
                if calendar == nil, part.disposition == nil { return calendar = part }
            default:
                if text == nil { return text = part }
            }
        }
        if container?.subtype == "related", part.header["Content-ID"] != nil {
            related.append(part)
        } else if !isSignature(type) {
            attachments.append(part)
        }
    }

    private func isText(_ part: Part) -> Bool {
        part.disposition?.isAttachment != true && part.fileName == nil
    }

    /// A signature says nothing about any other message than its own.
    private func isSignature(_ type: ContentTypeField) -> Bool {
        ["pgp-signature", "pkcs7-signature", "x-pkcs7-signature"].contains(type.subtype)
            && type.type == "application"
    }
}
