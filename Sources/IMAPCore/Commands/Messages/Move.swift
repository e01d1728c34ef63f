extension IMAP {
    /// `MOVE` and `UID MOVE`: moves messages to the end of another mailbox, each of them whole. RFC 9051 §6.4.8, RFC 6851.
    ///
    ///     C: M4 UID MOVE 42:44 Archive
    ///     S: * OK [COPYUID 432432 42:44 1202:1204] done
    ///     S: * 22 EXPUNGE
    ///     S: M4 OK done
    ///
    /// That messages went is news for the session, too: it sees EXPUNGE and VANISHED first, and hands them on as events.
    ///
    /// - Throws: `.unsupported` where the server does not offer it, `.invalidInput` for an empty set.
    public struct Move<Number: MessageNumber>: IMAPCommand, Hashable {
        /// Which messages.
        public var messages: MessageSelection<Number>
        /// Where to.
        public var mailbox: MailboxName

        /// Its words.
        public var name: String { Number.isUID ? "UID MOVE" : "MOVE" }
        /// When it may be sent.
        public var scope: CommandScope { .selected }
        /// What may be under way beside it.
        public var order: CommandOrder { .naming(Number.self, keeps: false) }

        /// Makes one.
        public init(_ messages: MessageSelection<Number>, to mailbox: MailboxName) {
            self.messages = messages
            self.mailbox = mailbox
        }

        /// Makes one for the messages of a set.
        public init(_ numbers: MessageNumberSet<Number>, to mailbox: MailboxName) {
            self.init(.numbers(numbers), to: mailbox)
        }

        /// Writes it; see `IMAPCommand.encode(into:)`.
        public func encode(into encoder: inout CommandEncoder) throws(IMAPError) {
            try encoder.require(.move)
            try encoder.verb("MOVE ", Number.self)
            try encoder.messages(messages)
            encoder.space()
            encoder.mailbox(mailbox)
        }
        /// Something empty to gather its answers in.
        public func makeCollector() -> CopyCollector {
            CopyCollector(asked: messages.closedSet?.count)
        }
    }
}
