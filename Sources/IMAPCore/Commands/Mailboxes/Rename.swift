extension IMAP {
    /// `RENAME`: gives a mailbox, and those inside of it, another name. RFC 9051 §6.3.6.
    ///
    ///     C: M4 RENAME Old Archive/Old
    ///
    /// Of `INBOX` only the messages go; it stays, empty.
    public struct Rename: IMAPCommand, Hashable {
        /// The mailbox.
        public var mailbox: MailboxName
        /// Its name from now on.
        public var newName: MailboxName

        /// Its words.
        public var name: String { "RENAME" }
        /// Whether it does no harm twice.
        public var isRepeatable: Bool { false }

        /// Makes one.
        public init(_ mailbox: MailboxName, to newName: MailboxName) {
            self.mailbox = mailbox
            self.newName = newName
        }

        /// Writes it; see `IMAPCommand.encode(into:)`.
        public func encode(into encoder: inout CommandEncoder) {
            encoder.text("RENAME ")
            encoder.mailbox(mailbox)
            encoder.space()
            encoder.mailbox(newName)
        }
        /// Something empty to gather its answers in.
        public func makeCollector() -> NoResponses { NoResponses() }
    }
}
