import MartletBytes

/// The fields of a message, decoded. RFC 5322 §3.6.
///
/// Where a field is there more than once, the addresses of all count, up to `MIMELimits.addressCount` entries and those of
/// one field more, and of other fields the first that says anything.
extension Part {
    /// The subject as text; `nil` without the field. RFC 5322 §3.6.5, RFC 2047.
    public var subject: String? { text(of: "Subject") }

    /// The authors.
    public var from: AddressList { addresses(of: "From") }
    /// Who sent it, where that is not the author.
    public var sender: AddressList { addresses(of: "Sender") }
    /// Where answers shall go instead of `from`.
    public var replyTo: AddressList { addresses(of: "Reply-To") }
    /// The recipients.
    public var to: AddressList { addresses(of: "To") }
    /// Those who got a copy.
    public var cc: AddressList { addresses(of: "Cc") }
    /// Those who got a copy that nobody else hears of; only the sender's own copy has them.
    public var bcc: AddressList { addresses(of: "Bcc") }

    /// When the author says the message was completed; `nil` without a date that can be read.
    public var date: MailDate? {
        for field in header.fields("Date") {
            if let date = field.date { return date }
        }
        return nil
    }

    /// The name of the message; `nil` without one.
    public var messageID: MessageReference? { messageID(of: "Message-ID") }
    /// The messages that this one answers.
    public var inReplyTo: [MessageReference] { messageIDs(of: "In-Reply-To") }
    /// The messages of the conversation before this one, oldest first.
    public var references: [MessageReference] { messageIDs(of: "References") }
    /// The name that other parts of the message call this one by; `nil` without one. RFC 2392.
    public var contentID: MessageReference? { messageID(of: "Content-ID") }

    /// The unstructured text of the first field of that name that is not empty; `nil` without any.
    func text(of name: String) -> String? {
        let first = header[name]?.text.value
        guard first == "" else { return first }
        return header.fields(name).lazy.compactMap { $0.text.value.nonEmpty }.first ?? first
    }

    /// The addresses of all fields of that name.
    func addresses(of name: String) -> AddressList {
        var list = AddressList()
        for field in header.fields(name) where list.entries.count < table.limits.addressCount {
            list.append(field.addresses.value)
        }
        return list
    }

    private func messageID(of name: String) -> MessageReference? {
        guard let field = header[name] else { return nil }
        return field.messageIDs.value.first
            ?? header.fields(name).lazy.compactMap { $0.messageIDs.value.first }.first
    }

    private func messageIDs(of name: String) -> [MessageReference] {
        header.fields(name).flatMap { $0.messageIDs.value }
    }
}

extension PartHeader.Field {
    /// The value as unstructured text. RFC 5322 §2.2.1, RFC 2047.
    public var text: Parsed<String> {
        withRawValue { HeaderText.decode($0, limits: header.table.limits) }
    }

    /// The value as a list of addresses. RFC 5322 §3.4.
    public var addresses: Parsed<AddressList> {
        withRawValue { AddressList.parse($0, limits: header.table.limits) }
    }

    /// The value as a date; `nil` if it is none. RFC 5322 §3.3.
    public var date: MailDate? { parsedDate.value }

    /// The value as a date, and what is wrong with it.
    public var parsedDate: Parsed<MailDate?> {
        withRawValue { MailDate.parse($0, limits: header.table.limits) }
    }

    /// The value as message IDs. RFC 5322 §3.6.4.
    public var messageIDs: Parsed<[MessageReference]> {
        MessageReference.parseList(rawValue[...], limits: header.table.limits)
    }

    func withRawValue<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        let record = header.table.fields[index]
        return header.source.withUnsafeBytes { body(record.value(in: $0)) }
    }
}
