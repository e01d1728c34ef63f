import MartletBytes

/// Finds whole responses in what a server sends, however it is cut. Linear in the octets. RFC 9051 §2.2.2, §4.3.
///
///     framer.append(octets)
///     while let piece = try framer.next() { … }
///
/// Lines of `* OK`, `* NO`, `* BAD`, `* BYE`, `* PREAUTH`, tagged lines and `+` never hold literals: their text may end
/// with `{5}`. Tolerated: a bare LF as line end, empty lines between responses, NUL.
public struct ResponseFramer: Sendable {
    /// Makes a framer at the start of a response.
    ///
    /// - Parameter tagPrefix: what the client's tags begin with, before their digits; empty for any tag. It tells lost
    ///   responses from text.
    public init(limits: IMAPLimits = .standard, tagPrefix: String = "") {
        self.limits = limits
        self.tagPrefix = Array(tagPrefix.utf8)
    }

    let limits: IMAPLimits
    let tagPrefix: [UInt8]

    /// Takes octets as they come.
    public mutating func append(_ octets: [UInt8]) {
    }

    /// The next piece, `nil` when more octets are needed.
    ///
    /// - Throws: `FramingError`; the framer is of no more use then.
    public mutating func next() throws(FramingError) -> FramedPiece? { nil }

    /// Whether a literal has begun whose octets have not all come. A session whose patience ends then may call
    /// `recoverShortLiteral`.
    public var isInLiteral: Bool { false }

    /// Whether octets wait that no response has used.
    public var hasBufferedOctets: Bool { false }

    /// The octets that no response has used, for whoever reads on in another way, such as a decompressor. The framer
    /// is empty then.
    public mutating func takeBufferedOctets() -> [UInt8] { [] }

    /// The start of a response that is not complete, safe to print.
    public var excerpt: String { "" }

    /// Gives up the literal that has begun, if the next response stands inside of it: then `next` gives the response so
    /// far as damaged, and goes on with what was inside.
    ///
    /// - Returns: whether it was so.
    public mutating func recoverShortLiteral() -> Bool { false }
}
