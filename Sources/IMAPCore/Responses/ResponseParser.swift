/// Reads whole responses. Nothing fails: what cannot be read is `Response.damaged`, or a damaged item.
public struct ResponseParser: Sendable {
    /// `nestingDepth` counts here.
    public var limits: IMAPLimits
    /// Whether UTF-8 was agreed on (RFC 6855): names of mailboxes are then not in modified UTF-7.
    public var isUTF8: Bool

    /// Makes a parser.
    public init(limits: IMAPLimits = .standard, isUTF8: Bool = false) {
        self.limits = limits
        self.isUTF8 = isUTF8
    }

    /// Reads a response.
    public func parse(_ frame: ResponseFrame) -> Response {
        .damaged(DamagedResponse(octets: Array(frame.octets), failure: .init(expected: "", at: 0)))
    }
}
