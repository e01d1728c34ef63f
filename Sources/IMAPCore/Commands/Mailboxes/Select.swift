extension IMAP {
    /// `SELECT` and `EXAMINE`: opens a mailbox. RFC 9051 §6.3.2, §6.3.3.
    ///
    ///     C: M4 SELECT INBOX (QRESYNC (67890007 90060115194045000 41:211))
    ///     S: * VANISHED (EARLIER) 41,43:116
    ///     S: * 49 FETCH (UID 117 FLAGS (\Seen) MODSEQ (90060115194045001))
    ///     S: M4 OK [READ-WRITE] done
    ///
    /// What the server tells of the mailbox is in the session's `mailbox`; what is gathered here are the changes since a
    /// state that the caller knows.
    ///
    /// - Throws: `.unsupported` without the extension, `.outOfOrder` for QRESYNC that was not enabled, `.refused` by the
    ///   server where there is no such mailbox; no mailbox is selected then.
    public struct Select: IMAPCommand, Hashable {
        /// The mailbox.
        public var mailbox: MailboxName
        /// Whether nothing is to be changed in it: `EXAMINE`.
        public var isReadOnly: Bool
        /// Whether mod-sequences are asked for. RFC 7162 §3.1.8. QRESYNC asks by itself.
        public var condStore: Bool
        /// What is known of the mailbox: the server tells what has changed since. RFC 7162 §3.2.5.
        public var qResync: KnownState?

        /// Its words.
        public var name: String { isReadOnly ? "EXAMINE" : "SELECT" }
        /// What may be under way beside it.
        public var order: CommandOrder { .exclusive }
        /// What its success does to the connection.
        public var effect: CommandEffect { .select(mailbox) }

        /// Makes one.
        public init(
            _ mailbox: MailboxName, isReadOnly: Bool = false, condStore: Bool = false,
            qResync: KnownState? = nil
        ) {
            self.mailbox = mailbox
            self.isReadOnly = isReadOnly
            self.condStore = condStore
            self.qResync = qResync
        }

        /// Writes it; see `IMAPCommand.encode(into:)`.
        public func encode(into encoder: inout CommandEncoder) throws(IMAPError) {
            encoder.text(isReadOnly ? "EXAMINE " : "SELECT ")
            encoder.mailbox(mailbox)
            guard condStore || qResync != nil else { return }
            if condStore { try encoder.require(.condStore) }
            encoder.text(" (")
            if condStore { encoder.text("CONDSTORE") }
            if let qResync {
                if condStore { encoder.space() }
                try qResync.encode(into: &encoder)
            }
            encoder.text(")")
        }

        /// Something empty to gather its answers in.
        public func makeCollector() -> Collector { Collector(isResync: qResync != nil) }
    }
}

extension IMAP.Select {
    /// What a client knows of a mailbox from before. RFC 7162 §3.2.5.
    public struct KnownState: Hashable, Sendable {
        /// The UIDs known belong to this one; for another the server tells nothing.
        public var uidValidity: UIDValidity
        /// What is known is as of this. At least 1.
        public var modSeq: ModSequence
        /// The UIDs known; `nil`: all that there were. Without `*`.
        public var uids: UIDSet?
        /// Some of the sequence numbers that were known, and their UIDs, in the same order and number: servers that keep
        /// no record of what vanished need not tell of UIDs below the last pair that still fits. RFC 7162 §3.2.5.2.
        public var sequenceMatch: SequenceMatch?

        /// Makes one.
        public init(
            uidValidity: UIDValidity, modSeq: ModSequence, uids: UIDSet? = nil,
            sequenceMatch: SequenceMatch? = nil
        ) {
            self.uidValidity = uidValidity
            self.modSeq = modSeq
            self.uids = uids
            self.sequenceMatch = sequenceMatch
        }
    }

    /// Sequence numbers and the UIDs that they had.
    public struct SequenceMatch: Hashable, Sendable {
        /// The numbers, ascending.
        public var numbers: SequenceSet
        /// Their UIDs, as many.
        public var uids: UIDSet

        /// Makes one.
        public init(numbers: SequenceSet, uids: UIDSet) {
            self.numbers = numbers
            self.uids = uids
        }
    }

    /// What changed since the known state; nothing without QRESYNC.
    public struct Result: Hashable, Sendable {
        /// The UIDs of messages that are gone. Servers may name some that never were.
        public var vanished = UIDSet()
        /// QUIRK(absurd-vanished): iCloud says `1:*`. That part is not in `vanished`: ask for the UIDs and compare.
        public var isVanishedIncredible = false
        /// Messages that are new or have changed.
        public var rows: [FetchResponse] = []

        /// Makes an empty one.
        public init() {}
    }

    /// Gathers what has changed. All else that a server tells is taken by the session.
    public struct Collector: ResponseCollector {
        let isResync: Bool
        private var result = Result()
        private var budget = GatheringBudget()

        init(isResync: Bool) { self.isResync = isResync }

        /// Takes a response, if it is an answer.
        public mutating func receive(_ response: IMAPResponse) -> Disposition {
            guard isResync else { return .unclaimed }
            switch response {
            case .vanished(true, let uids):
                guard budget.take(16 * uids.ranges.count) else { return .consumed }
                var told = uids
                if uids.openEnd != nil { result.isVanishedIncredible = true }
                told.openEnd = nil
                result.vanished.formUnion(told)
            case .fetch(let row):
                if budget.take(row.roughSizeInOctets) { result.rows.append(row) }
            default: return .unclaimed
            }
            return .consumed
        }

        /// Set once too much came; see `ResponseCollector.excess`.
        public var excess: IMAPError? { budget.excess }

        /// What the command gives; see `ResponseCollector.finish(_:)`.
        public consuming func finish(_ text: ResponseText) throws(IMAPError) -> Result {
            try budget.check()
            return result
        }
    }
}

extension IMAP.Select.KnownState {
    fileprivate func encode(into encoder: inout CommandEncoder) throws(IMAPError) {
        try encoder.require(.qResync)
        guard encoder.enabled.contains(.qResync) else {
            throw IMAPError(kind: .outOfOrder("QRESYNC has to be enabled first"))
        }
        guard modSeq.rawValue > 0, uidValidity.rawValue > 0 else {
            throw .invalidInput("QRESYNC needs a UIDVALIDITY and a mod-sequence that are not 0")
        }
        encoder.text("QRESYNC (")
        encoder.number(uidValidity.rawValue)
        encoder.space()
        encoder.number(modSeq.rawValue)
        if let uids {
            encoder.space()
            try encoder.closedSet(uids)
        }
        if let sequenceMatch {
            guard sequenceMatch.numbers.count == sequenceMatch.uids.count else {
                throw .invalidInput("each known sequence number needs its UID")
            }
            encoder.text(" (")
            try encoder.closedSet(sequenceMatch.numbers)
            encoder.space()
            try encoder.closedSet(sequenceMatch.uids)
            encoder.text(")")
        }
        encoder.text(")")
    }
}

extension CommandEncoder {
    /// A set that must not hold `*`.
    fileprivate mutating func closedSet(
        _ set: MessageNumberSet<some MessageNumber>
    ) throws(IMAPError) {
        guard set.openEnd == nil else { throw .invalidInput("what is known cannot end with *") }
        try messages(.numbers(set))
    }
}
