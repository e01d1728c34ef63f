extension IMAP {
    /// `STATUS`: asks about a mailbox without selecting it. RFC 9051 §6.3.11.
    ///
    ///     C: M4 STATUS Archive (MESSAGES UIDNEXT)
    ///     S: * STATUS Archive (MESSAGES 231 UIDNEXT 44292)
    ///
    /// - Throws: `.unsupported` for an item that the server does not know, `.missingResponse` where it said nothing.
    public struct Status: IMAPCommand, Hashable {
        /// The mailbox; better not the one that is selected.
        public var mailbox: MailboxName
        /// What to ask for.
        public var items: Set<StatusItem>

        /// Its words.
        public var name: String { "STATUS" }

        /// Makes one.
        public init(_ mailbox: MailboxName, _ items: Set<StatusItem>) {
            self.mailbox = mailbox
            self.items = items
        }

        /// Writes it; see `IMAPCommand.encode(into:)`.
        public func encode(into encoder: inout CommandEncoder) throws(IMAPError) {
            encoder.text("STATUS ")
            encoder.mailbox(mailbox)
            encoder.space()
            try encoder.statusItems(items)
        }
        /// Something empty to gather its answers in.
        public func makeCollector() -> Collector { Collector(mailbox: mailbox) }

        /// Keeps the answer.
        public struct Collector: ResponseCollector {
            let mailbox: MailboxName
            private var answer: MailboxStatus?

            init(mailbox: MailboxName) { self.mailbox = mailbox }

            /// Takes a response, if it is an answer.
            public mutating func receive(_ response: IMAPResponse) -> Disposition {
                // A second one is news: NOTIFY tells the same way.
                guard answer == nil, case .mailboxStatus(let name, let status) = response,
                    mailbox.isMeant(by: name)
                else { return .unclaimed }
                answer = status
                return .consumed
            }

            /// What the command gives; see `ResponseCollector.finish(_:)`.
            public consuming func finish(_ text: ResponseText) throws(IMAPError) -> MailboxStatus {
                guard let answer else {
                    throw IMAPError(kind: .missingResponse("the numbers"), command: "STATUS")
                }
                return answer
            }
        }
    }
}
