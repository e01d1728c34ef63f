/// Why octets do not match the grammar.
public struct ParseFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was due: a rule of RFC 9051 §9 or words.
    public var expected: String
    /// Where, counted from the first octet of the frame.
    public var offset: Int

    /// Makes a failure.
    public init(expected: String, at offset: Int) {
        self.expected = expected
        self.offset = offset
    }

    /// `nz-number expected at octet 12`.
    public var description: String { "\(expected) expected at octet \(offset)" }
}
