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

/// The text that a person reads of a message, for quoting.
struct QuotedText {
    // Lines with LF. They are never values of their own: a message may have as many as octets.
    private var octets: ArraySlice<UInt8>
    /// Whether lines are paragraphs, of a text that was `format=flowed`.
    let isFlowed: Bool

    /// - Parameter keepsSignature: whether the signature, and all that stands behind it, is among it.
    init(of message: Message, keepsSignature: Bool) {
        octets = [UInt8]((message.readableText ?? "").withLineFeeds.utf8)[...]
        isFlowed = message.bodyViews.textBody.contains {
            $0.contentType.textFormat != .fixed
        }
        if !keepsSignature, let signature = Self.lastSignature(in: octets) {
            octets = octets[..<signature]
        }
        // Blank lines at the end; the last line with something keeps its blanks.
        guard let last = octets.lastIndex(where: { !$0.isBlank && $0 != ASCII.lf }) else {
            octets = []
            return
        }
        octets = octets[..<(octets[last...].firstIndex(of: ASCII.lf) ?? octets.endIndex)]
    }

    /// The start of the last line `-- `.
    private static func lastSignature(in octets: ArraySlice<UInt8>) -> Int? {
        var end = octets.endIndex
        while true {
            let lineFeed = octets[..<end].lastIndex(of: ASCII.lf)
            let start = lineFeed.map { $0 + 1 } ?? octets.startIndex
            if end - start == 3, octets[start..<end].elementsEqual("-- ".utf8) { return start }
            guard let lineFeed else { return nil }
            end = lineFeed
        }
    }

    /// The lines as they stand.
    var plain: String { octets.isEmpty ? "" : String(decoding: octets, as: UTF8.self) + "\n" }

    /// Each line behind `> `; behind `>` alone where it was a quotation already, so that levels stay
    /// together. RFC 3676 §4.5.
    var quoted: String {
        guard !octets.isEmpty else { return "" }
        var text: [UInt8] = [ASCII.greater]
        text.reserveCapacity(octets.count + 2 * octets.count { $0 == ASCII.lf } + 3)
        var isAtStart = true
        for octet in octets {
            if isAtStart, octet != ASCII.lf, octet != ASCII.greater { text.append(ASCII.space) }
            text.append(octet)
            isAtStart = octet == ASCII.lf
            if isAtStart { text.append(ASCII.greater) }
        }
        text.append(ASCII.lf)
        return String(decoding: text, as: UTF8.self)
    }
}
