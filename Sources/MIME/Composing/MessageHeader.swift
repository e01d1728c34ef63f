import MartletBytes

/// The fields of a message that are not about its body. RFC 5322 §3.6.
struct MessageHeader {
    private(set) var writer = HeaderWriter()
    /// Whether a field has UTF-8 addresses, so that only SMTPUTF8 servers can take the message.
    private(set) var needsSMTPUTF8 = false

    /// The longest text of an unstructured field in octets.
    static let textLimit = 65_536

    // What is written of the message's own properties, in lower case, whether they are set or not.
    private static let ownNames: Set<String> = [
        "from", "sender", "to", "cc", "bcc", "reply-to", "subject", "date", "message-id",
        "in-reply-to", "references", "mime-version", "resent-bcc", "list-unsubscribe-post",
    ]

    // What was written of the others.
    private var writtenNames: Set<String> = []

    /// - Parameter includesBcc: only for a draft.
    init(
        of message: OutgoingMessage, options: RenderingOptions, includesBcc: Bool = false
    ) throws(CompositionError) {
        try Self.check(message)
        var lists = AddressFields(options: options)
        try lists.add("From", message.from)
        try lists.add("Sender", message.sender.map { [$0] } ?? [])
        try lists.add("Reply-To", message.replyTo)
        try lists.add("To", message.to, message.toGroups)
        try lists.add("Cc", message.cc, message.ccGroups)
        if includesBcc { try lists.add("Bcc", message.bcc) }
        try lists.add("Disposition-Notification-To", message.readReceiptTo)
        needsSMTPUTF8 = lists.needsSMTPUTF8

        if let date = message.date { try self.date("Date", date) }
        try lists.write(into: &writer)
        try text("Subject", message.subject)
        try names("Message-ID", message.messageID.map { [$0] } ?? [])
        try names("In-Reply-To", message.inReplyTo)
        try names("References", message.references)
        if !message.readReceiptTo.isEmpty { writtenNames.insert("disposition-notification-to") }
        try handling(of: message)
        try list(message.list)
        try information(of: message)
        for field in message.extraFields { try extra(field) }
    }

    /// Those of `fields` that can be written behind all that `message` says in properties of its own.
    static func writable(
        _ fields: [HeaderField], beside message: OutgoingMessage
    ) -> [HeaderField] {
        var header = MessageHeader()
        try? header.handling(of: message)
        try? header.list(message.list)
        try? header.information(of: message)
        // Only the names count.
        header.writer = HeaderWriter()
        return fields.filter { field in
            var attempt = header
            return (try? attempt.extra(field)) != nil
        }
    }

    private init() {}

    private static func check(_ message: OutgoingMessage) throws(CompositionError) {
        guard !message.from.isEmpty else { throw CompositionError(.missing, field: "From") }
        guard message.from.count == 1 || message.sender != nil else {
            throw CompositionError(.missing, field: "Sender")
        }
    }

    // MARK: Fields of each kind

    mutating func date(_ name: String, _ date: MailDate) throws(CompositionError) {
        try writer.field(name, words: date.text.utf8.split(separator: ASCII.space))
    }

    mutating func names(_ field: String, _ names: [MessageID]) throws(CompositionError) {
        guard !names.isEmpty else { return }
        try writer.field(field, words: names.map { Array($0.description.utf8) })
    }

    /// Writes a text of any characters.
    mutating func text(_ name: String, _ text: String) throws(CompositionError) {
        try refuseLineBreaks(in: text, field: name)
        guard text.utf8.count <= Self.textLimit else {
            throw CompositionError(.tooLong(limit: Self.textLimit), field: name)
        }
        writer.begin(name)
        writer.unstructured(text)
        try writer.end()
        writtenNames.insert(name.lowercased())
    }

    /// Writes words that were checked before.
    mutating func field(_ name: String, words: [String]) throws(CompositionError) {
        try writer.field(name, words: words.map { Array($0.utf8) })
        writtenNames.insert(name.lowercased())
    }

    /// Writes phrases with commas between, RFC 5322 §3.6.5, and `last` behind them.
    mutating func phrases(
        _ name: String, _ phrases: [String], followedBy last: String = ""
    ) throws(CompositionError) {
        writer.begin(name)
        for (index, phrase) in phrases.enumerated() {
            try refuseLineBreaks(in: phrase, field: name)
            guard phrase.utf8.count <= Self.textLimit else {
                throw CompositionError(.tooLong(limit: Self.textLimit), field: name)
            }
            writer.phrase(phrase, endedBy: index < phrases.count - 1 ? "," : "")
        }
        if !last.isEmpty { writer.word(last.utf8) }
        try writer.end()
        writtenNames.insert(name.lowercased())
    }

    /// An ASCII value may have a structure unknown here: it is folded at its blanks and never encoded.
    private mutating func extra(_ field: HeaderField) throws(CompositionError) {
        let name = field.name.text.lowercased()
        guard !Self.ownNames.contains(name), !writtenNames.contains(name),
            !name.hasPrefix("content-")
        else {
            throw CompositionError(.reserved, field: field.name.text)
        }
        let octets = field.value.utf8
        let isPlain = octets.allSatisfy { ($0 >= ASCII.space && $0 < ASCII.del) || $0 == ASCII.tab }
        writer.begin(field.name.text)
        if isPlain {
            writer.plain(field.value)
        } else {
            guard octets.count <= Self.textLimit else {
                throw CompositionError(.tooLong(limit: Self.textLimit), field: field.name.text)
            }
            writer.unstructured(field.value)
        }
        try writer.end()
    }
}
