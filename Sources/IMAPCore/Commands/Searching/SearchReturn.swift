/// What a search gives. RFC 9051 §6.4.4, RFC 4731 §3.1.
public struct SearchReturn: Hashable, Sendable {
    /// Which results.
    public struct Options: OptionSet, Hashable, Sendable {
        /// The options, a bit each.
        public let rawValue: UInt16

        /// Makes a set of options.
        public init(rawValue: UInt16) { self.rawValue = rawValue }

        /// The smallest number found.
        public static let min = Options(rawValue: 1)
        /// The largest number found.
        public static let max = Options(rawValue: 2)
        /// All numbers found.
        public static let all = Options(rawValue: 4)
        /// How many were found.
        public static let count = Options(rawValue: 8)
        /// The server keeps the result as `$`. RFC 5182.
        public static let save = Options(rawValue: 16)
        /// The server tells of changes of the result from then on, until `CancelUpdate`. RFC 5267 §4.3.
        public static let update = Options(rawValue: 32)
        /// The same search will come again: a hint. RFC 5267 §4.2.
        public static let context = Options(rawValue: 64)
        /// How well each message fits, 1 to 100. RFC 6203 §4.
        public static let relevancy = Options(rawValue: 128)

        static let words: [(Options, StaticString, Capability?)] = [
            (.min, "MIN", nil), (.max, "MAX", nil), (.all, "ALL", nil),
            (.count, "COUNT", nil), (.save, "SAVE", .searchRes),
            (.update, "UPDATE", .contextSearch), (.context, "CONTEXT", .contextSearch),
            (.relevancy, "RELEVANCY", .fuzzySearch),
        ]
    }

    /// Which results.
    public var options: Options
    /// Some of the numbers found, instead of all. RFC 9394 §3.1, RFC 5267 §4.4.
    public var partial: PartialRange?

    /// Makes one.
    public init(_ options: Options = [], partial: PartialRange? = nil) {
        self.options = options
        self.partial = partial
    }

    /// All numbers found.
    public static let all = SearchReturn(.all)
    /// How many were found.
    public static let count = SearchReturn(.count)

    /// Whether any server can be asked, since the numbers found are enough to tell.
    var needsNoExtension: Bool {
        partial == nil && options.isSubset(of: [.min, .max, .all, .count])
    }

    /// Whether all numbers are to be told: also if nothing is named, as RFC 9051 has it.
    var wantsAll: Bool {
        options.contains(.all)
            || partial == nil && options.isDisjoint(with: [.min, .max, .count, .save])
    }
}

/// How a search is put. RFC 9051 §6.4.4.
public enum SearchForm: Hashable, Sendable {
    /// With `RETURN` where the server knows it.
    case asOffered
    /// Without `RETURN`, as RFC 3501 has it.
    case plain
    /// With `RETURN`.
    case extended
}

extension CommandEncoder {
    /// `RETURN (MIN COUNT) `, if it is needed or better.
    ///
    /// - Parameter extended: the capability that brings the form with RETURN.
    mutating func searchReturn(
        _ returning: SearchReturn, _ form: SearchForm, extended: Capability
    ) throws(IMAPError) {
        switch form {
        case .plain:
            guard returning.needsNoExtension else {
                throw .invalidInput("a search without RETURN gives numbers alone")
            }
            return
        case .asOffered where returning.needsNoExtension && !capabilities.has(extended): return
        case .asOffered, .extended: try require(extended)
        }
        text("RETURN (")
        let words = SearchReturn.Options.words.filter { returning.options.contains($0.0) }
        try self.words(words) { encoder, word throws(IMAPError) in
            if let capability = word.2 { try encoder.require(capability) }
            encoder.text(word.1)
        }
        if let partial = returning.partial {
            if !capabilities.has(.contextSearch) { try require(.partial) }
            if !words.isEmpty { space() }
            text("PARTIAL ")
            range(partial)
        }
        text(") ")
    }
}
