import MartletBytes

/// A message to be sent, as a value. `rendered(_:)` makes its octets.
///
///     var message = OutgoingMessage(from: jane, to: [bob], subject: "Grüße", text: "Hello Bob")
///     message.attachments = [Attachment(name: "plan.pdf", content: file)]
///
/// Texts may have any line ends; they are sent as CRLF. Fields that are `nil` or empty are left out.
/// `reply(to:…)`, `forward(_:…)` and `init(editing:)` make one of a message that was read.
public struct OutgoingMessage: Sendable {
    // MARK: From whom and to whom

    /// The authors; at least one. RFC 5322 §3.6.2.
    public var from: [MailboxAddress]
    /// Who sends it, needed when there are several authors.
    public var sender: MailboxAddress?
    /// The recipients.
    public var to: [MailboxAddress]
    /// Recipients under a common name, written behind `to`.
    public var toGroups: [MailboxGroup] = []
    /// Those who get a copy.
    public var cc: [MailboxAddress]
    /// Those who get a copy, under a common name, written behind `cc`.
    public var ccGroups: [MailboxGroup] = []
    /// Those who get a copy that nobody else hears of: part of `recipients`, never written.
    public var bcc: [MailboxAddress]
    /// Where answers shall go instead of `from`.
    public var replyTo: [MailboxAddress] = []
    /// Who asks to be told that the message was read; servers and readers may not do it. RFC 8098 §2.1.
    public var readReceiptTo: [MailboxAddress] = []

    // MARK: What it is about

    /// The subject. CR, LF and NUL are refused.
    public var subject: String
    /// When the message was completed.
    public var date: MailDate?
    /// The message's own name.
    public var messageID: MessageID?
    /// The message that this one answers.
    public var inReplyTo: [MessageID] = []
    /// The messages of the conversation so far, oldest first.
    public var references: [MessageID] = []
    /// Words to find it by. RFC 5322 §3.6.5.
    public var keywords: [String] = []
    /// A remark beside the text. RFC 5322 §3.6.5.
    public var comments: String?
    /// The languages of the content, such as `de` or `zh-Hant`. RFC 3282.
    public var contentLanguage: [String] = []

    // MARK: Its content

    /// The text for a reader of plain text.
    public var text: String?
    /// How the lines of `text` are written.
    public var textFormat: TextFormat = .fixed
    /// The same in AMP, for readers that know it. They want `html` too.
    public var ampHTML: String?
    /// The same as HTML. What it shows as `cid:…` is among the attachments; see `Attachment.contentID`.
    public var html: String?
    /// An invitation, an answer to one, or another calendar object that programs act on. RFC 6047.
    public var calendar: CalendarObject?
    /// The files that go with it.
    public var attachments: [Attachment]

    // MARK: How it wants to be treated

    /// How much it matters to the author; nothing is said if `nil`.
    public var importance: Importance?
    /// Whether a program made it. RFC 3834.
    public var autoSubmission: AutoSubmission?
    /// What old programs go by when they decide whether to answer by themselves.
    public var precedence: Precedence?
    /// The mailing list it belongs to. RFC 2369, RFC 2919, RFC 8058.
    public var list = ListFields()

    // MARK: Where it comes from

    /// The organization of the author.
    public var organization: String?
    /// The program that made it, if it shall be named.
    public var userAgent: String?
    /// The same in the older field `X-Mailer`.
    public var xMailer: String?
    /// Other fields. Those that the message writes itself are refused.
    public var extraFields: HeaderFields = []

    /// Makes a message of parsed addresses.
    public init(
        from: MailboxAddress, to: [MailboxAddress] = [], cc: [MailboxAddress] = [],
        bcc: [MailboxAddress] = [], subject: String = "", text: String? = nil, html: String? = nil,
        attachments: [Attachment] = []
    ) {
        self.from = [from]
        self.to = to
        self.cc = cc
        self.bcc = bcc
        self.subject = subject
        self.text = text
        self.html = html
        self.attachments = attachments
    }

    /// Makes a message of addresses as a person writes them, such as `Jane <jane@example.org>`.
    ///
    /// - Throws: `AddressError` for the first text that is no address, to be mended by the caller.
    public init(
        from: String, to: [String], cc: [String] = [], bcc: [String] = [], subject: String = "",
        text: String? = nil, html: String? = nil, attachments: [Attachment] = []
    ) throws(AddressError) {
        func parse(_ texts: [String]) throws(AddressError) -> [MailboxAddress] {
            var mailboxes: [MailboxAddress] = []
            for text in texts { mailboxes.append(try MailboxAddress(text)) }
            return mailboxes
        }
        self.init(
            from: try MailboxAddress(from), to: try parse(to), cc: try parse(cc),
            bcc: try parse(bcc), subject: subject, text: text, html: html, attachments: attachments)
    }

    /// Everyone who gets the message: `to`, `cc`, their groups and `bcc`, each address once.
    public var recipients: [MailboxAddress] {
        (to + toGroups.flatMap(\.members) + cc + ccGroups.flatMap(\.members) + bcc)
            .withoutRepeatedAddresses()
    }

    /// Whose address goes into the envelope unless the caller says otherwise: `sender`, or the first
    /// author.
    public var envelopeSender: MailboxAddress? { sender ?? from.first }

    /// The message with a date and a message ID, where it has none yet.
    ///
    /// - Parameters:
    ///   - date: the present time; there is no clock in here.
    ///   - messageIDDomain: a domain of the sender in its ASCII form (see `MessageID`).
    ///   - random: where the unique part comes from.
    public func completed(
        date: MailDate, messageIDDomain: String, random: inout some RandomNumberGenerator
    ) -> OutgoingMessage {
        var message = self
        message.date = self.date ?? date
        message.messageID =
            messageID ?? MessageID(domain: messageIDDomain, date: date, random: &random)
        return message
    }
}

extension Array<MailboxAddress> {
    /// Each address once, at its first place. Local parts are compared exactly, domains without case.
    func withoutRepeatedAddresses() -> [MailboxAddress] {
        var seen: Set<[String]> = []
        return filter { seen.insert([$0.localPart, $0.domain.lowercased()]).inserted }
    }
}
