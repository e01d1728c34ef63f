extension IMAP {
    /// `EXPUNGE`: removes the messages with `\Deleted` for good. RFC 9051 §6.4.3.
    ///
    ///     C: M4 EXPUNGE
    ///     S: * 3 EXPUNGE
    ///     S: M4 OK [HIGHESTMODSEQ 20010715194045319] done
    public struct Expunge: IMAPCommand, Hashable {
        /// Its words.
        public var name: String { "EXPUNGE" }
        /// When it may be sent.
        public var scope: CommandScope { .selected }

        /// Makes one.
        public init() {}

        /// Writes it; see `IMAPCommand.encode(into:)`.
        public func encode(into encoder: inout CommandEncoder) { encoder.text("EXPUNGE") }
        /// Something empty to gather its answers in.
        public func makeCollector() -> ExpungeCollector { ExpungeCollector() }
    }

    /// `UID EXPUNGE`: removes those of some messages that have `\Deleted`. RFC 9051 §6.4.9, RFC 4315 §2.1.
    ///
    ///     C: M4 UID EXPUNGE 3000:3002
    ///
    /// - Throws: `.unsupported` where the server does not offer it, `.invalidInput` for an empty set.
    public struct UIDExpunge: IMAPCommand, Hashable {
        /// Which messages.
        public var messages: MessageSelection<UID>

        /// Its words.
        public var name: String { "UID EXPUNGE" }
        /// When it may be sent.
        public var scope: CommandScope { .selected }

        /// Makes one.
        public init(_ messages: MessageSelection<UID>) { self.messages = messages }

        /// Makes one for the messages of a set.
        public init(_ uids: UIDSet) { self.init(.numbers(uids)) }

        /// Writes it; see `IMAPCommand.encode(into:)`.
        public func encode(into encoder: inout CommandEncoder) throws(IMAPError) {
            try encoder.require(.uidPlus)
            encoder.text("UID EXPUNGE ")
            try encoder.messages(messages)
        }
        /// Something empty to gather its answers in.
        public func makeCollector() -> ExpungeCollector { ExpungeCollector() }
    }
}

/// What EXPUNGE removed, as far as the server said so while it ran. Others may have removed messages at the same time.
public struct ExpungeResult: Hashable, Sendable {
    /// The numbers that messages had, each when it went, in their order.
    public var numbers: [SequenceNumber] = []
    /// The UIDs of those that went; from servers with QRESYNC switched on.
    public var vanished = UIDSet()
    /// The highest mod-sequence since. RFC 7162 §3.2.7.
    public var highestModSeq: ModSequence?

    /// Makes an empty one.
    public init() {}
}

/// Takes note of what goes, and leaves it to the session.
public struct ExpungeCollector: ResponseCollector {
    private var result = ExpungeResult()
    private var budget = GatheringBudget()

    init() {}

    /// Takes a response, if it is an answer.
    public mutating func receive(_ response: IMAPResponse) -> Disposition {
        switch response {
        case .expunge(let number):
            if budget.take(4) { result.numbers.append(number) }
        case .vanished(earlier: false, let uids):
            var uids = uids
            uids.openEnd = nil
            if budget.take(16 * uids.ranges.count) { result.vanished.formUnion(uids) }
        default: break
        }
        return .unclaimed
    }

    /// Set once too much came; see `ResponseCollector.excess`.
    public var excess: IMAPError? { budget.excess }

    /// What the command gives; see `ResponseCollector.finish(_:)`.
    public consuming func finish(_ text: ResponseText) throws(IMAPError) -> ExpungeResult {
        try budget.check()
        if case .highestModSeq(let value) = text.code { result.highestModSeq = value }
        return result
    }
}
