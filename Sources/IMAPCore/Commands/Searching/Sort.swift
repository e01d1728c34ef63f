extension IMAP {
    /// `SORT` and `UID SORT`: finds messages and puts them in order. RFC 5256, RFC 5957, RFC 5267.
    ///
    ///     C: M4 UID SORT (REVERSE ARRIVAL) UTF-8 UNSEEN
    ///     S: * SORT 882 84 2
    ///
    /// - Throws: `.unsupported` for what the server does not offer, `.invalidInput` without a criterion; see `Search`.
    public struct Sort<Number: MessageNumber>: IMAPCommand, Hashable {
        /// By what: the first counts, the next where messages are alike in it. Up to `SortCriterion.countLimit`.
        public var criteria: [SortCriterion]
        /// What to search for.
        public var key: SearchKey
        /// What it gives.
        public var returning: SearchReturn
        /// What the texts of `key` are written in: here it is always named.
        public var charset: SearchCharset
        /// How it is put.
        public var form: SearchForm

        /// Its words.
        public var name: String { Number.isUID ? "UID SORT" : "SORT" }
        /// When it may be sent.
        public var scope: CommandScope { .selected }
        /// What may be under way beside it.
        public var order: CommandOrder { key.order(for: Number.self) }

        /// Makes one.
        public init(
            by criteria: [SortCriterion], _ key: SearchKey = .all, returning: SearchReturn = .all,
            charset: SearchCharset = .automatic, form: SearchForm = .asOffered
        ) {
            self.criteria = criteria
            self.key = key
            self.returning = returning
            self.charset = charset
            self.form = form
        }

        /// Writes it; see `IMAPCommand.encode(into:)`.
        public func encode(into encoder: inout CommandEncoder) throws(IMAPError) {
            try encoder.require(.sort)
            guard !criteria.isEmpty, criteria.count <= SortCriterion.countLimit else {
                throw .invalidInput("SORT takes 1 to \(SortCriterion.countLimit) criteria")
            }
            try encoder.verb("SORT ", Number.self)
            try encoder.searchReturn(returning, form, extended: .eSort)
            try encoder.list(criteria) { encoder, criterion throws(IMAPError) in
                if let capability = criterion.field.capability {
                    try encoder.require(capability)
                }
                if criterion.isReversed { encoder.text("REVERSE ") }
                encoder.raw(criterion.field.rawValue.utf8)
            }
            encoder.space()
            try encoder.namedCharset(charset)
            try encoder.searchKey(key, charset: charset)
        }

        /// Something empty to gather its answers in.
        public func makeCollector() -> Collector { Collector(returning) }
    }
}

/// What messages are put in order by. RFC 5256 §3.
public struct SortCriterion: Hashable, Sendable {
    /// What of a message.
    public enum Field: String, Hashable, Sendable, CaseIterable {
        /// When it arrived.
        case arrival = "ARRIVAL"
        /// The first mailbox in `Cc`.
        case cc = "CC"
        /// When it was sent.
        case date = "DATE"
        /// The first mailbox in `From`.
        case from = "FROM"
        /// Its octets.
        case size = "SIZE"
        /// Its subject without `Re:` and its like.
        case subject = "SUBJECT"
        /// The first mailbox in `To`.
        case to = "TO"
        /// The name shown for `From`. RFC 5957.
        case displayFrom = "DISPLAYFROM"
        /// The name shown for `To`. RFC 5957.
        case displayTo = "DISPLAYTO"
        /// How well it fits. RFC 6203 §5.
        case relevancy = "RELEVANCY"

        var capability: Capability? {
            switch self {
            case .displayFrom, .displayTo: .sortDisplay
            case .relevancy: .fuzzySearch
            default: nil
            }
        }
    }

    /// How many there may be in one command.
    public static let countLimit = 32

    /// What of a message.
    public var field: Field
    /// Whether from the largest to the smallest.
    public var isReversed: Bool

    /// Makes one.
    public init(_ field: Field, isReversed: Bool = false) {
        self.field = field
        self.isReversed = isReversed
    }

    /// From the largest to the smallest.
    public static func reverse(_ field: Field) -> SortCriterion {
        SortCriterion(field, isReversed: true)
    }
}

/// What SORT found. RFC 5256 §4, RFC 5267 §3.
public struct SortResult<Number: MessageNumber>: Hashable, Sendable {
    /// The numbers in the order asked for; `nil` where they were not asked for and not told. They are kept as they came: a
    /// few octets can name billions.
    public var list: MessageNumberList?
    /// The first of them; `nil` where nothing was found, or it was not asked for.
    public var minimum: Number?
    /// The last of them.
    public var maximum: Number?
    /// How many were found.
    public var count: UInt64?
    /// The highest mod-sequence of those; of searches for mod-sequences.
    public var modSeq: ModSequence?
    /// The part that was asked for.
    public var partial: PartialResult?
    /// The tag of the command, which names later updates.
    public var tag: String?

    /// Makes an empty one.
    public init() {}

    /// The numbers in the order asked for.
    public var numbers: some Sequence<Number> & Sendable {
        MessageNumberRuns<Number>(list?.runs ?? [])
    }
}

extension IMAP.Sort {
    /// Gathers numbers from answers of both kinds.
    public struct Collector: ResponseCollector {
        private var gatherer: SearchGatherer
        private let returning: SearchReturn

        init(_ returning: SearchReturn) {
            self.returning = returning
            gatherer = SearchGatherer(kind: .sort, isUID: Number.isUID)
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
        ) throws(IMAPError) -> SortResult<Number> {
            try gatherer.budget.check()
            var result = SortResult<Number>()
            result.tag = gatherer.tag
            let extended = gatherer.extended
            let list = gatherer.list
            let knowsAll = extended == nil || extended?.all != nil || gatherer.hasPlain
            if returning.wantsAll || knowsAll && !list.runs.isEmpty { result.list = list }
            result.minimum = extended?.minimum.flatMap { Number($0) }
            result.maximum = extended?.maximum.flatMap { Number($0) }
            result.count = extended?.count
            if knowsAll || returning.wantsAll {
                result.minimum = result.minimum ?? list.runs.first.flatMap { Number($0.first) }
                result.maximum = result.maximum ?? list.runs.last.flatMap { Number($0.last) }
                result.count = result.count ?? UInt64(list.count)
            }
            result.modSeq = gatherer.modSeq
            result.partial = extended?.partial
            return result
        }
    }
}

extension CommandEncoder {
    /// `UTF-8 `: SORT and THREAD cannot do without. RFC 5256 §3.
    mutating func namedCharset(_ charset: SearchCharset) throws(IMAPError) {
        if case .named(let name) = charset {
            try checkedAtom(name, "charset")
        } else {
            text("UTF-8")
        }
        space()
    }
}
