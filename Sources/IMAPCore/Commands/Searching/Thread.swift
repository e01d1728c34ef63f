extension IMAP {
    /// `THREAD` and `UID THREAD`: finds messages and tells which answers which. RFC 5256.
    ///
    ///     C: M4 UID THREAD REFERENCES UTF-8 SINCE 1-Nov-2026
    ///     S: * THREAD (2)(3 6 (4 23)(44 7 96))
    ///
    /// - Throws: `.unsupported` for an algorithm that the server does not offer; see `Search`.
    public struct Thread<Number: MessageNumber>: IMAPCommand, Hashable {
        /// How.
        public var algorithm: ThreadAlgorithm
        /// What to search for.
        public var key: SearchKey
        /// What the texts of `key` are written in: here it is always named.
        public var charset: SearchCharset

        /// Its words.
        public var name: String { Number.isUID ? "UID THREAD" : "THREAD" }
        /// When it may be sent.
        public var scope: CommandScope { .selected }
        /// What may be under way beside it.
        public var order: CommandOrder { key.order(for: Number.self) }

        /// Makes one.
        public init(
            _ algorithm: ThreadAlgorithm, _ key: SearchKey = .all,
            charset: SearchCharset = .automatic
        ) {
            self.algorithm = algorithm
            self.key = key
            self.charset = charset
        }

        /// Writes it; see `IMAPCommand.encode(into:)`.
        public func encode(into encoder: inout CommandEncoder) throws(IMAPError) {
            try encoder.require(Capability("THREAD=" + algorithm.rawValue))
            try encoder.verb("THREAD ", Number.self)
            try encoder.checkedAtom(algorithm.rawValue, "way of threading")
            encoder.space()
            try encoder.namedCharset(charset)
            try encoder.searchKey(key, charset: charset)
        }

        /// Something empty to gather its answers in.
        public func makeCollector() -> ThreadCollector { ThreadCollector() }
    }
}

/// A way of threading, in upper case. RFC 5256 §3.
public struct ThreadAlgorithm: Hashable, Sendable, CustomStringConvertible {
    /// Its name in upper case.
    public let rawValue: String

    /// Any name, known here or not.
    public init(_ rawValue: some StringProtocol) { self.rawValue = Capability(rawValue).rawValue }

    /// By subject, then by date.
    public static let orderedSubject = ThreadAlgorithm("ORDEREDSUBJECT")
    /// By `References` and `In-Reply-To`, then by subject.
    public static let references = ThreadAlgorithm("REFERENCES")
    /// By `References` and `In-Reply-To` alone. draft-ietf-morg-inthread.
    public static let refs = ThreadAlgorithm("REFS")

    /// Its name.
    public var description: String { rawValue }
}

/// Gathers threads: each message with the place of the one that it answers.
public struct ThreadCollector: ResponseCollector {
    private var nodes: [ThreadNode] = []
    private var budget = GatheringBudget()

    init() {}

    /// Takes a response, if it is an answer.
    public mutating func receive(_ response: IMAPResponse) -> Disposition {
        guard case .thread(let threads) = response else { return .unclaimed }
        guard budget.take(MemoryLayout<ThreadNode>.stride * threads.count) else { return .consumed }
        let start = nodes.count
        if start == 0 {
            nodes = threads
        } else {
            nodes += threads.map {
                ThreadNode(number: $0.number, parent: $0.parent.map { $0 + start })
            }
        }
        return .consumed
    }

    /// Set once too much came; see `ResponseCollector.excess`.
    public var excess: IMAPError? { budget.excess }

    /// What the command gives; see `ResponseCollector.finish(_:)`.
    public consuming func finish(_ text: ResponseText) throws(IMAPError) -> [ThreadNode] {
        try budget.check()
        return nodes
    }
}
