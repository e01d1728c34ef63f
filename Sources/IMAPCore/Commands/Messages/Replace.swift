extension IMAP {
    /// `REPLACE` and `UID REPLACE`: puts a message in the place of another, in the same mailbox or elsewhere, in one step.
    /// RFC 8508.
    ///
    ///     C: M4 UID REPLACE 1998 Drafts (\Seen \Draft) {312}
    ///     S: * OK [APPENDUID 1 2000] done
    ///     S: * 5 EXPUNGE
    ///
    /// - Throws: `.unsupported` where the server does not offer it, and see `Append`.
    public struct Replace<Number: MessageNumber>: IMAPCommand {
        /// The message that goes.
        public var number: Number
        /// The one that comes.
        public var message: AppendMessage
        /// Where it comes to.
        public var mailbox: MailboxName
        /// The largest message that the mailbox takes, where its status told that.
        public var limitInOctets: UInt64?

        /// Its words.
        public var name: String { Number.isUID ? "UID REPLACE" : "REPLACE" }
        /// Whether it does no harm twice.
        public var isRepeatable: Bool { false }
        /// When it may be sent.
        public var scope: CommandScope { .selected }
        /// What may be under way beside it.
        public var order: CommandOrder { .naming(Number.self, keeps: false) }

        /// Makes one.
        public init(
            _ number: Number, with message: AppendMessage, in mailbox: MailboxName,
            limitInOctets: UInt64? = nil
        ) {
            self.number = number
            self.message = message
            self.mailbox = mailbox
            self.limitInOctets = limitInOctets
        }

        /// Writes it; see `IMAPCommand.encode(into:)`.
        public func encode(into encoder: inout CommandEncoder) throws(IMAPError) {
            try encoder.require(.replace)
            try encoder.verb("REPLACE ", Number.self)
            encoder.number(number.rawValue)
            encoder.space()
            encoder.mailbox(mailbox)
            encoder.space()
            try encoder.appended(message, atMost: limitInOctets)
        }
        /// Something empty to gather its answers in.
        public func makeCollector() -> AppendCollector { AppendCollector(count: 1) }
    }
}
