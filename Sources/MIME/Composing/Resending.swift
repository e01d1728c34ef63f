import MartletBytes

/// Sends a message on as it is, with fields on top that say who did and to whom. RFC 5322 §3.6.6.
///
///     let resending = Resending(from: jane, to: [bob])
///     let source = try await RawMessage(file).resent(resending)
///
/// Nothing else of the message changes, so that its signatures stay valid; it still looks as if it came from its
/// author. A message that has been resent before gets a block of its own on top.
public struct Resending: Hashable, Sendable {
    /// Who resends it; at least one.
    public var from: [MailboxAddress]
    /// Who does it for several of them.
    public var sender: MailboxAddress?
    /// The recipients.
    public var to: [MailboxAddress]
    /// Those who get a copy.
    public var cc: [MailboxAddress]
    /// Those who get a copy that nobody else hears of: part of `recipients`, never written.
    public var bcc: [MailboxAddress]
    /// When; RFC 5322 asks for it.
    public var date: MailDate?
    /// The name of this resending.
    public var messageID: MessageID?

    /// Makes a resending.
    public init(
        from: MailboxAddress, to: [MailboxAddress] = [], cc: [MailboxAddress] = [],
        bcc: [MailboxAddress] = [], date: MailDate? = nil, messageID: MessageID? = nil
    ) {
        self.from = [from]
        self.to = to
        self.cc = cc
        self.bcc = bcc
        self.date = date
        self.messageID = messageID
    }

    /// Everyone who gets it: `to`, `cc` and `bcc`, each address once.
    public var recipients: [MailboxAddress] { (to + cc + bcc).withoutRepeatedAddresses() }

    /// Whose address goes into the envelope unless the caller says otherwise.
    public var envelopeSender: MailboxAddress? { sender ?? from.first }

    /// The fields, ready to be put on top of a message.
    func fields(_ options: RenderingOptions) throws(CompositionError) -> [UInt8] {
        guard !from.isEmpty else { throw CompositionError(.missing, field: "Resent-From") }
        guard from.count == 1 || sender != nil else {
            throw CompositionError(.missing, field: "Resent-Sender")
        }
        guard let date else { throw CompositionError(.missing, field: "Resent-Date") }
        var lists = AddressFields(options: options)
        try lists.add("Resent-From", from)
        try lists.add("Resent-Sender", sender.map { [$0] } ?? [])
        try lists.add("Resent-To", to)
        try lists.add("Resent-Cc", cc)
        var writer = HeaderWriter()
        try writer.field("Resent-Date", words: date.text.utf8.split(separator: ASCII.space))
        try lists.write(into: &writer)
        if let messageID {
            try writer.field("Resent-Message-ID", words: [messageID.description.utf8])
        }
        return writer.octets
    }
}

extension RawMessage {
    /// The message with the fields of `resending` on top, and without its `Bcc` fields; everything else
    /// octet for octet.
    ///
    /// - Throws: `CompositionError` naming the field at fault: author and date are needed.
    public func resent(
        _ resending: Resending, options: RenderingOptions = RenderingOptions()
    ) throws(CompositionError) -> any OctetSource {
        let fields = try resending.fields(options)
        let rest = withoutBcc()
        if let octets = rest.octetsInMemory { return OctetArray(fields + octets) }
        return ReplacedStart(fields, instead: 0, of: rest)
    }
}
