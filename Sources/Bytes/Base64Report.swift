/// What was odd about base64 that `Base64Decoder` read. All of it was passed over.
public struct Base64Report: Hashable, Sendable {
    enum Oddity { case junk, stray, innerPadding, missingPadding }

    /// How many runs of octets there were that are neither of the alphabet nor white space.
    public private(set) var junkRunCount = 0
    /// How many characters and padding characters stood alone and gave no octet.
    public private(set) var strayCount = 0
    /// How often data went on behind padding, with a run of its own.
    public private(set) var innerPaddingCount = 0
    /// Whether the last run lacked its padding.
    public private(set) var isPaddingMissing = false
    /// Where text behind the data begins, which was not decoded; `nil` if there is none.
    ///
    /// A line is taken for text where it follows padding or an empty line and has several words, or is
    /// otherwise plainly not base64; and everywhere if it begins with `--` or `__`.
    public private(set) var trailerOffset: Int?
    /// Where the first of all these was, in octets from the start of the body; `nil` if nothing was odd.
    public private(set) var firstOddOffset: Int?

    /// Whether the text was as RFC 2045 §6.8 wants it, the lengths of its lines aside.
    public var isClean: Bool { firstOddOffset == nil }

    mutating func note(_ oddity: Oddity, at offset: Int) {
        switch oddity {
        case .junk: junkRunCount += 1
        case .stray: strayCount += 1
        case .innerPadding: innerPaddingCount += 1
        case .missingPadding: isPaddingMissing = true
        }
        firstOddOffset = firstOddOffset ?? offset
    }

    mutating func noteTrailer(at offset: Int) {
        trailerOffset = offset
        firstOddOffset = firstOddOffset ?? offset
    }
}
