extension IMAP {
    /// `ESEARCH`: searches several mailboxes. RFC 7377.
    ///
    ///     C: M4 ESEARCH IN (MAILBOXES (INBOX Archive) SUBTREE Work) RETURN (COUNT) UNSEEN
    ///     S: * ESEARCH (TAG "M4" MAILBOX INBOX UIDVALIDITY 1) UID COUNT 3
    ///
    /// Mailboxes in which nothing is found are left out.
    ///
    /// - Throws: `.unsupported` where the server does not offer it, `.invalidInput` without mailboxes; see `Search`.
    public struct MultiSearch: IMAPCommand, Hashable {
        /// Which mailboxes; `nil`: the selected one. Not `.selectedDelayed`. Up to `filterLimit`.
        public var filters: [MailboxFilter]?
        /// What to search for.
        public var key: SearchKey
        /// What it gives, of each.
        public var returning: SearchReturn
        /// What its texts are written in.
        public var charset: SearchCharset

        /// How many filters there may be.
        public static let filterLimit = 1_000

        /// Its words.
        public var name: String { "ESEARCH" }
        /// What may be under way beside it.
        public var order: CommandOrder { key.order(for: UID.self) }

        /// Makes one.
        public init(
            in filters: [MailboxFilter]?, _ key: SearchKey, returning: SearchReturn = .all,
            charset: SearchCharset = .automatic
        ) {
            self.filters = filters
            self.key = key
            self.returning = returning
            self.charset = charset
        }

        /// Writes it; see `IMAPCommand.encode(into:)`.
        public func encode(into encoder: inout CommandEncoder) throws(IMAPError) {
            try encoder.require(.multiSearch)
            encoder.text("ESEARCH ")
            if let filters {
                guard !filters.isEmpty, filters.count <= Self.filterLimit,
                    !filters.contains(.selectedDelayed)
                else {
                    throw .invalidInput(
                        "ESEARCH takes 1 to \(Self.filterLimit) filters, not SELECTED-DELAYED")
                }
                encoder.text("IN ")
                try encoder.list(filters) { encoder, filter throws(IMAPError) in
                    try filter.encode(into: &encoder)
                }
                encoder.space()
            }
            try encoder.searchReturn(returning, .extended, extended: .multiSearch)
            try encoder.searchProgram(key, charset: charset)
        }

        /// Something empty to gather its answers in.
        public func makeCollector() -> Collector { Collector() }

        /// What was found in one mailbox.
        public struct Found: Hashable, Sendable {
            /// The mailbox; `nil` where the server did not say.
            public var mailbox: MailboxName?
            /// Of that mailbox.
            public var uidValidity: UIDValidity?
            /// All UIDs, where they were asked for.
            public var uids: UIDSet?
            /// The smallest UID.
            public var minimum: UID?
            /// The largest UID.
            public var maximum: UID?
            /// How many were found.
            public var count: UInt64?
            /// The highest mod-sequence of those.
            public var modSeq: ModSequence?
            /// The part that was asked for.
            public var partial: PartialResult?
            /// How well each of `uids` fits.
            public var relevancies: [UInt32]

            init(_ answer: ExtendedSearchResponse) {
                mailbox = answer.mailbox
                uidValidity = answer.uidValidity
                uids = answer.all?.uids
                minimum = answer.minimum.flatMap { UID($0) }
                maximum = answer.maximum.flatMap { UID($0) }
                count = answer.count
                modSeq = answer.modSeq
                partial = answer.partial
                relevancies = answer.relevancies
            }
        }

        /// Gathers what was found where.
        public struct Collector: ResponseCollector {
            private var tag: String?
            private var found: [Found] = []
            private var budget = GatheringBudget()

            /// Takes note of the tag.
            public mutating func start(tag: String) { self.tag = tag }

            /// Takes a response, if it is an answer.
            public mutating func receive(_ response: IMAPResponse) -> Disposition {
                guard case .extendedSearch(let answer) = response, answer.updates.isEmpty,
                    answer.tag == tag || tag == nil
                else { return .unclaimed }
                let size =
                    300 + (answer.all?.roughSizeInOctets ?? 0) + 4 * answer.relevancies.count
                    + (answer.partial?.numbers?.roughSizeInOctets ?? 0)
                    + (answer.mailbox?.encoded.count ?? 0)
                if budget.take(size) { found.append(Found(answer)) }
                return .consumed
            }

            /// Set once too much came; see `ResponseCollector.excess`.
            public var excess: IMAPError? { budget.excess }

            /// What the command gives; see `ResponseCollector.finish(_:)`.
            public consuming func finish(_ text: ResponseText) throws(IMAPError) -> [Found] {
                try budget.check()
                return found
            }
        }
    }
}
