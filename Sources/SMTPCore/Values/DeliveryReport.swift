/// What became of a message: an outcome for each recipient, and the server's last word.
public struct DeliveryReport: Hashable, Sendable {
    /// What the server said about one recipient.
    public enum Outcome: Hashable, Sendable {
        /// The server takes responsibility for this recipient, once `finalReply` is positive.
        case accepted(SMTPReply)
        /// The server refused: for good (5yz) or for now (4yz).
        case refused(SMTPReply)
        /// The address has letters beyond ASCII and the server no SMTPUTF8 (RFC 6531): it was not named to the server.
        case needsSMTPUTF8
        /// The last reply was lost: the server may have taken the message for this recipient. Look before sending again.
        case uncertain

        /// The server's reply to `RCPT TO`, where it was asked.
        public var reply: SMTPReply? {
            switch self {
            case .accepted(let reply), .refused(let reply): reply
            case .needsSMTPUTF8, .uncertain: nil
            }
        }
    }

    /// A recipient and its outcome.
    public struct Recipient: Hashable, Sendable {
        /// Who.
        public let path: ForwardPath
        /// What the server said.
        public let outcome: Outcome

        /// Makes an entry.
        public init(path: ForwardPath, outcome: Outcome) {
            self.path = path
            self.outcome = outcome
        }

        /// Whether the server took this recipient.
        public var isAccepted: Bool { if case .accepted = outcome { true } else { false } }
        /// Whether the refusal is for now (4yz): sending to this recipient later may work.
        public var isRefusedForNow: Bool {
            if case .refused(let reply) = outcome { reply.isTransientFailure } else { false }
        }
        /// Whether nobody knows whether the server took this recipient.
        public var isUncertain: Bool { if case .uncertain = outcome { true } else { false } }
        /// Whether the refusal is for good.
        public var isRefusedForGood: Bool { !isAccepted && !isRefusedForNow && !isUncertain }
    }

    /// All recipients, in the order of the envelope.
    public var recipients: [Recipient]
    /// The reply after the message's last octet; often names the queue's identifier. `nil`: no message was sent.
    public var finalReply: SMTPReply?

    /// Makes a report.
    public init(recipients: [Recipient], finalReply: SMTPReply?) {
        self.recipients = recipients
        self.finalReply = finalReply
    }

    /// Whether every recipient has a copy.
    public var allAccepted: Bool { finalReply != nil && recipients.allSatisfy(\.isAccepted) }
    /// The recipients that have a copy.
    public var accepted: [Recipient] { finalReply == nil ? [] : recipients.filter(\.isAccepted) }
    /// The recipients that have no copy, as far as is known.
    public var refused: [Recipient] { recipients.filter { !$0.isAccepted } }
}
