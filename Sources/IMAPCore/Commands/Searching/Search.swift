extension IMAP {
    /// `SEARCH` and `UID SEARCH`: finds messages. RFC 9051 §6.4.4, §6.4.9, RFC 4731, RFC 5182, RFC 5267, RFC 9394.
    ///
    ///     C: M4 UID SEARCH RETURN (MIN COUNT) UNSEEN FROM alice
    ///     S: * ESEARCH (TAG "M4") UID MIN 7 COUNT 3
    ///
    /// Servers without `RETURN` are asked the old way, and answers of both kinds are understood to both questions; what
    /// was asked for is then counted here.
    ///
    /// - Throws: `.unsupported` for criteria and results that the server does not know, `.invalidInput` for what cannot be
    ///   sent; `.refused` by the server with `[BADCHARSET]`, after which `SearchCharset.retry` tells what to try.
    public struct Search<Number: MessageNumber>: IMAPCommand, Hashable {
        /// What to search for.
        public var key: SearchKey
        /// What it gives.
        public var returning: SearchReturn
        /// What its texts are written in.
        public var charset: SearchCharset
        /// How it is put.
        public var form: SearchForm

        /// Its words.
        public var name: String { Number.isUID ? "UID SEARCH" : "SEARCH" }
        /// When it may be sent.
        public var scope: CommandScope { .selected }
        /// What may be under way beside it.
        public var order: CommandOrder { key.order(for: Number.self) }

        /// Makes one.
        public init(
            _ key: SearchKey, returning: SearchReturn = .all, charset: SearchCharset = .automatic,
            form: SearchForm = .asOffered
        ) {
            self.key = key
            self.returning = returning
            self.charset = charset
            self.form = form
        }

        /// Writes it; see `IMAPCommand.encode(into:)`.
        public func encode(into encoder: inout CommandEncoder) throws(IMAPError) {
            try encoder.verb("SEARCH ", Number.self)
            try encoder.searchReturn(returning, form, extended: .eSearch)
            try encoder.searchProgram(key, charset: charset)
        }

        /// Something empty to gather its answers in.
        public func makeCollector() -> Collector { Collector(returning) }
    }
}

extension SearchKey {
    /// What a search for it needs: sequence numbers may stand in it, or are found by it.
    func order<Number: MessageNumber>(for _: Number.Type) -> CommandOrder {
        let namesNumbers = criteria.contains {
            switch $0 {
            case .numbers, .raw: true
            default: false
            }
        }
        var order: CommandOrder = Number.isUID ? [] : .keepsSequenceNumbers
        if namesNumbers || !Number.isUID { order.insert(.usesSequenceNumbers) }
        return order
    }
}

/// What a search found, as far as it was asked for. RFC 9051 §7.3.4.
public struct SearchResult<Number: MessageNumber>: Hashable, Sendable {
    /// All numbers found; `nil` where they were not asked for and not told.
    public var numbers: MessageNumberSet<Number>?
    /// The smallest number found; `nil` where nothing was found, or it was not asked for.
    public var minimum: Number?
    /// The largest number found.
    public var maximum: Number?
    /// How many were found.
    public var count: UInt64?
    /// The highest mod-sequence of those; of searches for mod-sequences.
    public var modSeq: ModSequence?
    /// The part that was asked for.
    public var partial: PartialResult?
    /// How well each of `numbers` fits, 1 to 100, in ascending order of the numbers.
    public var relevancies: [UInt32] = []
    /// Whether the result is kept as `$`, where that was asked for.
    public var isSaved = false
    /// The tag of the command, which names later updates.
    public var tag: String?

    /// Makes an empty one.
    public init() {}
}

extension IMAP.Search {
    /// Gathers numbers from answers of both kinds.
    public struct Collector: ResponseCollector {
        private var gatherer: SearchGatherer
        private let returning: SearchReturn

        init(_ returning: SearchReturn) {
            self.returning = returning
            gatherer = SearchGatherer(kind: .search, isUID: Number.isUID)
        }

        /// Takes note of the tag.
        public mutating func start(tag: String) { gatherer.tag = tag }
        /// Takes a response, if it is an answer.
        public mutating func receive(_ response: IMAPResponse) -> Disposition {
            gatherer.receive(response)
        }

        /// Set once too much came; see `ResponseCollector.excess`.
        public var excess: IMAPError? { gatherer.budget.excess }

        /// What the command gives; see `ResponseCollector.finish(_:)`.
        public consuming func finish(
            _ text: ResponseText
        ) throws(IMAPError) -> SearchResult<Number> {
            try gatherer.budget.check()
            var result = SearchResult<Number>()
            result.tag = gatherer.tag
            let extended = gatherer.extended
            let numbers = gatherer.numberSet(of: Number.self)
            let knowsAll = extended == nil || extended?.all != nil || gatherer.hasPlain
            if returning.wantsAll || knowsAll && !numbers.isEmpty { result.numbers = numbers }
            result.minimum = extended?.minimum.flatMap { Number($0) }
            result.maximum = extended?.maximum.flatMap { Number($0) }
            result.count = extended?.count
            if knowsAll || returning.wantsAll {
                result.minimum =
                    result.minimum ?? numbers.ranges.first.flatMap { Number($0.lowerBound) }
                result.maximum =
                    result.maximum ?? numbers.ranges.last.flatMap { Number($0.upperBound) }
                result.count = result.count ?? numbers.count.map { UInt64($0) }
            }
            result.modSeq = gatherer.modSeq
            result.partial = extended?.partial
            result.relevancies = extended?.relevancies ?? []
            result.isSaved = returning.options.contains(.save) && text.code != .notSaved
            return result
        }
    }
}
