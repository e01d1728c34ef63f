extension IMAP {
    /// `LSUB`: asks for subscribed mailboxes. RFC 3501 §6.3.9; gone from IMAP4rev2, where `List` has `.subscribed`.
    ///
    ///     C: M4 LSUB "" *
    ///     S: * LSUB () "/" INBOX
    public struct ListSubscribed: IMAPCommand, Hashable {
        /// What the pattern goes on from; `nil`: nothing.
        public var reference: MailboxName?
        /// Which names.
        public var pattern: MailboxPattern

        /// Its words.
        public var name: String { "LSUB" }

        /// Makes one.
        public init(_ pattern: MailboxPattern = .all, reference: MailboxName? = nil) {
            self.pattern = pattern
            self.reference = reference
        }

        /// Writes it; see `IMAPCommand.encode(into:)`.
        public func encode(into encoder: inout CommandEncoder) {
            encoder.text("LSUB ")
            encoder.reference(reference)
            encoder.space()
            encoder.pattern(pattern)
        }
        /// Something empty to gather its answers in.
        public func makeCollector() -> ListEntryCollector { ListEntryCollector(kind: .lsub) }
    }

    /// `XLIST`: asks for mailboxes with their uses, as some did before RFC 6154. Gmail's old interface.
    ///
    ///     C: M4 XLIST "" *
    ///     S: * XLIST (\HasNoChildren \Inbox) "/" INBOX
    ///
    /// - Throws: `.unsupported` where the server does not offer it.
    public struct XList: IMAPCommand, Hashable {
        /// What the pattern goes on from; `nil`: nothing.
        public var reference: MailboxName?
        /// Which names.
        public var pattern: MailboxPattern

        /// Its words.
        public var name: String { "XLIST" }

        /// Makes one.
        public init(_ pattern: MailboxPattern = .all, reference: MailboxName? = nil) {
            self.pattern = pattern
            self.reference = reference
        }

        /// Writes it; see `IMAPCommand.encode(into:)`.
        public func encode(into encoder: inout CommandEncoder) throws(IMAPError) {
            try encoder.require(.xList)
            encoder.text("XLIST ")
            encoder.reference(reference)
            encoder.space()
            encoder.pattern(pattern)
        }
        /// Something empty to gather its answers in.
        public func makeCollector() -> ListEntryCollector { ListEntryCollector(kind: .xlist) }
    }
}

/// Gathers the mailboxes of one kind of list.
public struct ListEntryCollector: ResponseCollector {
    let kind: ListEntry.Kind
    private var entries: [ListEntry] = []
    private var budget = GatheringBudget()

    init(kind: ListEntry.Kind) { self.kind = kind }

    /// Takes a response, if it is an answer.
    public mutating func receive(_ response: IMAPResponse) -> Disposition {
        guard case .list(let entry) = response, entry.kind == kind else { return .unclaimed }
        if budget.take(entry.roughSizeInOctets) { entries.append(entry) }
        return .consumed
    }

    /// Set once too much came; see `ResponseCollector.excess`.
    public var excess: IMAPError? { budget.excess }

    /// What the command gives; see `ResponseCollector.finish(_:)`.
    public consuming func finish(_ text: ResponseText) throws(IMAPError) -> [ListEntry] {
        try budget.check()
        return entries
    }
}
