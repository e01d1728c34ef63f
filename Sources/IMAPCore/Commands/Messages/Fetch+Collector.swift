/// What FETCH gave. RFC 9051 §6.4.5.
public struct FetchResult<Number: MessageNumber>: Hashable, Sendable {
    /// A row for each message, in the order of the answers. What a server told in several is put together.
    public var rows: [FetchResponse] = []
    /// Rows that could not be read.
    public var damaged: [DamagedResponse] = []
    /// The UIDs that are gone, where they were asked for.
    public var vanished = UIDSet()
    /// Numbers that were asked for and not answered; `nil` where that cannot be told: for `*`, `$`, `changedSince` and
    /// `partial`.
    ///
    /// A UID may be missing because its message is gone, and both because servers leave out answers and say OK: ask once
    /// more before you believe it.
    public var missing: MessageNumberSet<Number>?
    /// The code of OK, such as `.messageLimit`.
    public var code: ResponseCode?

    /// Makes an empty one.
    public init() {}
}

extension IMAP.Fetch {
    /// Gathers all rows and their data.
    public struct Collector: ResponseCollector {
        private var claim: FetchClaim
        private let takesVanished: Bool
        private var rows: [FetchResponse] = []
        private var damaged: [DamagedResponse] = []
        private var vanished = UIDSet()
        private var literals = LiteralGatherer()
        private var budget: GatheringBudget

        init(_ command: IMAP.Fetch<Number>) {
            claim = FetchClaim(command)
            takesVanished = command.vanished
            budget = GatheringBudget(limit: command.memoryLimitInOctets)
        }

        /// Takes a response, if it is an answer.
        public mutating func receive(_ response: IMAPResponse) -> Disposition {
            switch response {
            case .fetch(let row): return receive(row)
            case .damaged(let row) where claim.claims(row):
                if budget.take(row.octets.count) { damaged.append(row) }
                literals.clear()
                return .consumed
            case .vanished(true, let uids) where takesVanished:
                if budget.take(16 * uids.ranges.count) { vanished.formUnion(uids) }
                return .consumed
            default: return .unclaimed
            }
        }

        private mutating func receive(_ row: FetchResponse) -> Disposition {
            defer { literals.clear() }
            guard claim.claims(row) else { return .unclaimed }
            guard budget.take(row.roughSizeInOctets) else { return .consumed }
            rows.append(literals.settle(row))
            return .consumed
        }

        /// Takes large data, if they belong to an answer.
        public mutating func claims(_ literal: DetachedLiteral) -> Bool {
            claims(literal.owner, literal)
        }

        mutating func claims(_ owner: LiteralOwner, _ literal: DetachedLiteral) -> Bool {
            claim.claims(owner) && literals.begin(literal, &budget)
        }

        /// Takes the next octets of large data.
        public mutating func receiveLiteral(_ octets: ArraySlice<UInt8>) {
            literals.append(octets)
        }

        /// Set once too much came; see `ResponseCollector.excess`.
        public var excess: IMAPError? { budget.excess ?? claim.excess }

        /// What the command gives; see `ResponseCollector.finish(_:)`.
        public consuming func finish(
            _ text: ResponseText
        ) throws(IMAPError) -> FetchResult<Number> {
            try budget.check()
            var result = FetchResult<Number>()
            result.rows = rows
            result.damaged = damaged
            result.vanished = vanished
            result.missing = claim.missing()
            result.code = text.code
            if claim.hasRepetitions { result.joinRows() }
            return result
        }
    }
}

extension FetchResult {
    // Rows without a number stand for themselves.
    mutating func joinRows() {
        var places: [UInt32: Int] = [:]
        var joined: [FetchResponse] = []
        for row in rows {
            let number = row.number(as: Number.self)
            if let number, let place = places[number] {
                joined[place].join(row)
            } else {
                if let number { places[number] = joined.count }
                joined.append(row)
            }
        }
        rows = joined
    }
}

extension FetchResponse {
    /// What was told later stands in front: it is the newer truth, such as of flags.
    fileprivate mutating func join(_ later: FetchResponse) {
        let kept = items.filter { item in
            switch item {
            case .uid: later.uid == nil
            case .flags: later.flags == nil
            case .modSeq: later.modSeq == nil
            default: true
            }
        }
        items = later.items + kept
        number = number ?? later.number
    }
}
