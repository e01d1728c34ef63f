/// What was odd about quoted-printable that `QuotedPrintableDecoder` read. All of it is in the octets as it was.
public struct QuotedPrintableReport: Hashable, Sendable {
    /// How many `=` began neither an escape nor a soft line break.
    public private(set) var invalidEscapeCount = 0
    /// Where the first of them was, in octets from the start of the body; `nil` if there was none.
    public private(set) var firstOddOffset: Int?

    /// Whether each `=` meant something.
    public var isClean: Bool { firstOddOffset == nil }

    mutating func noteEscapes(_ count: Int, firstAt offset: Int) {
        invalidEscapeCount += count
        firstOddOffset = firstOddOffset ?? offset
    }
}
