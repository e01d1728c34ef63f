import MartletBytes

/// The fields of a message that are not about its body. RFC 5322 §3.6.
struct MessageHeader {
    private(set) var writer = HeaderWriter()
    /// Whether a field has UTF-8 addresses, so that only SMTPUTF8 servers can take the message.
    private(set) var needsSMTPUTF8 = false

    /// The longest text of an unstructured field in octets.
    static let textLimit = 65_536

    // What the message writes from its own properties, in lower case.
    private static let ownNames: Set<String> = [
        "from", "sender", "to", "cc", "bcc", "reply-to", "subject", "date", "message-id",
        "in-reply-to", "references", "mime-version",
    ]

    init(of message: OutgoingMessage, options: RenderingOptions) throws(CompositionError) {
        try Self.check(message)
        let lists: [(String, [MailboxAddress])] = [
            ("From", message.from), ("Sender", message.sender.map { [$0] } ?? []),
            ("Reply-To", message.replyTo), ("To", message.to), ("Cc", message.cc),
        ]
        for (field, mailboxes) in lists {
            guard let mailbox = mailboxes.first(where: \.needsSMTPUTF8) else { continue }
            guard options.allowsUTF8Headers else {
                throw CompositionError(.needsSMTPUTF8, field: field, value: mailbox.addrSpec)
            }
            needsSMTPUTF8 = true
        }
        if let date = message.date {
            try writer.field("Date", words: date.text.split(separator: " ").map { Array($0.utf8) })
        }
        for (field, mailboxes) in lists where !mailboxes.isEmpty {
            try writer.field(field, mailboxes: try resolved(mailboxes, field: field, by: options))
        }
        try text("Subject", message.subject)
        try names("Message-ID", message.messageID.map { [$0] } ?? [])
        try names("In-Reply-To", message.inReplyTo)
        try names("References", message.references)
        if let xMailer = message.xMailer { try text("X-Mailer", xMailer) }
        for field in message.extraFields { try extra(field) }
    }

    private static func check(_ message: OutgoingMessage) throws(CompositionError) {
        guard !message.from.isEmpty else { throw CompositionError(.missing, field: "From") }
        guard message.from.count == 1 || message.sender != nil else {
            throw CompositionError(.missing, field: "Sender")
        }
        try refuseLineBreaks(in: message.subject, field: "Subject")
        try refuseLineBreaks(in: message.xMailer ?? "", field: "X-Mailer")
        for field in message.extraFields {
            let name = field.name.text.lowercased()
            guard !ownNames.contains(name), !name.hasPrefix("content-"), name != "resent-bcc" else {
                throw CompositionError(.reserved, field: field.name.text)
            }
        }
    }

    /// The mailboxes with domains as the server can take them.
    private func resolved(
        _ mailboxes: [MailboxAddress], field: String, by options: RenderingOptions
    ) throws(CompositionError) -> [MailboxAddress] {
        if needsSMTPUTF8 { return mailboxes }
        var resolved: [MailboxAddress] = []
        for mailbox in mailboxes {
            guard !mailbox.domain.utf8.allSatisfy({ $0 < 0x80 }) else {
                resolved.append(mailbox)
                continue
            }
            do {
                let domain = try options.domainToASCII(mailbox.domain)
                guard domain.utf8.allSatisfy({ $0 < 0x80 }) else {
                    throw CompositionError(.invalidDomain, field: field, value: mailbox.domain)
                }
                resolved.append(try mailbox.replacingDomain(domain))
            } catch {
                throw CompositionError(
                    .invalidDomain, field: field, value: mailbox.domain, underlying: error)
            }
        }
        return resolved
    }

    private mutating func text(_ name: String, _ text: String) throws(CompositionError) {
        guard text.utf8.count <= Self.textLimit else {
            throw CompositionError(.tooLong(limit: Self.textLimit), field: name)
        }
        writer.begin(name)
        writer.unstructured(text)
        try writer.end()
    }

    private mutating func names(_ field: String, _ names: [MessageID]) throws(CompositionError) {
        guard !names.isEmpty else { return }
        try writer.field(field, words: names.map { Array($0.description.utf8) })
    }

    /// An ASCII value may have a structure unknown here: it is folded at its blanks and never encoded.
    private mutating func extra(_ field: HeaderField) throws(CompositionError) {
        let octets = field.value.utf8
        let isPlain = octets.allSatisfy { ($0 >= ASCII.space && $0 < ASCII.del) || $0 == ASCII.tab }
        guard isPlain else {
            try text(field.name.text, field.value)
            return
        }
        writer.begin(field.name.text)
        writer.plain(field.value)
        try writer.end()
    }
}
