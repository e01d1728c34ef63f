import MartletBytes

extension OutgoingMessage {
    /// Makes an answer to a message: recipients, subject, the conversation's names, and what it quotes.
    ///
    ///     var answer = OutgoingMessage.reply(to: message, audience: .everyone, from: jane, text: "Yes!")
    ///
    /// Nobody gets it twice, and none of `own` gets it at all, unless nobody else would. The subject has one
    /// `Re:`, in whatever language the message had its own. Recipients come from the message and thus from
    /// its sender: show them before anything is sent.
    /// - Parameters:
    ///   - message: what is answered.
    ///   - audience: who gets the answer.
    ///   - from: who answers.
    ///   - own: other addresses of the same person.
    ///   - text: the answer, put before the quotation.
    ///   - quotation: what is quoted, and how.
    public static func reply(
        to message: Message, audience: ReplyAudience = .sender, from: MailboxAddress,
        own: [MailboxAddress] = [], text: String? = nil, quotation: Quotation = .text()
    ) -> OutgoingMessage {
        let root = message.root
        let recipients = ReplyRecipients(of: root, audience: audience, own: [from] + own)
        var answer = OutgoingMessage(
            from: from, to: recipients.to, cc: recipients.cc,
            subject: SubjectPrefixes.marked(root.subject ?? "", with: "Re:"), text: text)
        answer.answer(root)
        answer.quote(message, as: quotation)
        return answer
    }

    /// Puts the quotation behind the texts that are there.
    private mutating func quote(_ message: Message, as quotation: Quotation) {
        guard quotation.form != .nothing else { return }
        let attribution = quotation.attribution ?? Quotation.standardAttribution(of: message.root)
        let quoted = QuotedText(of: message, keepsSignature: false)
        if quotation.form == .html {
            let body =
                message.readableHTML.map(HTMLText.innerBody)
                ?? "<div>" + HTMLText.escaped(quoted.plain) + "</div>"
            html =
                HTMLText.paragraphs(of: text ?? "")
                + HTMLText.quotation(body, attribution: attribution)
            let shown = Set(contentIDs(inHTML: html ?? ""))
            attachments += MessageContents(of: message).relatedAttachments.filter { attachment in
                attachment.contentID.map { shown.contains($0.text) } ?? false
            }
        }
        // Flowed paragraphs would be endless lines in a fixed text.
        if quoted.isFlowed { textFormat = .flowed }
        let answer = (text ?? "").isEmpty ? "" : (text ?? "") + "\n\n"
        text = answer + attribution + "\n" + quoted.quoted
    }
}
