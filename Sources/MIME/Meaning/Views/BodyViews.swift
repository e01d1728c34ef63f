import MartletBytes

/// What of a message a person reads, and what lies beside it: three views over its parts. RFC 8621 §4.1.4.
///
///     let views = message.bodyViews
///     views.textBody          // to be shown one below the other by who prefers plain text
///     views.htmlBody          // the same for who prefers HTML
///     views.attachments       // the rest
///
/// A part may be in both bodies: a message that is HTML only has that in `textBody` too, and images between
/// texts are in both. Messages inside of the message are attachments, and so is all that is in a
/// `multipart/encrypted`, whatever its type says: nothing of it is ever mixed into a body.
///
/// A multipart without any part (its opening delimiter is missing) is in the bodies itself, if there is text in
/// it: `Part.text` gives that.
public struct BodyViews: Sendable {
    /// The parts to be shown in order, plain text where there is a choice: `text/plain`, `text/html` where there is
    /// nothing else, and images, sound and film between them.
    public internal(set) var textBody: [Part] = []
    /// The parts to be shown in order, HTML where there is a choice.
    public internal(set) var htmlBody: [Part] = []
    /// All other parts that are no multiparts, in their order. Images that only one of the bodies shows are here too.
    public internal(set) var attachments: [Part] = []

    fileprivate init() {}

    /// The views of a message, or of a message inside of another one: of what is in `part`, and not in messages in it.
    public init(of part: Part) {
        var walk = BodyViewWalk()
        walk.run(from: part)
        self = walk.views
    }
}

extension Part {
    /// What a person reads of this part and what lies beside it, taken as a message of its own; of a `message/rfc822`
    /// part ask its child.
    public var bodyViews: BodyViews { BodyViews(of: self) }
}

extension Message {
    /// What a person reads of the message, and what lies beside it. RFC 8621 §4.1.4.
    public var bodyViews: BodyViews { BodyViews(of: root) }
}

/// Goes through the parts as RFC 8621 §4.1.4 does, with a stack of its own instead of recursion.
private struct BodyViewWalk {
    /// A multipart that is being walked through.
    private struct Frame {
        let children: [Part]
        var position = 0
        // The place of the part that the others of a multipart/related belong to; the first in other multiparts.
        var rootPosition = 0
        let subtype: String
        let isInAlternative: Bool
        // Whether parts still go into a body: in an alternative, HTML ends the plain text and the other way.
        var takesText: Bool
        var takesHTML: Bool
        // What the bodies had before.
        let textCount: Int
        let htmlCount: Int
        // Alternatives for which there is no body to go to.
        var passedOver: [Part] = []
    }

    var views = BodyViews()
    private var frames: [Frame] = []

    mutating func run(from root: Part) {
        frames.append(
            Frame(
                children: [root], subtype: "mixed", isInAlternative: false, takesText: true,
                takesHTML: true, textCount: 0, htmlCount: 0))
        while let frame = frames.last {
            guard frame.position < frame.children.count else {
                finish(frames.removeLast())
                continue
            }
            frames[frames.count - 1].position += 1
            take(
                frame.children[frame.position],
                isFirst: frame.position == frame.rootPosition)
        }
    }

    private mutating func take(_ part: Part, isFirst: Bool) {
        let last = frames.count - 1
        guard part.kind != .multipart || part.isTextWithoutParts else { return enter(part) }
        let form = BodyForm(of: part)
        guard isShown(part, form, isFirst: isFirst) else {
            views.attachments.append(part)
            return
        }
        if frames[last].subtype == "alternative" { return takeAlternative(part, form) }
        if frames[last].isInAlternative {
            if form == .plain { frames[last].takesHTML = false }
            if form == .html { frames[last].takesText = false }
        }
        if frames[last].takesText { views.textBody.append(part) }
        if frames[last].takesHTML { views.htmlBody.append(part) }
        if form == .media, !frames[last].takesText || !frames[last].takesHTML {
            views.attachments.append(part)
        }
    }

