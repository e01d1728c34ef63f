extension IMAP {
    /// `SUBSCRIBE`: puts a name among those that the user wants to see. RFC 9051 §6.3.7.
    public struct Subscribe: IMAPCommand, Hashable {
        /// The mailbox; it need not exist.
        public var mailbox: MailboxName

        /// Its words.
        public var name: String { "SUBSCRIBE" }

        /// Makes one.
        public init(_ mailbox: MailboxName) { self.mailbox = mailbox }

        /// Writes it; see `IMAPCommand.encode(into:)`.
        public func encode(into encoder: inout CommandEncoder) {
            encoder.text("SUBSCRIBE ")
            encoder.mailbox(mailbox)
        }
        /// Something empty to gather its answers in.
        public func makeCollector() -> NoResponses { NoResponses() }
    }

    /// `UNSUBSCRIBE`: takes a name out of those that the user wants to see. RFC 9051 §6.3.8.
    public struct Unsubscribe: IMAPCommand, Hashable {
        /// The mailbox; it need not exist.
        public var mailbox: MailboxName

        /// Its words.
        public var name: String { "UNSUBSCRIBE" }

        /// Makes one.
        public init(_ mailbox: MailboxName) { self.mailbox = mailbox }

        /// Writes it; see `IMAPCommand.encode(into:)`.
        public func encode(into encoder: inout CommandEncoder) {
            encoder.text("UNSUBSCRIBE ")
            encoder.mailbox(mailbox)
        }
        /// Something empty to gather its answers in.
        public func makeCollector() -> NoResponses { NoResponses() }
    }
}
