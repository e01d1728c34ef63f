import MartletBytes

extension OutgoingMessage {
    /// Reads a message, such as a draft, back into a value that can be changed and sent.
    ///
    /// What `rendered(_:)` or `renderedDraft(_:)` wrote comes back as it was: `init(editing:)` of it makes an equal
    /// message. Of messages that other programs wrote comes back what a value can say: the texts, all files,
    /// and every field but those that belong to the way the old message went (`Received`, signatures).
    /// - Line ends of texts are LF; where there are many texts, the first of each kind is it, and the others
    ///   are attachments.
    /// - `date` and `messageID` are the old ones: set both to `nil` to send it as a new message.
    /// - Addresses and values that cannot be written are left out; a subject or the name of a file that is too long
    ///   is cut.
    /// - The HTML is as it was, **not sanitised**.
    public init(editing message: Message) {
        let root = message.root
        let from = root.from.mailboxes
        self.init(
            from: [], subject: (root.subject ?? "").cut(toOctets: MessageHeader.textLimit))
        self.from = from
        readAddresses(of: root)
        readNames(of: root)
        readFields(of: root.header)
        readContents(MessageContents(of: message))
    }

    private init(from: [MailboxAddress], subject: String) {
        self.from = from
        self.subject = subject
        to = []
        cc = []
        bcc = []
        attachments = []
    }

    private mutating func readAddresses(of root: Part) {
        sender = root.sender.mailboxes.first
        replyTo = root.replyTo.mailboxes
        (to, toGroups) = root.to.mailboxesAndGroups
        (cc, ccGroups) = root.cc.mailboxesAndGroups
        bcc = root.bcc.mailboxes
        readReceiptTo = root.addresses(of: "Disposition-Notification-To").mailboxes
    }

    private mutating func readNames(of root: Part) {
        date = root.date
        messageID = root.messageID?.messageID
        inReplyTo = root.inReplyTo.compactMap(\.messageID)
        references = root.references.compactMap(\.messageID)
    }

    private mutating func readContents(_ contents: MessageContents) {
        if let part = contents.text {
            textFormat = part.contentType.textFormat
            text = part.text().value.withLineFeeds.unflowed(textFormat)
        }
        ampHTML = contents.ampHTML.map { $0.text().value.withLineFeeds }
        html = contents.html.map { $0.text().value.withLineFeeds }
        var files = contents.fileAttachments
        if let part = contents.calendar { readCalendar(part, &files) }
        attachments = contents.relatedAttachments + files
    }

    private mutating func readCalendar(_ part: Part, _ files: inout [Attachment]) {
        calendar = try? CalendarObject(part.text().value.withLineFeeds)
        guard calendar != nil else {
            files.append(Attachment(of: part))
            return
        }
        // The same object as a file is no file of its own.
        let object = part.decodedBody().value
        let copy = files.firstIndex {
            $0.contentType.description == "application/ics" && $0.content.octetsInMemory == object
        }
        if let copy { calendar?.fileName = files.remove(at: copy).name }
    }
}

extension AddressList {
    /// The mailboxes that are in no group, and the groups.
    fileprivate var mailboxesAndGroups: ([MailboxAddress], [MailboxGroup]) {
        var mailboxes: [MailboxAddress] = []
        var groups: [MailboxGroup] = []
        for entry in entries {
            switch entry {
            case .mailbox(let mailbox): mailboxes.append(mailbox)
            case .group(let name, let members):
                let members = AddressList(entries: members).mailboxes
                if let group = try? MailboxGroup(name, members: members) {
                    groups.append(group)
                } else {
                    mailboxes += members
                }
            case .invalid: break
            }
        }
        return (mailboxes, groups)
    }
}
