extension IMAP {
    /// `LANGUAGE`: asks for the languages of what the server says to people, or chooses one. RFC 5255 §3.
    ///
    ///     C: M4 LANGUAGE de
    ///     S: * LANGUAGE (de)
    ///
    /// - Throws: `.unsupported` where the server does not offer it, `.invalidInput` for what is no tag of a language.
    public struct Language: IMAPCommand, Hashable {
        /// The languages in the order of preference, such as `de-CH`; none: which are there? Up to `rangeLimit`.
        public var ranges: [String]

        /// How many languages may be named.
        public static let rangeLimit = 100

        /// Its words.
        public var name: String { "LANGUAGE" }
        /// When it may be sent.
        public var scope: CommandScope { .anyTime }

        /// Makes one.
        public init(_ ranges: [String] = []) { self.ranges = ranges }

        /// Writes it; see `IMAPCommand.encode(into:)`.
        public func encode(into encoder: inout CommandEncoder) throws(IMAPError) {
            try encoder.require(.language)
            guard ranges.count <= Self.rangeLimit else {
                throw .invalidInput("LANGUAGE takes up to \(Self.rangeLimit) languages")
            }
            encoder.text("LANGUAGE")
            for range in ranges {
                encoder.space()
                try encoder.checkedName(range, "the tag of a language")
            }
        }
        /// Something empty to gather its answers in.
        public func makeCollector() -> Collector { Collector() }

        /// Keeps the answer.
        public struct Collector: ResponseCollector {
            private var languages: [String] = []

            /// Takes a response, if it is an answer.
            public mutating func receive(_ response: IMAPResponse) -> Disposition {
                guard case .language(let languages) = response else { return .unclaimed }
                self.languages = languages
                return .consumed
            }

            /// What the command gives; see `ResponseCollector.finish(_:)`.
            public consuming func finish(_ text: ResponseText) throws(IMAPError) -> [String] {
                languages
            }
        }
    }

    /// `COMPARATOR`: asks how the server compares text, or chooses a way. RFC 5255 §4.7.
    ///
    ///     C: M4 COMPARATOR "cz;*" i;basic
    ///     S: * COMPARATOR i;basic
    ///
    /// - Throws: `.unsupported` where the server does not offer it, `.invalidInput` for what is no comparator.
    public struct Comparator: IMAPCommand, Hashable {
        /// The comparators in the order of preference; none: which is in use? Up to `comparatorLimit`.
        public var comparators: [String]

        /// How many comparators may be named.
        public static let comparatorLimit = 100

        /// Its words.
        public var name: String { "COMPARATOR" }

        /// Makes one.
        public init(_ comparators: [String] = []) { self.comparators = comparators }

        /// Writes it; see `IMAPCommand.encode(into:)`.
        public func encode(into encoder: inout CommandEncoder) throws(IMAPError) {
            try encoder.require(Capability("I18NLEVEL=2"))
            guard comparators.count <= Self.comparatorLimit else {
                throw .invalidInput("COMPARATOR takes up to \(Self.comparatorLimit) of them")
            }
            encoder.text("COMPARATOR")
            for comparator in comparators {
                encoder.space()
                try encoder.checkedName(comparator, "a comparator")
            }
        }
        /// Something empty to gather its answers in.
        public func makeCollector() -> Collector { Collector() }

        /// Keeps the answer.
        public struct Collector: ResponseCollector {
            private var answer: ComparatorResponse?

            /// Takes a response, if it is an answer.
            public mutating func receive(_ response: IMAPResponse) -> Disposition {
                guard case .comparator(let comparator) = response else { return .unclaimed }
                answer = comparator
                return .consumed
            }

            /// What the command gives; see `ResponseCollector.finish(_:)`.
            public consuming func finish(
                _ text: ResponseText
            ) throws(IMAPError) -> ComparatorResponse? { answer }
        }
    }
}
