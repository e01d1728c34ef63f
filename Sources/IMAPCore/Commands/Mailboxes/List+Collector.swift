import MartletBytes

/// A mailbox in a list, with what the server told of it. RFC 9051 §6.3.9.
public struct ListedMailbox: Hashable, Sendable {
    /// Its name and attributes.
    public var entry: ListEntry
    /// Its numbers, where they were asked for and the server gave them.
    public var status: MailboxStatus?
    /// What the user may do in it, where that was asked for.
    public var rights: AccessRights?
    /// Its annotations, where some were asked for.
    public var metadata: [MetadataResponse.Entry]
    /// What it seems to be for by its name, where the server says of no mailbox what it is for; see `specialUse`.
    public internal(set) var guessedUse: MailboxAttribute?

    /// Makes one.
    public init(
        entry: ListEntry, status: MailboxStatus? = nil, rights: AccessRights? = nil,
        metadata: [MetadataResponse.Entry] = []
    ) {
        self.entry = entry
        self.status = status
        self.rights = rights
        self.metadata = metadata
    }
}

extension IMAP.List {
    /// Joins what is told of a mailbox to its entry, in whichever order both come.
    ///
    /// What comes before its entry goes to others as well: it may be news instead.
    public struct Collector: ResponseCollector {
        let returning: Returning
        private var mailboxes: [ListedMailbox] = []
        private var indices: [MailboxName: Int] = [:]
        private var early: [MailboxName: ListedMailbox] = [:]
        private var literals = LiteralGatherer()
        private var budget = GatheringBudget()

        init(returning: Returning) { self.returning = returning }

        /// Takes a response, if it is an answer.
        public mutating func receive(_ response: IMAPResponse) -> Disposition {
            switch response {
            case .list(let entry) where entry.kind == .list: add(entry)
            case .mailboxStatus(let name, let status) where !returning.status.isEmpty:
                return note(name, 200) { $0.status = status }
            case .myRights(let answer) where returning.myRights:
                return note(answer.mailbox, 100) { $0.rights = answer.rights }
            case .metadata(let answer):
                guard !returning.metadata.isEmpty, let name = answer.mailbox,
                    answer.changedNames.isEmpty
                else { return .unclaimed }
                let entries = literals.settle(answer.entries)
                return note(name, answer.roughSizeInOctets) { $0.metadata += entries }
            default: return .unclaimed
            }
            return .consumed
        }

        private mutating func add(_ entry: ListEntry) {
            guard budget.take(entry.roughSizeInOctets) else { return }
            var mailbox = ListedMailbox(entry: entry)
            if let known = early.removeValue(forKey: entry.name) {
                mailbox = known
                mailbox.entry = entry
            }
            indices[entry.name] = mailboxes.count
            mailboxes.append(mailbox)
        }

        private mutating func note(
            _ name: MailboxName, _ size: Int, _ change: (inout ListedMailbox) -> Void
        ) -> Disposition {
            if let index = indices[name] {
                if budget.take(size) { change(&mailboxes[index]) }
                return .consumed
            }
            if budget.take(size + name.encoded.count) {
                change(&early[name, default: ListedMailbox(entry: ListEntry(name: name))])
            }
            return .unclaimed
        }

        /// Takes large data, if they belong to an answer.
        public mutating func claims(_ literal: DetachedLiteral) -> Bool {
            !returning.metadata.isEmpty && literal.isInResponse("METADATA")
                && literals.begin(literal, &budget)
        }

        /// Takes the next octets of large data.
        public mutating func receiveLiteral(_ octets: ArraySlice<UInt8>) {
            literals.append(octets)
        }

        /// Set once too much came; see `ResponseCollector.excess`.
        public var excess: IMAPError? { budget.excess }

        /// What the command gives; see `ResponseCollector.finish(_:)`.
        public consuming func finish(_ text: ResponseText) throws(IMAPError) -> [ListedMailbox] {
            try budget.check()
            return mailboxes
        }
    }
}