    private mutating func enter(_ part: Part) {
        guard let frame = frames.last else { return }
        let type = part.contentType
        let subtype = type.subtype
        let children = Array(part.children)
        frames.append(
            Frame(
                children: children, rootPosition: type.rootPosition(among: children),
                subtype: subtype,
                isInAlternative: frame.isInAlternative || subtype == "alternative",
                takesText: frame.takesText, takesHTML: frame.takesHTML,
                textCount: views.textBody.count, htmlCount: views.htmlBody.count))
    }

    /// Whether a part is part of the body rather than an attachment.
    private func isShown(_ part: Part, _ form: BodyForm, isFirst: Bool) -> Bool {
        guard let frame = frames.last, form != .other, frame.subtype != "encrypted",
            !part.wantsToBeAttachment
        else { return false }
        if isFirst { return true }
        // Of a multipart/related only the first part is; and a text with a name that is not first is a file.
        return frame.subtype != "related" && (form == .media || part.fileName == nil)
    }

    private mutating func takeAlternative(_ part: Part, _ form: BodyForm) {
        let last = frames.count - 1
        switch form {
        case .plain where frames[last].takesText: views.textBody.append(part)
        case .html where frames[last].takesHTML: views.htmlBody.append(part)
        case .plain, .html: frames[last].passedOver.append(part)
        default: views.attachments.append(part)
        }
    }

    /// A body for which an alternative had nothing gets what the other one got.
    private mutating func finish(_ frame: Frame) {
        guard frame.subtype == "alternative" else { return }
        let hasText = views.textBody.count > frame.textCount
        let hasHTML = views.htmlBody.count > frame.htmlCount
        if frame.takesText && frame.takesHTML {
            if !hasText { views.textBody += views.htmlBody[frame.htmlCount...] }
            if !hasHTML { views.htmlBody += views.textBody[frame.textCount...] }
        } else if frame.takesText, !hasText {
            views.textBody += frame.passedOver
        } else if frame.takesHTML, !hasHTML {
            views.htmlBody += frame.passedOver
        }
    }
}

/// What can be shown of a part within a body.
enum BodyForm {
    case plain, html, media, other

    init(of part: Part) {
        if part.kind == .multipart {
            self = part.isTextWithoutParts ? .plain : .other
            return
        }
        guard part.kind == .leaf else {
            self = .other
            return
        }
        let type = part.contentType
        switch (type.type, type.subtype) {
        case ("text", "plain"): self = .plain
        case ("text", "html"): self = .html
        case ("image", _), ("audio", _), ("video", _): self = .media
        default: self = .other
        }
    }
}

extension ContentTypeField {
    /// Which of the parts of a multipart/related is the root: the one that `start` names, or else the first. RFC 2387 §3.2.
    fileprivate func rootPosition(among parts: [Part]) -> Int {
        guard subtype == "related", let start = parameters["start"],
            let name = MessageReference.parseList(Array(start.utf8)[...]).value.first
        else { return 0 }
        return parts.firstIndex { $0.contentID == name } ?? 0
    }
}

extension Part {
    /// Whether this is a multipart without any part that has text where its preamble would be: a person reads that, as
    /// plain text.
    public var isTextWithoutParts: Bool {
        guard kind == .multipart, record.firstChild < 0 else { return false }
        return octets.withUnsafeBytes { octets in
            octets[preambleRange].contains { !$0.isBlank && $0 != ASCII.cr && $0 != ASCII.lf }
        }
    }

    /// Whether the part says it is a file: by `attachment`; or by a disposition that nobody knows and a name, since
    /// RFC 2183 §2.8 takes unknown ones for `attachment`.
    var wantsToBeAttachment: Bool {
        guard let disposition else { return false }
        return disposition.kind == .attachment
            || disposition.isAttachment && disposition.fileName != nil
    }
}
