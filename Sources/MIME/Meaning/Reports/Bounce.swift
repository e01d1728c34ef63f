import MartletBytes

/// A message that says that another one was not delivered, whether by a delivery status (RFC 3464) or in words.
public struct Bounce: Sendable {
    /// What the message was recognised by.
    public enum Evidence: Hashable, Sendable {
        /// A delivery status.
        case deliveryStatus
        /// A field that names the failed recipients, `X-Failed-Recipients`.
        case failedRecipientsField
        /// Its sender together with its subject or its words. Never more than a good guess.
        case words
    }

    /// A recipient who did not get the message.
    public struct Recipient: Hashable, Sendable {
        /// The address as the report has it.
        public var address: String
        /// The code, if it can be told.
        public var status: EnhancedStatusCode?
        /// What was said about the reason.
        public var diagnostic: String?

        /// The address, if it is one that mail can be sent to.
        public var mailbox: MailboxAddress? {
            AddressList.parse(address.utf8).value.mailboxes.first
        }
    }

    /// What the message was recognised by.
    public let evidence: Evidence
    /// Whether delivery is only late, and still tried.
    public let isDelayed: Bool
    /// The recipients, as far as they can be told.
    public let recipients: [Recipient]
    /// The message that was not delivered, as far as it was sent back.
    public let returned: ReturnedMessage?
}

extension Message {
    /// What this message says about another one that was not delivered; `nil` if it says no such thing.
    public var bounce: Bounce? {
        if let report = deliveryStatus, !report.content.recipients.isEmpty {
            return Bounce(report)
        }
        let words = BounceWords(in: self)
        let named = root.addresses(of: "X-Failed-Recipients").mailboxes
        guard !named.isEmpty || words.isBounce else { return nil }
        let found = words.recipients()
        let byAddress = Dictionary(
            found.map { ($0.address.lowercased(), $0) }, uniquingKeysWith: { first, _ in first })
        var recipients = named.map { mailbox in
            byAddress[mailbox.addrSpec.lowercased()]
                ?? Bounce.Recipient(address: mailbox.addrSpec)
        }
        if recipients.isEmpty { recipients = found }
        return Bounce(
            evidence: named.isEmpty ? .words : .failedRecipientsField,
            isDelayed: words.isDelay, recipients: recipients,
            returned: root.partsOfMessage.lazy.compactMap(\.asReturnedMessage).first)
    }
}

extension Bounce {
    /// `nil` if all recipients got the message.
    fileprivate init?(_ report: MessageReport<DeliveryStatus>) {
        let all = report.content.recipients
        let failed = all.filter(\.hasFailed)
        let undelivered = failed.isEmpty ? all.filter(\.isDelayed) : failed
        guard !undelivered.isEmpty else { return nil }
        self.init(
            evidence: .deliveryStatus, isDelayed: failed.isEmpty,
            recipients: undelivered.map {
                Recipient(
                    address: $0.address?.text ?? "", status: $0.preciseStatus,
                    diagnostic: $0.diagnostic?.text)
            },
            returned: report.returned)
    }
}
