extension IMAP {
    /// `STORE` and `UID STORE`: changes the flags, or Gmail's labels, of messages. RFC 9051 §6.4.6, RFC 7162 §3.1.3.
    ///
    ///     C: M4 UID STORE 17,25 (UNCHANGEDSINCE 12121230045) +FLAGS (\Seen $Forwarded)
    ///     S: * 3 FETCH (UID 17 FLAGS (\Seen $Forwarded) MODSEQ (12121230047))
    ///     S: M4 OK [MODIFIED 25] one was changed by somebody else
    ///
    /// - Throws: `.unsupported` for what the server does not offer, `.invalidInput` for an empty set, for flags that
    ///   cannot be set, and for adding or removing nothing.
    public struct Store<Number: MessageNumber>: IMAPCommand, Hashable {
        /// Which messages.
        public var messages: MessageSelection<Number>
        /// What becomes of their flags or labels.
        public var change: StoreChange
        /// Whether the server need not tell the new flags.
        public var isSilent: Bool
        /// Only messages that have not changed after this; the others are in `modified`. RFC 7162 §3.1.3.
        public var unchangedSince: ModSequence?

        /// Its words.
        public var name: String { Number.isUID ? "UID STORE" : "STORE" }
        /// When it may be sent.
        public var scope: CommandScope { .selected }
        /// What may be under way beside it.
        public var order: CommandOrder { .naming(Number.self, keeps: true) }

        /// Makes one.
        public init(
            _ messages: MessageSelection<Number>, _ change: StoreChange, isSilent: Bool = false,
            unchangedSince: ModSequence? = nil
        ) {
            self.messages = messages
            self.change = change
            self.isSilent = isSilent
            self.unchangedSince = unchangedSince
        }

        /// Makes one for the messages of a set.
        public init(
            _ numbers: MessageNumberSet<Number>, _ change: StoreChange, isSilent: Bool = false,
            unchangedSince: ModSequence? = nil
        ) {
            self.init(
                .numbers(numbers), change, isSilent: isSilent, unchangedSince: unchangedSince)
        }

        /// Writes it; see `IMAPCommand.encode(into:)`.
        public func encode(into encoder: inout CommandEncoder) throws(IMAPError) {
            try encoder.verb("STORE ", Number.self)
            try encoder.messages(messages)
            encoder.space()
            if let unchangedSince {
                try encoder.require(.condStore)
                encoder.text("(UNCHANGEDSINCE ")
                encoder.number(unchangedSince.rawValue)
                encoder.text(") ")
            }
            try change.encode(isSilent: isSilent, into: &encoder)
        }

        /// Something empty to gather its answers in.
        public func makeCollector() -> Collector { Collector(messages, change) }
    }
}

/// What STORE does with flags or labels. RFC 9051 §6.4.6.
public enum StoreChange: Hashable, Sendable {
    /// What becomes of those that a message has.
    public enum Operation: String, Hashable, Sendable, CaseIterable {
        /// They stay, and these come to them.
        case add = "+"
        /// They stay without these.
        case remove = "-"
        /// They go; these alone are left.
        case replace = ""
    }

    /// Flags and keywords.
    case flags(Operation, [MessageFlag])
    /// Labels of Gmail's.
    case labels(Operation, [GmailLabel])

    /// Adds flags.
    public static func add(_ flags: [MessageFlag]) -> StoreChange { .flags(.add, flags) }
    /// Removes flags.
    public static func remove(_ flags: [MessageFlag]) -> StoreChange { .flags(.remove, flags) }
    /// Puts flags in the place of all that there are.
    public static func replace(_ flags: [MessageFlag]) -> StoreChange { .flags(.replace, flags) }

    fileprivate func encode(
        isSilent: Bool, into encoder: inout CommandEncoder
    ) throws(IMAPError) {
        switch self {
        case .flags(let operation, let flags):
            try Self.check(operation, isEmpty: flags.isEmpty)
            encoder.raw(operation.rawValue.utf8)
            encoder.text(isSilent ? "FLAGS.SILENT " : "FLAGS ")
            try encoder.list(flags) { encoder, flag throws(IMAPError) in
                try encoder.checkedFlag(flag)
            }
        case .labels(let operation, let labels):
            try encoder.require(.gmail)
            try Self.check(operation, isEmpty: labels.isEmpty)
            encoder.raw(operation.rawValue.utf8)
            encoder.text(isSilent ? "X-GM-LABELS.SILENT " : "X-GM-LABELS ")
            try encoder.list(labels) { encoder, label throws(IMAPError) in
                try encoder.label(label)
            }
        }
    }

    private static func check(_ operation: Operation, isEmpty: Bool) throws(IMAPError) {
        if isEmpty, operation != .replace {
            throw .invalidInput("there is nothing to add or to remove")
        }
    }
}

extension CommandEncoder {
    /// A label of Gmail's: `\Inbox` as it is, a name like that of a mailbox.
    mutating func label(_ label: GmailLabel) throws(IMAPError) {
        let octets = label.octets(isUTF8: isUTF8)
        guard !octets.isEmpty, !octets.contains(0) else {
            throw .invalidInput("a label cannot be empty or hold NUL")
        }
        if label.isSystemLabel, octets.dropFirst().allSatisfy(\.isAtomOctet) {
            raw(octets)
        } else {
            astring(octets)
        }
    }
}

/// What STORE gave. RFC 9051 §6.4.6.
public struct StoreResult<Number: MessageNumber>: Hashable, Sendable {
    /// The flags, labels and mod-sequences that the server told; few or none where it was to be silent.
    public var rows: [FetchResponse] = []
    /// Messages that were left as they were, since somebody else had changed them. RFC 7162 §3.1.3.
    public var modified = MessageNumberSet<Number>()
    /// The code of OK, such as `.messageLimit`.
    public var code: ResponseCode?

    /// Makes an empty one.
    public init() {}
}

extension IMAP.Store {
    /// Gathers what became of the messages.
    public struct Collector: ResponseCollector {
        private var claim: FetchClaim
        private var result = StoreResult<Number>()
        private var budget = GatheringBudget()

        init(_ messages: MessageSelection<Number>, _ change: StoreChange) {
            switch change {
            case .flags: claim = FetchClaim(messages, [.flags, .modSeq])
            case .labels: claim = FetchClaim(messages, [.gmailLabels, .modSeq])
            }
        }

        /// Takes a response, if it is an answer.
        public mutating func receive(_ response: IMAPResponse) -> Disposition {
            guard case .fetch(let row) = response, claim.claims(row) else { return .unclaimed }
            if budget.take(row.roughSizeInOctets) { result.rows.append(row) }
            return .consumed
        }

        /// Set once too much came; see `ResponseCollector.excess`.
        public var excess: IMAPError? { budget.excess }

        /// What the command gives; see `ResponseCollector.finish(_:)`.
        public consuming func finish(
            _ text: ResponseText
        ) throws(IMAPError) -> StoreResult<Number> {
            try budget.check()
            if case .modified(let numbers) = text.code {
                result.modified = MessageNumberSet(numbers)
            }
            result.code = text.code
            return result
        }
    }
}

extension MessageNumberSet {
    /// The numbers of a list, without their order.
    init(_ list: MessageNumberList) {
        self.init()
        let ranges = list.runs.map { min($0.first, $0.last)...max($0.first, $0.last) }
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) where range.lowerBound > 0
        {
            insert(range)
        }
    }
}
