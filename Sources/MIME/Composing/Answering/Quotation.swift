import MartletBytes

/// What an answer quotes of the message it answers.
public struct Quotation: Hashable, Sendable {
    enum Form: Hashable { case nothing, text, html }

    let form: Form
    /// The line above, such as `On Monday Jane wrote:`; `nil` for an English one.
    let attribution: String?

    /// Nothing.
    public static let nothing = Quotation(form: .nothing, attribution: nil)

    /// The text, each line behind `>`, without the signature. Where there is only HTML, what it says.
    public static func text(attribution: String? = nil) -> Quotation {
        Quotation(form: .text, attribution: attribution)
    }

    /// The text, and the HTML inside of a `blockquote`, with the pictures it shows.
    ///
    /// The HTML is the sender's, **not sanitised**: scripts, forms and remote pictures are still in it. Show
    /// it to nobody, and send it to nobody, before it went through a sanitiser.
    public static func html(attribution: String? = nil) -> Quotation {
        Quotation(form: .html, attribution: attribution)
    }

    /// `On Mon, 30 Nov 2026 04:22:55 +0100, Jane wrote:`
    static func standardAttribution(of message: Part) -> String {
        let author = message.from.mailboxes.first.map { $0.displayName ?? $0.addrSpec }
        switch (message.date, author) {
        case (let date?, let author?): return "On \(date.text), \(author) wrote:"
        case (nil, let author?): return "\(author) wrote:"
        default: return "Somebody wrote:"
        }
    }
}

/// The text that a person reads of a message, for quoting: without its signature.
struct QuotedText {
    private var lines: [Substring.UTF8View]
    /// Whether lines are paragraphs, of a text that was `format=flowed`.
    let isFlowed: Bool

    init(of message: Message) {
        let text = message.readableText ?? ""
        isFlowed = message.bodyViews.textBody.contains {
            $0.contentType.textFormat != .fixed
        }
        lines = plainLines(of: text)
        if let signature = lines.lastIndex(where: { $0.elementsEqual("-- ".utf8) }) {
            lines.removeSubrange(signature...)
        }
        while let last = lines.last, last.allSatisfy(\.isBlank) { lines.removeLast() }
    }

    /// The lines as they stand.
    var plain: String { lines.map { String(Substring($0)) + "\n" }.joined() }

    /// Each line behind `> `; behind `>` alone where it was a quotation already, so that levels stay
    /// together. RFC 3676 §4.5.
    var quoted: String {
        var text: [UInt8] = []
        for line in lines {
            text.append(ASCII.greater)
            if let first = line.first, first != ASCII.greater { text.append(ASCII.space) }
            text += line
            text.append(ASCII.lf)
        }
        return String(decoding: text, as: UTF8.self)
    }
}
