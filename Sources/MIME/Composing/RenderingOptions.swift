/// What the server that takes a message can do.
public struct RenderingOptions: Sendable {
    /// Whether bodies may have 8-bit octets: the server offers 8BITMIME (RFC 6152).
    public var allows8Bit: Bool
    /// Whether header fields may be UTF-8: the server offers SMTPUTF8 (RFC 6531). Used only when an
    /// address needs it, since such a message may not reach servers without the extension.
    public var allowsUTF8Headers: Bool
    /// Gives the ASCII form (A-labels) of a domain with non-ASCII characters. RFC 5891 §5.
    public var domainToASCII: @Sendable (String) throws -> String

    /// Makes options; without arguments those that every server can take.
    ///
    /// - Parameters:
    ///   - allows8Bit: whether the server takes 8-bit octets.
    ///   - allowsUTF8Headers: whether it takes UTF-8 in header fields.
    ///   - domainToASCII: asked for non-ASCII domains only. Without it they are refused.
    public init(
        allows8Bit: Bool = false, allowsUTF8Headers: Bool = false,
        domainToASCII: @escaping @Sendable (String) throws -> String = { $0 }
    ) {
        self.allows8Bit = allows8Bit
        self.allowsUTF8Headers = allowsUTF8Headers
        self.domainToASCII = domainToASCII
    }
}
