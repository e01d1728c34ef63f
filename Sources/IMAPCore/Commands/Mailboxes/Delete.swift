extension IMAP {
    /// `DELETE`: removes a mailbox with all its messages. RFC 9051 §6.3.5.
    ///
    ///     C: M4 DELETE Old
    ///
    /// Mailboxes inside of it stay; servers may refuse with `[HASCHILDREN]`.
    public struct Delete: IMAPCommand, Hashable {
        /// The mailbox.
        public var mailbox: MailboxName

        /// Its words.
        public var name: String { "DELETE" }
        /// Whether it does no harm twice.
        public var isRepeatable: Bool { false }

        /// Makes one.
        public init(_ mailbox: MailboxName) { self.mailbox = mailbox }

        /// Writes it; see `IMAPCommand.encode(into:)`.
        public func encode(into encoder: inout CommandEncoder) {
            encoder.text("DELETE ")
            encoder.mailbox(mailbox)
        }
        /// Something empty to gather its answers in.
        public func makeCollector() -> NoResponses { NoResponses() }
    }
}
