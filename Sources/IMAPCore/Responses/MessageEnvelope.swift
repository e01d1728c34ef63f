import MartletBytes
import MartletMIME

/// What a server read from a message's header. RFC 9051 §7.5.2 `ENVELOPE`.
///
/// The octets are kept as they came; what people see is decoded when it is asked for.
public struct MessageEnvelope: Hashable, Sendable {
    /// `Date`, as it stood.
    public var dateOctets: [UInt8]?
    /// `Subject`, as it stood: with encoded words, or raw octets.
    public var subjectOctets: [UInt8]?
    /// `From`. Servers put it into `sender` and `replyTo` where those are missing.
    public var from: [EnvelopeAddress]
    /// `Sender`.
    public var sender: [EnvelopeAddress]
    /// `Reply-To`.
    public var replyTo: [EnvelopeAddress]
    /// `To`.
    public var to: [EnvelopeAddress]
    /// `Cc`.
    public var cc: [EnvelopeAddress]
    /// `Bcc`.
    public var bcc: [EnvelopeAddress]
    /// `In-Reply-To`, as it stood.
    public var inReplyToOctets: [UInt8]?
    /// `Message-ID`, as it stood.
    public var messageIDOctets: [UInt8]?

    /// Makes one with nothing in it.
    public init() {
        from = []
        sender = []
        replyTo = []
        to = []
        cc = []
        bcc = []
    }

    /// When the message was sent, as its sender's clock had it.
    public var date: MailDate? { dateOctets.flatMap { MailDate.parse($0).value } }
    /// The subject for people.
    public var subject: String? { subjectOctets.map { HeaderText.decode($0[...]).value } }
    /// The message's ID.
    public var messageID: MessageReference? {
        messageIDOctets.flatMap { MessageReference.parse($0[...]).value }
    }
    /// The IDs of the messages that it answers.
    public var inReplyTo: [MessageReference] {
        inReplyToOctets.map { MessageReference.parseList($0[...]).value } ?? []
    }
}

/// One of an envelope's addresses, or the start or end of a group of them. RFC 9051 §7.5.2 `address`.
public struct EnvelopeAddress: Hashable, Sendable {
    /// The name beside the address: with encoded words, or raw octets.
    public var name: [UInt8]?
    /// The route of RFC 821, of which nobody has use.
    public var route: [UInt8]?
    /// What stands before the `@`; the name of a group where there is no `host`; `nil` where a group ends.
    public var mailbox: [UInt8]?
    /// What stands behind the `@`; `nil` where a group starts or ends.
    public var host: [UInt8]?

    /// Makes one.
    public init(
        name: [UInt8]? = nil, route: [UInt8]? = nil, mailbox: [UInt8]?, host: [UInt8]?
    ) {
        self.name = name
        self.route = route
        self.mailbox = mailbox
        self.host = host
    }
}
